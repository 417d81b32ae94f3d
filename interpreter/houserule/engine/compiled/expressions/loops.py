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
from houserule.engine.compiled.context import CompilationContext, Data
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.alike import lay_down
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    LoopSource,
    Operands,
    Words,
)
from houserule.engine.compiled.functions import i32
from houserule.engine.compiled.memory.shapes import WORD, Universe, universe
from houserule.engine.compiled.optimize.costs import passes
from houserule.engine.compiled.optimize.masks import Masks
from houserule.engine.compiled.optimize.numbering import Numbering
from houserule.ir import types
from houserule.ir.walk import conjuncts, slots_read

FEW = 6  # up to this many things have an array of all their subsets, as bits


def is_range(bind: ir.Bind) -> bool:
    """Return whether a binder binds each number from one to another."""
    match bind.source:
        case _ if bind.how != "member":
            return False
        case ir.Const((first, *_, last) as value, type=types.Set(types.Whole())):
            return len(value) == last - first + 1
        case source:
            return isinstance(source, ir.MakeRange)


def look_up(e: Operands, bind: ir.Bind) -> LoopSource:
    """Write what finds out what a binder runs over."""
    of = bind.source
    if isinstance(of, ir.Seats):
        seats = e.context.program.seats
        row = e.context.data.room(4 * seats)
        seats_in_order(e, of, row)
        return LoopSource((), Universe(0, seats), row=row)
    if bind.how == "member" and isinstance(of, ir.MakeRange):
        low, high = e.in_order(lambda: e.number(of.low), lambda: e.number(of.high))
        return LoopSource((), Universe(0, 0), e.f.keep(low), e.f.keep(high))
    if is_range(bind) and isinstance(of, ir.Const) and isinstance(of.value, tuple):
        return LoopSource((), Universe(0, 0), i32(of.value[0]), i32(of.value[-1]))
    if bind.how == "subset" and isinstance(of, ir.Distinct):
        words, space = bits.kept(e, e.words(of.operand)), universe(of.type)
        return LoopSource(words, space, classes=lay_down(e, of, words))
    return LoopSource(bits.kept(e, e.words(of)), universe(of.type))


class Loops:
    """Writes the loops of one program.

    A loop over variables runs each test as soon as its variables are bound.
    """

    def __init__(
        self, context: CompilationContext, numbering: Numbering, masks: Masks
    ) -> None:
        self._numbering, self.masks = numbering, masks
        self._subsets = Subsets(context.data)

    @contextmanager
    def each(
        self, e: Operands, bind: ir.Bind, slot: int, source: LoopSource
    ) -> Iterator[str]:
        """Write a loop that binds one variable; yields the label that goes on."""
        if bind.how == "subset":
            names = tuple(e.f.local("i64", f"v{slot}_") for _ in source.words)
            e.slots[slot] = InLocals(names)
            with self._subsets.each(e, bind, source, names) as label:
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
            place = e.f.local("i32", "place")
            first, last = i32(0), i32(source.space.places - 1)
            every = LoopSource((), source.space, first, last)
            with _each_number(e, every, place) as label:
                where = f"(i32.shl (local.get {place}) (i32.const 2))"
                e.f.set(name, f"(i32.load offset={source.row} {where})")
                with passes(e, bind):
                    yield label
        elif source.low:
            with _each_number(e, source, name) as label, passes(e, bind):
                yield label
        else:
            low = source.space.low
            with bits.each_member(e, source.words, low, name) as label, passes(e, bind):
                yield label

    @contextmanager
    def steps(
        self, e: Operands, bind: ir.Bind, slot: int, source: LoopSource
    ) -> Iterator[tuple[str, str, str]]:
        """Write a loop that binds the first number of each range in turn.

        Yields the label that goes on, the local with the number, and the one with the
        first number after the range, which comparisons lower.
        """
        f = e.f
        name, change = f.local("i32", f"v{slot}_"), f.local("i32", "change")
        e.slots[slot] = InLocals((name,), change)
        again, out, inner = f.label("range"), f.label("end"), f.label("next")
        f.set(name, source.low)
        with f.block(f"(block {out}"), f.loop(again):
            f.add(f"(br_if {out} (i32.gt_s (local.get {name}) {source.high}))")
            f.set(change, f"(i32.add {source.high} (i32.const 1))")
            with f.block(f"(block {inner}"), passes(e, bind):
                yield inner, name, change
            f.set(name, f"(local.get {change})")
            f.add(f"(br {again})")
        e.slots[slot] = InLocals((name,))

    def nested(
        self,
        e: Operands,
        binds: Sequence[ir.Bind],
        where: ir.Expr | None,
        leaf: Callable[[str], None],
        *,
        last: Sequence[ir.Expr] = (),
        at_once: Callable[[Words], None] | None = None,
    ) -> None:
        """Write loops over the variables of a query around a leaf.

        The leaf is given the label that goes on to the next binding. Tests in `last`
        run when all variables are bound. If no test of the last variable remains,
        `at_once` is given all its members, if any, instead of a loop around the leaf.
        """
        plain = [(bind, slot) for bind in binds for slot in bind.slots]
        # Each test comes once the last variable that it reads is bound, in order.
        place = {slot: number for number, (_, slot) in enumerate(plain)}
        tests: list[list[ir.Expr]] = [[] for _ in plain]
        at = 0
        for test in conjuncts(where):
            needed = [place[slot] for slot in slots_read(test) if slot in place]
            at = max([at, *needed])
            tests[at].append(test)
        tests[-1] += last
        source = LoopSource((), Universe(0, 0))

        def level(number: int, label: str) -> None:
            if number == len(plain):
                leaf(label)
                return
            nonlocal source
            bind, slot = plain[number]
            if slot == bind.slots[0]:
                source = look_up(e, bind)
            remaining, domain = self.masks.narrowed(
                e, bind, slot, tests[number], source
            )
            inner = number + 1 < len(plain)
            if (
                at_once
                and domain.words
                and not (inner or remaining or bind.how != "member")
            ):
                at_once(domain.words)
                return
            with self.each(e, bind, slot, domain) as on:
                for each in remaining:
                    e.f.add(f"(br_if {on} (i32.eqz {e.truth(tests[number][each])}))")
                level(number + 1, on)

        level(0, "")


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


class Subsets:
    """Writes loops over the parts of sets; arrays have the parts of `FEW` things.

    For each range of sizes there is an array of the parts, each a set, in order. A
    second array says for each set of `FEW` things which of the parts it has. There are
    64 parts at most, a bit of a word each, so those of a set are visited like members,
    the lowest bit first.
    """

    def __init__(self, data: Data) -> None:
        self._data = data
        self._made: dict[tuple[int, int], tuple[int, int]] = {}

    def _arrays(self, low: int, high: int) -> tuple[int, int]:
        """Return the addresses of both arrays, laid down when first asked for."""
        key = (low, min(high, FEW))
        if key not in self._made:
            parts = [
                sum(1 << place for place in chosen)
                for size in range(low, key[1] + 1)
                for chosen in combinations(range(FEW), size)
            ]
            beneath = [
                sum(1 << n for n, part in enumerate(parts) if not part & ~things)
                for things in range(1 << FEW)
            ]
            self._made[key] = self._data.words(parts or [0]), self._data.words(beneath)
        return self._made[key]

    @contextmanager
    def each(
        self, e: Operands, bind: ir.Bind, source: LoopSource, names: Sequence[str]
    ) -> Iterator[str]:
        """Write a loop that puts each part of a set into locals.

        It yields the label that goes on to the next part. The parts of a set of one
        word whose members lie near each other come from an array; that is asked in the
        game, unless the type has few places. Other sets have the places of their
        members laid down in a row, and those of a part are chosen by their numbers.
        """
        f, words, places = e.f, source.words, source.space.places
        low = max(bind.low, 0)
        high = places if bind.high is None else min(bind.high, places)
        again, out, inner = f.label("part"), f.label("end"), f.label("next")
        few = ""
        if len(words) == 1:
            word, left = words[0], f.local("i64", "left")
            parts, beneath = self._arrays(low, high)
            if places > FEW:
                few = f.local("i32", "few")
                last = f"(i32.sub {i32(WORD - 1)} (i32.wrap_i64 (i64.clz {word})))"
                lowest = f"(i32.wrap_i64 (i64.ctz {word}))"
                f.set(few, f"(i32.lt_s (i32.sub {last} {lowest}) {i32(FEW)})")
                f.add(f"(if (local.get {few}) (then")
                first = f.keep(f"(i64.ctz {word})", "i64")
                word = f"(i64.shr_u {word} {first})"
            at = f"(i32.shl (i32.wrap_i64 {word}) (i32.const 3))"
            f.set(left, f"(i64.load offset={beneath} {at})")
            rest = f"(local.get {left})"
            at = f"(i32.shl (i32.wrap_i64 (i64.ctz {rest})) (i32.const 3))"
            part = f"(i64.load offset={parts} {at})"
            if few:
                part = f"(i64.shl {part} {first})"
            from_array = (
                f"(br_if {out} (i64.eqz {rest}))",
                f"(local.set {names[0]} {part})",
                f"(local.set {left} (i64.and {rest} (i64.sub {rest} (i64.const 1))))",
            )
            if not few:
                with f.block(f"(block {out}"), f.loop(again):
                    f.lines += from_array
                    with f.block(f"(block {inner}"):
                        yield inner
                    f.add(f"(br {again})")
                return
            f.add(") (else")

        # Lay the places of the members down in a row.
        room = 4 * WORD * len(words)
        members, chosen = i32(self._data.room(room)), i32(self._data.room(room))
        count, most = f.local("i32", "count"), f.local("i32", "most")
        size, under = f.local("i32", "size"), f.local("i32", "under")
        many = f"(local.get {count})"
        f.set(count, i32(0))
        for number, word in enumerate(words):
            f.set(count, f"(call $gather {word} {members} {many} {i32(number)})")
        f.set(most, f"(select {i32(high)} {many} (i32.lt_s {i32(high)} {many}))")
        f.set(size, i32(low))
        f.set(under, i32(0))
        if few:
            f.add("))")

        with f.block(f"(block {out}"), f.loop(again):
            if few:
                f.add(f"(if (local.get {few}) (then")
                f.lines += from_array
                f.add(") (else")
            # Go to the next part: of this size, or the first of the next.
            ready, now = f.label("ready"), f"(local.get {size})"
            with f.block(f"(block {ready}"):
                with f.when(f"(local.get {under})"):
                    f.add(f"(br_if {ready} (call $next_places {chosen} {now} {many}))")
                    f.set(size, f"(i32.add {now} (i32.const 1))")
                f.add(f"(br_if {out} (i32.gt_s {now} (local.get {most})))")
                f.add(f"(call $first_places {chosen} {now})")
                f.set(under, i32(1))
            for number, name in enumerate(names):
                f.set(name, f"(call $chosen {members} {chosen} {now} {i32(number)})")
            if few:
                f.add("))")
            with f.block(f"(block {inner}"):
                yield inner
            f.add(f"(br {again})")
