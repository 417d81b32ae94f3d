"""Subsets: loops over the parts of a set, by size, then by members, as everywhere.

The parts of few things stand in an array. A set whose members lie near each other, such
as what one player has of many, looks into the same array, from its first member on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations

from houserule.compiled.context import Data
from houserule.compiled.expressions.operands import Operands
from houserule.compiled.memory.shapes import WORD
from houserule.compiled.memory.slots import Words
from houserule.compiled.writer.functions import Code, i32

FEW = 6  # so many things have all their parts in an array: 64 at most, bit by bit


@dataclass(frozen=True, slots=True)
class SubsetArrays:
    """The parts of `FEW` things, for one range of sizes.

    Attributes:
        parts: the address of the parts, each a set, in order.
        beneath: for each set of things, which of the parts it has: bit by bit.
    """

    parts: int
    beneath: int

    def part(self, number: Code) -> Code:
        """Return the part of a number, given in 64 bits."""
        at = f"(i32.shl (i32.wrap_i64 {number}) (i32.const 3))"
        return f"(i64.load offset={self.parts} {at})"

    def parts_of(self, things: Code) -> Code:
        """Return which parts a set has."""
        at = f"(i32.shl (i32.wrap_i64 {things}) (i32.const 3))"
        return f"(i64.load offset={self.beneath} {at})"


class Subsets:
    """The arrays of one program, for each range of sizes that is asked for."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._made: dict[tuple[int, int], SubsetArrays] = {}

    def arrays(self, low: int, high: int) -> SubsetArrays:
        """Return the arrays for a range of sizes, laid down when first asked for."""
        key = (low, min(high, FEW))
        if key not in self._made:
            parts = [
                sum(1 << place for place in chosen)
                for size in range(low, key[1] + 1)
                for chosen in combinations(range(FEW), size)
            ]
            # There are 64 parts at most, a bit of a word each: so those of a set are
            # gone over like members, the lowest bit first.
            beneath = [
                sum(1 << n for n, part in enumerate(parts) if not part & ~things)
                for things in range(1 << FEW)
            ]
            self._made[key] = SubsetArrays(
                self._data.words(parts or [0]), self._data.words(beneath)
            )
        return self._made[key]

    @contextmanager
    def each(
        self,
        e: Operands,
        sizes: tuple[int, int | None],
        words: Words,
        places: int,
        names: Sequence[str],
    ) -> Iterator[str]:
        """Write a loop that puts each part of a set into locals.

        It yields the label that goes on to the next part. Those of a set of one word
        whose members lie near each other come from an array; which sets these are is
        known beforehand if the type has few places, else it is asked in the game.
        """
        low = max(sizes[0], 0)
        high = places if sizes[1] is None else min(sizes[1], places)
        loop = _SubsetLoop(self, e, words, names, low, high)
        if len(words) > 1:
            with loop.all() as label:
                yield label
        elif places <= FEW:
            with loop.near() as label:
                yield label
        else:
            with loop.either() as label:
                yield label


class _SubsetLoop:
    """One loop over parts."""

    def __init__(
        self,
        subsets: Subsets,
        e: Operands,
        words: Words,
        names: Sequence[str],
        low: int,
        high: int,
    ) -> None:
        self._subsets, self._context, self._f = subsets, e.context, e.f
        self._words, self._names = words, names
        self._low, self._high = low, high

    @contextmanager
    def _loop(self) -> Iterator[tuple[str, str]]:
        f = self._f
        again, out, inner = f.label("part"), f.label("end"), f.label("next")
        with f.block(f"(block {out}"), f.loop(again):
            yield out, inner
            f.add(f"(br {again})")

    # ---- members near each other: an array

    @contextmanager
    def near(self) -> Iterator[str]:
        """Go over the parts of a set of few."""
        self._arrays = self._subsets.arrays(self._low, self._high)
        self._left, self._first = self._f.local("i64", "left"), ""
        self._f.set(self._left, self._arrays.parts_of(self._words[0]))
        with self._loop() as (out, inner):
            self._look_up(out)
            with self._f.block(f"(block {inner}"):
                yield inner

    def _begin(self) -> None:
        """Take up the parts of a set whose members all lie near each other."""
        f = self._f
        self._arrays = self._subsets.arrays(self._low, self._high)
        self._left = f.local("i64", "left")
        self._first = f.keep(f"(i64.ctz {self._words[0]})", "i64")
        span = f"(i64.shr_u {self._words[0]} {self._first})"
        f.set(self._left, self._arrays.parts_of(span))

    def _look_up(self, out: str) -> None:
        f, left, name = self._f, f"(local.get {self._left})", self._names[0]
        f.add(f"(br_if {out} (i64.eqz {left}))")
        part = self._arrays.part(f"(i64.ctz {left})")
        f.set(name, f"(i64.shl {part} {self._first})" if self._first else part)
        f.set(self._left, f"(i64.and {left} (i64.sub {left} (i64.const 1)))")

    # ---- members anywhere: places in a row

    @contextmanager
    def all(self) -> Iterator[str]:
        """Go over the parts of any set."""
        self._gather()
        with self._loop() as (out, inner):
            self._step(out)
            with self._f.block(f"(block {inner}"):
                yield inner

    def _gather(self) -> None:
        """Lay the places of the members down in a row."""
        f, data = self._f, self._context.data
        room = 4 * WORD * len(self._words)
        self._members = i32(data.room(room))
        self._places = i32(data.room(room))
        self._count, self._most = f.local("i32", "count"), f.local("i32", "most")
        self._size, self._under = f.local("i32", "size"), f.local("i32", "under")
        f.set(self._count, i32(0))
        for number, word in enumerate(self._words):
            args = f"{word} {self._members} (local.get {self._count}) {i32(number)}"
            f.set(self._count, f"(call $gather {args})")
        high, count = i32(self._high), f"(local.get {self._count})"
        f.set(self._most, f"(select {high} {count} (i32.lt_s {high} {count}))")
        f.set(self._size, i32(self._low))
        f.set(self._under, i32(0))

    def _step(self, out: str) -> None:
        """Write the way to the next part: of this size, or the first of the next."""
        f, ready = self._f, self._f.label("ready")
        size, places = f"(local.get {self._size})", self._places
        with f.block(f"(block {ready}"):
            with f.when(f"(local.get {self._under})"):
                more = f"(call $next_places {places} {size} (local.get {self._count}))"
                f.add(f"(br_if {ready} {more})")
                f.set(self._size, f"(i32.add {size} (i32.const 1))")
            f.add(f"(br_if {out} (i32.gt_s {size} (local.get {self._most})))")
            f.add(f"(call $first_places {places} {size})")
            f.set(self._under, i32(1))
        for number, name in enumerate(self._names):
            args = f"{self._members} {places} {size} {i32(number)}"
            f.set(name, f"(call $chosen {args})")

    # ---- members that may be near each other

    @contextmanager
    def either(self) -> Iterator[str]:
        """Go over the parts of a set by array where its members are near."""
        f = self._f
        few = f.local("i32", "few")
        self._set_up(few)
        with self._loop() as (out, inner):
            with f.block(f"(if (local.get {few}) (then"):
                self._look_up(out)
                f.otherwise()
                self._step(out)
            f.lines[-1] = "))"
            with f.block(f"(block {inner}"):
                yield inner

    def _set_up(self, few: str) -> None:
        f, word = self._f, self._words[0]
        last = f"(i32.sub {i32(WORD - 1)} (i32.wrap_i64 (i64.clz {word})))"
        first = f"(i32.wrap_i64 (i64.ctz {word}))"
        f.set(few, f"(i32.lt_s (i32.sub {last} {first}) {i32(FEW)})")
        with f.block(f"(if (local.get {few}) (then"):
            self._begin()
            f.otherwise()
            self._gather()
        f.lines[-1] = "))"
