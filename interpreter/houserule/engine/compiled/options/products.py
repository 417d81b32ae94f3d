"""Walks over products: options and picks, counted and found by number.

A walk over a product of variables is one function. Given a limit it stops at the member
of that number, counted from 0, leaves its values in the frame and sets `$hit`; with the
limit -1 it counts all. The variables after one that none of them reads have a separate
walk, counted once for all values of that variable. If nothing tests it either, its
values are not visited, but counted and found by number. So a walk is a row of segments.
While it counts, it may list the first members of each, to bind them later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Expressions, Translator
from houserule.engine.compiled.expressions.loops import Loops, look_up
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    InMemory,
    LoopSource,
    Slot,
)
from houserule.engine.compiled.functions import Code, Function, i32, i64
from houserule.engine.compiled.memory.layout import ProcedureFrame
from houserule.engine.compiled.optimize.numbering import AT_MOST, Numbering, most
from houserule.engine.compiled.options.segments import (
    FactorTest,
    Listing,
    Segments,
    placed,
)
from houserule.engine.reference.evaluate.costs import AT_MOST as UNBOUNDED
from houserule.engine.state.faults import F11

WANTED = "(i64.sub (local.get $limit) (local.get $found))"
ONE = i64(1)

MANY_OPTIONS = (
    "An action has more options than the compiled engine can count: 2^55. "
    "The reference engine plays this."
)


@frozen
class Rest:
    """The walk of what follows a variable: its call, its count once it is known."""

    parts: tuple[str, ...]
    known: str
    counted: str

    def call(self, limit: Code) -> Code:
        return f"(call {' '.join(self.parts)} {limit})"


@frozen
class Walks:
    """What writes walks: they are made of loops and of numbered values."""

    context: CompilationContext
    translator: Translator
    loops: Loops
    numbering: Numbering

    def over(
        self,
        title: str,
        frame: ProcedureFrame,
        binds: Sequence[ir.Bind],
        tests: Sequence[FactorTest],
        *,
        acting: bool = True,
        near: Span = NOWHERE,
        bound: int = UNBOUNDED,
    ) -> Walk:
        """Return the walk over some binders, which leaves what it finds in a frame.

        `acting` says that it is given who acts, `bound` bounds its work in nodes.
        """
        return Walk(
            self, title, frame, binds, tests, acting=acting, near=near, bound=bound
        )


class Walk:
    """Writes the functions of one product."""

    def __init__(
        self,
        walks: Walks,
        title: str,
        frame: ProcedureFrame,
        binds: Sequence[ir.Bind],
        tests: Sequence[FactorTest],
        *,
        acting: bool,
        near: Span,
        bound: int,
    ) -> None:
        self._context, self._translator = walks.context, walks.translator
        self._loops, self._numbering = walks.loops, walks.numbering
        self.title, self.frame = title, frame
        self._acting, self._near, self._bound = acting, near, bound
        self._first, self.factors = placed(binds, tests)
        self._segments = Segments(self.factors)
        self._large = prod(most(factor.bind) for factor in self.factors) >= AT_MOST

        self.listings: dict[int, Listing] = {}

    @property
    def free(self) -> bool:
        """Whether it has one member whatever the state is: no variable, no test."""
        return not self.factors and not self._first

    def write(self, *, listed: bool = False) -> str:
        """Write the walk; return its function's name."""
        if listed:
            # List members, if each segment is independent of the others.
            found: dict[int, Listing] = {}
            for start, end in self._segments.all():
                stepped = any(map(self._segments.in_steps, range(start, end)))
                if stepped or not self._segments.alone(start, end):
                    break
                binds = [(each.slot, each.bind) for each in self.factors[start:end]]
                if self._segments.by_number(start):
                    binds = []
                last = end == len(self.factors)
                found[start] = Listing(self._context.data, binds, last=last)
            else:
                self.listings = found
        return self._walk(0, {})

    def _walk(self, start: int, given: dict[int, tuple[tuple[str, str], ...]]) -> str:
        """Write the walk from a variable on; earlier ones that it reads are given."""
        title = f"{self.title}/{start}" if start else self.title
        params = [("$me", "i32")] if self._acting else []
        params += [each for names in given.values() for each in names]
        f = Function(title, [*params, ("$limit", "i64")], ["i64"])
        f.locals.append(("$found", "i64"))
        e = self._translator.into(f, self._slots())
        for slot, names in given.items():
            e.slots[slot] = InLocals(tuple(name for name, _ in names))
        e.near, e.bound = self._near, self._bound
        if start == 0:
            f.add("(global.set $hit (i32.const 0))")
            for make in self._first:
                f.add(f"(if (i32.eqz {make(e)}) (then (return (i64.const 0))))")
        self._factor(e, start, start)
        f.add("(local.get $found)")
        self._context.add(f)
        return title

    def _slots(self) -> dict[int, Slot]:
        slots: dict[int, Slot] = {
            slot: InMemory(at) for slot, at in self.frame.slots.items()
        }
        if self._acting:
            slots[0] = InLocals(("$me",))
        return slots

    # ---- variables

    def _factor(self, e: Expressions, start: int, number: int) -> None:
        if number == len(self.factors):
            with e.f.when("(i64.eq (local.get $found) (local.get $limit))"):
                self._stop(e, start, len(self.factors))
            if start in self.listings:
                self.listings[start].add(e, "$found")
            e.f.add("(local.set $found (i64.add (local.get $found) (i64.const 1)))")
            return
        factor, behind = self.factors[number], number + 1
        rest = self._rest(e, behind) if self._segments.splits(behind) else None
        if self._segments.by_number(number):
            self._numbered(e, start, number, rest)
            return
        source = look_up(e, factor.bind)
        if self._segments.in_steps(number):
            self._in_steps(e, start, number, source, rest)
            return
        remaining, source = self._loops.masks.narrowed(
            e, factor.bind, factor.slot, [each.whole for each in factor.tests], source
        )
        with self._loops.each(e, factor.bind, factor.slot, source) as on:
            for each in remaining:
                e.f.add(f"(br_if {on} (i32.eqz {factor.tests[each].make(e)}))")
            if rest:
                self._among(e, (start, behind), rest)
            else:
                self._factor(e, start, behind)

    def _in_steps(
        self,
        e: Expressions,
        start: int,
        number: int,
        source: LoopSource,
        rest: Rest | None,
    ) -> None:
        """Count ranges of a number between which no test has another result."""
        factor, f = self.factors[number], e.f
        with self._loops.steps(e, factor.bind, factor.slot, source) as (on, name, end):
            for test in factor.tests:
                f.add(f"(br_if {on} (i32.eqz {test.make(e)}))")
            wide = f"(i32.sub (local.get {end}) (local.get {name}))"
            many = f.keep(f"(i64.extend_i32_u {wide})", "i64")

            def bind(place: Code) -> None:
                f.set(name, f"(i32.add (local.get {name}) (i32.wrap_i64 {place}))")

            if rest:
                self._among(e, (start, number + 1), rest, many, bind)
                return
            with f.when(f"(i64.lt_u {WANTED} {many})"):
                self._stop(e, start, number + 1, lambda: bind(WANTED))
            self._more(e, many)

    def _numbered(
        self, e: Expressions, start: int, number: int, rest: Rest | None
    ) -> None:
        """Count the values of a variable, find one by its number, test none."""
        factor, numbering, f = self.factors[number], self._numbering, e.f
        source = look_up(e, factor.bind)
        many = f.keep(numbering.size(e, factor.bind, source), "i64")

        def bind(place: Code) -> None:
            numbering.bind(e, factor.bind, factor.slot, source, place)

        if rest:
            with f.when(f"(i64.ne {many} (i64.const 0))"):
                self._among(e, (start, number + 1), rest, many, bind)
            return
        with f.when(f"(i64.lt_u {WANTED} {many})"):
            self._stop(e, start, number + 1, lambda: bind(f.keep(WANTED, "i64")))
        self._more(e, many)

    # ---- what follows a variable that none of it reads

    def _rest(self, e: Expressions, number: int) -> Rest:
        """Write the walk of the remaining variables; counts hold for its arguments."""
        # Earlier variables that the remaining ones read.
        read = frozenset[int]().union(*(each.reads for each in self.factors[number:]))
        given: dict[int, tuple[str, ...]] = {}
        for factor in self.factors[:number]:
            place = e.slots[factor.slot] if factor.slot in read else None
            if isinstance(place, InLocals):
                given[factor.slot] = place.names
        kinds = dict((*e.f.params, *e.f.locals))
        walk = self._walk(
            number,
            {
                slot: tuple((name, kinds[name]) for name in names)
                for slot, names in given.items()
            },
        )
        args = ["$me"] if self._acting else []
        args += [name for names in given.values() for name in names]
        known, counted = e.f.local("i64", "known"), e.f.local("i32", "counted")
        if given:
            e.f.set(counted, i32(0))
        return Rest((walk, *(f"(local.get {name})" for name in args)), known, counted)

    def _among(
        self,
        e: Expressions,
        ends: tuple[int, int],
        rest: Rest,
        many: Code = ONE,
        bind: Callable[[Code], None] = lambda _: None,
    ) -> None:
        """Count the rest once for a number of values; seek in it the wanted option."""
        # `$found` members are counted, and a walk that seeks wants number `$limit`. The
        # rest has the same `known` members for each of `many` values, so the number
        # that is expected here divides into one of the values and one of the rest.
        f, known = e.f, f"(local.get {rest.known})"
        unknown = f"(i32.eqz (local.get {rest.counted}))"
        with f.when(f"(i32.and (i64.eqz {WANTED}) {unknown})"):
            # The first member of the rest, if there is one: nothing need be counted.
            f.add(f"(drop {rest.call(i64(0))})")
            with f.when("(global.get $hit)"):
                self._stop(e, *ends, lambda: bind(i64(0)))
            f.set(rest.known, i64(0))
            f.set(rest.counted, i32(1))
        with f.when(unknown):
            f.set(rest.known, rest.call(i64(-1)))
            f.set(rest.counted, i32(1))
        total = known
        if many != ONE:
            # If the static bound is high, the product is checked before it is made:
            # beyond `AT_MOST` numbers of options would run over 64 bits.
            if self._large:
                many = f.keep(many, "i64")
                one = f"(i64.add {many} (i64.extend_i32_u (i64.eqz {many})))"
                room = f"(i64.div_u {i64(AT_MOST)} {one})"
                with f.when(f"(i64.gt_u {known} {room})"):
                    e.fault(F11, MANY_OPTIONS, self._near)
            total = f.keep(f"(i64.mul {many} {known})", "i64")
        with f.when(f"(i64.lt_u {WANTED} {total})"):
            f.add(f"(drop {rest.call(f'(i64.rem_u {WANTED} {known})')})")
            with f.when("(global.get $hit)"):
                which = f"(i64.div_u {WANTED} {known})"
                self._stop(e, *ends, lambda: bind(f.keep(which, "i64")))
        if ends[0] in self.listings:
            # List what the rest follows on, and how many of the rest there are.
            listing = self.listings[ends[0]]
            number = e.f.local("i64", "number")
            listing.add(e, number)
            e.f.set(number, f"(i64.add (local.get {number}) (i64.const 1))")
            at = i32(listing.each)
            with e.f.when("(i64.lt_s (local.get $limit) (i64.const 0))"):
                e.f.add(f"(i64.store {at} {known})")
        self._more(e, total)

    def _more(self, e: Expressions, many: Code) -> None:
        """Continue the count; end the game if there are too many to count."""
        e.f.set("$found", f"(i64.add (local.get $found) {many})")
        if self._large:
            with e.f.when(f"(i64.ge_u (local.get $found) {i64(AT_MOST)})"):
                e.fault(F11, MANY_OPTIONS, self._near)

    # ---- found

    def _stop(
        self,
        e: Expressions,
        start: int,
        end: int,
        bind: Callable[[], None] = lambda: None,
    ) -> None:
        """Leave the values of some variables in the frame, unless one only asks."""
        e.f.add("(global.set $hit (i32.const 1))")
        with e.f.when("(i32.eqz (global.get $asking))"):
            bind()
            if self._acting and start == 0:
                self._put(e, 0)
            for factor in self.factors[start:end]:
                self._put(e, factor.slot)
        e.f.add("(return (local.get $found))")

    def _put(self, e: Expressions, slot: int) -> None:
        """Write a slot's locals into the frame."""
        place, at = e.slots[slot], self.frame.slots[slot]
        kinds = dict((*e.f.params, *e.f.locals))
        names = place.names if isinstance(place, InLocals) else ()
        for number, name in enumerate(names):
            where = i32(at + 8 * number)
            e.f.add(f"({kinds[name]}.store {where} (local.get {name}))")

    # ---- members that were listed

    def pick(self, f: Function, index: str, *, plain: bool) -> None:
        """Write what leaves the member of a number in the frame, and who acts.

        It returns 0 if a segment's number is not among those listed. Values are
        found by number only if they do not depend on the option.
        """
        numbered = any(map(self._segments.by_number, self.listings))
        if not self.listings or (numbered and not plain):
            f.add("(return (i32.const 0))")
            return
        # The number of an option is that of its members, one segment after the
        # other, as digits: `each` is how many members follow on one of a segment.
        found: list[tuple[int, Code]] = []
        for start, listing in self.listings.items():
            here = f.local("i64", "here")
            f.set(here, f"(local.get {index})")
            if not listing.last:
                rest = f"(i64.load {i32(listing.each)})"
                f.set(here, f"(i64.div_u (local.get {index}) {rest})")
                f.set(index, f"(i64.rem_u (local.get {index}) {rest})")
            if not self._segments.by_number(start):
                far = f"(i64.ge_u (local.get {here}) {i64(listing.room)})"
                f.add(f"(if {far} (then (return (i32.const 0))))")
            found.append((start, f"(local.get {here})"))
        f.add(f"(i32.store {i32(self.frame.slots[0])} (local.get $me))")
        for start, number in found:
            if not self._segments.by_number(start):
                wrapped = f"(i32.wrap_i64 {number})"
                self.listings[start].bind(f, wrapped, self.frame.slots)
            else:
                e = self._translator.into(f, self._slots())
                factor = self.factors[start]
                source = look_up(e, factor.bind)
                self._numbering.bind(e, factor.bind, factor.slot, source, number)
                self._put(e, factor.slot)
        f.add("(return (i32.const 1))")
