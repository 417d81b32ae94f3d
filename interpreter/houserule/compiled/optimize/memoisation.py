"""Memoisation: results of functions, by arguments, for one version of the state.

A memo is an array with a row for each row of arguments: a stamp, then the result. It
holds if the stamp is the version of the state that the function reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from houserule import ir
from houserule.compiled.context import Data
from houserule.compiled.expressions.operands import Operands
from houserule.compiled.memory.shapes import (
    bounds,
    in_words,
    is_set,
    may_be_no_set,
    universe,
    words_of,
)
from houserule.compiled.memory.slots import Words, scaled
from houserule.compiled.writer.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
)
from houserule.ir import types

ROWS_AT_MOST = 4096
FEW = 6  # a set of so many things at most is one of few
FOR_EVER = "(i32.const 1)"  # the stamp of a result that no write makes old


@dataclass(frozen=True, slots=True)
class ResultMemo:
    """The rows of one function: a stamp, then the result.

    Attributes:
        title: the function that works a result out, and keeps it.
        at: the address of the first row.
        stamp: what a row that holds is marked with.
    """

    title: str
    params: tuple[ir.Param, ...]
    type: types.Type
    at: int
    stamp: Code

    @property
    def width(self) -> int:
        """How many bytes a row takes."""
        return 8 + 8 * words_of(self.type)

    def row(self, args: Sequence[Code]) -> Code:
        """Return how far behind the first row that of some arguments lies."""
        return scaled(index_of(args, self.params), self.width)


class Memos:
    """The memos of a program, and what looks into them."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._rooms: list[tuple[int, int]] = []

    def memo(
        self, title: str, params: Sequence[ir.Param], type_: types.Type, stamp: Code
    ) -> ResultMemo:
        """Return room for the results of a function."""
        size = (8 + 8 * words_of(type_)) * (rows_of(params) or 1)
        return ResultMemo(title, tuple(params), type_, self.room(size, stamp), stamp)

    def room(self, size: int, stamp: Code) -> int:
        """Return the address of room that is cleared when versions start again."""
        at = self._data.room(size)
        if stamp != FOR_EVER:
            self._rooms.append((at, size))
        return at

    def look_up(self, e: Operands, memo: ResultMemo, args: Sequence[Code]) -> Words:
        """Return a result: what stands in its row, else what the function says."""
        row = e.f.keep(memo.row(args))
        known = f"(i32.eq (i32.load offset={memo.at} {row}) {memo.stamp})"
        call = f"(call {memo.title}{''.join(f' {arg}' for arg in args)})"
        if not in_words(memo.type):
            there = f"(i32.load offset={memo.at + 8} {row})"
            return (f"(if (result i32) {known} (then {there}) (else {call}))",)
        names = [e.f.local("i64", "s") for _ in range(words_of(memo.type))]
        with e.f.block(f"(if {known} (then"):
            for number, name in enumerate(names):
                at = memo.at + 8 + 8 * number
                e.f.set(name, f"(i64.load offset={at} {row})")
            e.f.otherwise()
            e.f.add(call)
            for name in reversed(names):
                e.f.add(f"(local.set {name})")
        e.f.lines[-1] = "))"
        return tuple(f"(local.get {name})" for name in names)

    def keep(
        self, e: Operands, memo: ResultMemo, args: Sequence[Code], found: Words
    ) -> Words:
        """Write what lays a result down in its row; return it."""
        kind = "i64" if in_words(memo.type) else "i32"
        kept = tuple(e.f.keep(code, kind) for code in found)
        row = e.f.keep(memo.row(args))
        for number, code in enumerate(kept):
            e.f.add(f"({kind}.store offset={memo.at + 8 + 8 * number} {row} {code})")
        e.f.add(f"(i32.store offset={memo.at} {row} {memo.stamp})")
        return kept

    def forgetting(self) -> Function:
        """Return what forgets all results, for when versions start again."""
        f = Function("$forget_values")
        for at, size in self._rooms:
            f.add(f"(memory.fill {i32(at)} (i32.const 0) {i32(size)})")
        return f


# ---- the number of a row of arguments among all that may be


def rows_of(params: Sequence[ir.Param]) -> int | None:
    """Return how many rows of arguments there may be; None where that is not known."""
    sizes = [size_of(param.type) for param in params]
    return prod(size or 0 for size in sizes) if None not in sizes else None


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
    """Return how many values a parameter may have; None where that is not known.

    Not known are places, large sets and sets that may be none.

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
