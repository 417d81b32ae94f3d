"""Facts of nodes that hold in any program.

Programs of one ruleset have most of their nodes in common, so these are worked out once
for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from houserule import ir
from houserule.base.frozen import frozen
from houserule.ir.walk import beneath, children

Place: TypeAlias = tuple[str, str]
NOTHING: frozenset[Place] = frozenset()
NODE = TypeVar("NODE", bound=ir.CoreNode)
MADE = TypeVar("MADE")
Moving: TypeAlias = ir.MoveTop | ir.MoveThings
Zones: TypeAlias = frozenset[str] | None
"""The zones in which things may lie; None if it can be any zone of their kind."""

_READING = frozenset(
    {
        ir.ReadCell,
        ir.PayCell,
        ir.ReadFace,
        ir.Contents,
        ir.ZoneSize,
        ir.PayTop,
        ir.PileTop,
        ir.TokenCount,
        ir.PayTokens,
        ir.CallValue,
        ir.PositionOf,
        ir.Can,
        ir.PositionAfter,
        ir.Alike,
    }
)
# These read nothing themselves, only through their children.
_HOLDERS = (
    ir.ActionDef,
    ir.Body,
    ir.Condition,
    ir.CostDef,
    ir.EffectDef,
    ir.ReactionDef,
    ir.StepDef,
    ir.ValueDef,
)


@frozen
class OwnReads:
    """The reads of a node and its descendants.

    Attributes:
        places: the places it reads itself.
        values: the names of the declared values it calls, which read more.
        ends: the zones whose ends it mentions.
        asking: nodes whose reads depend on the program: `can`, positions after an
            action, which things are interchangeable.
        imagined: those of them that look ahead to a position after an action.
    """

    places: frozenset[Place] = NOTHING
    values: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    asking: tuple[ir.CoreNode, ...] = ()
    imagined: tuple[ir.PositionAfter, ...] = ()


@frozen
class Write:
    """One way in which a place is written.

    `adds`: it changes the value by an amount; `lowers`: it only
    takes away.
    """

    place: Place
    adds: bool
    lowers: bool
    statement: ir.Statement = field(compare=False)


@frozen
class OwnDeeds:
    """The effects that a body calls, in order, and the places that it writes.

    `moves` are statements that move things, and the zones from which they move them.
    """

    effects: tuple[str, ...]
    writes: tuple[Write, ...]
    places: frozenset[Place]
    moves: tuple[tuple[Moving, Zones], ...] = ()


class NodeFacts:
    """Memoised facts: each node is visited once for each question.

    A node is known by its identity, and kept, so no other can come by that.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[object, int], tuple[ir.CoreNode, Any]] = {}

    def of(self, ask: Callable[[NODE, NodeFacts], MADE], node: NODE) -> MADE:
        """Return what a function says of a node, which is the same in any program."""
        key = (ask, id(node))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = (node, ask(node, self))
        found: MADE = known[1]
        return found

    def reads(self, node: ir.CoreNode) -> OwnReads:
        """Return what is read beneath a node."""
        return self.of(_own_reads, node)

    def reads_of(self, roots: Sequence[ir.CoreNode]) -> OwnReads:
        """Return what is read beneath several nodes."""
        parts = [self.of(_own_reads, each) for each in roots]
        return OwnReads(
            frozenset().union(*(each.places for each in parts)),
            frozenset().union(*(each.values for each in parts)),
            frozenset().union(*(each.ends for each in parts)),
            tuple(node for each in parts for node in each.asking),
            tuple(node for each in parts for node in each.imagined),
        )

    def does(self, body: ir.Body) -> OwnDeeds:
        return self.of(_own_deeds, body)


def _own_reads(root: ir.CoreNode, facts: NodeFacts) -> OwnReads:
    if isinstance(root, _HOLDERS):
        return facts.reads_of(children(root))  # they are asked about as well
    places: set[Place] = set()
    values: set[str] = set()
    ends: set[str] = set()
    asking: list[ir.CoreNode] = []
    for node in beneath(root):
        if type(node) not in _READING:  # most are not
            continue
        match node:
            case ir.ReadCell(state=name) | ir.PayCell(state=name):
                places.add(("state", name))
            case ir.ReadFace(kind=kind):
                places.add(("face", kind.name))
            case ir.Contents(zone=name) | ir.ZoneSize(zone=name) | ir.PayTop(zone=name):
                places.add(("zone", name))
            case ir.PileTop(zone=name):
                places |= {("zone", name), ("order", name)}
            case ir.TokenCount(slot=name) | ir.PayTokens(slot=name):
                places.add(("tokens", name))
            case ir.CallValue(value=name):
                values.add(name)
            case ir.PositionOf(zone=name):
                ends.add(name)
            case _:
                asking.append(node)
    return OwnReads(
        frozenset(places),
        frozenset(values),
        frozenset(ends),
        tuple(asking),
        tuple(each for each in asking if isinstance(each, ir.PositionAfter)),
    )


def _own_deeds(body: ir.Body, facts: NodeFacts) -> OwnDeeds:
    nodes = list(beneath(*body.block))
    effects = [each.effect for each in nodes if isinstance(each, ir.CallEffect)]
    moves = tuple(_moves(nodes))
    writes: list[Write] = []
    for node in nodes:
        match node:
            case ir.SetCell(state=name):
                writes.append(Write(("state", name), False, False, node))
            case ir.AddCell(state=name, sign=sign):
                writes.append(Write(("state", name), True, sign < 0, node))
            case ir.SetFace(kind=kind) | ir.AddFace(kind=kind) | ir.RollDice(kind=kind):
                writes.append(Write(("face", kind.name), False, False, node))
            case ir.ShufflePile(zone=name):
                writes.append(Write(("order", name), False, False, node))
            case ir.MoveTokens(source=source, to=to, up_to=up_to, count=count):
                sure = not up_to and count is not None
                writes.append(Write(("tokens", source), sure, True, node))
                writes.append(Write(("tokens", to), sure, False, node))
            case _:
                pass
    places = frozenset(write.place for write in writes)
    return OwnDeeds(tuple(effects), tuple(writes), places, moves)


def _moves(nodes: Sequence[ir.CoreNode]) -> Iterator[tuple[Moving, Zones]]:
    """Yield the moves among the nodes of a body, and the zones from which they move.

    A thing that was moved after a slot got it is in a zone to which the body moves.
    """
    given: dict[int, list[Zones]] = {}
    for node in nodes:
        match node:
            case ir.Bind(slots=slots, source=what):
                for slot in slots:
                    given.setdefault(slot, []).append(_zones(what, given))
            case ir.LetSlot(slot=slot, value=what):
                given.setdefault(slot, []).append(_zones(what, given))
            case _:
                pass
    for node in nodes:
        match node:
            case ir.MoveTop(zone=zone):
                yield node, frozenset({zone})
            case ir.MoveThings(what=what):
                yield node, _zones(what, given)
            case _:
                pass


def _zones(what: ir.Expr, given: Mapping[int, Sequence[Zones]]) -> Zones:
    """Return the zones in which a thing or all things of a set lie."""
    match what:
        case ir.Contents(zone=zone) | ir.PileTop(zone=zone):
            return frozenset({zone})
        case ir.Pick(bind=ir.Bind(how="member", source=source)):
            return _zones(source, given)
        case ir.CombineSets(op=op, left=left) if op != "plus":  # a part of `left`
            return _zones(left, given)
        case ir.Local(slot=slot) if all(given.get(slot, (None,))):
            return frozenset(chain.from_iterable(filter(None, given[slot])))
        case _:
            return None


def levels(root: ir.CoreNode, facts: NodeFacts) -> dict[tuple[str, ...], int]:
    """Return how deep a node goes, by the values that are called on the way down."""
    found: dict[tuple[str, ...], int] = {}
    waiting: list[tuple[ir.CoreNode, int, tuple[str, ...]]] = [(root, 0, ())]
    while waiting:
        node, level, called = waiting.pop()
        if isinstance(node, ir.CallValue):
            called = (*called, node.value)
        found[called] = max(found.get(called, 0), level)
        waiting += [(each, level + 1, called) for each in children(node)]
    return found
