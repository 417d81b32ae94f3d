"""Expressions over sets and sequences: building, taking away, measuring, reaching."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.engine.evaluate.alike import classes_of
from houserule.engine.evaluate.context import (
    Code,
    Compiler,
    Frame,
    GameContext,
    Members,
    Number,
    Truth,
    as_set,
)
from houserule.engine.evaluate.work import MANY, spend
from houserule.ir.types import Data
from houserule.source import Span

Building: TypeAlias = (
    ir.MakeSet
    | ir.MakeRange
    | ir.CombineSets
    | ir.Seats
    | ir.ReachedCells
    | ir.Distinct
)
Measuring: TypeAlias = ir.Size | ir.FirstOf | ir.DiceTest


def building(c: Compiler, node: Building) -> Code:
    """Return the code of a set, or of seats in an order."""
    match node:
        case ir.MakeSet():
            return _make_set(c, node)
        case ir.MakeRange():
            low, high = c.number(node.low), c.number(node.high)
            return _make_range(low, high, node.span)
        case ir.CombineSets():
            return _combined(c, node)
        case ir.Seats():
            return _seats(c, node)
        case ir.ReachedCells():
            return _reached(c, node)
        case ir.Distinct():
            classes = classes_of(c, node)
            return lambda ctx, frame: tuple(each[0] for each in classes(ctx, frame))
        case _:
            assert_never(node)


def measuring(c: Compiler, node: Measuring) -> Code:
    """Return the code of a size, a first member or a test of dice."""
    match node:
        case ir.Size():
            return _size(c, node)
        case ir.FirstOf():
            members = c.members(node.operand)
            return lambda ctx, frame: min(members(ctx, frame), default=None)
        case ir.DiceTest():
            return _dice_test(c, node)
        case _:
            assert_never(node)


def _size(c: Compiler, node: ir.Size) -> Code:
    match node.operand:
        case ir.Contents(zone, keys):
            index = c.index(zone, keys, node.operand.span)
            return lambda ctx, frame: len(ctx.store.zones[zone][index(ctx, frame)])
        case _:
            members = c.members(node.operand)
            return lambda ctx, frame: len(members(ctx, frame))


def _make_set(c: Compiler, node: ir.MakeSet) -> Code:
    items = [c.maybe(item) for item in node.items]
    if len(items) == 1:
        only = items[0]

        def single(ctx: GameContext, frame: Frame) -> Data:
            value = only(ctx, frame)
            return () if value is None else (value,)

        return single

    def code(ctx: GameContext, frame: Frame) -> Data:
        values = [item(ctx, frame) for item in items]
        return tuple(sorted({each for each in values if each is not None}))

    return code


def _make_range(low: Number, high: Number, span: Span) -> Code:
    def code(ctx: GameContext, frame: Frame) -> Data:
        found = range(low(ctx, frame), high(ctx, frame) + 1)
        spend(ctx, len(found), span)
        return tuple(found)

    return code


def _combined(c: Compiler, node: ir.CombineSets) -> Code:
    left, right, span = c.members(node.left), c.expr(node.right), node.span
    combine = _COMBINE[node.op]

    def code(ctx: GameContext, frame: Frame) -> Data:
        members = left(ctx, frame)
        others = as_set(right(ctx, frame))
        if len(members) + len(others) > MANY:
            spend(ctx, len(members) + len(others), span)
        return combine(members, others)

    return code


def _without(members: tuple[int, ...], away: tuple[int, ...]) -> tuple[int, ...]:
    gone = set(away) if len(away) > 1 else away
    return tuple(each for each in members if each not in gone)


def _union(members: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({*members, *more}))


def _within(members: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    kept = set(others)
    return tuple(each for each in members if each in kept)


def _beyond(members: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return members[bisect_right(members, others[0]) :]


_COMBINE: Mapping[
    str, Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]
] = {
    "but": _without,
    "plus": _union,
    "within": _within,
    "beyond": _beyond,
}


# ---- seats: a sequence that goes round the table once


def _seats(c: Compiler, node: ir.Seats) -> Code:
    start = c.number(node.start)
    seats = c.program.seats
    rounds = [
        tuple((first + step) % seats for step in range(seats)) for first in range(seats)
    ]
    turned = [
        tuple((first - step) % seats for step in range(seats)) for first in range(seats)
    ]
    match node.how:
        case "clockwise":
            return lambda ctx, frame: rounds[start(ctx, frame)]
        case "reversed":
            return lambda ctx, frame: turned[start(ctx, frame)]
        case "snaking":
            assert node.lap is not None
            lap = c.number(node.lap)

            def snaking(ctx: GameContext, frame: Frame) -> Data:
                order = rounds[start(ctx, frame)]
                return order if lap(ctx, frame) % 2 else order[::-1]

            return snaking
        case _:
            assert_never(node.how)


# ---- reaching: start members and all further ones must satisfy `where`


def _reached(c: Compiler, node: ir.ReachedCells) -> Code:
    start, by, slot = c.expr(node.start), c.expr(node.by), node.slot
    span = node.span
    where = None if node.where is None else c.truth(node.where)

    def code(ctx: GameContext, frame: Frame) -> Data:
        waiting = list(as_set(start(ctx, frame)))
        seen, found = set(waiting), []
        while waiting:
            member = waiting.pop()
            spend(ctx, 1, span)
            frame[slot] = member
            if where is not None and not where(ctx, frame):
                continue
            found.append(member)
            further = as_set(by(ctx, frame))
            waiting += [each for each in further if each not in seen]
            seen.update(further)
        return tuple(sorted(found))

    return code


def _dice_test(c: Compiler, node: ir.DiceTest) -> Code:
    dice, read = c.members(node.dice), c.expr(node.read)
    equal = node.what == "equal"
    return _alike(dice, read, node.slot) if equal else _unlike(dice, read, node.slot)


def _readings(
    ctx: GameContext, frame: Frame, dice: Members, read: Code, slot: int
) -> list[Data]:
    readings: list[Data] = []
    for die in dice(ctx, frame):
        frame[slot] = die
        readings.append(read(ctx, frame))
    return readings


def _alike(dice: Members, read: Code, slot: int) -> Truth:
    def code(ctx: GameContext, frame: Frame) -> bool:
        shown = _readings(ctx, frame, dice, read, slot)
        same = shown.count(shown[0]) == len(shown) if shown else True
        return len(shown) < 2 or (same and shown[0] is not None)

    return code


def _unlike(dice: Members, read: Code, slot: int) -> Truth:
    def code(ctx: GameContext, frame: Frame) -> bool:
        shown = _readings(ctx, frame, dice, read, slot)
        present = [each for each in shown if each is not None]
        return len(set(present)) == len(present)

    return code
