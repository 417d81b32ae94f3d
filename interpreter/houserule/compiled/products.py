"""Options and picks: counted, sought by number, never listed.

A walk over a product of variables is one function. Given a limit it stops at the
member of that number, counted from 0, leaves its values in the frame and sets `$hit`;
with the limit -1 it counts all. Where the rest of the variables reads nothing of those
before, it has a walk of its own, counted once: a walk is a row of such segments. While
it counts, a walk may list the first members of each segment, to bind them later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from houserule.compiled.costs import AT_MOST
from houserule.compiled.expressions import Expressions
from houserule.compiled.lists import Listing
from houserule.compiled.loops import each, look_up
from houserule.compiled.slots import InLocals, InMemory, Slot
from houserule.compiled.text import Code, Function, Write, i32, i64
from houserule.ir import nodes as ir
from houserule.ir.walk import slots_read
from houserule.source import NOWHERE, Span

if TYPE_CHECKING:
    from houserule.compiled.layout import Frame
    from houserule.compiled.unit import Unit

Make: TypeAlias = Callable[[Expressions], Code]


@dataclass(frozen=True, slots=True)
class Guard:
    """A test, and the slots that it reads."""

    make: Make
    reads: frozenset[int]


@dataclass(frozen=True, slots=True)
class Level:
    """One variable, and what is tested once it is bound."""

    bind: ir.Bind
    slot: int
    tests: tuple[Make, ...]
    reads: frozenset[int]


class Walk:
    """Writes the functions of one product."""

    def __init__(
        self,
        unit: Unit,
        title: str,
        frame: Frame,
        binds: Sequence[ir.Bind],
        guards: Sequence[Guard],
        *,
        acting: bool = True,
        near: Span = NOWHERE,
        bound: int = AT_MOST,
    ) -> None:
        self._unit, self.title, self.frame = unit, title, frame
        self._acting, self._near, self._bound = acting, near, bound
        plain = [(bind, slot) for bind in binds for slot in bind.slots]
        place = {slot: number for number, (_, slot) in enumerate(plain)}
        at: list[list[Guard]] = [[] for _ in plain]
        self._first: list[Make] = []
        for guard in guards:
            needed = [place[slot] for slot in guard.reads if slot in place]
            if needed:
                at[max(needed)].append(guard)
            else:
                self._first.append(guard.make)
        self.levels = [
            Level(
                bind,
                slot,
                tuple(guard.make for guard in at[number]),
                slots_read(bind.source).union(*(g.reads for g in at[number])) - {slot},
            )
            for number, (bind, slot) in enumerate(plain)
        ]
        self.listings: dict[int, Listing] = {}

    @property
    def free(self) -> bool:
        """Whether it has one member whatever the state is: no variable, no test."""
        return not self.levels and not self._first

    def write(self, *, listed: bool = False) -> str:
        """Write the walk; return its function's name."""
        if listed:
            starts = [0, *(n for n in range(1, len(self.levels)) if self._apart(n))]
            ends = [*starts[1:], len(self.levels)]
            for start, end in zip(starts, ends, strict=True):
                binds = [(level.slot, level.bind) for level in self.levels[start:end]]
                self.listings[start] = Listing(self._unit, binds, last=end == ends[-1])
        return self._walk(0)

    def _apart(self, start: int) -> bool:
        """Say whether the variables from `start` on read none of those before."""
        before = {level.slot for level in self.levels[:start]}
        return not any(level.reads & before for level in self.levels[start:])

    def _walk(self, start: int) -> str:
        title = f"{self.title}/{start}" if start else self.title
        params = [("$me", "i32")] if self._acting else []
        f = Function(title, [*params, ("$limit", "i64")], ["i64"])
        f.locals.append(("$found", "i64"))
        e = Expressions(self._unit, f, self._slots())
        e.near, e.bound = self._near, self._bound
        if start == 0:
            f.add("(global.set $hit (i32.const 0))")
            for make in self._first:
                f.add(f"(if (i32.eqz {make(e)}) (then (return (i64.const 0))))")
        self._level(e, start, start)
        f.add("(local.get $found)")
        self._unit.functions.append(f)
        return title

    def _slots(self) -> dict[int, Slot]:
        slots: dict[int, Slot] = {
            slot: InMemory(at) for slot, at in self.frame.slots.items()
        }
        if self._acting:
            slots[0] = InLocals(("$me",))
        return slots

    def _level(self, e: Expressions, start: int, number: int) -> None:
        if number == len(self.levels):
            self._leaf(e, start)
            return
        if number > start and self._apart(number):
            self._rest(e, start, number)
            return
        level = self.levels[number]
        with each(e, level.bind, level.slot, look_up(e, level.bind)) as on:
            for make in level.tests:
                e.f.add(f"(br_if {on} (i32.eqz {make(e)}))")
            self._level(e, start, number + 1)

    def _leaf(self, e: Expressions, start: int) -> None:
        with e.f.when("(i64.eq (local.get $found) (local.get $limit))"):
            self._keep(e, start, len(self.levels))
            e.f.add("(global.set $hit (i32.const 1))")
            e.f.add("(return (local.get $found))")
        if start in self.listings:
            self.listings[start].add(e, "$found")
        e.f.add("(local.set $found (i64.add (local.get $found) (i64.const 1)))")

    def _rest(self, e: Expressions, start: int, number: int) -> None:
        """Count the rest once; where the wanted member is among it, seek it there."""
        rest = self._walk(number)
        me = " (local.get $me)" if self._acting else ""
        known, there = e.f.local("i64", "known"), e.f.local("i32", "counted")
        wanted = "(i64.sub (local.get $limit) (local.get $found))"
        with e.f.when(f"(i64.eqz {wanted})"):
            # The first member of the rest, if there is one: nothing need be counted.
            e.f.add(f"(drop (call {rest}{me} (i64.const 0)))")
            self._stop(e, start, number)
            e.f.set(known, "(i64.const 0)")
            e.f.set(there, "(i32.const 1)")
        with e.f.when(f"(i32.eqz (local.get {there}))"):
            e.f.set(known, f"(call {rest}{me} (i64.const -1))")
            e.f.set(there, "(i32.const 1)")
        inside = f"(i64.lt_u {wanted} (local.get {known}))"
        with e.f.when(f"(i32.and (i64.ge_s {wanted} (i64.const 0)) {inside})"):
            e.f.add(f"(drop (call {rest}{me} {wanted}))")
            self._stop(e, start, number)
        if start in self.listings:
            self._list_rest(e, self.listings[start], known)
        e.f.add(f"(local.set $found (i64.add (local.get $found) (local.get {known})))")

    def _list_rest(self, e: Expressions, listing: Listing, known: str) -> None:
        """List what the rest follows on, and how many of the rest there are."""
        number = e.f.local("i64", "number")
        listing.add(e, number)
        e.f.set(number, f"(i64.add (local.get {number}) (i64.const 1))")
        at = i32(listing.each)
        with e.f.when("(i64.lt_s (local.get $limit) (i64.const 0))"):
            e.f.add(f"(i64.store {at} (local.get {known}))")

    def _stop(self, e: Expressions, start: int, number: int) -> None:
        with e.f.when("(global.get $hit)"):
            self._keep(e, start, number)
            e.f.add("(return (local.get $found))")

    def _keep(self, e: Expressions, start: int, end: int) -> None:
        """Leave the values of some variables in the frame, unless one only asks."""
        with e.f.when("(i32.eqz (global.get $asking))"):
            if self._acting and start == 0:
                self._put(e, 0)
            for level in self.levels[start:end]:
                self._put(e, level.slot)

    def _put(self, e: Expressions, slot: int) -> None:
        """Write a slot's locals into the frame."""
        place, at = e.slots[slot], self.frame.slots[slot]
        kinds = dict((*e.f.params, *e.f.locals))
        names = place.names if isinstance(place, InLocals) else ()
        for number, name in enumerate(names):
            where = i32(at + 8 * number)
            e.f.add(f"({kinds[name]}.store {where} (local.get {name}))")

    # ---- members that were listed

    def picking(self, index: str) -> Write:
        """Return what leaves the member of a number in the frame, and who acts.

        It returns 0 where a segment's number is not among those listed.
        """

        def make(f: Function) -> None:
            parts: list[tuple[Listing, Code]] = []
            for listing in self.listings.values():
                here = f.local("i64", "here")
                f.set(here, f"(local.get {index})")
                if not listing.last:
                    rest = f"(i64.load {i32(listing.each)})"
                    f.set(here, f"(i64.div_u (local.get {index}) {rest})")
                    f.set(index, f"(i64.rem_u (local.get {index}) {rest})")
                far = f"(i64.ge_u (local.get {here}) {i64(listing.room)})"
                f.add(f"(if {far} (then (return (i32.const 0))))")
                parts.append((listing, f"(i32.wrap_i64 (local.get {here}))"))
            f.add(f"(i32.store {i32(self.frame.slots[0])} (local.get $me))")
            for listing, number in parts:
                listing.bind(f, number, self.frame.slots)
            f.add("(return (i32.const 1))")

        return make
