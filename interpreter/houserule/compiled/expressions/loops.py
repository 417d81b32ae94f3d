"""Loops over members, ranges and subsets, with tests as early as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from houserule import ir
from houserule.compiled.context import CompilationContext
from houserule.compiled.expressions import bits
from houserule.compiled.expressions.operands import Operands
from houserule.compiled.expressions.subsets import Subsets
from houserule.compiled.memory.shapes import Universe, universe
from houserule.compiled.memory.slots import InLocals, LoopSource
from houserule.compiled.optimize.common_subexpressions import CommonSubexpressions
from houserule.compiled.optimize.conditions import tests_of
from houserule.compiled.optimize.constants import ConstantFolding
from houserule.compiled.optimize.indexes import Indexes
from houserule.compiled.optimize.numbering import Numbering
from houserule.compiled.optimize.stopping import passes
from houserule.compiled.writer.functions import Code, i32
from houserule.ir.walk import slots_read


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
    return LoopSource(bits.kept(e, e.words(of)), universe(of.type))


class Loops:
    """Writes the loops of one program.

    A loop over variables makes each test as soon as what it reads is bound, looks into
    an index where one has the members that pass, and works out before it what depends
    on none of its variables.
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
                run_over(number, *self._narrowed(e, bind, slot, own, source))

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

    def _narrowed(
        self,
        e: Operands,
        bind: ir.Bind,
        slot: int,
        tests: list[ir.Expr],
        source: LoopSource,
    ) -> tuple[list[ir.Expr], LoopSource]:
        """Return what is left to test, and what a variable then runs over."""
        found = self._indexes.narrowed(e, bind, slot, tests)
        if found is None:
            return tests, source
        words, rest = found
        return rest, LoopSource(words, source.space)


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
        f.add(f"(i32.store (i32.const {at + 4 * step}) {seat})")


def _turned(start: str, by: int, seats: int) -> str:
    return f"(i32.rem_u (i32.add {start} {i32(by)}) {i32(seats)})"
