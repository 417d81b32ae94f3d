"""Counters and flags of house rules that sentences express without their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from houserule import ir
from houserule.base.frozen import frozen
from houserule.ir.types import Flag, Whole, is_seat
from houserule.ir.walk import beneath, rebuilt
from houserule.rulebook.exact.clauses import ClausePart
from houserule.rulebook.exact.scope import ME

Parts = Mapping[str, list[ClausePart]]
ONE, YES = ir.Const(1, Whole(1, 1)), ir.Const(True, Flag())


@frozen
class Counters:
    """The meanings of states of house rules.

    Attributes:
        limits: by clause, a state that only limits it, and how often it may happen.
        events: by state, the declaration that it counts.
        flags: by state, the condition that it makes true.
        parts: the parts of clauses without the tests of the limits.
    """

    limits: Mapping[str, tuple[ir.StateDef, int]]
    events: Mapping[str, str]
    flags: Mapping[str, ir.CallValue]
    parts: dict[str, list[ClausePart]]

    @property
    def silent(self) -> frozenset[str]:
        """The states that no sentence names."""
        limits = (state.name for state, _ in self.limits.values())
        return frozenset((*limits, *self.events, *self.flags))


def counters_of(program: ir.Program, parts: Parts, new: Iterable[str]) -> Counters:
    """Return the meanings of the states `new` of house rules, if they are simple."""
    limits: dict[str, tuple[ir.StateDef, int]] = {}
    events: dict[str, str] = {}
    flags: dict[str, ir.CallValue] = {}
    found = {address: list(each) for address, each in parts.items()}
    for name in new:
        state = program.states[name]
        reads = [e for e in _uses(parts) if _is(e[1], name, ir.ReadCell)]
        writes = [e for e in _uses(parts) if _is(e[1], name, ir.SetCell, ir.AddCell)]
        if any(each.event == name for each in program.reactions.values()):
            continue
        match reads, writes:
            case [(tested, read)], [(part, ir.SetCell(value=set_to, keys=()))] if (
                tested.phrase == "lift"
                and tested.node == read
                and getattr(set_to, "value", None) is True
                and _acts(program, part)
                and (value := program.values.get(tested.owner)) is not None
                and all(is_seat(each.type) for each in value.params)
            ):
                me = (ir.Local(ME, "me", each.type) for each in value.params)
                flags[name] = ir.CallValue(value.name, tuple(me), value.type)
            case [(tested, read)], [(part, ir.AddCell(amount=amount) as change)] if (
                _value(amount) == 1
                and _acts(program, part)
                and _unit(program, tested) == _unit(program, part)
                and change.keys == getattr(read, "keys", None)
                and (test := _test_of(tested, read)) is not None
                and (most := _most(test, change, state)) is not None
            ):
                last = program.reactions.get(part.owner)
                limits[last.does[-1].address if last else part.address] = state, most
                for address in {tested.address, part.address}:
                    found[address] = [_without(e, test) for e in found[address]]
            case _, [(part, ir.AddCell(sign=1, keys=(), amount=amount) as change)] if (
                _value(amount) == 1
                and _value(state.begins) == 0
                and isinstance(part.node, ir.Body)
                and change in part.node.block
                and part.owner not in program.reactions
            ):
                events[name] = part.address.partition(".")[0]
            case _:
                pass
    return Counters(limits, events, flags, found)


def _uses(parts: Parts) -> Iterator[tuple[ClausePart, ir.CoreNode]]:
    for part in (each for own in parts.values() for each in own):
        for root in read_by(part.node):
            yield from ((part, node) for node in beneath(root))


def _is(node: ir.CoreNode, state: str, *kinds: type) -> bool:
    return isinstance(node, kinds) and getattr(node, "state", "") == state


def _value(expr: ir.CoreNode | None) -> object:
    return expr.value if isinstance(expr, ir.Const) else None


def _acts(program: ir.Program, part: ClausePart) -> bool:
    """Return whether *me* is a player where a part of a clause happens."""
    owner = part.address.partition(".")[0]
    return owner in {*program.actions, *program.reactions, *program.steps}


def _unit(program: ir.Program, part: ClausePart) -> str:
    return part.owner if part.owner in program.reactions else part.address


def _test_of(part: ClausePart, read: ir.CoreNode) -> ir.CompareValues | None:
    """Return the comparison of a state that must hold for what follows."""
    tests = [part.node.test] if isinstance(part.node, ir.Condition) else []
    if isinstance(part.node, ir.StepDef) and part.node.guard is not None:
        tests.append(part.node.guard)
    for node in (each for root in read_by(part.node) for each in beneath(root)):
        match node:
            case ir.When(rows=((test, _),), otherwise=()):
                tests.append(test)
            case _:
                pass
    while tests:
        match tests.pop():
            case ir.Connective(op="and", left=left, right=right):
                tests += (left, right)
            case ir.CompareValues(left=left) as test if left == read:
                return test
            case _:
                pass
    return None


def _most(test: ir.CompareValues, change: ir.AddCell, state: ir.StateDef) -> int | None:
    """Return how often something may happen that a counter allows."""
    begins, number = _value(state.begins), _value(test.right)
    if not isinstance(begins, int) or not isinstance(number, int):
        return None
    match test.op, change.sign:
        case ("<", 1):
            return number - begins
        case ("<=", 1):
            return number - begins + 1
        case (">", -1):
            return begins - number
        case (">=", -1):
            return begins - number + 1
        case _:
            return None


def _without(part: ClausePart, test: ir.Expr) -> ClausePart:
    """Return a part of a clause where a condition is left out."""

    def change(node: ir.CoreNode) -> ir.CoreNode:
        if node == test:
            return YES
        match rebuilt(node, change):
            case ir.Connective("and", left, right) if YES in (left, right):
                return right if left == YES else left
            case other:
                return other

    return replace(part, node=rebuilt(part.node, change))


def read_by(node: ir.CoreNode) -> Iterator[ir.CoreNode]:
    """Yield the expressions and statements in a part of a clause."""
    match node:
        case ir.Condition(test=test):
            yield test
        case ir.Body(block=block):
            yield from block
        case ir.ValueDef(definition=definition):
            yield definition
        case ir.StepDef(guard=guard, body=body):
            yield from filter(None, (guard, body))
        case ir.PhaseDef(guard=guard, until=until, times=times):
            yield from filter(None, (guard, until, times))
        case ir.ActionDef() | ir.EffectDef() | ir.ReactionDef():
            return  # their clauses are parts of their own
        case _:
            yield node
