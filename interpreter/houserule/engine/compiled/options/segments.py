"""Segments of a product: which factors depend on which, and whose values are numbered.

A segment is a row of factors that is walked in one function. The next one begins where
nothing that follows reads the last factor, or any of those before: then the rest has
the same number of members for each of its values, and is counted once. The first
members of a segment are listed while they are counted (`Listing`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.context import Data
from houserule.engine.compiled.expressions.arithmetic import steps
from houserule.engine.compiled.expressions.expressions import Expressions
from houserule.engine.compiled.expressions.loops import is_range
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.functions import Code, Function, i32, i64
from houserule.engine.compiled.memory.shapes import is_set, words_of
from houserule.engine.compiled.optimize.numbering import most
from houserule.ir.walk import slots_read

LISTED_AT_MOST = 64
Make: TypeAlias = Callable[[Expressions], Code]
"""What writes a condition into a function."""


@frozen
class FactorTest:
    """A test, and the slots that it reads; `of` has the conditions that it consists of.

    `of` is None for a test that is more than conditions. `whole` is the test as one
    expression, if it is one.
    """

    make: Make
    reads: frozenset[int]
    of: tuple[ir.Expr, ...] | None = None
    whole: ir.Expr | None = None


@frozen
class Factor:
    """One variable, and the tests that run once it is bound.

    `steps`: it is a number, and the tests only compare it with fixed ones.
    """

    bind: ir.Bind
    slot: int
    tests: tuple[FactorTest, ...]
    reads: frozenset[int]
    steps: bool


def placed(
    binds: Sequence[ir.Bind], tests: Sequence[FactorTest]
) -> tuple[list[Make], list[Factor]]:
    """Return what is tested before all, and the variables, each with its tests."""
    plain = [(bind, slot) for bind in binds for slot in bind.slots]
    place = {slot: number for number, (_, slot) in enumerate(plain)}
    at: list[list[FactorTest]] = [[] for _ in plain]
    first: list[Make] = []
    for test in tests:
        # A test runs when the last variable that it reads is bound. Those of one
        # place keep their order, and with it which of them fails first.
        needed = [place[slot] for slot in test.reads if slot in place]
        if needed:
            at[max(needed)].append(test)
        else:
            first.append(test.make)
    factors = [
        Factor(
            bind,
            slot,
            tuple(at[number]),
            slots_read(bind.source).union(*(g.reads for g in at[number])) - {slot},
            is_range(bind)
            and bool(at[number])
            and all(
                g.of is not None and all(steps(each, slot) for each in g.of)
                for g in at[number]
            ),
        )
        for number, (bind, slot) in enumerate(plain)
    ]
    return first, factors


class Segments:
    """The segments of a product."""

    def __init__(self, factors: Sequence[Factor]) -> None:
        self._factors = factors

    def apart(self, start: int) -> bool:
        """Return whether the variables from `start` on read none of those before."""
        before = {factor.slot for factor in self._factors[:start]}
        return not any(factor.reads & before for factor in self._factors[start:])

    def by_number(self, number: int) -> bool:
        """Return whether the values of a variable are numbered, not visited."""
        if number >= len(self._factors):
            return False
        factor, behind = self._factors[number], self._factors[number + 1 :]
        if factor.tests or any(factor.slot in each.reads for each in behind):
            return False
        return most(factor.bind) > 0

    def in_steps(self, number: int) -> bool:
        """Return whether ranges of a variable are counted, and not its values."""
        behind = number + 1
        last = behind == len(self._factors)
        return self._factors[number].steps and (last or self.apart(behind))

    def splits(self, number: int) -> bool:
        """Return whether a segment begins with this variable."""
        inside = 0 < number < len(self._factors)
        return inside and (self.apart(number) or self.by_number(number - 1))

    def all(self) -> list[tuple[int, int]]:
        """Return the start of each segment, and the end."""
        count = len(self._factors)
        starts = [0, *(n for n in range(1, count) if self.splits(n))]
        return [*pairwise([*starts, count])]

    def alone(self, start: int, end: int) -> bool:
        """Return if a segment is independent, and numbered wholly or not at all."""
        mixed = end - start > 1 and self.by_number(end - 1)
        return self.apart(start) and self.apart(end) and not mixed


class Listing:
    """A row of members of one segment: for each its values, a word after the other.

    `each` is the address of the number of continuations of each; `last` means that it
    is the last.
    """

    def __init__(
        self, data: Data, binds: Sequence[tuple[int, ir.Bind]], *, last: bool
    ) -> None:
        self.room, self.last = LISTED_AT_MOST, last
        self._places: dict[int, tuple[int, ir.Bind]] = {}
        width = 0
        for slot, bind in binds:
            self._places[slot] = (width, bind)
            width += 8 * words_of(bind.type)
        self._width = width
        self.at = data.room(max(width, 8) * self.room)
        self.each = data.room(8)

    def add(self, e: Expressions, number: str) -> None:
        """Write what lists what is bound as the member of a number, while counting."""
        if not self._places:
            return
        inside = f"(i64.lt_u (local.get {number}) {i64(self.room)})"
        counting = "(i64.lt_s (local.get $limit) (i64.const 0))"
        with e.f.when(f"(i32.and {inside} {counting})"):
            at = e.f.keep(self._row(f"(i32.wrap_i64 (local.get {number}))"))
            for slot, (offset, bind) in self._places.items():
                place = e.slots[slot]
                names = place.names if isinstance(place, InLocals) else ()
                kind = "i64" if is_set(bind.type) else "i32"
                for word, name in enumerate(names):
                    to = self.at + offset + 8 * word
                    e.f.add(f"({kind}.store offset={to} {at} (local.get {name}))")

    def _row(self, number: Code) -> Code:
        return f"(i32.mul {number} {i32(self._width)})"

    def bind(self, f: Function, number: Code, slots: Mapping[int, int]) -> None:
        """Write what copies the values of a member into a frame."""
        if not self._places:
            return
        at = f.keep(self._row(number))
        for slot, (offset, bind) in self._places.items():
            kind = "i64" if is_set(bind.type) else "i32"
            for word in range(words_of(bind.type)):
                found = f"({kind}.load offset={self.at + offset + 8 * word} {at})"
                f.add(f"({kind}.store {i32(slots[slot] + 8 * word)} {found})")
