"""Binders: what the variables of a query run over, and the loops over them.

Variables are bound from left to right. A condition is a row of conditions joined by
`and`; each is tested, in order, as soon as its variables and those of the conditions
before it are bound. What nothing satisfies costs no further binding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from houserule import ir
from houserule.engine.evaluate.context import (
    Compiler,
    Context,
    Frame,
    Items,
    Number,
    Truth,
)
from houserule.engine.options.subsets import subsets
from houserule.ir.types import Data
from houserule.ir.walk import slots_read

Things: TypeAlias = Iterable[Data]
Loop: TypeAlias = Callable[[Context, Frame, Things], int | None]


@dataclass(frozen=True, slots=True)
class Level:
    """One variable: its slot, what is tested once it is bound, and its source.

    `source` None means the same things as the variable before, of one binder.
    """

    slot: int
    test: Truth | None
    source: Items | None


def items(c: Compiler, bind: ir.Bind) -> Items:
    """Return the code of what each variable of a binder runs over, in order."""
    if bind.how == "subset":
        members, low, high = c.members(bind.source), bind.low, bind.high
        return lambda ctx, frame: subsets(members(ctx, frame), low, high)
    match bind.source:
        case ir.MakeRange(low=first, high=last) if c.constant(bind.source) is None:
            start, stop = c.number(first), c.number(last)
            return lambda ctx, frame: range(start(ctx, frame), stop(ctx, frame) + 1)
        case _:
            return c.members(bind.source)


def bindings(c: Compiler, bind: ir.Bind) -> Items:
    """Return the code of a binder's values: of several variables, tuples of values."""
    source, count = items(c, bind), len(bind.slots)
    if count == 1:
        return source

    def together(ctx: Context, frame: Frame) -> Iterable[Data]:
        things = [each for each in source(ctx, frame) if isinstance(each, int)]
        return product(things, repeat=count)

    return together


def conjuncts(where: ir.Expr | None) -> list[ir.Expr]:
    """Return the conditions that a condition joins by `and`, in order."""
    match where:
        case None:
            return []
        case ir.Connective("and", left, right):
            return [*conjuncts(left), *conjuncts(right)]
        case _:
            return [where]


def levels_of(
    c: Compiler, binds: Sequence[ir.Bind], where: ir.Expr | None
) -> list[Level]:
    """Return the variables of some binders, each with what is tested once it is bound.

    A binder's things are looked up once for all its variables.
    """
    sources = [
        (slot, None if number else items(c, bind))
        for bind in binds
        for number, slot in enumerate(bind.slots)
    ]
    place = {slot: number for number, (slot, _) in enumerate(sources)}
    tests: list[list[ir.Expr]] = [[] for _ in sources]
    at = 0
    for condition in conjuncts(where):
        at = max([at, *(place[s] for s in slots_read(condition) if s in place)])
        tests[at].append(condition)
    return [
        Level(slot, _all_of(c, tests[number]), source)
        for number, (slot, source) in enumerate(sources)
    ]


def _all_of(c: Compiler, conditions: Sequence[ir.Expr]) -> Truth | None:
    tests = [c.truth(each) for each in conditions]
    match tests:
        case []:
            return None
        case [only]:
            return only
        case [first, second]:
            return lambda ctx, frame: first(ctx, frame) and second(ctx, frame)
        case _:
            return lambda ctx, frame: all(test(ctx, frame) for test in tests)


def nest(
    levels: Sequence[Level],
    leaf: Number,
    loop: Callable[[int, Truth | None, Loop], Loop],
) -> Callable[[Context, Frame], int | None]:
    """Return loops over some variables, one in the other, around the code of a leaf."""

    def innermost(ctx: Context, frame: Frame, things: Things) -> int | None:
        return leaf(ctx, frame)

    inner: Loop = innermost
    for level in reversed(levels):
        inner = loop(level.slot, level.test, inner)
        if level.source is not None:
            inner = _entering(level.source, inner)
    return lambda ctx, frame: inner(ctx, frame, ())


def _entering(source: Items, inner: Loop) -> Loop:
    def enter(ctx: Context, frame: Frame, things: Things) -> int | None:
        return inner(ctx, frame, source(ctx, frame))

    return enter
