"""Determinization: the hidden information of a seat is sampled.

`state.determinize` defines what is drawn, and in which order. Visibility is a row of
bit masks of seats for each family of zones, cells or dice. A row that never changes is
a constant; others are computed before the first draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.bots.visibility_rows import VisibilityRows
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.flow.writing import each_key
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.layout import (
    RECORDS,
    WORD_BYTES,
    ProcedureFrame,
)
from houserule.engine.compiled.memory.shapes import (
    in_words,
    kept_words,
    may_be_no_set,
    part_of,
    scalar,
    universe_of,
)
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.compiled.options.legality import holds
from houserule.engine.reference.evaluate.values import Reach
from houserule.engine.reference.random_numbers import hash_tag, stream_seed
from houserule.engine.state.determinize import EXCHANGES, NONE_AMONG_AT_MOST, TRIES
from houserule.engine.state.domains import size_of
from houserule.engine.state.hidden_constraints import HiddenConstraint, certain
from houserule.engine.state.hidden_slots import slots_of_kind
from houserule.engine.state.layout import family_of
from houserule.ir import types

Make: TypeAlias = Callable[[Function, ir.StateDef], None]

RECORD = RECORDS["hidden"]["width"]
BITS = 64  # of the word that says which variables hold a thing


@frozen
class HiddenCells:
    """A state that some seat may not see: who sees its cells, and where they are."""

    state: ir.StateDef
    seen: int
    at: int
    count: int
    width: int


@frozen
class Bars:
    """The address of the things barred from each place of a zone.

    Each place has a byte for each of the things.
    """

    at: int
    size: int
    things: int


class ImaginedGames:
    """Writes `$look_who_sees`, `$look_what_is_certain`, `$deal_all`, `$draw_cells`.

    Attributes:
        seen: for states, zones and kinds of dice, where it stands who sees each; None
            where all see all.
    """

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        versions: Versions,
        translator: Translator,
        frames: Mapping[str, ProcedureFrame],
    ) -> None:
        self._context, self._program = context, context.program
        self._frames = frames
        self._translator = translator
        self._sight = VisibilityRows(
            context, reaches, versions, translator, "$look_who_sees"
        )
        self._tries = context.data.room(8)
        self.seen = self._sight.seen
        self._certain = certain(context.program)
        # By zone: the things barred from each of its places.
        rooms: dict[str, Bars] = {}
        layout, program = self._context.layout, self._program
        for zone in dict.fromkeys(bar.zone for bar in self._certain.bars):
            things = program.zones[zone].member.size
            size = -(-things * layout.families[zone].count // WORD_BYTES) * WORD_BYTES
            rooms[zone] = Bars(self._context.data.room(size), size, things)
        self._bars = rooms

    def write(self) -> dict[str, int]:
        """Write everything; return the addresses that the common part wants.

        Raises:
            Unsupported: visibility or an invariant depends on the flow.
        """
        dealing, barring = Function("$deal_all"), Function("$look_what_is_certain")
        self._things(dealing, barring)
        memory = self._context.memory
        for kind, faces in self._context.layout.faces.items():
            component = self._program.components[kind]
            die = ir.Param("die", component.kind)
            row = self._sight.row(kind, component.seen, family_of(kind, (die,)))
            if row is None:
                continue
            array = self._context.data.numbers(faces)
            places = (memory.known[kind].at, memory.faces[kind].at, array, len(faces))
            args = " ".join(map(i32, (component.kind.size, row, *places)))
            dealing.add(f"(call $throw_hidden {args})")
        self._cells()
        self._context.functions += [self._sight.looking, barring, dealing]
        return self._rooms()

    def _rooms(self) -> dict[str, int]:
        context = self._context
        most = max(context.layout.components.values(), default=0)
        bars = list(self._bars.values())
        tags = sorted(context.memory.tags)
        return {
            "tries": self._tries,
            "luck": context.data.room(24),
            "held": context.data.room(RECORD * (most + 1)),  # one to exchange two by
            "hidden_width": RECORD,
            "exchanges": EXCHANGES,
            "bars": bars[0].at if bars else 0,
            "bar_bytes": sum(each.size for each in bars),
            "instead": context.data.room(4 * max(most, 1)),
            "exchanged": context.data.room(8 * (-(-most // 64) or 1)),
            "sorted": context.data.room(4 * max(most, 1)),
            "lying": context.data.room(4 * max(most, 1)),
            "chance_table": context.data.numbers(
                [context.stream(tag) for tag in tags] or [0]
            ),
            "increments": context.data.words(
                [stream_seed(0, 0, tag)[1] for tag in tags]
            ),
            "imagined_tag": hash_tag("imagined"),
        }

    # ---- things and dice

    def _things(self, f: Function, barring: Function) -> None:
        """Write what gathers the hidden things of each kind and deals them again.

        `barring` gets what looks which of them are barred from where.
        """
        found = f.local("i32", "found")
        there = barring.local("i32", "found")
        for kind in self._context.layout.components:
            known = i32(self._context.memory.known[kind].at)
            zones = [z for z in self._program.zones.values() if z.member.name == kind]
            rows = [(zone, self._seen_zone(zone)) for zone in zones]
            hidden = {zone: row for zone, row in rows if row is not None}
            if not hidden:
                continue
            self._gather(f, hidden, known, found)
            self._mark(f, kind, found)
            size = i32(self._program.components[kind].kind.size)
            f.add(f"(call $put_in_order (local.get {found}) {size})")
            where = i32(self._context.memory.where[kind].at)
            f.add(f"(call $deal (local.get {found}) {where} {known})")
            self._exchange(f, kind, found)
            bars = [
                (bar, row)
                for bar in self._certain.bars
                for zone, row in hidden.items()
                if zone.name == bar.zone
            ]
            if bars:
                self._gather(barring, hidden, known, there)
            for bar, row in bars:
                barring.add(f"(call {self._bar(bar, row)} (local.get {there}))")

    def _gather(
        self, f: Function, hidden: Mapping[ir.ZoneDef, int], known: Code, found: str
    ) -> None:
        """Write what gathers hidden things of a kind, and counts them."""
        f.set(found, i32(0))
        for zone, row in hidden.items():
            plan, bars = (
                self._context.memory.zones[zone.name],
                self._bars.get(zone.name),
            )
            args = [plan.place, plan.masks.count, row]
            then = [self._classes(zone), *((bars.at, bars.things) if bars else (0, 0))]
            words = " ".join((*map(i32, args), known, *map(i32, then)))
            f.set(found, f"(call $gather_hidden {words} (local.get {found}))")

    def _bar(self, bar: HiddenConstraint, seen: int) -> str:
        """Write what notes which hidden things an invariant bars; return its name.

        Places that the seat sees are not tested.
        """
        self._sight.reads_state(bar.fits)
        bars = self._bars[bar.zone]
        f = Function(self._context.name("bar", bar.zone), (("$found", "i32"),))
        f.locals.append(("$me", "i32"))
        f.set("$me", NONE)
        e = self._translator.acting(f)
        number, at, thing = (f.local("i32", x) for x in ("number", "at", "thing"))
        family = self._context.layout.families[bar.zone]
        f.set(number, i32(0))

        def note() -> None:
            unseen = f"(i32.eqz (call $sees {i32(seen)} (local.get {number})))"
            with f.when(unseen):
                f.set(at, i32(0))
                again, out = f.label("things"), f.label("end")
                with f.block(f"(block {out}"), f.loop(again):
                    f.add(
                        f"(br_if {out} (i32.ge_s (local.get {at}) (local.get $found)))"
                    )
                    f.set(thing, f"(i32.load (call $held (local.get {at})))")
                    e.slots[len(family.axes) + 1] = InLocals((thing,))
                    with f.when(f"(i32.eqz {e.truth(bar.fits)})"):
                        row = f"(i32.mul (local.get {number}) {i32(bars.things)})"
                        place = f"(i32.add {row} (local.get {thing}))"
                        f.add(f"(i32.store8 offset={bars.at} {place} (i32.const 1))")
                    f.set(at, f"(i32.add (local.get {at}) (i32.const 1))")
                    f.add(f"(br {again})")
            f.set(number, f"(i32.add (local.get {number}) (i32.const 1))")

        each_key(e, family.axes, note)
        self._context.add(f)
        return f.name

    def _within_effect(self, f: Function) -> AbstractContextManager[None]:
        act = load(self._context.memory.header["decision"])
        return f.when(f"(i32.ne {act} (i32.const 1))")

    def _mark(self, f: Function, kind: str, found: str) -> None:
        """Note which hidden things the variables of effects under way hold."""
        kept = slots_of_kind(self._program, kind)
        if not kept:
            return
        if len(kept) > BITS:
            raise Unsupported("more than 64 variables that hold hidden things")
        with self._within_effect(f):
            for number, (proc, slot, type_) in enumerate(kept):
                frame = self._frames[proc]
                how = "$mark_held_set" if in_words(type_) else "$mark_held"
                slot_and_bit = f"{i32(frame.slots[slot])} {i64(1 << number)}"
                with f.when(f"(i32.ne {load(frame.at)} (i32.const 0))"):
                    f.add(f"(call {how} (local.get {found}) {slot_and_bit})")

    def _exchange(self, f: Function, kind: str, found: str) -> None:
        """Put into effects under way what was dealt to the places of hidden things."""
        kept = slots_of_kind(self._program, kind)
        if not kept:
            return
        size = i32(self._program.components[kind].kind.size)
        with self._within_effect(f):
            f.add(f"(call $note_dealt (local.get {found}) {size})")
            for proc, slot, type_ in kept:
                at = self._frames[proc].slots[slot]
                if in_words(type_):
                    words = i32(universe_of(type_).words)
                    f.add(f"(call $exchange_set {i32(at)} {words})")
                else:
                    f.add(f"(call $exchange {i32(at)} {size})")

    def _seen_zone(self, zone: ir.ZoneDef) -> int | None:
        family = self._context.layout.families[zone.name]
        return self._sight.row(zone.name, zone.seen, family)

    def _classes(self, zone: ir.ZoneDef) -> int:
        """Return where it stands which things look alike in a zone; 0: all do."""
        if not zone.showing:
            return 0
        fields = self._program.components[zone.member.name].fields
        shown = list(zip(*(fields[name][1] for name in zone.showing), strict=True))
        numbers = {each: number for number, each in enumerate(dict.fromkeys(shown))}
        return self._context.data.numbers([numbers[each] for each in shown])

    # ---- cells

    def _hidden_cells(self) -> Iterable[HiddenCells]:
        for name, state in self._program.states.items():
            row = self._sight.row(name, state.seen, self._context.layout.families[name])
            if row is not None:
                cells = self._context.memory.cells[name]
                yield HiddenCells(state, row, cells.at, cells.count, cells.width)

    def _cells(self) -> None:
        """Write what draws hidden cells until the invariants hold.

        If one mentions hidden things or dice, these are dealt again too.
        """
        hidden = list(self._hidden_cells())
        f = Function("$draw_cells")
        if hidden or self._certain.asks:
            self._invariants()
            self._over("$draw_hidden", hidden, self._draw)
            self._over("$begin_hidden", hidden, self._begin)
            self._until_they_hold(f, hidden)
        self._context.add(f)

    def _until_they_hold(self, f: Function, hidden: list[HiddenCells]) -> None:
        some: Code = i32(1 if self._certain.asks else 0)
        for each in hidden:
            here = f"(call $some_hidden {i32(each.seen)} {i32(each.count)})"
            some = f"(i32.or {some} {here})"
        with f.when(f"(i32.eqz {some})"):
            f.add("(return)")
        tries = f"(i32.load (i32.const {self._tries}))"
        with f.block("(block $out"), f.loop("$again"):
            f.add(f"(br_if $out (i32.ge_s {tries} {i32(TRIES)}))")
            if self._certain.asks:
                with f.when(tries):
                    f.add("(call $deal_again)")
            f.add("(call $draw_hidden)")
            f.add("(call $renew)")
            with f.when("(call $invariants)"):
                f.add("(return)")
            more = f"(i32.add {tries} (i32.const 1))"
            f.add(f"(i32.store (i32.const {self._tries}) {more})")
            f.add("(br $again)")
        f.add("(call $begin_hidden)")
        f.add("(call $renew)")

    def _invariants(self) -> None:
        """Write whether all invariants hold."""
        f = Function("$invariants", (), ("i32",))
        f.locals.append(("$me", "i32"))
        f.set("$me", NONE)
        e = self._translator.acting(f)
        for condition in self._program.always:
            for each in (condition.test, *(lift for _, lift in condition.lifts)):
                self._sight.reads_state(each)
            with f.when(f"(i32.eqz {holds(e, condition)})"):
                f.add("(return (i32.const 0))")
        f.add("(i32.const 1)")
        self._context.add(f)

    def _over(self, title: str, hidden: list[HiddenCells], make: Make) -> None:
        """Write what is done with each hidden cell; `$at` is where it lies."""
        f = Function(title)
        f.locals += [("$i", "i32"), ("$at", "i32"), ("$value", "i32")]
        for each in hidden:
            again, out = f.label("cells"), f.label("end")
            f.set("$i", i32(0))
            f.set("$at", i32(each.at))
            with f.block(f"(block {out}"), f.loop(again):
                f.add(f"(br_if {out} (i32.ge_s (local.get $i) {i32(each.count)}))")
                with f.when(f"(i32.eqz (call $sees {i32(each.seen)} (local.get $i)))"):
                    make(f, each.state)
                f.set("$i", "(i32.add (local.get $i) (i32.const 1))")
                f.set("$at", f"(i32.add (local.get $at) {i32(each.width)})")
                f.add(f"(br {again})")
        self._context.add(f)

    def _draw(self, f: Function, state: ir.StateDef) -> None:
        """Draw a cell from its type, each value alike."""
        if not in_words(state.type):
            self._scalar(f, state.type)
            f.add("(i32.store (local.get $at) (local.get $value))")
        elif may_be_no_set(state.type):
            # First draw whether the set is present.
            many, words = (size_of(state.type) or 0), universe_of(state.type).words
            size = i32(WORD_BYTES * (words + 1))
            f.add(f"(memory.fill (local.get $at) (i32.const 0) {size})")
            there = f"(i32.ne (call $lucky {i32(many)}) (i32.const 0))"
            with f.when(there if many <= NONE_AMONG_AT_MOST else "(i32.const 1)"):
                self._set(f, state.type)
                f.add(
                    f"(i64.store offset={WORD_BYTES * words} (local.get $at) {i64(1)})"
                )
        else:
            self._set(f, state.type)

    def _set(self, f: Function, type_: types.Type) -> None:
        places = i32(universe_of(type_).places)
        drawn = f"(call $draw_set (local.get $at) {places})"
        if not part_of(type_):
            f.add(f"(drop {drawn})")
            return
        again = f.label("empty")
        with f.loop(again):
            f.add(f"(br_if {again} (i32.eqz {drawn}))")

    def _scalar(self, f: Function, type_: types.Type) -> None:
        match type_:
            case types.Maybe(inner):
                f.set("$value", NONE)
                many = (size_of(inner) or 0) + 1
                with f.when(f"(i32.ne (call $lucky {i32(many)}) (i32.const 0))"):
                    self._scalar(f, inner)
            case types.Position():
                f.set("$value", i32(0))
            case types.Flag():
                f.set("$value", "(call $lucky (i32.const 2))")
            case _:
                every = types.members(type_)
                drawn = f"(call $lucky {i32(len(every))})"
                f.set("$value", f"(i32.add {drawn} {i32(every[0])})")

    def _begin(self, f: Function, state: ir.StateDef) -> None:
        """Give a cell its constant first value."""
        first = self._context.layout.first[state.name][0]
        if in_words(state.type):
            for number, word in enumerate(kept_words(state.type, first)):
                f.add(f"(i64.store offset={8 * number} (local.get $at) {i64(word)})")
        else:
            f.add(f"(i32.store (local.get $at) {i32(scalar(first))})")
