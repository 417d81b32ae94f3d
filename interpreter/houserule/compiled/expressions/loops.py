"""Loops over members, ranges and subsets, with tests as early as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.expressions import bits
from houserule.compiled.expressions.seats import seats_in_order
from houserule.compiled.expressions.subsets import each_part
from houserule.compiled.memory.shapes import Universe, universe
from houserule.compiled.memory.slots import InLocals, Words
from houserule.compiled.optimize.conditions import tests_of
from houserule.compiled.optimize.stopping import passes
from houserule.compiled.writer.functions import Code, i32
from houserule.ir.walk import slots_read

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions


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
        places = source.space.places
        sizes = bind.low, bind.high
        parts = each_part(e, sizes, source.words, places, names)
        with parts as label, passes(e, bind):
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


def nested(
    e: Expressions,
    binds: Sequence[ir.Bind],
    where: ir.Expr | None,
    leaf: Callable[[str], None],
    many: Callable[[Code], None] | None = None,
    bodies: Sequence[ir.Expr] = (),
) -> None:
    """Write loops over the variables of a query around a leaf.

    The leaf is told the label that goes on to the next binding. Where nothing is to be
    known but how many bindings there are, `many` is told it in 64 bits for a last
    variable of which nothing is tested. `bodies` are what the leaf asks for.
    """
    plain = [(bind, slot) for bind in binds for slot in bind.slots]
    tests = _placed(e, [slot for _, slot in plain], where)
    source = Source((), Universe(0, 0))

    def level(number: int, label: str) -> None:
        if number == len(plain):
            leaf(label)
            return
        nonlocal source
        bind, slot = plain[number]
        if slot == bind.slots[0]:
            source = look_up(e, bind)
        early = e.unit.indexes.early(slot, tests[number])
        with _where(e, [tests[number][place] for place in early]):
            own = [t for place, t in enumerate(tests[number]) if place not in early]
            run_over(number, *_narrowed(e, bind, slot, own, source))

    def run_over(number: int, own: Sequence[ir.Expr], here: Source) -> None:
        bind, slot = plain[number]
        last = number == len(plain) - 1
        if many and last and not own and not here.row:
            many(e.unit.parts.size(e, bind, here))
            return
        inner = [slot for _, slot in plain[number:]]
        later = [test for some in tests[number + 1 :] for test in some]
        e.unit.repeated.before(e, inner, [*own, *later, *bodies])
        with each(e, bind, slot, here) as on:
            for test in own:
                e.f.add(f"(br_if {on} (i32.eqz {e.truth(test)}))")
            level(number + 1, on)

    level(0, "")


def _placed(
    e: Expressions, slots: Sequence[int], where: ir.Expr | None
) -> list[list[ir.Expr]]:
    """Return for each variable what is tested once it is bound, in order."""
    place = {slot: number for number, slot in enumerate(slots)}
    tests: list[list[ir.Expr]] = [[] for _ in slots]
    at = 0
    for test in tests_of(e.unit, where):
        at = max([at, *(place[slot] for slot in slots_read(test) if slot in place)])
        tests[at].append(test)
    return tests


@contextmanager
def _where(e: Expressions, tests: Sequence[ir.Expr]) -> Iterator[None]:
    """Write something that is left out unless some tests hold."""
    if not tests:
        yield
        return
    out = e.f.label("unless")
    with e.f.block(f"(block {out}"):
        for test in tests:
            e.f.add(f"(br_if {out} (i32.eqz {e.truth(test)}))")
        yield


def _narrowed(
    e: Expressions, bind: ir.Bind, slot: int, tests: list[ir.Expr], source: Source
) -> tuple[list[ir.Expr], Source]:
    """Return what is left to test, and what a variable runs over where it is known."""
    found = e.unit.indexes.narrowed(e, bind, slot, tests)
    if found is None:
        return tests, source
    words, rest = found
    return rest, Source(words, source.space)
