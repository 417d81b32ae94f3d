"""Determinization: the hidden information of a seat is sampled.

`state.determinize` defines what is drawn, and in which order. Visibility is a row of
bit masks of seats for each family of zones, cells or dice. A row that never changes is
a constant; others are computed before the first draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.bots.visibility_rows import VisibilityRows
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import sets
from houserule.engine.compiled.expressions.expressions import Expressions, Translator
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.flow.first_values import each_key
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.layout import RECORDS, WORD_BYTES, ProcedureFrame
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
from houserule.engine.state.determinize import (
    EXCHANGES,
    NONE_AMONG_AT_MOST,
    TRIES,
    dealt_states,
    revealing_zones,
)
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
        context, memory, data = self._context, self._context.memory, self._context.data
        layout, program = context.layout, self._program
        # Gather the hidden things of each kind and deal them again; `barring` looks
        # which of them are barred from where.
        dealing, barring = Function("$deal_all"), Function("$look_what_is_certain")
        found, there = dealing.local("i32", "found"), barring.local("i32", "found")
        for kind in layout.components:
            known, size = i32(memory.known[kind].at), i32(layout.components[kind])
            hidden: dict[ir.ZoneDef, int] = {}
            for zone in program.zones.values():
                if zone.member.name == kind:
                    family = layout.families[zone.name]
                    row = self._sight.row(zone.name, zone.seen, family)
                    if row is not None:
                        hidden[zone] = row
            if not hidden:
                continue
            self._gather(dealing, hidden, known, found)
            # Variables of effects under way hold things: note which of them, then
            # exchange these for the things that were dealt to their places.
            kept = slots_of_kind(program, kind)
            if len(kept) > BITS:
                raise Unsupported("more than 64 variables that hold hidden things")
            within = f"(i32.ne {load(memory.header['decision'])} (i32.const 1))"
            if kept:
                with dealing.when(within):
                    for number, (proc, slot, type_) in enumerate(kept):
                        frame = self._frames[proc]
                        how = "$mark_held_set" if in_words(type_) else "$mark_held"
                        which = f"{i32(frame.slots[slot])} {i64(1 << number)}"
                        with dealing.when(f"(i32.ne {load(frame.at)} (i32.const 0))"):
                            dealing.add(f"(call {how} (local.get {found}) {which})")
            dealing.add(f"(call $put_in_order (local.get {found}) {size})")
            where = i32(memory.where[kind].at)
            dealing.add(f"(call $deal (local.get {found}) {where} {known})")
            if kept:
                with dealing.when(within):
                    dealing.add(f"(call $note_dealt (local.get {found}) {size})")
                    for proc, slot, type_ in kept:
                        at = i32(self._frames[proc].slots[slot])
                        if in_words(type_):
                            words = i32(universe_of(type_).words)
                            dealing.add(f"(call $exchange_set {at} {words})")
                        else:
                            dealing.add(f"(call $exchange {at} {size})")
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
        for kind, faces in layout.faces.items():
            component = program.components[kind]
            die = ir.Param("die", component.kind)
            seen = self._sight.row(kind, component.seen, family_of(kind, (die,)))
            if seen is None:
                continue
            array = data.numbers(faces)
            places = (memory.known[kind].at, memory.faces[kind].at, array, len(faces))
            args = " ".join(map(i32, (component.kind.size, seen, *places)))
            dealing.add(f"(call $throw_hidden {args})")
        self._cells()
        context.functions += [self._sight.looking, barring, dealing]
        most = max(layout.components.values(), default=0)
        all_bars, tags = list(self._bars.values()), sorted(memory.tags)
        return {
            "tries": self._tries,
            "luck": data.room(24),
            "held": data.room(RECORD * (most + 1)),  # one to exchange two by
            "hidden_width": RECORD,
            "exchanges": EXCHANGES,
            "bars": all_bars[0].at if all_bars else 0,
            "bar_bytes": sum(each.size for each in all_bars),
            "instead": data.room(4 * max(most, 1)),
            "exchanged": data.room(8 * (-(-most // 64) or 1)),
            "sorted": data.room(4 * max(most, 1)),
            "lying": data.room(4 * max(most, 1)),
            "chance_table": data.numbers([memory.stream(tag) for tag in tags] or [0]),
            "increments": data.words([stream_seed(0, 0, tag)[1] for tag in tags]),
            "imagined_tag": hash_tag("imagined"),
        }

    # ---- things

    def _gather(
        self, f: Function, hidden: Mapping[ir.ZoneDef, int], known: Code, found: str
    ) -> None:
        """Write what gathers hidden things of a kind, and counts them."""
        f.set(found, i32(0))
        for zone, row in hidden.items():
            plan = self._context.memory.zones[zone.name]
            bars = self._bars.get(zone.name)
            # The address of the classes of things that look alike; 0: all do.
            classes = 0
            if zone.showing:
                fields = self._program.components[zone.member.name].fields
                columns = (fields[name][1] for name in zone.showing)
                shown = list(zip(*columns, strict=True))
                numbers = {
                    each: number for number, each in enumerate(dict.fromkeys(shown))
                }
                classes = self._context.data.numbers([numbers[each] for each in shown])
            args = [plan.place, plan.masks.count, row]
            then = [classes, *((bars.at, bars.things) if bars else (0, 0))]
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

        with each_key(e, family.axes):
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
        self._context.add(f)
        return f.name

    # ---- cells

    def _cells(self) -> None:
        """Write what draws hidden cells until the invariants hold.

        If one mentions hidden things or dice, these are dealt again too.
        """
        hidden: list[HiddenCells] = []
        for name, state in self._program.states.items():
            row = self._sight.row(name, state.seen, self._context.layout.families[name])
            if row is not None:
                cells = self._context.memory.cells[name]
                hidden.append(
                    HiddenCells(state, row, cells.at, cells.count, cells.width)
                )
        f, asks = Function("$draw_cells"), self._certain.asks
        if not hidden and not asks:
            self._context.add(f)
            return

        # Whether all invariants hold.
        holding = Function("$invariants", (), ("i32",))
        holding.locals.append(("$me", "i32"))
        holding.set("$me", NONE)
        e = self._translator.acting(holding)
        for condition in self._program.always:
            for test in (condition.test, *(lift for _, lift in condition.lifts)):
                self._sight.reads_state(test)
            with holding.when(f"(i32.eqz {holds(e, condition)})"):
                holding.add("(return (i32.const 0))")
        holding.add("(i32.const 1)")
        self._context.add(holding)
        dealing = dealt_states(self._program)
        rows = {each.state.name: each.seen for each in hidden}
        dealt = [
            self._deal_values(each, dealing[each.state.name], rows)
            for each in hidden
            if each.state.name in dealing
        ]
        same = self._same_seen(dealing)
        self._over("$draw_hidden", hidden, self._draw)
        self._over("$begin_hidden", hidden, self._begin)

        some: Code = i32(1 if asks else 0)
        for each in hidden:
            here = f"(call $some_hidden {i32(each.seen)} {i32(each.count)})"
            some = f"(i32.or {some} {here})"
        with f.when(f"(i32.eqz {some})"):
            f.add("(return)")
        tries = load(self._tries)
        with f.block("(block $out"), f.loop("$again"):
            f.add(f"(br_if $out (i32.ge_s {tries} {i32(TRIES)}))")
            if asks:
                with f.when(tries):
                    f.add("(call $deal_again)")
            f.add("(call $draw_hidden)")
            f.add("(call $renew)")
            for name in dealt:
                f.add(f"(call {name})")
            with f.when(f"(i32.and (call {same}) (call $invariants))"):
                f.add("(return)")
            f.store(self._tries, f"(i32.add {tries} (i32.const 1))")
            f.add("(br $again)")
        f.add("(call $begin_hidden)")
        f.add("(call $renew)")
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
        """Draw a cell from its type, each value alike; if it is dealt, clear it."""
        if state.name in dealt_states(self._program):
            f.add(f"(i32.store (local.get $at) {i32(scalar(types.least(state.type)))})")
        elif not in_words(state.type):
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

    def _deal_values(
        self, each: HiddenCells, same_type: Sequence[str], rows: Mapping[str, int]
    ) -> str:
        """Write the function that deals values to hidden cells; return its name."""
        layout, memory = self._context.layout, self._context.memory
        states = [self._program.states[name] for name in same_type]
        room = sum(layout.families[name].count for name in same_type)
        pool = self._context.data.room(4 * room)
        f = Function(self._context.name("deal_values", each.state.name))
        f.locals.append(("$me", "i32"))
        f.set("$me", NONE)
        many, at, number = (f.local("i32", x) for x in ("many", "at", "number"))
        for state in states:
            self._sight.reads_state(state.first)
            e = self._translator.acting(f)
            with each_key(e, layout.families[state.name].axes):
                value = f.keep(e.scalar(state.first))
                place = f"(i32.shl (local.get {many}) (i32.const 2))"
                f.add(f"(i32.store offset={pool} {place} {value})")
                f.set(many, f"(i32.add (local.get {many}) (i32.const 1))")
        for state in states:
            cells = memory.cells[state.name]
            again, out = f.label("cells"), f.label("end")
            f.set(number, i32(0))
            with f.block(f"(block {out}"), f.loop(again):
                f.add(
                    f"(br_if {out} (i32.ge_s (local.get {number}) {i32(cells.count)}))"
                )
                seen = i32(1)
                if state.name in rows:
                    seen = f"(call $sees {i32(rows[state.name])} (local.get {number}))"
                where = f"(i32.mul (local.get {number}) {i32(cells.width)})"
                value = f"(i32.load offset={cells.at} {where})"
                with f.when(seen):
                    less = f"(call $taken_from {i32(pool)} (local.get {many}) {value})"
                    f.set(many, less)
                f.set(number, f"(i32.add (local.get {number}) (i32.const 1))")
                f.add(f"(br {again})")
        least, left = i32(scalar(types.least(each.state.type))), f.local("i32", "left")
        e = self._translator.acting(f)
        f.set(number, i32(0))
        with each_key(e, layout.families[each.state.name].axes):
            hidden = f"(i32.eqz (call $sees {i32(each.seen)} (local.get {number})))"
            where = f"(i32.mul (local.get {number}) {i32(each.width)})"
            cell = f"(i32.store offset={each.at} {where}"
            with f.when(hidden):
                f.set(left, f"(local.get {many})")
                again, out = f.label("values"), f.label("end")
                with f.block(f"(block {out}"), f.loop(again):
                    f.add(f"(br_if {out} (i32.eqz (local.get {left})))")
                    f.set(at, f"(call $lucky (local.get {left}))")
                    place = f"(i32.shl (local.get {at}) (i32.const 2))"
                    f.add(f"{cell} (i32.load offset={pool} {place}))")
                    f.add("(call $renew)")
                    with f.when(f"(i32.eqz {self._sees_now(e, each.state)})"):
                        f.set(many, f"(i32.sub (local.get {many}) (i32.const 1))")
                        f.add(
                            f"(call $swap_values {i32(pool)} (local.get {at}) "
                            f"(local.get {many}))"
                        )
                        f.add(f"(br {out})")
                    f.set(left, f"(i32.sub (local.get {left}) (i32.const 1))")
                    f.add(
                        f"(call $swap_values {i32(pool)} (local.get {at}) "
                        f"(local.get {left}))"
                    )
                    f.add(f"{cell} {least})")
                    f.add(f"(br {again})")
            f.set(number, f"(i32.add (local.get {number}) (i32.const 1))")
        f.add("(call $renew)")
        self._context.add(f)
        return f.name

    def _sees_now(self, e: Expressions, place: ir.StateDef | ir.ZoneDef) -> Code:
        """Write whether the seat sees the place with the keys at hand, as it is now."""
        assert place.seen is not None, "some seat may not see it"
        _, words = sets.present(e, place.seen)
        return f"(i32.and (i32.wrap_i64 {words[0]}) (global.get $eye))"

    def _same_seen(self, dealt: Collection[str]) -> str:
        """Write whether the seat sees the same dealt states and zones as before.

        Return its name.
        """
        f = Function("$same_seen", (), ("i32",))
        f.locals.append(("$me", "i32"))
        f.set("$me", NONE)
        number = f.local("i32", "number")
        places: list[ir.StateDef | ir.ZoneDef] = [
            *(self._program.states[name] for name in dealt),
            *(self._program.zones[name] for name in revealing_zones(self._program)),
        ]
        for place in places:
            seen = self._sight.seen[place.name]
            if seen is None:
                continue
            e = self._translator.acting(f)
            f.set(number, i32(0))
            with each_key(e, self._context.layout.families[place.name].axes):
                now = self._sees_now(e, place)
                before = f"(call $sees {i32(seen)} (local.get {number}))"
                with f.when(f"(i32.ne {now} {before})"):
                    f.add("(return (i32.const 0))")
                f.set(number, f"(i32.add (local.get {number}) (i32.const 1))")
        f.add("(i32.const 1)")
        self._context.add(f)
        return f.name

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
