"""Loops over members, ranges and parts of sets, with tests as early as can be.

Parts of a set go by size, then by members, as everywhere. The subsets of a few things
are in an array. A set whose members lie near each other, such as what one player has of
many, looks into the same array, from its first member on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.context import CompilationContext, Data
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.alike import lay_down
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    LoopSource,
    Operands,
    Words,
)
from houserule.engine.compiled.functions import Code, i32
from houserule.engine.compiled.memory.shapes import WORD, Universe, universe
from houserule.engine.compiled.optimize.common_subexpressions import (
    CommonSubexpressions,
)
from houserule.engine.compiled.optimize.constants import ConstantFolding
from houserule.engine.compiled.optimize.costs import passes
from houserule.engine.compiled.optimize.indexes import Indexes
from houserule.engine.compiled.optimize.numbering import Numbering
from houserule.engine.compiled.optimize.totality import tests_of
from houserule.ir.walk import slots_read

FEW = 6  # up to this many things have an array of all their subsets, as bits


def look_up(e: Operands, bind: ir.Bind) -> LoopSource:
    """Write what finds out what a binder runs over."""
    of = bind.source
    if isinstance(of, ir.Seats):
        seats = e.context.program.seats
        row = e.context.data.room(4 * seats)
        seats_in_order(e, of, row)
        return LoopSource((), Universe(0, seats), row=row)
    if bind.how == "member" and isinstance(of, ir.MakeRange) and e.constant(of) is None:
        low, high = e.in_order(lambda: e.number(of.low), lambda: e.number(of.high))
        return LoopSource((), Universe(0, 0), e.f.keep(low), e.f.keep(high))
    if bind.how == "subset" and isinstance(of, ir.Distinct):
        words, space = bits.kept(e, e.words(of.operand)), universe(of.type)
        return LoopSource(words, space, classes=lay_down(e, of, words))
    return LoopSource(bits.kept(e, e.words(of)), universe(of.type))


class Loops:
    """Writes the loops of one program.

    A loop over variables runs each test as soon as its variables are bound, uses an
    index if one has the members that pass, and computes loop-invariant parts before it.
    """

    def __init__(
        self,
        context: CompilationContext,
        constants: ConstantFolding,
        indexes: Indexes,
        numbering: Numbering,
        common: CommonSubexpressions,
    ) -> None:
        self._program, self._constants = context.program, constants
        self._indexes, self._numbering, self._common = indexes, numbering, common
        self._subsets = Subsets(context.data)

    @contextmanager
    def each(
        self, e: Operands, bind: ir.Bind, slot: int, source: LoopSource
    ) -> Iterator[str]:
        """Write a loop that binds one variable; yields the label that goes on."""
        if bind.how == "subset":
            names = tuple(e.f.local("i64", f"v{slot}_") for _ in source.words)
            e.slots[slot] = InLocals(names)
            places = source.space.places
            sizes = bind.low, bind.high
            parts = self._subsets.each(e, sizes, source.words, places, names)
            with parts as label:
                if source.classes is not None:
                    words = tuple(f"(local.get {name})" for name in names)
                    first = self._numbering.alike.is_first(source.classes, words)
                    e.f.add(f"(br_if {label} (i32.eqz {first}))")
                with passes(e, bind):
                    yield label
            return
        name = e.f.local("i32", f"v{slot}_")
        e.slots[slot] = InLocals((name,))
        if source.row:
            with _each_of_row(e, source, name) as label, passes(e, bind):
                yield label
        elif source.low:
            with _each_number(e, source, name) as label, passes(e, bind):
                yield label
        else:
            every = bits.each_member(e, source.words, source.space.low, name)
            with every as label, passes(e, bind):
                yield label

    def nested(
        self,
        e: Operands,
        binds: Sequence[ir.Bind],
        where: ir.Expr | None,
        leaf: Callable[[str], None],
        many: Callable[[Code], None] | None = None,
        bodies: Sequence[ir.Expr] = (),
    ) -> None:
        """Write loops over the variables of a query around a leaf.

        The leaf is given the label that goes on to the next binding; `bodies` are what
        it writes. Where only the number of bindings is wanted, `many` is given it in
        64 bits for a last variable of which nothing is tested.
        """
        plain = [(bind, slot) for bind in binds for slot in bind.slots]
        tests = self._placed([slot for _, slot in plain], where)
        source = LoopSource((), Universe(0, 0))

        def level(number: int, label: str) -> None:
            if number == len(plain):
                leaf(label)
                return
            nonlocal source
            bind, slot = plain[number]
            if slot == bind.slots[0]:
                source = look_up(e, bind)
            early = self._indexes.early(slot, tests[number])
            with _unless(e, [tests[number][place] for place in early]):
                own = [t for place, t in enumerate(tests[number]) if place not in early]
                run_over(number, *self._indexes.narrowed(e, bind, slot, own, source))

        def run_over(number: int, own: Sequence[ir.Expr], here: LoopSource) -> None:
            bind, slot = plain[number]
            inner = [slot for _, slot in plain[number:]]
            if many and len(inner) == 1 and not own and not here.row:
                many(self._numbering.size(e, bind, here))
                return
            later = [test for some in tests[number + 1 :] for test in some]
            self._common.hoist(e, inner, [*own, *later, *bodies])
            with self.each(e, bind, slot, here) as on:
                for test in own:
                    e.f.add(f"(br_if {on} (i32.eqz {e.truth(test)}))")
                level(number + 1, on)

        level(0, "")

    def _placed(
        self, slots: Sequence[int], where: ir.Expr | None
    ) -> list[list[ir.Expr]]:
        """Return for each variable what is tested once it is bound, in order."""
        place = {slot: number for number, slot in enumerate(slots)}
        tests: list[list[ir.Expr]] = [[] for _ in slots]
        at = 0
        for test in tests_of(self._program, self._constants, where):
            at = max([at, *(place[slot] for slot in slots_read(test) if slot in place)])
            tests[at].append(test)
        return tests


@contextmanager
def _each_of_row(e: Operands, source: LoopSource, name: str) -> Iterator[str]:
    number = e.f.local("i32", "place")
    first, last = i32(0), i32(source.space.places - 1)
    with _each_number(e, LoopSource((), source.space, first, last), number) as label:
        where = f"(i32.shl (local.get {number}) (i32.const 2))"
        e.f.set(name, f"(i32.load offset={source.row} {where})")
        yield label


@contextmanager
def _each_number(e: Operands, source: LoopSource, name: str) -> Iterator[str]:
    f = e.f
    again, out, inner = f.label("range"), f.label("end"), f.label("next")
    f.set(name, source.low)
    with f.block(f"(block {out}"), f.loop(again):
        f.add(f"(br_if {out} (i32.gt_s (local.get {name}) {source.high}))")
        with f.block(f"(block {inner}"):
            yield inner
        f.set(name, f"(i32.add (local.get {name}) (i32.const 1))")
        f.add(f"(br {again})")


@contextmanager
def _unless(e: Operands, tests: Sequence[ir.Expr]) -> Iterator[None]:
    """Write something that is left out unless some tests hold."""
    if not tests:
        yield
        return
    out = e.f.label("unless")
    with e.f.block(f"(block {out}"):
        for test in tests:
            e.f.add(f"(br_if {out} (i32.eqz {e.truth(test)}))")
        yield


# ---- seats in an order: once round the table


def seats_in_order(e: Operands, node: ir.Seats, at: int) -> None:
    """Write what lays all seats down in their order."""
    f, seats = e.f, e.context.program.seats
    start = f.keep(e.number(node.start))
    lap = i32(1)
    if node.lap is not None:
        lap = f.keep(f"(i32.and {e.number(node.lap)} (i32.const 1))")
    for step in range(seats):
        on = _turned(start, step, seats)
        back = _turned(start, -step % seats, seats)
        match node.how:
            case "clockwise":
                seat = on
            case "reversed":
                seat = back
            case "snaking":
                from_last = _turned(start, seats - 1 - step, seats)
                seat = f"(select {on} {from_last} {lap})"
        f.store(at + 4 * step, seat)


def _turned(start: str, by: int, seats: int) -> str:
    return f"(i32.rem_u (i32.add {start} {i32(by)}) {i32(seats)})"


# ---- parts of sets


@frozen
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
            # visited like members, the lowest bit first.
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
        word = self._words[0]
        last = f"(i32.sub {i32(WORD - 1)} (i32.wrap_i64 (i64.clz {word})))"
        first = f"(i32.wrap_i64 (i64.ctz {word}))"
        f.set(few, f"(i32.lt_s (i32.sub {last} {first}) {i32(FEW)})")
        with f.block(f"(if (local.get {few}) (then"):
            self._arrays = self._subsets.arrays(self._low, self._high)
            self._left = f.local("i64", "left")
            self._first = f.keep(f"(i64.ctz {self._words[0]})", "i64")
            span = f"(i64.shr_u {self._words[0]} {self._first})"
            f.set(self._left, self._arrays.parts_of(span))
            f.otherwise()
            self._gather()
        f.lines[-1] = "))"
        with self._loop() as (out, inner):
            with f.block(f"(if (local.get {few}) (then"):
                self._look_up(out)
                f.otherwise()
                self._step(out)
            f.lines[-1] = "))"
            with f.block(f"(block {inner}"):
                yield inner
