"""Constraints on hidden things: where invariants do not let them lie.

An invariant of the form "for all things in a zone: a condition of the thing, the place
and what never hides" bars things from places. Read so are `every`, `no` and `not some`,
joined by `and`, `or` and `not`, over what lies in a zone or over all things of a kind
with `c is in zone(p)`. Other statements about hidden things are not analysed: each
determinization is tested against the invariant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from typing import TypeAlias, cast

from houserule import ir
from houserule.base.frozen import frozen
from houserule.ir.access import Access
from houserule.ir.hidden_reads import HiddenReads, StaticViewer, self_revealing
from houserule.ir.types import Flag, members
from houserule.ir.walk import rebuilt, slots_needed, with_slots

FLAG = Flag()
NOBODY = StaticViewer(lambda _: False)


@frozen
class HiddenConstraint:
    """Which things may lie in the places of a zone, as far as one invariant says.

    In `fits` the keys of the zone are in slots 1…, the thing is in the slot behind. It
    reads nothing that hides from anybody.
    """

    zone: str
    fits: ir.Expr


@frozen
class HiddenConstraints:
    """The constraints that a program's invariants put on hidden things.

    `asks` tells that an invariant constrains hidden things or dice beyond `bars`, or
    that the contents of a zone decide who sees them.
    """

    bars: tuple[HiddenConstraint, ...]
    asks: bool


@lru_cache(maxsize=32)
def certain(program: ir.Program) -> HiddenConstraints:
    """Return what the invariants of a program say of hidden things."""
    reading = _Invariants(program)
    bars: list[HiddenConstraint] = []
    asks = not self_revealing(program, Access(program)).isdisjoint(program.zones)
    for condition in program.always:
        found = list(reading.invariant(condition))
        bars += [bar for bar in found if bar is not None]
        asks = asks or (None in found and reading.tells_of_things(condition))
    return HiddenConstraints(tuple(bars), asks)


@frozen
class _Lying:
    """A variable for the thing in a place of a zone."""

    slot: int
    zone: str
    keys: tuple[ir.Expr, ...] | None  # None: any place


@frozen
class _Around:
    """The context of an expression: for all of `binds`, if `guards` hold."""

    binds: tuple[ir.Bind, ...] = ()
    guards: tuple[ir.Expr, ...] = ()
    lying: _Lying | None = None

    def given(self, guard: ir.Expr, *, true: bool) -> _Around:
        return replace(self, guards=(*self.guards, guard if true else _not(guard)))

    def binds_member(self, slot: int) -> bool:
        return any(slot in each.slots and each.how == "member" for each in self.binds)


_Found: TypeAlias = Iterator[HiddenConstraint | None]
"""Bars; None where something is said that is no bar."""


class _Invariants:
    """A walk through invariants: what of them is to hold, or is not to."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._reads = HiddenReads(program, Access(program))
        self._free = 0

    def invariant(self, condition: ir.Condition) -> _Found:
        # The first slots are those of bars.
        zones = self._program.zones.values()
        self._free = 1 + max((len(zone.keys) for zone in zones), default=0)
        yield from self.bars(self._apart(condition.whole), _Around())

    def tells_of_things(self, condition: ir.Condition) -> bool:
        """Return whether an invariant mentions hidden things or dice."""
        program = self._program
        states = {name: replace(s, seen=None) for name, s in program.states.items()}
        open_cells = replace(program, states=states)
        reads = HiddenReads(open_cells, Access(open_cells))
        return bool(reads.found(condition, NOBODY))

    def bars(self, node: ir.Expr, around: _Around, *, holds: bool = True) -> _Found:
        """Yield what it means for hidden things that something holds, or does not."""
        if not self._hides(node):
            # Without a thing it is the same in all worlds, so it holds in all of them.
            if around.lying is not None:
                yield self._bar(around, around.lying, node if holds else _not(node))
            return
        match node:
            case ir.Unary(op="not", operand=operand):
                yield from self.bars(operand, around, holds=not holds)
            case ir.Connective(op=op, left=left, right=right):
                if (op == "and") == holds:
                    yield from self.bars(left, around, holds=holds)
                    yield from self.bars(right, around, holds=holds)
                else:
                    # One of two must hold: if one is false, the other is true.
                    if not self._hides(left):
                        around = around.given(left, true=not holds)
                        yield from self.bars(right, around, holds=holds)
                    elif not self._hides(right):
                        around = around.given(right, true=not holds)
                        yield from self.bars(left, around, holds=holds)
                    else:
                        yield None
            case ir.Quantifier(kind=kind) if (kind != "some") == holds:
                for bind in node.binds:
                    source = bind.source
                    if not self._hides(source):
                        around = replace(around, binds=(*around.binds, bind))
                    elif (
                        isinstance(source, ir.Contents)
                        and not self._hides(*source.keys)
                        and bind.how == "member"
                        and len(bind.slots) == 1
                        and around.lying is None
                    ):
                        lying = _Lying(bind.slots[0], source.zone, source.keys)
                        around = replace(around, lying=lying)
                    else:
                        yield None
                        return
                holds, where, body = kind == "every", node.where, node.body
                if where is None:
                    yield from self.bars(body, around, holds=holds)
                elif not self._hides(where):
                    around = around.given(where, true=True)
                    yield from self.bars(body, around, holds=holds)
                elif not self._hides(body):
                    around = around.given(body, true=not holds)
                    yield from self.bars(where, around, holds=False)
                else:
                    yield None
            case ir.CallValue(value=name) if not self._program.values[name].adjusted:
                value, behind = self._program.values[node.value], self._free
                args = {behind + number: arg for number, arg in enumerate(node.args, 1)}
                body = _with(self._apart(value.whole), args)
                yield from self.bars(body, around, holds=holds)
            case ir.In(left=ir.Local() as thing, right=ir.Contents() as zone):
                member = self._program.zones[zone.zone].member
                if (
                    around.lying
                    or not around.binds_member(thing.slot)
                    or thing.type != member
                    or self._hides(*zone.keys)
                ):
                    yield None
                elif not holds:
                    here = _Lying(thing.slot, zone.zone, zone.keys)
                    yield self._bar(around, here, ir.Const(False, FLAG))
                else:  # what lies there lies nowhere else
                    for name, each in self._program.zones.items():
                        if each.member == member and each.seen is not None:
                            claim: ir.Expr = ir.Const(name == zone.zone, FLAG)
                            if name == zone.zone:
                                pairs = zip(self._place(name), zone.keys, strict=True)
                                same = (_same(*pair) for pair in pairs)
                                claim = reduce(_both, same, claim)
                            yield self._bar(
                                around, _Lying(thing.slot, name, None), claim
                            )
            case _:
                yield None

    def _hides(self, *nodes: ir.CoreNode) -> bool:
        return any(self._reads.found(each, NOBODY) for each in nodes)

    def _apart(self, node: ir.Expr) -> ir.Expr:
        """Return an expression in slots that nothing else has."""
        # All slots move, so that the first ones are free.

        def changed(part: ir.CoreNode) -> ir.CoreNode:
            if isinstance(part, ir.Local):
                return replace(part, slot=part.slot + self._free)
            return with_slots(rebuilt(part, changed), lambda slot: slot + self._free)

        moved = cast("ir.Expr", changed(node))
        self._free += slots_needed(node)
        return moved

    # ---- a bar, in slots of its own

    def _place(self, zone: str) -> list[ir.Local]:
        """Return the keys of a place, as variables of a bar."""
        keys = self._program.zones[zone].keys
        return [ir.Local(n, key.name, key.type) for n, key in enumerate(keys, 1)]

    def _bar(self, around: _Around, lying: _Lying, claim: ir.Expr) -> HiddenConstraint:
        """Return a bar: where all guards hold, a claim holds of what lies in a place.

        A key that is a variable is used as it is, without a search; other keys are
        compared.
        """
        place, kind = self._place(lying.zone), self._program.zones[lying.zone].member
        instead = {lying.slot: ir.Local(len(place) + 1, "thing", kind)}
        where: list[ir.Expr] = []
        for here, key in zip(
            place, place if lying.keys is None else lying.keys, strict=True
        ):
            if (
                isinstance(key, ir.Local)
                and around.binds_member(key.slot)
                and key.slot not in instead
            ):
                instead[key.slot] = here
            elif key != here:
                where.append(_same(here, key))
        binds: list[ir.Bind] = []
        for bind in around.binds:
            where += [
                ir.In(instead[slot], bind.source, FLAG)
                for slot in bind.slots
                if slot in instead
                and not (
                    isinstance(bind.source, ir.Const)
                    and bind.source.value == tuple(members(instead[slot].type))
                )
            ]
            left = [
                pair
                for pair in zip(bind.slots, bind.names, strict=True)
                if pair[0] not in instead
            ]
            if left:
                slots, names = zip(*left, strict=True)
                binds.append(replace(bind, slots=slots, names=names))
        where += around.guards
        test = reduce(_both, where) if where else None
        if binds:
            fits: ir.Expr = ir.Quantifier("every", tuple(binds), test, claim, FLAG)
        else:
            fits = claim
            if test is not None:
                unless = _not(test)
                fits = ir.Connective("or", unless, claim, FLAG, span=unless.span)
        return HiddenConstraint(lying.zone, _with(fits, instead))


def _with(node: ir.Expr, instead: Mapping[int, ir.Expr]) -> ir.Expr:
    def changed(part: ir.CoreNode) -> ir.CoreNode:
        if isinstance(part, ir.Local):
            return instead.get(part.slot, part)
        return rebuilt(part, changed)

    return cast("ir.Expr", changed(node))


def _not(node: ir.Expr) -> ir.Expr:
    return ir.Unary("not", node, FLAG, span=node.span)


def _both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Connective("and", left, right, FLAG, span=left.span)


def _same(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.CompareValues("==", left, right, FLAG, span=right.span)
