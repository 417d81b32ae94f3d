"""Decisions inside bodies: the influences on whether they come and what they offer.

An effect has many callers: the influences on a call apply to its decisions too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from houserule import ir
from houserule.base.frozen import frozen
from houserule.compiler.lower.types import capacity, member_of
from houserule.ir.hidden_reads import Given, StaticViewer, present
from houserule.ir.types import Kind, Whole
from houserule.ir.walk import slots_read

ME: ir.Expr = ir.Local(0, "me", Kind("", 0, "seat"))


@frozen
class Influence:
    """An expression that influences what a seat is offered, with its place.

    `decider` is the deciding seat in the expression's frame; if None, the expression
    must be public. `given` has the expressions that each slot's variable comes from.
    """

    expr: ir.Expr
    decider: ir.Expr | None
    where: str
    given: Given = field(default_factory=dict)

    @property
    def seer(self) -> StaticViewer:
        """The viewpoint of the deciding seat for hidden reads."""
        if self.decider is None:
            return StaticViewer(lambda _: False)
        if _is_me(self.decider):
            return StaticViewer(_is_me, acts=True, given=self.given)
        return StaticViewer(lambda expr: expr == self.decider, given=self.given)


def _is_me(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Local) and expr.slot == 0


@frozen
class _Point:
    """A place in the body of an owner.

    `around` has the expressions on the way there; `given` has those that each slot's
    value comes from.
    """

    owner: str
    around: tuple[ir.Expr, ...] = ()
    given: Given = field(default_factory=dict)

    def inside(self, exprs: Sequence[ir.Expr], slots: Sequence[int] = ()) -> _Point:
        """Return a place with more influences, which also bind the slots."""
        inner = (*self.around, *exprs)
        return _Point(self.owner, inner, self.knowing(slots, exprs).given)

    def knowing(self, slots: Sequence[int], exprs: Sequence[ir.Expr]) -> _Point:
        """Return the same place with values for slots."""
        given = {**self.given, **dict.fromkeys(slots, tuple(exprs))}
        return _Point(self.owner, self.around, given)


@frozen
class _Call:
    """A place that leads to another owner, with the arguments."""

    point: _Point
    args: tuple[ir.Expr, ...]


class Decisions:
    """The decisions in the bodies of a program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._found: list[tuple[_Point, ir.ChooseOption | ir.ShareOut]] = []
        self._calls: defaultdict[str, list[_Call]] = defaultdict(list)
        for effect in program.effects.values():
            needs = [
                need
                for name in effect.instead
                for need in self._program.reactions[name].needs
            ]
            self._bodies(
                _Point(effect.name, tuple(_tests(needs))),
                effect.does,
                len(effect.params),
            )
            for name in effect.instead:
                self._hook(name, _Point(effect.name), len(effect.params))
        for action in program.actions.values():
            factors = sum(len(bind.slots) for bind in action.params)
            factors += sum(len(b.slots) for cost in action.costs for b in cost.binds)
            paid = (cost.body for cost in action.costs)
            self._bodies(_Point(action.name), (*paid, *action.does), factors)
        for step in program.steps.values():
            if step.body is not None:
                self._bodies(_Point(step.name), [step.body], 0)
        for reaction in program.reactions.values():
            count = len(reaction.params)
            self._bodies(self._of_reaction(reaction), reaction.does, count)

    def influences(self) -> Iterator[Influence]:
        """Yield the influences on whether a decision comes, and what it offers."""
        for point, node in self._found:
            by = node.by if isinstance(node, ir.ChooseOption) else None
            amount = node.amount if isinstance(node, ir.ShareOut) else None
            parts = present(node.bind.source, node.where, amount)
            trace = _Trace(self._calls, node.site)
            yield from trace.leading(point, ME if by is None else by, parts)
            yield from self._coming(point, node.site)
            if by is not None:
                yield Influence(by, None, node.site)
        for action in self._program.actions.values():
            for ask in action.asks:
                yield Influence(ask.who, None, ask.address)
        for reaction in self._program.reactions.values():
            for ask in reaction.asks:
                yield Influence(ask.who, None, ask.address)
                yield from self._coming(self._of_reaction(reaction), ask.address)

    def _coming(self, point: _Point, where: str) -> Iterator[Influence]:
        """Yield the influences on whether a question comes, which all seats notice.

        The sources of `let` variables count. Those of parameters do not: players see a
        played card.
        """
        points, seen = [point], set[tuple[str, tuple[ir.Expr, ...]]]()
        for each in points:
            if (each.owner, each.around) in seen:
                continue
            seen.add((each.owner, each.around))
            points += [call.point for call in self._calls.get(each.owner, ())]
            traced, deciding = set[int](), list(each.around)
            for expr in deciding:
                yield Influence(expr, None, where)
                for slot in sorted((slots_read(expr) & each.given.keys()) - traced):
                    values = whole = each.given[slot]
                    if _asks_if_any(expr):
                        values = tuple(map(_emptiness, whole))
                    if values == whole:
                        traced.add(slot)
                    deciding += values

    # ---- where bodies begin

    def _of_reaction(self, reaction: ir.ReactionDef) -> _Point:
        """Return the start of a reaction: its needs hold, and its value has changed."""
        begin = _Point(reaction.name, tuple(_tests(reaction.needs)))
        if reaction.moment != "when":
            return begin
        keys = [
            ir.Local(slot, param.name, param.type)
            for slot, param in enumerate(reaction.params, 1)
        ]
        type_ = self._program.values[reaction.event].type
        value = ir.CallValue(reaction.event, tuple(keys), type_, span=reaction.span)
        first = len(keys) + 1
        return begin.inside([value], range(first, first + len(reaction.change)))

    def _bodies(self, begin: _Point, bodies: Sequence[ir.Body], params: int) -> None:
        for body in bodies:
            self._walk(body.block, begin)
            for name in (*body.before, *body.after):
                self._hook(name, begin, params)

    def _hook(self, name: str, point: _Point, params: int) -> None:
        """Record a reaction here: it is called with the same parameters."""
        named = self._program.reactions[name].params[:params]
        same = [ir.Local(at, each.name, each.type) for at, each in enumerate(named, 1)]
        self._calls[name].append(_Call(point, tuple(same)))

    # ---- through statements

    def _walk(self, block: ir.Block, point: _Point) -> None:
        for statement in block:
            match statement:
                case ir.LetSlot(slot=slot, value=value):
                    point = point.knowing([slot], [value])
                case ir.CallEffect(effect=name, args=args):
                    self._calls[name].append(_Call(point, args))
                case ir.When(rows, otherwise):
                    inner = point
                    for condition, body in rows:
                        inner = inner.inside([condition])
                        self._walk(body, inner)
                    self._walk(otherwise, inner)
                case ir.ForEach(binds=binds, where=where, keys=keys):
                    sources = [bind.source for bind in binds]
                    parts = [*sources, *present(where, statement.until), *keys]
                    slots = [slot for bind in binds for slot in bind.slots]
                    self._walk(statement.body, point.inside(parts, slots))
                case ir.DrawOne(bind=bind, where=where):
                    parts = [*present(bind.source, where)]
                    self._walk(statement.body, point.inside(parts, bind.slots))
                case ir.ChooseOption():
                    self._found.append((point, statement))
                    self._walk(statement.body, point)
                    self._walk(statement.otherwise, point)
                case ir.ShareOut():
                    self._found.append((point, statement))
                    self._walk(statement.body, point)
                case _:
                    pass


def _asks_if_any(test: ir.Expr) -> bool:
    """Return whether a test only asks if a variable is none."""
    if isinstance(test, ir.Unary) and test.op == "not":
        return _asks_if_any(test.operand)
    return isinstance(test, ir.IsNone) and isinstance(test.operand, ir.Local)


def _emptiness(value: ir.Expr) -> ir.Expr:
    """Return the expression that decides whether a value is none.

    For a zone's first thing, it is the zone's size.
    """
    match value:
        case ir.FirstOf(ir.Contents(zone, keys, type_)):
            many = Whole(0, capacity(member_of(type_)))
            return ir.ZoneSize(zone, keys, many, span=value.span)
        case _:
            return value


class _Trace:
    """Everything that leads to one decision, including calls of effects."""

    def __init__(self, calls: Mapping[str, list[_Call]], where: str) -> None:
        self._calls, self._where = calls, where
        self._led: set[tuple[str, ir.Expr | None]] = set()
        self._traced: set[tuple[object, ...]] = set()

    def leading(
        self, point: _Point, decider: ir.Expr | None, parts: Sequence[ir.Expr] = ()
    ) -> Iterator[Influence]:
        """Yield the parts, their surroundings, and the way to their owner."""
        for expr in (*parts, *point.around):
            yield from self._through(expr, point, decider)
        if (point.owner, decider) in self._led:
            return
        self._led.add((point.owner, decider))
        for call in self._calls.get(point.owner, ()):
            yield from self.leading(call.point, _at_call(decider, call))

    def _through(
        self, expr: ir.Expr, point: _Point, decider: ir.Expr | None
    ) -> Iterator[Influence]:
        """Yield an expression, and those that its variables come from."""
        yield Influence(expr, decider, self._where, point.given)
        for slot in sorted(slots_read(expr) - {0}):
            traced = (point.owner, slot, decider, point.given.get(slot))
            if traced in self._traced:
                continue
            self._traced.add(traced)
            for each in point.given.get(slot, ()):
                yield from self._through(each, point, decider)
            if slot in point.given:
                continue
            for call in self._calls.get(point.owner, ()):
                if slot <= len(call.args):
                    there = _at_call(decider, call)
                    yield from self._through(call.args[slot - 1], call.point, there)


def _at_call(decider: ir.Expr | None, call: _Call) -> ir.Expr | None:
    """Return the deciding seat in the caller's frame; None if it cannot express it."""
    if decider is None or _is_me(decider) or not slots_read(decider):
        return decider
    if isinstance(decider, ir.Local) and decider.slot <= len(call.args):
        return call.args[decider.slot - 1]
    return None


def _tests(conditions: Sequence[ir.Condition]) -> Iterator[ir.Expr]:
    for condition in conditions:
        yield condition.test
        yield from (expr for _, expr in condition.lifts)
