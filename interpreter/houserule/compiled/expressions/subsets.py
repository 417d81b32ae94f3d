"""Loops over the parts of a set, by size, then by members: the order of everywhere.

The parts of few things stand in tables. A set whose members lie near each other, such
as what one player has of many, looks into the same tables, from its first member on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.compiled.memory.shapes import WORD
from houserule.compiled.memory.slots import Words
from houserule.compiled.text.text import i32

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions

FEW = 6  # so many things have all their parts in a table


class Tables:
    """The parts of up to `FEW` things, for each range of sizes that is asked for.

    For each number of things there is a row of parts; two tables say where the rows
    begin and end.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], tuple[int, int]] = {}

    def of(self, e: Expressions, low: int, high: int) -> tuple[int, int]:
        """Return where the beginnings and the ends of the rows stand."""
        if (low, high) not in self._made:
            data, starts, ends = e.unit.data, list[int](), list[int]()
            for many in range(FEW + 1):
                parts = [
                    sum(1 << place for place in chosen)
                    for size in range(low, min(high, many) + 1)
                    for chosen in combinations(range(many), size)
                ]
                starts.append(data.words(parts or [0]))
                ends.append(starts[-1] + 8 * len(parts))
            self._made[low, high] = data.numbers(starts), data.numbers(ends)
        return self._made[low, high]


@contextmanager
def each_part(
    e: Expressions,
    sizes: tuple[int, int | None],
    words: Words,
    places: int,
    names: Sequence[str],
) -> Iterator[str]:
    """Write a loop that puts each part of a set into locals; `(br label)` goes on."""
    low = max(sizes[0], 0)
    high = places if sizes[1] is None else min(sizes[1], places)
    parts = _Parts(e, words, names, low, high)
    if len(words) > 1:
        with parts.all() as label:
            yield label
    elif places <= FEW:
        with parts.near() as label:
            yield label
    else:
        with parts.either() as label:
            yield label


class _Parts:
    """One loop over parts."""

    def __init__(
        self, e: Expressions, words: Words, names: Sequence[str], low: int, high: int
    ) -> None:
        self._e, self._f, self._words, self._names = e, e.f, words, names
        self._low, self._high = low, high

    @contextmanager
    def _loop(self) -> Iterator[tuple[str, str, str]]:
        f = self._f
        again, out, inner = f.label("part"), f.label("end"), f.label("next")
        with f.block(f"(block {out}"), f.loop(again):
            yield again, out, inner
            f.add(f"(br {again})")

    # ---- members near each other: a table

    @contextmanager
    def near(self) -> Iterator[str]:
        """Go over the parts of a set whose members all lie near each other."""
        self._begin()
        with self._loop() as (again, out, inner):
            self._look_up(again, out)
            with self._f.block(f"(block {inner}"):
                yield inner

    def _begin(self) -> None:
        """Take up the row of parts for the places from the first member to the last."""
        f = self._f
        starts, ends = self._e.unit.subsets.of(self._e, self._low, self._high)
        self._at, self._end = f.local("i32", "at"), f.local("i32", "behind")
        self._first = f.keep(f"(i64.ctz {self._words[0]})", "i64")
        self._span = f.keep(f"(i64.shr_u {self._words[0]} {self._first})", "i64")
        leading = f"(i32.wrap_i64 (i64.clz {self._span}))"
        self._many = f.keep(f"(i32.sub {i32(WORD)} {leading})")
        row = f.keep(f"(i32.shl {self._many} (i32.const 2))")
        self._outside = f.keep(f"(i64.xor {self._span} (i64.const -1))", "i64")
        f.set(self._at, f"(i32.load offset={starts} {row})")
        f.set(self._end, f"(i32.load offset={ends} {row})")

    def _look_up(self, again: str, out: str) -> None:
        f, at, name = self._f, self._at, self._names[0]
        f.add(f"(br_if {out} (i32.ge_u (local.get {at}) (local.get {self._end})))")
        f.set(name, f"(i64.load (local.get {at}))")
        f.set(at, f"(i32.add (local.get {at}) (i32.const 8))")
        beyond = f"(i64.and (local.get {name}) {self._outside})"
        f.add(f"(br_if {again} (i64.ne {beyond} (i64.const 0)))")
        f.set(name, f"(i64.shl (local.get {name}) {self._first})")

    # ---- members anywhere: places in a row

    @contextmanager
    def all(self) -> Iterator[str]:
        """Go over the parts of any set."""
        self._gather()
        with self._loop() as (_, out, inner):
            self._step(out)
            with self._f.block(f"(block {inner}"):
                yield inner

    def _gather(self) -> None:
        """Lay the places of the members down in a row."""
        f, unit = self._f, self._e.unit
        room = 4 * WORD * len(self._words)
        self._members = i32(unit.scratch(room))
        self._places = i32(unit.scratch(room))
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
        """Go over the parts of a set by table where its members are near."""
        f = self._f
        few = f.local("i32", "few")
        self._set_up(few)
        with self._loop() as (again, out, inner):
            with f.block(f"(if (local.get {few}) (then"):
                self._look_up(again, out)
                f.add(") (else")
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
            f.add(") (else")
            self._gather()
        f.lines[-1] = "))"
