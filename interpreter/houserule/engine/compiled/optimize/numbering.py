"""Numbering: the number of values of a binder, and the value of each number.

Members go in ascending order, subsets by size, then by members, as in `ir.subsets`.
Only the places of one set are visited.

The number of subsets comes from an array of binomials, without a loop. To find subset
number n, first subtract the number of subsets of each smaller size; the rest is the
number among subsets of one size k. Then visit the members, lowest first. Of the subsets
that are left, those with the member come first: one for each choice of the k - 1 others
from the members after it. If n is below that number, take the member; else subtract it
and go on without the member. Counts are capped at `AT_MOST`.
"""

from __future__ import annotations

from math import comb

from houserule import ir
from houserule.base.algebra.subsets import count_subsets
from houserule.base.frozen import frozen
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.alike import AlikeParts
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    LoopSource,
    Operands,
    Words,
)
from houserule.engine.compiled.functions import Code, Function, i32, i64
from houserule.engine.compiled.memory.shapes import WORD
from houserule.ir import types

AT_MOST = 1 << 55  # options of 128 actions together have room in 64 bits
Key = tuple[int, int, int]  # places, the least and the greatest size


@frozen
class SubsetCounts:
    """How many parts sets have, and how many ways there are to take k of n.

    Attributes:
        counts: the address of the numbers of parts, by the size of the set.
        ways: the address of the binomials, a row for each size of the set.
        width: the bytes of such a row.
        most: the largest set whose parts are fewer than `AT_MOST`; the entry after it
            is for all larger sets.
    """

    counts: int
    ways: int
    width: int
    most: int


class Numbering:
    """Writes what counts values and finds one by its number."""

    def __init__(self, context: CompilationContext) -> None:
        self._context = context
        self._counts: dict[Key, SubsetCounts] = {}
        self._written: set[str] = set()
        self.alike = AlikeParts(context)

    def size(self, e: Operands, bind: ir.Bind, source: LoopSource) -> Code:
        """Return how many values a binder has, in 64 bits, `AT_MOST` at most."""
        if source.low:
            many = f"(i32.sub {source.high} {source.low})"
            some = f"(i32.le_s {source.low} {source.high})"
            size = f"(i32.add (select {many} (i32.const -1) {some}) (i32.const 1))"
            return f"(i64.extend_i32_u {size})"
        many = bits.count(source.words)
        if bind.how == "member":
            return f"(i64.extend_i32_u {many})"
        if source.classes is not None:
            low, high = self._sizes(bind, source)
            return self.alike.count(source.classes, len(source.words), low, high)
        counts = self._counts_of(bind, source)
        if counts.most < source.space.places:
            many, beyond = e.f.keep(many), i32(counts.most + 1)
            many = f"(select {many} {beyond} (i32.le_u {many} {i32(counts.most)}))"
        return f"(i64.load offset={counts.counts} (i32.shl {many} (i32.const 3)))"

    def bind(
        self, e: Operands, bind: ir.Bind, slot: int, source: LoopSource, number: Code
    ) -> None:
        """Bind a variable to the value of a number, which must be below a count."""
        words = source.words
        if bind.how == "subset":
            names = tuple(e.f.local("i64", f"v{slot}_") for _ in words)
            e.slots[slot] = InLocals(names)
            low, _ = self._sizes(bind, source)
            if source.classes is not None:
                e.f.add(self.alike.part(source.classes, len(words), low, number))
            else:
                counts, title = self._counts_of(bind, source), f"$part.{len(words)}"
                if title not in self._written:
                    self._written.add(title)
                    self._context.add(_nth_part(title, len(words)))
                how = f"{i32(low)} {number} {i32(counts.ways)} {i32(counts.width)}"
                e.f.add(f"(call {title} {' '.join(words)} {how})")
            for name in reversed(names):
                e.f.add(f"(local.set {name})")
            return
        name = e.f.local("i32", f"v{slot}_")
        e.slots[slot] = InLocals((name,))
        if source.low:
            e.f.set(name, f"(i32.add {source.low} (i32.wrap_i64 {number}))")
            return
        title = f"$nth.{len(words)}"
        if title not in self._written:
            self._written.add(title)
            self._context.add(_nth_member(title, len(words)))
        place = f"(call {title} {' '.join(words)} {number})"
        low = source.space.low
        e.f.set(name, f"(i32.add {place} {i32(low)})" if low else place)

    # ---- arrays

    @staticmethod
    def _sizes(bind: ir.Bind, source: LoopSource) -> tuple[int, int]:
        """Return the least and the greatest size that parts of a set may have."""
        places = source.space.places
        high = places if bind.high is None else min(bind.high, places)
        return max(bind.low, 0), high

    def _counts_of(self, bind: ir.Bind, source: LoopSource) -> SubsetCounts:
        places, (low, high) = source.space.places, self._sizes(bind, source)
        key = (places, low, high)
        if key in self._counts:
            return self._counts[key]
        counts = [0]
        while len(counts) <= places and counts[-1] < AT_MOST:
            counts.append(count_subsets(len(counts), low, high))
        counts[0] = count_subsets(0, low, high)
        most = len(counts) - 1 - (counts[-1] >= AT_MOST)
        sizes = range(min(high, most) + 1)
        ways = [min(comb(n, k), AT_MOST) for n in range(most + 1) for k in sizes]
        data = self._context.data
        self._counts[key] = SubsetCounts(
            data.words([min(count, AT_MOST) for count in counts]),
            data.words(ways),
            8 * len(sizes),
            most,
        )
        return self._counts[key]


def most(bind: ir.Bind) -> int:
    """Return how many values a variable may have at most."""
    of = bind.source.type
    places = len(types.members(of.member)) if isinstance(of, types.Set) else 0
    if bind.how == "member":
        return places
    return count_subsets(places, bind.low, bind.high)


def _words(width: int) -> Words:
    return tuple(f"$set{number}" for number in range(width))


def _nth_member(title: str, width: int) -> Function:
    names = _words(width)
    params = [*((name, "i64") for name in names), ("$number", "i64")]
    f = Function(title, params, ("i32",))
    here = f.local("i64", "here")
    less = "(local.set $number (i64.sub (local.get $number) {by}))"
    for place, name in enumerate(names):
        f.set(here, f"(i64.popcnt (local.get {name}))")
        again, out = f.label("again"), f.label("out")
        with f.when(f"(i64.lt_u (local.get $number) (local.get {here}))"):
            with f.block(f"(block {out}"), f.loop(again):
                f.add(f"(br_if {out} (i64.eqz (local.get $number)))")
                f.set(name, _without_first(name))
                f.add(less.format(by=i64(1)))
                f.add(f"(br {again})")
            first = f"(i32.wrap_i64 (i64.ctz (local.get {name})))"
            f.add(f"(return (i32.add {first} {i32(WORD * place)}))")
        f.add(less.format(by=f"(local.get {here})"))
    f.add("(unreachable)")
    return f


def _nth_part(title: str, width: int) -> Function:
    names = _words(width)
    params = [(name, "i64") for name in names]
    params += [("$size", "i32"), ("$number", "i64"), ("$ways", "i32")]
    f = Function(title, (*params, ("$width", "i32")), ["i64"] * width)
    f.locals += [("$n", "i32"), ("$here", "i64"), *((f"{n}_", "i64") for n in names)]
    f.set("$n", bits.count(tuple(f"(local.get {name})" for name in names)))
    sized, more = f.label("sized"), f.label("more")
    with f.block(f"(block {sized}"), f.loop(more):
        _skip(f, "$size", sized)
        f.set("$size", "(i32.add (local.get $size) (i32.const 1))")
        f.add(f"(br {more})")
    out = f.label("out")
    with f.block(f"(block {out}"):
        for name in names:
            # Take or leave the members of one word, the lowest first.
            done, again, taken = f.label("done"), f.label("again"), f.label("taken")
            with f.block(f"(block {done}"), f.loop(again):
                f.add(f"(br_if {out} (i32.eqz (local.get $size)))")
                f.add(f"(br_if {done} (i64.eqz (local.get {name})))")
                f.set("$n", "(i32.sub (local.get $n) (i32.const 1))")
                rest = f"(local.get {name})"
                with f.block(f"(block {taken}"):
                    _skip(f, "$size", taken, less=1)
                    f.set(name, _without_first(name))
                    f.add(f"(br {again})")
                bit = f"(i64.and {rest} (i64.sub (i64.const 0) {rest}))"
                f.set(f"{name}_", f"(i64.or (local.get {name}_) {bit})")
                f.set(name, _without_first(name))
                f.set("$size", "(i32.sub (local.get $size) (i32.const 1))")
                f.add(f"(br {again})")
    for name in names:
        f.add(f"(local.get {name}_)")
    return f


def _skip(f: Function, size: str, out: str, less: int = 0) -> None:
    """Leave if the number is within the ways of this size, else subtract them.

    The first ways of all need no array, so that sets may be as large as they like.
    """
    f.add(f"(br_if {out} (i64.eqz (local.get $number)))")
    row = "(i32.add (local.get $ways) (i32.mul (local.get $n) (local.get $width)))"
    many = (
        f"(i32.sub (local.get {size}) {i32(less)})" if less else f"(local.get {size})"
    )
    f.set("$here", f"(i64.load (i32.add {row} (i32.shl {many} (i32.const 3))))")
    f.add(f"(br_if {out} (i64.lt_u (local.get $number) (local.get $here)))")
    f.set("$number", "(i64.sub (local.get $number) (local.get $here))")


def _without_first(name: str) -> Code:
    rest = f"(local.get {name})"
    return f"(i64.and {rest} (i64.sub {rest} (i64.const 1)))"
