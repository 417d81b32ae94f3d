"""The number of a row of arguments among all that may be."""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.compiled.memory.shapes import (
    bounds,
    is_set,
    may_be_no_set,
    universe,
)
from houserule.compiled.memory.slots import scaled
from houserule.compiled.writer.functions import (
    NONE,
    Code,
    Unsupported,
    i32,
)
from houserule.ir import types

FEW = 6  # a set of so many things at most is one of few


def index_of(args: Sequence[Code], params: Sequence[ir.Param]) -> Code:
    """Return the number of a row of arguments, the last one fastest."""
    index: Code = i32(0)
    for arg, param in zip(args, params, strict=True):
        size, low = size_of(param.type) or 1, _low(param.type)
        if is_set(param.type):
            arg = f"(i32.wrap_i64 {arg})"
        place = f"(i32.sub {arg} {i32(low)})" if low else arg
        if isinstance(param.type, types.Maybe):
            # None stands before all others.
            more = f"(i32.add {place} (i32.const 1))"
            place = f"(select (i32.const 0) {more} (i32.eq {arg} {NONE}))"
        more = f"(i32.add {scaled(index, size)} {place})"
        index = place if index == i32(0) else more
    return index


def size_of(type_: types.Type) -> int | None:
    """Return how many values a parameter may have; None where that is not told.

    Not told are places, large sets and sets that may be none.

    Raises:
        Unsupported: it has no bounds.
    """
    if is_set(type_):
        places = universe(type_).places
        return 1 << places if places <= FEW else None
    if isinstance(type_, types.Position) or may_be_no_set(type_):
        return None
    limits = bounds(type_)
    if limits is None:
        raise Unsupported(f"a parameter of type {type_}")
    return limits[1] - limits[0] + 1 + isinstance(type_, types.Maybe)


def _low(type_: types.Type) -> int:
    if is_set(type_):
        return 0
    limits = bounds(type_)
    return limits[0] if limits else 0
