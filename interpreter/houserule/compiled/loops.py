"""Loops over members, ranges and subsets, with tests as early as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.compiled import bits
from houserule.compiled.seats import seats_in_order
from houserule.compiled.shapes import WORD, Universe, universe
from houserule.compiled.slots import InLocals, Words
from houserule.compiled.text import Code, i32
from houserule.engine.evaluate_binders import conjuncts
from houserule.ir import nodes as ir
from houserule.ir.walk import slots_read

if TYPE_CHECKING:
    from houserule.compiled.expressions import Expressions

FEW = 6  # so many things have all their subsets in a table


@dataclass(frozen=True, slots=True)
class Source:
    """What a binder runs over: the words of a set, a range's ends, or a row."""

    words: Words
    space: Universe
    low: Code = ""
    high: Code = ""
    row: int = 0  # the address of members in an order of their own


def look_up(e: Expressions, bind: ir.Bind) -> Source:
    """Write what finds out what a binder runs over."""
    of = bind.source
    if isinstance(of, ir.Seats):
        seats = e.unit.program.seats
        row = e.unit.scratch(4 * seats)
        seats_in_order(e, of, row)
        return Source((), Universe(0, seats), row=row)
    if (
        bind.how == "member"
        and isinstance(of, ir.MakeRange)
        and e.unit.constant(of) is None
    ):
        low, high = e.in_order(lambda: e.number(of.low), lambda: e.number(of.high))
        return Source((), Universe(0, 0), e.f.keep(low), e.f.keep(high))
    return Source(bits.kept(e, e.words(of)), universe(of.type))


@contextmanager
def each(e: Expressions, bind: ir.Bind, slot: int, source: Source) -> Iterator[str]:
    """Write a loop that binds one variable; yields the label that goes on."""
    if bind.how == "subset":
        names = tuple(e.f.local("i64", f"v{slot}_") for _ in source.words)
        e.slots[slot] = InLocals(names)
        with _each_subset(e, bind, source, names) as label:
            yield label
        return
    name = e.f.local("i32", f"v{slot}_")
    e.slots[slot] = InLocals((name,))
    if source.row:
        with _each_of_row(e, source, name) as label:
            yield label
    elif source.low:
        with _each_number(e, source, name) as label:
            yield label
    else:
        with bits.each_member(e, source.words, source.space.low, name) as label:
            yield label


@contextmanager
def _each_of_row(e: Expressions, source: Source, name: str) -> Iterator[str]:
    number = e.f.local("i32", "place")
    first, last = i32(0), i32(source.space.places - 1)
    with _each_number(e, Source((), source.space, first, last), number) as label:
        where = f"(i32.shl (local.get {number}) (i32.const 2))"
        e.f.set(name, f"(i32.load offset={source.row} {where})")
        yield label


@contextmanager
def _each_number(e: Expressions, source: Source, name: str) -> Iterator[str]:
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
def _each_subset(
    e: Expressions, bind: ir.Bind, source: Source, names: Sequence[str]
) -> Iterator[str]:
    """Subsets by size, then by members: the same order as everywhere."""
    if source.space.places <= FEW:
        with _each_listed(e, bind, source, names[0]) as label:
            yield label
        return
    f, unit = e.f, e.unit
    room = 4 * WORD * len(names)
    members, places = i32(unit.scratch(room)), i32(unit.scratch(room))
    size, most = f.local("i32", "size"), f.local("i32", "most")
    count = _gathered(e, source, members)
    f.set(most, count)
    if bind.high is not None:
        high = i32(bind.high)
        f.set(most, f"(select {high} {count} (i32.lt_s {high} {count}))")
    f.set(size, i32(max(bind.low, 0)))
    end, now = f.label("end"), f"(local.get {size})"
    sizes, again, inner = f.label("sizes"), f.label("subset"), f.label("next")
    with f.block(f"(block {end}"), f.loop(sizes):
        f.add(f"(br_if {end} (i32.gt_s {now} (local.get {most})))")
        f.add(f"(call $first_places {places} {now})")
        with f.loop(again):
            for number, name in enumerate(names):
                args = f"{members} {places} {now} {i32(number)}"
                f.set(name, f"(call $chosen {args})")
            with f.block(f"(block {inner}"):
                yield inner
            f.add(f"(br_if {again} (call $next_places {places} {now} {count}))")
        f.set(size, f"(i32.add {now} (i32.const 1))")
        f.add(f"(br {sizes})")


@contextmanager
def _each_listed(
    e: Expressions, bind: ir.Bind, source: Source, name: str
) -> Iterator[str]:
    """Go over all subsets of a few things, which stand in a table, and skip others."""
    f, places = e.f, source.space.places
    most = places if bind.high is None else min(bind.high, places)
    masks = [
        sum(1 << place for place in chosen)
        for size in range(max(bind.low, 0), most + 1)
        for chosen in combinations(range(places), size)
    ]
    at, end = f.local("i32", "at"), f.local("i32", "end")
    first = e.unit.data.words(masks) if masks else 0
    outside = f.keep(f"(i64.xor {source.words[0]} (i64.const -1))", "i64")
    f.set(at, i32(first))
    f.set(end, i32(first + 8 * len(masks)))
    again, out, inner = f.label("listed"), f.label("end"), f.label("next")
    with f.block(f"(block {out}"), f.loop(again):
        f.add(f"(br_if {out} (i32.ge_u (local.get {at}) (local.get {end})))")
        f.set(name, f"(i64.load (local.get {at}))")
        f.set(at, f"(i32.add (local.get {at}) (i32.const 8))")
        skip = f"(i64.ne (i64.and (local.get {name}) {outside}) (i64.const 0))"
        f.add(f"(br_if {again} {skip})")
        with f.block(f"(block {inner}"):
            yield inner
        f.add(f"(br {again})")


def _gathered(e: Expressions, source: Source, members: Code) -> Code:
    """Lay the places of a set's members down in a row; return how many there are."""
    count = e.f.local("i32", "count")
    e.f.set(count, i32(0))
    for number, word in enumerate(source.words):
        args = f"{word} {members} (local.get {count}) {i32(number)}"
        e.f.set(count, f"(call $gather {args})")
    return f"(local.get {count})"


def nested(
    e: Expressions,
    binds: Sequence[ir.Bind],
    where: ir.Expr | None,
    leaf: Callable[[str], None],
) -> None:
    """Write loops over the variables of a query around a leaf.

    The leaf is told the label that goes on to the next binding.
    """
    plain = [(bind, slot) for bind in binds for slot in bind.slots]
    place = {slot: number for number, (_, slot) in enumerate(plain)}
    tests: list[list[ir.Expr]] = [[] for _ in plain]
    at = 0
    for condition in conjuncts(where):
        at = max([at, *(place[s] for s in slots_read(condition) if s in place)])
        tests[at].append(condition)
    source = Source((), Universe(0, 0))

    def level(number: int, label: str) -> None:
        if number == len(plain):
            leaf(label)
            return
        nonlocal source
        bind, slot = plain[number]
        if slot == bind.slots[0]:
            source = look_up(e, bind)
        with each(e, bind, slot, source) as on:
            for test in tests[number]:
                e.f.add(f"(br_if {on} (i32.eqz {e.truth(test)}))")
            level(number + 1, on)

    level(0, "")
