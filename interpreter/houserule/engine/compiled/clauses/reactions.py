"""Reactions: watched values, their shadows, firings that wait.

A shadow is what a watched value was when it was last looked at. After each clause the
values that may have changed are computed again; if one differs from its shadow, its
reactions are queued, ordered by name and then by key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from houserule import ir
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.operands import InMemory
from houserule.engine.compiled.functions import NONE, Function, i32, load
from houserule.engine.compiled.memory.shapes import in_words, words_of
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.compiled.options.legality import holds
from houserule.engine.reference.evaluate.values import Reach, parts
from houserule.engine.reference.play import machine
from houserule.engine.reference.play.engine import Watch
from houserule.engine.state.faults import F06, F07
from houserule.engine.state.hidden_slots import hidden_values
from houserule.engine.state.layout import family_of

WAITING_AT_MOST = 512


class ReactionWriter:
    """Writes `$look`, `$settle` and the functions that they call."""

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        versions: Versions,
        translator: Translator,
        procedures: CompiledProcedures,
    ) -> None:
        self._context, self._header = context, context.memory.header
        self._reaches, self._versions = reaches, versions
        self._translator, self._procedures = translator, procedures
        self.watches = context.engine.watches
        allocator = context.memory.allocator
        values = context.program.values
        self.widest = max(
            [1, *(words_of(values[watch.value].type) for watch in self.watches)]
        )
        self.shadows = {
            watch.value: allocator.take(8 * self._words(watch) * len(watch.keys))
            for watch in self.watches
        }
        self.width = 16 + 16 * self.widest  # reaction, key, me; old and new
        room = self.width * WAITING_AT_MOST if self.watches else 8
        self.waiting = allocator.take(room)
        begin = min(self.shadows.values(), default=self.waiting)
        self.region = begin, self.waiting + room
        """The part of the block with shadows and what waits: begin and end."""

    def _words(self, watch: Watch) -> int:
        return words_of(self._context.program.values[watch.value].type)

    def write(self) -> None:
        names = sorted({r.name for watch in self.watches for r in watch.reactions})
        self.names = {name: number for number, name in enumerate(names)}
        self.rows = {watch.value: self._worked_out(watch) for watch in self.watches}
        self.stamps = {
            watch.value: self._context.data.room(4) for watch in self.watches
        }
        hidden = hidden_values(self._context.program)
        again = Function("$look_hidden")
        f = Function("$look")
        for watch in self.watches:
            self._look_at(f, watch)
            if watch.value in hidden:
                self._look_at(again, watch)
        self._context.add(again)
        f.store(self._header["dirty"], i32(0))
        self._context.add(f)
        if not self.watches:
            return

        # Queue the reactions to what changed, by name, then by key.
        f = Function("$queue", (("$me", "i32"),))
        with f.when(f"(i32.eqz {load(self._header['dirty'])})"):
            f.add("(return)")
        # An empty queue begins again at its first place.
        first, waiting = self._header["first_waiting"], self._header["waiting"]
        at_end = f"(i32.eq {load(first)} {load(waiting)})"
        with f.when(at_end):
            f.store(first, i32(0))
            f.store(waiting, i32(0))
        old: dict[str, str] = {}
        for watch in self.watches:
            old[watch.value] = f.local("i32", "old")
            f.set(old[watch.value], i32(0))
            with self._if_old(f, watch):
                f.set(old[watch.value], i32(1))
                f.add(f"(call $watch.{watch.value})")
        key, to = f.local("i32", "key"), f.local("i32", "to")
        of = {each.name: watch for watch in self.watches for each in watch.reactions}
        for name in sorted(of):
            with f.when(f"(local.get {old[of[name].value]})"):
                self._compare(f, name, of[name], key, to)
        for watch in self.watches:
            with f.when(f"(local.get {old[watch.value]})"):
                self._copy(f, watch)
        f.store(self._header["dirty"], i32(0))
        self._context.add(f)

        # Begin a reaction: count it, fill its frame, ask its needs. 0 if they do not
        # hold, else its number plus one.
        f = Function("$fire", (("$at", "i32"),), ("i32",))
        which, fired = "(i32.load (local.get $at))", self._header["fired"]
        for name, number in self.names.items():
            with f.when(f"(i32.eq {which} {i32(number)})"):
                reaction = self._context.program.reactions[name]
                frame = self._procedures.frames[f"reaction {name}"]
                e = self._translator.into(
                    f, {slot: InMemory(place) for slot, place in frame.slots.items()}
                )
                me = f.keep("(i32.load offset=8 (local.get $at))")
                if name in self._context.engine.needs_me:
                    with f.when(f"(i32.eq {me} {NONE})"):
                        message = f"{name} uses `me`, but nobody acts here."
                        e.fault(F06, message, reaction.span)
                times = f.keep(f"(i32.add {load(fired)} (i32.const 1))")
                f.store(fired, times)
                with f.when(f"(i32.gt_u {times} {i32(machine.FIRINGS_AT_MOST)})"):
                    e.fault(F07, f"{name} never ends.", reaction.span)
                f.store(frame.slots[0], me)
                self._keys(f, reaction, frame.slots)
                for need in reaction.needs:
                    with f.when(f"(i32.eqz {holds(e, need)})"):
                        f.add("(return (i32.const 0))")
                f.add(f"(return {i32(number + 1)})")
        f.add("(i32.const 0)")
        self._context.add(f)

        # Run a reaction by its number plus one.
        f = Function("$run_reaction", (("$which", "i32"),), ("i32",))
        for name, number in self.names.items():
            with f.when(f"(i32.eq (local.get $which) {i32(number + 1)})"):
                title = self._procedures.title(f"reaction {name}")
                f.add(f"(return (call {title}))")
        f.add("(i32.const 0)")
        self._context.add(f)

        # Queue what changed, run what waits, look again; 1 to stop for a decision.
        f = Function("$settle", (("$me", "i32"),), ("i32",))
        f.locals.append(("$one", "i32"))
        running_at, first_at = self._header["running"], self._header["first_waiting"]
        running = load(running_at)
        with f.when("(global.get $quiet)"):
            f.add("(return (i32.const 0))")
        with f.when(running):
            self._go_on(f, running)
        with f.loop("$again"):
            f.add("(call $queue (local.get $me))")
            with f.block("(block $none"), f.loop("$next"):
                next_one = load(first_at)
                f.add(f"(br_if $none (i32.ge_u {next_one} {load(waiting)}))")
                place = f"(i32.mul {next_one} {i32(self.width)})"
                at = f"(i32.add {i32(self.waiting)} {place})"
                f.add(f"(local.set $one (call $fire {at}))")
                f.store(first_at, f"(i32.add {next_one} (i32.const 1))")
                f.add("(br_if $next (i32.eqz (local.get $one)))")
                f.store(running_at, "(local.get $one)")
                self._go_on(f, "(local.get $one)")
                f.add("(br $again)")
        for name in ("waiting", "first_waiting", "fired"):
            f.store(self._header[name], i32(0))
        f.add("(i32.const 0)")
        self._context.add(f)

    # ---- watched values, worked out into a row

    def _worked_out(self, watch: Watch) -> int:
        """Write what lays a value down at all its keys; return where."""
        value = self._context.program.values[watch.value]
        words = self._words(watch)
        at = self._context.data.room(8 * words * len(watch.keys))
        f = Function(f"$watch.{watch.value}")
        e = self._translator.into(f, {})
        for number, keys in enumerate(watch.keys):
            call = ir.CallValue(
                value.name,
                tuple(
                    ir.Const(key, param.type)
                    for key, param in zip(keys, value.params, strict=True)
                ),
                value.type,
                span=value.span,
            )
            to = at + 8 * words * number
            if in_words(value.type):
                for place, word in enumerate(e.value(call)):
                    f.store(to + 8 * place, word, "i64")
            else:
                code = f"(i64.extend_i32_s {e.scalar(call)})"
                f.store(to, code, "i64")
        self._context.add(f)
        return at

    def _look_at(self, f: Function, watch: Watch) -> None:
        with self._if_old(f, watch):
            f.add(f"(call $watch.{watch.value})")
            self._copy(f, watch)

    @contextmanager
    def _if_old(self, f: Function, watch: Watch) -> Iterator[None]:
        """Write the code for a version of the state about which nothing is known."""
        version = ""  # the value depends on the flow
        if self._reaches[watch.value] is not Reach.MOMENT:
            value = self._context.program.values[watch.value]
            version = self._versions.counter(*parts(value))
        if not version:
            yield
            return
        at = i32(self.stamps[watch.value])
        with f.when(f"(i32.ne (i32.load {at}) {version})"):
            yield
            f.add(f"(i32.store {at} {version})")

    def _copy(self, f: Function, watch: Watch) -> None:
        size = 8 * self._words(watch) * len(watch.keys)
        to, row = self.shadows[watch.value], self.rows[watch.value]
        f.add(f"(memory.copy (i32.const {to}) (i32.const {row}) {i32(size)})")

    # ---- what waits: by reaction, then by key

    def _compare(
        self, f: Function, name: str, watch: Watch, number: str, to: str
    ) -> None:
        """Write what queues a reaction at every key whose value is another now."""
        words = self._words(watch)
        old, new = self.shadows[watch.value], self.rows[watch.value]
        again, out, same = f.label("keys"), f.label("end"), f.label("same")
        f.set(number, i32(0))
        with f.block(f"(block {out}"), f.loop(again):
            behind = i32(len(watch.keys))
            f.add(f"(br_if {out} (i32.ge_u (local.get {number}) {behind}))")
            place = f.keep(f"(i32.mul (local.get {number}) {i32(8 * words)})")
            with f.block(f"(block {same}"):
                equal = i32(1)
                for word in range(words):
                    before = f"(i64.load offset={old + 8 * word} {place})"
                    after = f"(i64.load offset={new + 8 * word} {place})"
                    equal = f"(i32.and {equal} (i64.eq {before} {after}))"
                f.add(f"(br_if {same} {equal})")
                # Take the next place in the queue; if it is full, the module stops.
                at = self._header["waiting"]
                count = f.keep(load(at))
                with f.when(f"(i32.ge_u {count} {i32(WAITING_AT_MOST)})"):
                    f.add("(unreachable)")
                place_ = f"(i32.mul {count} {i32(self.width)})"
                f.set(to, f"(i32.add {i32(self.waiting)} {place_})")
                f.store(at, f"(i32.add {count} (i32.const 1))")
                for offset, code in (
                    (0, i32(self.names[name])),
                    (4, f"(local.get {number})"),
                    (8, "(local.get $me)"),
                ):
                    f.add(f"(i32.store offset={offset} (local.get {to}) {code})")
                for word in range(words):
                    self._lay_down(f, to, 16 + 8 * word, old + 8 * word, place)
                    behind_old = 16 + 8 * self.widest + 8 * word
                    self._lay_down(f, to, behind_old, new + 8 * word, place)
            f.set(number, f"(i32.add (local.get {number}) (i32.const 1))")
            f.add(f"(br {again})")

    def _lay_down(self, f: Function, to: str, offset: int, at: int, place: str) -> None:
        value = f"(i64.load offset={at} {place})"
        f.add(f"(i64.store offset={offset} (local.get {to}) {value})")

    # ---- firing

    def _keys(
        self, f: Function, reaction: ir.ReactionDef, slots: dict[int, int]
    ) -> None:
        """Put the keys, and the values before and after, into the reaction's frame."""
        value = self._context.program.values[reaction.event]
        axes = family_of("", value.params).axes
        key = "(i32.load offset=4 (local.get $at))"
        for number, axis in enumerate(axes, 1):
            if number not in slots:
                continue
            place = f"(i32.rem_u (i32.div_u {key} {i32(axis.stride)}) {i32(axis.size)})"
            if axis.of_sets:
                code = f"(i64.extend_i32_u {place})"
                f.store(slots[number], code, "i64")
            else:
                code = f"(i32.add {place} {i32(axis.low)})"
                f.store(slots[number], code)
        words = words_of(value.type)
        for number, _ in enumerate(reaction.change):
            slot, offset = len(axes) + 1 + number, 16 + 8 * self.widest * number
            if slot not in slots:
                continue
            for word in range(words):
                code = f"(i64.load offset={offset + 8 * word} (local.get $at))"
                f.store(slots[slot] + 8 * word, code, "i64")

    def _go_on(self, f: Function, which: str) -> None:
        """Run a reaction, or go on with it; stop where a decision is wanted."""
        at = self._header["running"]
        run = f"(call $run_reaction {which})"
        f.add(f"(if {run} (then (return (i32.const 1))))")
        f.store(at, i32(0))
