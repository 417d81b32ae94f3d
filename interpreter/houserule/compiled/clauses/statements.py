"""Statements of the core as WebAssembly: what each means, `engine.statements` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.clauses.moving import Moving
from houserule.compiled.clauses.steering import Steering
from houserule.compiled.expressions import bits, sets
from houserule.compiled.expressions.arguments import argument
from houserule.compiled.expressions.expressions import outside
from houserule.compiled.expressions.fitting import fitted
from houserule.compiled.memory.shapes import Universe, bounds, in_words
from houserule.compiled.optimize import versions
from houserule.compiled.optimize.versions import wrote
from houserule.compiled.writer.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
)
from houserule.ir import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.compiled.context import Unit
    from houserule.compiled.expressions.expressions import Expressions
    from houserule.compiled.memory.layout import Frame

PHASES_AT_MOST = 64


class Statements(Moving, Steering):
    """Writes statements into a procedure."""

    unit: Unit
    f: Function
    e: Expressions
    frame: Frame
    calls: bool  # whether it calls an effect

    def block(self, block: ir.Block) -> None:
        """Write some statements."""
        for statement in block:
            self._statement(statement)

    def _statement(self, s: ir.Statement) -> None:
        self.e.near = s.span
        match s:
            case ir.MoveThings() | ir.MoveTop() | ir.MoveTokens():
                self.move(s)
            case ir.SetCell() | ir.AddCell():
                self._cell(s)
            case ir.SetFace() | ir.AddFace() | ir.RollDice():
                self._die(s)
            case (
                ir.When()
                | ir.ForEach()
                | ir.ChooseOption()
                | ir.ShareOut()
                | ir.DrawOne()
            ):
                self.steer(s)
            case ir.LetSlot(slot, _, value):
                self.store(slot, value)
            case ir.CallEffect(effect, args):
                self._call_effect(effect, args)
            case _:
                self._other(s)

    def store(self, slot: int, value: ir.Expr) -> None:
        """Put a value into a slot of the frame."""
        at = self.frame.slots[slot]
        if in_words(value.type):
            for number, word in enumerate(self.e.value(value)):
                self.f.add(f"(i64.store (i32.const {at + 8 * number}) {word})")
        else:
            self.f.add(f"(i32.store (i32.const {at}) {self.e.scalar(value)})")

    def dirty(self, *families: str) -> None:
        """Note that something was written, of these families of the state."""
        self.f.add(wrote(*families))
        if self.procedures.watching:
            at = self.unit.memory.header["dirty"]
            self.f.add(f"(i32.store (i32.const {at}) (i32.const 1))")

    # ---- cells

    def _cell(self, s: ir.SetCell | ir.AddCell) -> None:
        state = self.unit.program.states[s.state]
        cells = self.unit.memory.cells[s.state]
        if cells.words:
            self._set_of(s, state)
            return
        if isinstance(s, ir.SetCell):
            value, index = self.e.in_order(
                lambda: self.e.scalar(s.value),
                lambda: self.e.index(s.state, s.keys, s.span),
            )
            given = s.value.type
        else:
            amount, index = self.e.in_order(
                lambda: self.e.number(s.amount, s.span),
                lambda: self.e.index(s.state, s.keys, s.span),
            )
            index = self.f.keep(index)
            now = f"(i32.load offset={cells.at} (i32.shl {index} (i32.const 2)))"
            if isinstance(state.type, types.Maybe):
                now = self.e.present(now, s.span)
            value = f"(i32.{'add' if s.sign > 0 else 'sub'} {now} {amount})"
            given = types.Whole(-(1 << 29), 1 << 29)
        value, index = self.f.keep(value), self.f.keep(index)
        self.check(state, value, given, s)
        self.f.add(
            f"(i32.store offset={cells.at} (i32.shl {index} (i32.const 2)) {value})"
        )
        self.dirty(versions.cells(s.state))

    def check(
        self, state: ir.StateDef, value: Code, given: types.Type, s: ir.CoreNode
    ) -> None:
        """See to it that a value is in the type of a state, else F01."""
        inner = state.type.inner if isinstance(state.type, types.Maybe) else state.type
        limits, has = bounds(inner), bounds(given)
        message = f"`{state.name}` would be outside {state.type}."
        if isinstance(given, types.Maybe) and not isinstance(state.type, types.Maybe):
            with self.f.when(f"(i32.eq {value} {NONE})"):
                self.e.fault("F01", message, s.span)
        if limits is None or (has and limits[0] <= has[0] and has[1] <= limits[1]):
            return
        wrong = outside(value, *limits)
        if isinstance(given, types.Maybe):
            wrong = f"(i32.and {wrong} (i32.ne {value} {NONE}))"
        with self.f.when(wrong):
            self.e.fault("F01", message, s.span)

    def _set_of(self, s: ir.SetCell | ir.AddCell, state: ir.StateDef) -> None:
        if isinstance(s, ir.AddCell):
            raise Unsupported("a set that gains")
        cells = self.unit.memory.cells[s.state]
        found = sets.present(self.e, s.value)
        index = self.f.keep(self.e.index(s.state, s.keys, s.span))
        words = fitted(self.e, found, s.value.type, state, s.span)
        place = f"(i32.mul {index} {i32(cells.width)})"
        for number, word in enumerate(words):
            self.f.add(f"(i64.store offset={cells.at + 8 * number} {place} {word})")
        self.dirty(versions.cells(s.state))

    # ---- dice

    def _die(self, s: ir.SetFace | ir.AddFace | ir.RollDice) -> None:
        if isinstance(s, ir.RollDice):
            self._roll(s)
            return
        at = self.unit.memory.faces[s.kind.name].at
        given = s.value if isinstance(s, ir.SetFace) else s.amount
        die, face = self.e.in_order(
            lambda: self.e.number(s.die, s.span),
            lambda: self.e.number(given, s.span),
        )
        die = self.f.keep(die)
        where = f"(i32.shl {die} (i32.const 2))"
        if isinstance(s, ir.AddFace):
            sign = "add" if s.sign > 0 else "sub"
            face = f"(i32.{sign} (i32.load offset={at} {where}) {face})"
        face = self.f.keep(face)
        fits = i32(0)
        for each in sorted(set(self.unit.program.components[s.kind.name].faces)):
            fits = f"(i32.or {fits} (i32.eq {face} {i32(each)}))"
        with self.f.when(f"(i32.eqz {fits})"):
            self.e.fault("F09", "The die has no such face.", s.span)
        self.f.add(f"(i32.store offset={at} {where} {face})")
        self.dirty(versions.faces(s.kind.name))

    def _roll(self, s: ir.RollDice) -> None:
        component = self.unit.program.components[s.kind.name]
        memory = self.unit.memory
        at, known = memory.faces[s.kind.name].at, memory.known[s.kind.name].at
        faces = self.unit.data.numbers(component.faces)
        streams = [self.unit.stream(f"{s.stream}/{each}") for each in component.labels]
        first = streams[0]
        if streams != [first + 24 * die for die in range(len(streams))]:
            raise Unsupported("dice of two kinds with the same names in one clause")
        space = Universe(0, s.kind.size)
        words = sets.as_words(self.e, s.dice, space)
        die = self.f.local("i32", "die")
        with bits.each_member(self.e, words, 0, die):
            stream = (
                f"(i32.add {i32(first)} (i32.mul (local.get {die}) (i32.const 24)))"
            )
            drawn = self._drawn(stream, len(component.faces))
            where = f"(i32.shl (local.get {die}) (i32.const 2))"
            face = f"(i32.load offset={faces} (i32.shl {drawn} (i32.const 2)))"
            self.f.add(f"(i32.store offset={at} {where} {face})")
            self.f.add(f"(i32.store offset={known} {where} (i32.const 0))")
        self.dirty(versions.faces(s.kind.name))

    def _drawn(self, stream: Code, many: int) -> Code:
        """Return a number below a known one; one possibility draws nothing."""
        if many == 1:
            return i32(0)
        stream = self.f.keep(stream)
        self.f.add(f"(i64.store offset=16 {stream} (i64.const 1))")
        return f"(i32.wrap_i64 (call $below {stream} {i64(many)}))"

    # ---- calls and wishes

    def _call_effect(self, effect: str, args: Sequence[ir.Expr]) -> None:
        """Fill the effect's slots, all worked out before any is written; call it."""
        self.calls = True
        frame = self.procedures.frames[f"effect {effect}"]
        params = self.unit.program.effects[effect].params
        given: list[tuple[int, str, Code]] = []
        for number, (arg, param) in enumerate(zip(args, params, strict=True), 1):
            kind = "i64" if in_words(param.type) else "i32"
            at = frame.slots[number]
            _, words = argument(self.e, arg, param)
            given += [(at + 8 * k, kind, word) for k, word in enumerate(words)]
        given.append((frame.slots[0], "i32", self.e.load(self.frame.slots[0])))
        for at, kind, code in given:
            self.f.add(f"({kind}.store (i32.const {at}) {code})")
        self.call(f"effect {effect}")

    def _other(self, s: ir.Statement) -> None:
        match s:
            case ir.ShufflePile(zone, keys, stream):
                self._shuffle(zone, keys, stream, s)
            case ir.RequestAgain(target) | ir.RequestEnd(target):
                self._wish(target, again=isinstance(s, ir.RequestAgain))
            case ir.ShowThings():
                self._show(s)
            case _:
                raise Unsupported(f"{type(s).__name__} as a statement")

    def _shuffle(
        self, zone: str, keys: Sequence[ir.Expr], stream: str, s: ir.CoreNode
    ) -> None:
        plan = self.unit.memory.zones[zone]
        kind = self.unit.program.zones[zone].member.name
        if plan.order is None:
            raise Unsupported("shuffling what is no pile")
        index = self.e.index(zone, keys, s.span)
        at = f"(i32.add {i32(plan.order.at)} (i32.mul {index} {i32(plan.order.width)}))"
        known = self.unit.memory.known[kind].at
        self.f.add(f"(call $shuffle {i32(self.unit.stream(stream))} {at} {i32(known)})")
        self.dirty(versions.places(kind))

    def _wish(self, target: str, *, again: bool) -> None:
        memory, program = self.unit.memory, self.unit.program
        wished = memory.header["wished"]
        self.f.add(f"(i32.store (i32.const {wished}) (i32.const 1))")
        if not again and not target:
            at = memory.header["end_game"]
            self.f.add(f"(i32.store (i32.const {at}) (i32.const 1))")
            return
        if target in program.phases:
            name = "agains" if again else "ends"
            bit = memory.phases[target].number
        else:
            name, bit = "reopened", list(program.steps).index(target)
        if bit >= PHASES_AT_MOST:
            raise Unsupported("more than 64 phases or steps")
        at = memory.header[name]
        wish = f"(i64.or (i64.load (i32.const {at})) {i64(1 << bit)})"
        self.f.add(f"(i64.store (i32.const {at}) {wish})")

    def _show(self, s: ir.ShowThings) -> None:
        seats = sets.as_words(self.e, s.to, Universe(0, self.unit.program.seats))
        things = sets.as_words(self.e, s.what, Universe(0, s.kind.size))
        seen = self.f.keep(f"(i32.wrap_i64 {seats[0]})")
        known = self.unit.memory.known[s.kind.name].at
        thing = self.f.local("i32", "thing")
        with bits.each_member(self.e, things, 0, thing):
            where = f"(i32.shl (local.get {thing}) (i32.const 2))"
            now = f"(i32.load offset={known} {where})"
            self.f.add(f"(i32.store offset={known} {where} (i32.or {now} {seen}))")
        self.dirty()
