"""Queries: what runs over members or subsets of sets.

How variables are bound, and when conditions are tested, `evaluate_binders` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from houserule import ir
from houserule.engine.evaluate.binders import (
    Level,
    Loop,
    Things,
    levels_of,
    nest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from houserule.engine.evaluate.context import (
        Code,
        Compiler,
        Context,
        Frame,
        Number,
        Truth,
    )
    from houserule.ir.types import Data

Query: TypeAlias = ir.Aggregate | ir.CountOf | ir.Quantifier | ir.Pick


def query(c: Compiler, node: Query) -> Code:
    """Return the code of a query."""
    match node:
        case ir.Aggregate():
            return _fold(c, node)
        case ir.CountOf():
            return _count(c, node)
        case ir.Quantifier():
            return _quantified(c, node)
        case ir.Pick():
            return _pick(c, node)
        case _:
            assert_never(node)


# ---- some, every, no


def _quantified(c: Compiler, node: ir.Quantifier) -> Code:
    body = c.truth(node.body)
    if node.kind == "every":
        body = _failing(body)
    levels = levels_of(c, node.binds, node.where)
    found = _some_one(levels[0], body) if len(levels) == 1 else _some(levels, body)
    if node.kind == "some":
        return found
    return lambda ctx, frame: not found(ctx, frame)


def _failing(holds: Truth) -> Truth:
    return lambda ctx, frame: not holds(ctx, frame)


def _some_one(level: Level, body: Truth) -> Truth:
    slot, test, source = level.slot, level.test, level.source
    assert source is not None

    def plain(ctx: Context, frame: Frame) -> bool:
        for thing in source(ctx, frame):
            frame[slot] = thing
            if body(ctx, frame):
                return True
        return False

    if test is None:
        return plain

    def filtered(ctx: Context, frame: Frame) -> bool:
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test(ctx, frame) and body(ctx, frame):
                return True
        return False

    return filtered


def _some(levels: Sequence[Level], body: Truth) -> Truth:
    nested = nest(levels, body, _any_loop)
    return lambda ctx, frame: bool(nested(ctx, frame))


def _any_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: Context, frame: Frame, things: Things) -> int | None:
        for thing in things:
            frame[slot] = thing
            if (test is None or test(ctx, frame)) and inner(ctx, frame, things):
                return True
        return False

    return loop


# ---- count, sum, highest, lowest


def _count(c: Compiler, node: ir.CountOf) -> Code:
    levels = levels_of(c, node.binds, node.where)
    first = levels[0]
    if len(levels) > 1 or first.source is None:
        return nest(levels, lambda ctx, frame: 1, _sum_loop)
    slot, test, source = first.slot, first.test, first.source

    def code(ctx: Context, frame: Frame) -> Data:
        count = 0
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is None or test(ctx, frame):
                count += 1
        return count

    return code


def _fold(c: Compiler, node: ir.Aggregate) -> Code:
    levels, body = levels_of(c, node.binds, node.where), c.number(node.body)
    empty = node.empty
    if node.kind == "sum":
        return _sum_one(levels[0], body) if len(levels) == 1 else _sum(levels, body)
    best = nest(levels, body, _highest_loop if node.kind == "highest" else _lowest_loop)

    def code(ctx: Context, frame: Frame) -> Data:
        found = best(ctx, frame)
        return empty if found is None else found

    return code


def _sum(levels: Sequence[Level], body: Number) -> Code:
    return nest(levels, body, _sum_loop)


def _sum_one(level: Level, body: Number) -> Code:
    slot, test, source = level.slot, level.test, level.source
    assert source is not None

    def code(ctx: Context, frame: Frame) -> Data:
        total = 0
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is None or test(ctx, frame):
                total += body(ctx, frame)
        return total

    return code


def _sum_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: Context, frame: Frame, things: Things) -> int | None:
        total = 0
        for thing in things:
            frame[slot] = thing
            if test is None or test(ctx, frame):
                total += inner(ctx, frame, things) or 0
        return total

    return loop


def _highest_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: Context, frame: Frame, things: Things) -> int | None:
        best: int | None = None
        for thing in things:
            frame[slot] = thing
            if test is None or test(ctx, frame):
                found = inner(ctx, frame, things)
                if found is not None and (best is None or found > best):
                    best = found
        return best

    return loop


def _lowest_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: Context, frame: Frame, things: Things) -> int | None:
        best: int | None = None
        for thing in things:
            frame[slot] = thing
            if test is None or test(ctx, frame):
                found = inner(ctx, frame, things)
                if found is not None and (best is None or found < best):
                    best = found
        return best

    return loop


# ---- those with most, the one with most, the only


def _pick(c: Compiler, node: ir.Pick) -> Code:
    level = levels_of(c, (node.bind,), node.where)[0]
    sign = 1 if node.direction == "most" else -1
    keys = [c.number(key) for key in node.keys]
    match keys:
        case []:
            best = _candidates(level)
        case [key]:
            best = _best_by_one(level, key, sign)
        case _:
            best = _best_by_all(level, keys, sign)
    if node.many:
        return lambda ctx, frame: tuple(best(ctx, frame))  # type: ignore[arg-type]  # ids

    def only(ctx: Context, frame: Frame) -> Data:
        found = best(ctx, frame)
        return found[0] if len(found) == 1 else None

    return only


def _candidates(level: Level) -> Callable[[Context, Frame], list[Data]]:
    slot, test, source = level.slot, level.test, level.source
    assert source is not None

    def code(ctx: Context, frame: Frame) -> list[Data]:
        if test is None:
            return list(source(ctx, frame))
        found: list[Data] = []
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test(ctx, frame):
                found.append(thing)
        return found

    return code


def _best_by_one(
    level: Level, key: Number, sign: int
) -> Callable[[Context, Frame], list[Data]]:
    slot, test, source = level.slot, level.test, level.source
    assert source is not None

    def code(ctx: Context, frame: Frame) -> list[Data]:
        found: list[Data] = []
        best = 0
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is not None and not test(ctx, frame):
                continue
            rank = sign * key(ctx, frame)
            if not found or rank > best:
                found, best = [thing], rank
            elif rank == best:
                found.append(thing)
        return found

    return code


def _best_by_all(
    level: Level, keys: Sequence[Number], sign: int
) -> Callable[[Context, Frame], list[Data]]:
    slot, test, source = level.slot, level.test, level.source
    assert source is not None

    def code(ctx: Context, frame: Frame) -> list[Data]:
        ranked: list[tuple[list[int], Data]] = []
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is None or test(ctx, frame):
                ranked.append(([sign * key(ctx, frame) for key in keys], thing))
        best = max((rank for rank, _ in ranked), default=[])
        return [thing for rank, thing in ranked if rank == best]

    return code
