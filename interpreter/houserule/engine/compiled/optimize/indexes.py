"""Indexes: which members have a reading, kept for one version of the state.

A query for the members whose reading equals a wanted value would visit all members each
time. If the reading depends on the member alone, an index maps readings to members,
built once for each version of the state, and the query visits the few members in it.

For example, `pieces where square of it = here` has the reading `square of it` and the
wanted value `here`. The index is an array with a set of pieces for each square: one
64-bit word per reading, the bits of its members. The generated code compares the
version of the array with the current one, rebuilds it if they differ, and loads one
word.

An index changes when tests run: those before the equality run for all members, once,
and readings are evaluated even for members that an earlier test excludes. So it is used
only if none of them can fault (`Totality`), if they depend on the state and the member
alone, if the members are constant and at least `MEMBERS_AT_LEAST`, and if the wanted
value varies in the query. Otherwise the query visits all members as usual. Tests that
read the member alone become part of the index; the others stay in the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    LoopSource,
    Operands,
)
from houserule.engine.compiled.functions import Code, Function, i32, i64
from houserule.engine.compiled.memory.shapes import Universe, bounds, members, universe
from houserule.engine.compiled.optimize.constants import ConstantFolding
from houserule.engine.compiled.optimize.memoisation import (
    FOR_EVER,
    Memos,
    depends_on_moment,
)
from houserule.engine.compiled.optimize.totality import Totality
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.reference.evaluate.values import Reach
from houserule.ir import types
from houserule.ir.walk import slots_read

Domain: TypeAlias = tuple[Universe, tuple[int, ...]]

MEMBERS_AT_LEAST = 6  # fewer are visited as quickly
READINGS_AT_MOST = 256


@frozen
class Equality:
    """A test that the reading of a member is a wanted one; which test it is."""

    number: int
    reading: ir.Expr
    wanted: ir.Expr


@frozen
class ReadingIndex:
    """Sets of members by their reading.

    Attributes:
        at: the first set; 8 bytes before it stands the version that all are of.
        low: the least reading.
        size: how many readings there are.
    """

    title: str
    at: int
    low: int
    size: int
    stamp: Code


class Indexes:
    """The indexes of a program."""

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        constants: ConstantFolding,
        totality: Totality,
        versions: Versions,
        memos: Memos,
    ) -> None:
        self._context, self._reaches, self._constants = context, reaches, constants
        self._totality, self._versions, self._memos = totality, versions, memos

    def early(self, slot: int, tests: Sequence[ir.Expr]) -> list[int]:
        """Return the numbers of tests that can be made before a variable is bound.

        They read nothing of it, and neither they nor those before them can fail.
        """
        found: list[int] = []
        for number, test in enumerate(tests):
            if not self._totality.is_total(test):
                break
            if slot not in slots_read(test):
                found.append(number)
        return found

    def narrowed(
        self,
        e: Operands,
        bind: ir.Bind,
        slot: int,
        tests: Sequence[ir.Expr],
        source: LoopSource,
    ) -> tuple[Sequence[ir.Expr], LoopSource]:
        """Return the remaining tests, and the members to visit: all or an entry."""
        domain, found = self._domain(bind), self._equality(slot, tests)
        if domain is None or found is None or not self._varies(e, found.wanted):
            return tests, source
        # Tests before the equality that read the member alone are part of the index;
        # the others stay, in their order. None of them can fail (`_equality`).
        before, after = list(tests[: found.number]), tests[found.number + 1 :]
        inside = [test for test in before if slots_read(test) == {slot}]
        if depends_on_moment(self._reaches, found.reading, *inside):
            return tests, source
        low, high = bounds(found.reading.type) or (0, 0)
        size = high - low + 1
        read = self._versions.read_beneath(found.reading, *inside)
        stamp = self._versions.counter(found.reading, *inside) if read else FOR_EVER
        title = self._context.name("index", f"{found.reading.span.line}")
        at = self._memos.room(8 + 8 * size, stamp) + 8
        index = ReadingIndex(title, at, low, size, stamp)
        self._write(e, index, domain, slot, (found.reading, *inside))
        kept = [test for test in before if test not in inside]
        f = e.f
        code = e.scalar(found.wanted)
        place = f.keep(f"(i32.sub {code} {i32(index.low)})" if index.low else code)
        written = f"(i32.load {i32(index.at - 8)})"
        with f.when(f"(i32.ne {written} {index.stamp})"):
            f.add(f"(call {index.title})")
        there = f"(i64.load offset={index.at} (i32.shl {place} (i32.const 3)))"
        in_range = f"(i32.lt_u {place} {i32(index.size)})"
        word = f"(if (result i64) {in_range} (then {there}) (else (i64.const 0)))"
        return [*kept, *after], LoopSource((f.keep(word, "i64"),), source.space)

    def _domain(self, bind: ir.Bind) -> Domain | None:
        """Return the members of a variable, if they are constant and not few."""
        constant = self._constants.constant(bind.source)
        if bind.how != "member" or constant is None:
            return None
        found, space = members(constant.value), universe(bind.source.type)
        if len(found) < MEMBERS_AT_LEAST or space.words > 1:
            return None
        return space, found

    def _equality(self, slot: int, tests: Sequence[ir.Expr]) -> Equality | None:
        for number, test in enumerate(tests):
            if not self._totality.is_total(test):
                return None
            match test:
                case ir.CompareValues("==", left, right):
                    for reading, wanted in ((left, right), (right, left)):
                        alone = slots_read(reading) == {slot}
                        free = slot not in slots_read(wanted)
                        if alone and free and _few(reading.type):
                            return Equality(number, reading, wanted)
                case _:
                    pass
        return None

    def _varies(self, e: Operands, wanted: ir.Expr) -> bool:
        """Say whether a query is likely asked for several readings in one state."""
        read = slots_read(wanted) - {0}
        return any(isinstance(e.slots.get(slot), InLocals) for slot in read)

    # ---- laying down

    def _write(
        self,
        e: Operands,
        index: ReadingIndex,
        domain: Domain,
        slot: int,
        nodes: tuple[ir.Expr, ...],
    ) -> None:

        reading, *inside = nodes
        f = Function(index.title, asks=True)
        name = f.local("i32", f"v{slot}_")
        e = e.within(f, {slot: InLocals((name,))})
        f.add(f"(memory.fill {i32(index.at)} (i32.const 0) {i32(8 * index.size)})")
        space, found = domain
        words = tuple(map(i64, space.bits(found)))
        with bits.each_member(e, words, space.low, name) as on:
            for test in inside:
                f.add(f"(br_if {on} (i32.eqz {e.truth(test)}))")
            place = f"(i32.sub {e.scalar(reading)} {i32(index.low)})"
            at = f.keep(f"(i32.shl {place} (i32.const 3))")
            one = bits.single(e, space, f"(local.get {name})")[0]
            now = f"(i64.load offset={index.at} {at})"
            f.add(f"(i64.store offset={index.at} {at} (i64.or {now} {one}))")
        f.add(f"(i32.store {i32(index.at - 8)} {index.stamp})")
        self._context.add(f)


def _few(type_: types.Type) -> bool:
    limits = bounds(type_)
    if limits is None or isinstance(type_, types.Maybe):
        return False
    return limits[1] - limits[0] < READINGS_AT_MOST
