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

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    LoopSource,
    Operands,
)
from houserule.engine.compiled.functions import Function, i32, i64, load
from houserule.engine.compiled.memory.shapes import bounds, members, universe
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

MEMBERS_AT_LEAST = 6  # fewer are visited as quickly
READINGS_AT_MOST = 256


class Indexes:
    """The indexes of a program."""

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        totality: Totality,
        versions: Versions,
        memos: Memos,
    ) -> None:
        self._context, self._reaches = context, reaches
        self._totality, self._versions, self._memos = totality, versions, memos

    def narrowed(
        self,
        e: Operands,
        bind: ir.Bind,
        slot: int,
        tests: Sequence[ir.Expr],
        source: LoopSource,
    ) -> tuple[Sequence[ir.Expr], LoopSource]:
        """Return the remaining tests, and the members to visit: all or an entry."""
        everything = tests, source
        if bind.how != "member" or not isinstance(bind.source, ir.Const):
            return everything
        found, space = members(bind.source.value), universe(bind.source.type)
        if len(found) < MEMBERS_AT_LEAST or space.words > 1:
            return everything
        equality = self._equality(slot, tests)
        if equality is None:
            return everything
        number, reading, wanted = equality
        # The query is likely asked for several readings in one state.
        varying = slots_read(wanted) - {0}
        if not any(isinstance(e.slots.get(each), InLocals) for each in varying):
            return everything
        # Tests before the equality that read the member alone are part of the index;
        # the others stay, in their order. None of them can fail (`_equality`).
        inside = [test for test in tests[:number] if slots_read(test) == {slot}]
        if depends_on_moment(self._reaches, reading, *inside):
            return everything
        low, high = bounds(reading.type) or (0, 0)
        size = high - low + 1
        read = self._versions.read_beneath(reading, *inside)
        stamp = self._versions.counter(reading, *inside) if read else FOR_EVER
        title = self._context.name("index", f"{reading.span.line}")
        # The first set; 8 bytes before it stands the version that all are of.
        at = self._memos.room(8 + 8 * size, stamp) + 8

        f = Function(title, asks=True)
        name = f.local("i32", f"v{slot}_")
        inner = e.within(f, {slot: InLocals((name,))})
        f.add(f"(memory.fill {i32(at)} (i32.const 0) {i32(8 * size)})")
        words = tuple(map(i64, space.bits(found)))
        with bits.each_member(inner, words, space.low, name) as on:
            for test in inside:
                f.add(f"(br_if {on} (i32.eqz {inner.truth(test)}))")
            entry = f"(i32.sub {inner.scalar(reading)} {i32(low)})"
            to = f.keep(f"(i32.shl {entry} (i32.const 3))")
            one = bits.single(inner, space, f"(local.get {name})")[0]
            now = f"(i64.load offset={at} {to})"
            f.add(f"(i64.store offset={at} {to} (i64.or {now} {one}))")
        f.store(at - 8, stamp)
        self._context.add(f)

        f, code = e.f, e.scalar(wanted)
        place = f.keep(f"(i32.sub {code} {i32(low)})" if low else code)
        with f.when(f"(i32.ne {load(at - 8)} {stamp})"):
            f.add(f"(call {title})")
        there = f"(i64.load offset={at} (i32.shl {place} (i32.const 3)))"
        in_range = f"(i32.lt_u {place} {i32(size)})"
        word = f"(if (result i64) {in_range} (then {there}) (else (i64.const 0)))"
        rest = [t for n, t in enumerate(tests) if n != number and t not in inside]
        return rest, LoopSource((f.keep(word, "i64"),), source.space)

    def _equality(
        self, slot: int, tests: Sequence[ir.Expr]
    ) -> tuple[int, ir.Expr, ir.Expr] | None:
        """Return the test that a reading of the member is a wanted value, if any.

        That is its number, the reading and the wanted value; no test up to it can fail.
        """
        for number, test in enumerate(tests):
            if not self._totality.is_total(test):
                return None
            if not isinstance(test, ir.CompareValues) or test.op != "==":
                continue
            for reading, wanted in (test.left, test.right), (test.right, test.left):
                limits = bounds(reading.type)
                few = limits and limits[1] - limits[0] < READINGS_AT_MOST
                present = not isinstance(reading.type, types.Maybe)
                alone = slots_read(reading) == {slot}
                if alone and few and present and slot not in slots_read(wanted):
                    return number, reading, wanted
        return None
