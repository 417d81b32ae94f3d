"""Results that are remembered, by arguments, for one version of the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.memory.shapes import in_words, words_of
from houserule.compiled.memory.slots import Words, scaled
from houserule.compiled.optimize.keys import index_of, size_of
from houserule.compiled.writer.functions import Code, Function, i32
from houserule.ir import types

if TYPE_CHECKING:
    from houserule.compiled.context import Unit
    from houserule.compiled.expressions.expressions import Expressions

ROWS_AT_MOST = 4096
FOR_EVER = "(i32.const 1)"  # the stamp of a result that no write makes old


@dataclass(frozen=True, slots=True)
class Memo:
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


def rows_of(params: Sequence[ir.Param]) -> int | None:
    """Return how many rows of arguments there may be; None where that is not told."""
    sizes = [size_of(param.type) for param in params]
    return prod(size or 0 for size in sizes) if None not in sizes else None


class Results:
    """The rows of a program's functions, and what looks into them."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._rooms: list[tuple[int, int]] = []

    def memo(
        self, title: str, params: Sequence[ir.Param], type_: types.Type, stamp: Code
    ) -> Memo:
        """Return room for the results of a function."""
        size = (8 + 8 * words_of(type_)) * (rows_of(params) or 1)
        return Memo(title, tuple(params), type_, self.room(size, stamp), stamp)

    def room(self, size: int, stamp: Code) -> int:
        """Return the address of room that is cleared when versions are counted anew."""
        at = self._unit.scratch(size)
        if stamp != FOR_EVER:
            self._rooms.append((at, size))
        return at

    def found(self, e: Expressions, memo: Memo, args: Sequence[Code]) -> Words:
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
        self, e: Expressions, memo: Memo, args: Sequence[Code], found: Words
    ) -> Words:
        """Write what lays a result down in its row; return it."""
        kind = "i64" if in_words(memo.type) else "i32"
        kept = tuple(e.f.keep(code, kind) for code in found)
        row = e.f.keep(memo.row(args))
        for number, code in enumerate(kept):
            e.f.add(f"({kind}.store offset={memo.at + 8 + 8 * number} {row} {code})")
        e.f.add(f"(i32.store offset={memo.at} {row} {memo.stamp})")
        return kept

    def write_forgetting(self) -> None:
        """Write what forgets all results, for when versions are counted anew."""
        f = Function("$forget_values")
        for at, size in self._rooms:
            f.add(f"(memory.fill {i32(at)} (i32.const 0) {i32(size)})")
        self._unit.functions.append(f)
