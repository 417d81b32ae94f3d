"""Whether options give away what the deciding seat may not see (E601)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from houserule import ir
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.ir.walk import beneath, children
from houserule.lower.analysis.access import Access, Place

Decider = Callable[[ir.Expr], bool]


def visibility(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E601 for every domain, cost, condition or advice that reads the hidden."""
    hidden = _hidden_places(program)
    for action in program.actions.values():
        for part in _judging(action):
            yield from _Search(program, access, hidden).leaks(part, _is_me, action.name)
    for node in _decisions(program):
        by = node.by if isinstance(node, ir.ChooseOption) else None
        decider = _is_me if by is None else _same_as(by)
        parts = [node.bind.source, *([] if node.where is None else [node.where])]
        parts += [node.amount] if isinstance(node, ir.ShareOut) else []
        for part in parts:
            yield from _Search(program, access, hidden).leaks(part, decider, node.site)


def _hidden_places(program: ir.Program) -> frozenset[Place]:
    """Return every place that not all may see."""
    zones = {("zone", each.name) for each in program.zones.values() if each.seen}
    states = {("state", each.name) for each in program.states.values() if each.seen}
    return frozenset(zones | states)


def _is_me(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Local) and expr.slot == 0


def _same_as(by: ir.Expr) -> Decider:
    return lambda expr: expr == by


def _judging(action: ir.ActionDef) -> Iterator[ir.Expr]:
    yield from (bind.source for bind in action.params)
    for cost in action.costs:
        yield from (bind.source for bind in cost.binds)
        yield from (expr for pay in cost.payments for expr in _paid(pay))
    yield from (limit.count for limit in action.limits)
    for condition in (*action.conditions, *action.unwise):
        yield condition.test
        yield from (expr for _, expr in condition.lifts)


def _paid(payment: ir.Payment) -> tuple[ir.Expr, ...]:
    match payment:
        case ir.PayThings(what=what):
            return (what,)
        case ir.PayTop(count=much) | ir.PayTokens(count=much):
            return (much, *payment.keys)
        case ir.PayCell(amount=much, keys=keys):
            return (much, *keys)
        case _:
            assert_never(payment)


def _decisions(program: ir.Program) -> Iterator[ir.ChooseOption | ir.ShareOut]:
    bodies = [
        *(b for effect in program.effects.values() for b in effect.does),
        *(b for action in program.actions.values() for b in action.does),
        *(b for reaction in program.reactions.values() for b in reaction.does),
        *(step.body for step in program.steps.values() if step.body is not None),
    ]
    for body in bodies:
        for node in beneath(*body.block):
            if isinstance(node, ir.ChooseOption | ir.ShareOut):
                yield node


class _Search:
    """A walk through an expression and the values it calls."""

    def __init__(
        self, program: ir.Program, access: Access, hidden: frozenset[Place]
    ) -> None:
        self._program, self._access, self._places = program, access, hidden
        self._seen: set[tuple[str, frozenset[int]]] = set()

    def leaks(
        self, expr: ir.Expr, decider: Decider, where: str
    ) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each place beneath that the decider may not see."""
        hidden = self._hidden(expr, decider)
        if hidden:
            yield fault(
                "E601",
                f"{where} would tell who decides something about {hidden}, which that "
                "seat may not see.",
                expr.span,
                details=(
                    "What is offered and what is refused may depend only on what the "
                    "deciding seat sees.",
                ),
                fixes=(
                    "choose from what can be seen, and look at the rest in `does`",
                    "let the other seat decide:  … by p",
                ),
            )

    def _hidden(self, node: ir.CoreNode, decider: Decider) -> str:
        match node:
            case ir.Contents(zone=name, keys=keys) | ir.PileTop(zone=name, keys=keys):
                if self._zone_hidden(name, keys, decider):
                    return name
            case ir.ReadCell(state=name, keys=keys):
                seen = self._program.states[name].seen
                if self._not_seen(seen, keys, decider):
                    return name
            case ir.CallValue(value=name, args=args):
                inside = self._in_value(name, args, decider)
                if inside:
                    return inside
            case _:
                pass
        found = (self._hidden(child, decider) for child in children(node))
        return next((each for each in found if each), "")

    def _in_value(self, name: str, args: tuple[ir.Expr, ...], decider: Decider) -> str:
        known = frozenset(n + 1 for n, arg in enumerate(args) if decider(arg))
        if (name, known) in self._seen or not self._may_hide(name):
            return ""
        self._seen.add((name, known))
        value = self._program.values[name]

        def inner(expr: ir.Expr) -> bool:
            return isinstance(expr, ir.Local) and expr.slot in known

        parts: list[ir.Expr] = [value.definition]
        parts += [expr for layer in value.layers for _, expr in layer.adjusts]
        parts += [expr for _, expr in value.lifts]
        found = (self._hidden(part, inner) for part in parts)
        return next((each for each in found if each), "")

    def _may_hide(self, value: str) -> bool:
        """Say whether a value reads anything that is hidden from somebody."""
        return not self._places.isdisjoint(self._access.value_reads(value))

    def _zone_hidden(
        self, name: str, keys: tuple[ir.Expr, ...], decider: Decider
    ) -> bool:
        return self._not_seen(self._program.zones[name].seen, keys, decider)

    @staticmethod
    def _not_seen(
        seen: ir.Expr | None, keys: tuple[ir.Expr, ...], decider: Decider
    ) -> bool:
        match seen:
            case None:
                return False
            case ir.Const(value):
                return value == ()
            case ir.MakeSet(items):
                slots = [item.slot for item in items if isinstance(item, ir.Local)]
            case ir.Local(slot=slot):
                slots = [slot]
            case _:
                return True
        return not any(
            decider(keys[slot - 1]) for slot in slots if 0 < slot <= len(keys)
        )
