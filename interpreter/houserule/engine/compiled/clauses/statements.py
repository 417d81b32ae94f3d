"""Statements of the core as WebAssembly; `engine.procedures` defines their meaning."""

from __future__ import annotations

from houserule import ir
from houserule.engine.compiled.clauses.control import ControlWriter
from houserule.engine.compiled.clauses.procedures import ResumableCode
from houserule.engine.compiled.expressions import bits, sets
from houserule.engine.compiled.expressions.loops import Loops
from houserule.engine.compiled.expressions.places import argument, check_range, fitted
from houserule.engine.compiled.functions import Code, Unsupported, i32, i64, load
from houserule.engine.compiled.memory.layout import RECORDS, STREAM
from houserule.engine.compiled.memory.shapes import Universe, in_words
from houserule.engine.compiled.optimize import versions
from houserule.engine.compiled.options.products import Walks
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.state.faults import F02, F04, F09
from houserule.ir import types

PHASES_AT_MOST = 64


class StatementWriter:
    """Writes statements into a procedure.

    What moves things and what steers is written by parts of it.
    """

    def __init__(
        self, code: ResumableCode, loops: Loops, walks: Walks, costs: Costs
    ) -> None:
        self._code, self._context = code, code.context
        self._f, self._e, self._frame = code.f, code.e, code.frame
        self._moves = MoveWriter(code)
        self._control = ControlWriter(code, loops, walks, costs, self.block)

    def block(self, block: ir.Block) -> None:
        """Write some statements."""
        for statement in block:
            self._statement(statement)

    def _statement(self, s: ir.Statement) -> None:
        self._e.near = s.span
        match s:
            case ir.MoveThings() | ir.MoveTop() | ir.MoveTokens():
                self._moves.write(s)
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
                self._control.write(s)
            case ir.LetSlot(slot, _, value):
                at = self._frame.slots[slot]
                if in_words(value.type):
                    for number, word in enumerate(self._e.value(value)):
                        self._f.store(at + 8 * number, word, "i64")
                else:
                    self._f.store(at, self._e.scalar(value))
            case ir.CallEffect(effect, args):
                # All arguments are computed before any is written.
                self._code.calls = True
                frame = self._code.procedures.frames[f"effect {effect}"]
                params = self._context.program.effects[effect].params
                given: list[tuple[int, str, Code]] = []
                for number, (arg, param) in enumerate(
                    zip(args, params, strict=True), 1
                ):
                    kind = "i64" if in_words(param.type) else "i32"
                    at = frame.slots[number]
                    _, words = argument(self._e, arg, param)
                    given += [(at + 8 * k, kind, word) for k, word in enumerate(words)]
                given.append((frame.slots[0], "i32", load(self._frame.slots[0])))
                for at, kind, code in given:
                    self._f.add(f"({kind}.store (i32.const {at}) {code})")
                self._code.call(f"effect {effect}")
            case ir.ShufflePile(zone, keys, stream):
                plan = self._context.memory.zones[zone]
                kind = self._context.program.zones[zone].member.name
                if plan.order is None:
                    raise Unsupported("shuffling what is no pile")
                index = self._e.index(zone, keys, s.span)
                order, width = i32(plan.order.at), i32(plan.order.width)
                pile = f"(i32.add {order} (i32.mul {index} {width}))"
                known = self._context.memory.known[kind].at
                draws = i32(self._context.stream(stream))
                self._f.add(f"(call $shuffle {draws} {pile} {i32(known)})")
                self._code.changed(versions.places(kind))
            case ir.RequestAgain(target) | ir.RequestEnd(target):
                again = isinstance(s, ir.RequestAgain)
                memory, program = self._context.memory, self._context.program
                self._f.store(memory.header["wished"], i32(1))
                if not again and not target:
                    self._f.store(memory.header["end_game"], i32(1))
                    return
                if target in program.phases:
                    name = "agains" if again else "ends"
                    bit = memory.phases[target].number
                else:
                    name, bit = "reopened", list(program.steps).index(target)
                if bit >= PHASES_AT_MOST:
                    raise Unsupported("more than 64 phases or steps")
                at = memory.header[name]
                wish = f"(i64.or {load(at, 'i64')} {i64(1 << bit)})"
                self._f.store(at, wish, "i64")
            case ir.ShowThings():
                seats = sets.as_words(
                    self._e, s.to, Universe(0, self._context.program.seats)
                )
                things = sets.as_words(self._e, s.what, Universe(0, s.kind.size))
                seen = self._f.keep(f"(i32.wrap_i64 {seats[0]})")
                known = self._context.memory.known[s.kind.name].at
                thing = self._f.local("i32", "thing")
                with bits.each_member(self._e, things, 0, thing):
                    where = f"(i32.shl (local.get {thing}) (i32.const 2))"
                    now = f"(i32.or (i32.load offset={known} {where}) {seen})"
                    self._f.add(f"(i32.store offset={known} {where} {now})")
                # Only interchangeable things are read for who was shown them.
                alike = self._context.program.components[s.kind.name].alike
                self._code.changed(*([versions.places(s.kind.name)] if alike else []))
            case _:
                raise Unsupported(f"{type(s).__name__} as a statement")

    # ---- cells

    def _cell(self, s: ir.SetCell | ir.AddCell) -> None:
        state = self._context.program.states[s.state]
        cells = self._context.memory.cells[s.state]
        if cells.words:
            self._set_of(s, state)
            return
        if isinstance(s, ir.SetCell):
            value, index = self._e.in_order(
                lambda: self._e.scalar(s.value),
                lambda: self._e.index(s.state, s.keys, s.span),
            )
            given = s.value.type
        else:
            amount, index = self._e.in_order(
                lambda: self._e.number(s.amount, s.span),
                lambda: self._e.index(s.state, s.keys, s.span),
            )
            index = self._f.keep(index)
            now = f"(i32.load offset={cells.at} (i32.shl {index} (i32.const 2)))"
            if isinstance(state.type, types.Maybe):
                now = self._e.present(now, s.span)
            value = f"(i32.{'add' if s.sign > 0 else 'sub'} {now} {amount})"
            given = types.Whole(-(1 << 29), 1 << 29)
        value, index = self._f.keep(value), self._f.keep(index)
        check_range(self._e, state, value, given, s.span)
        self._f.add(
            f"(i32.store offset={cells.at} (i32.shl {index} (i32.const 2)) {value})"
        )
        self._code.changed(versions.cells(s.state))

    def _set_of(self, s: ir.SetCell | ir.AddCell, state: ir.StateDef) -> None:
        if isinstance(s, ir.AddCell):
            raise Unsupported("a set that gains")
        cells = self._context.memory.cells[s.state]
        found = sets.present(self._e, s.value)
        index = self._f.keep(self._e.index(s.state, s.keys, s.span))
        words = fitted(self._e, found, s.value.type, state, s.span)
        place = f"(i32.mul {index} {i32(cells.width)})"
        for number, word in enumerate(words):
            self._f.add(f"(i64.store offset={cells.at + 8 * number} {place} {word})")
        self._code.changed(versions.cells(s.state))

    # ---- dice

    def _die(self, s: ir.SetFace | ir.AddFace | ir.RollDice) -> None:
        if isinstance(s, ir.RollDice):
            self._roll(s)
            return
        at = self._context.memory.faces[s.kind.name].at
        given = s.value if isinstance(s, ir.SetFace) else s.amount
        die, face = self._e.in_order(
            lambda: self._e.number(s.die, s.span),
            lambda: self._e.number(given, s.span),
        )
        die = self._f.keep(die)
        where = f"(i32.shl {die} (i32.const 2))"
        if isinstance(s, ir.AddFace):
            sign = "add" if s.sign > 0 else "sub"
            face = f"(i32.{sign} (i32.load offset={at} {where}) {face})"
        face = self._f.keep(face)
        fits = i32(0)
        for each in sorted(set(self._context.program.components[s.kind.name].faces)):
            fits = f"(i32.or {fits} (i32.eq {face} {i32(each)}))"
        with self._f.when(f"(i32.eqz {fits})"):
            self._e.fault(F09, "The die has no such face.", s.span)
        self._f.add(f"(i32.store offset={at} {where} {face})")
        self._code.changed(versions.faces(s.kind.name))

    def _roll(self, s: ir.RollDice) -> None:
        component = self._context.program.components[s.kind.name]
        memory = self._context.memory
        at, known = memory.faces[s.kind.name].at, memory.known[s.kind.name].at
        faces = self._context.data.numbers(component.faces)
        streams = [
            self._context.stream(f"{s.stream}/{each}") for each in component.labels
        ]
        first = streams[0]
        if streams != [first + STREAM * die for die in range(len(streams))]:
            raise Unsupported("dice of two kinds with the same names in one clause")
        space = Universe(0, s.kind.size)
        words = sets.as_words(self._e, s.dice, space)
        die = self._f.local("i32", "die")
        with bits.each_member(self._e, words, 0, die):
            stream = f"(i32.add {i32(first)} (i32.mul (local.get {die}) {i32(STREAM)}))"
            drawn = self._drawn(stream, len(component.faces))
            where = f"(i32.shl (local.get {die}) (i32.const 2))"
            face = f"(i32.load offset={faces} (i32.shl {drawn} (i32.const 2)))"
            self._f.add(f"(i32.store offset={at} {where} {face})")
            self._f.add(f"(i32.store offset={known} {where} (i32.const 0))")
        self._code.changed(versions.faces(s.kind.name))

    def _drawn(self, stream: Code, many: int) -> Code:
        """Return a number below a known one; one possibility draws nothing."""
        if many == 1:
            return i32(0)
        stream = self._f.keep(stream)
        drawn = RECORDS["stream"]["drawn"]
        self._f.add(f"(i64.store offset={drawn} {stream} (i64.const 1))")
        return f"(i32.wrap_i64 (call $below {stream} {i64(many)}))"

    # ---- calls and wishes


# ---- moves of things and tokens


class MoveWriter:
    """Writes what moves things and tokens into a procedure."""

    def __init__(self, code: ResumableCode) -> None:
        self._code, self._context = code, code.context
        self._f, self._e = code.f, code.e

    def write(self, s: ir.MoveThings | ir.MoveTop | ir.MoveTokens) -> None:
        """Write a move."""
        match s:
            case ir.MoveThings(what, to):
                kind = getattr(to.type, "member", None)
                if not isinstance(kind, types.Kind):
                    raise Unsupported("a place for things of no kind")
                words = bits.kept(
                    self._e, sets.as_words(self._e, what, Universe(0, kind.size))
                )
                target = self._target(to, s)
                thing = self._f.local("i32", "thing")
                with bits.each_member(self._e, words, 0, thing):
                    self._place(kind, f"(local.get {thing})", target, s)
                self._code.changed(versions.places(kind.name))
            case ir.MoveTop():
                self._top(s)
            case ir.MoveTokens():
                self._tokens(s)

    def _target(self, to: ir.Expr, s: ir.CoreNode) -> Code:
        return self._f.keep(self._e.number(to, s.span))

    def _place(
        self, kind: types.Kind, thing: Code, target: Code, s: ir.CoreNode
    ) -> None:
        memory = self._context.memory
        full = self._context.fault(F04, "The zone is full.", s.span)
        args = " ".join(
            (
                i32(memory.where[kind.name].at),
                i32(memory.known[kind.name].at),
                thing,
                target,
                i32(full),
            )
        )
        self._f.add(f"(call $place {args})")

    def _top(self, s: ir.MoveTop) -> None:
        """Copy what lies there, then move it one by one."""
        zone = self._context.memory.zones[s.zone]
        kind = self._context.program.zones[s.zone].member
        index = self._f.keep(self._e.index(s.zone, s.keys, s.span))
        target = self._target(s.to, s)
        count = None
        if s.count is not None:
            count = self._f.keep(self._e.number(s.count, s.span))
        room = self._context.data.room(4 * max(kind.size, 1))
        place = f"(i32.add {i32(zone.place)} {index})"
        lying = self._f.keep(f"(call $lying {place} {i32(room)})")
        upto = lying if count is None else self._enough(count, lying, s)
        moved = self._f.local("i32", "moved")
        self._f.set(moved, i32(0))
        again, out = self._f.label("move"), self._f.label("moved")
        with self._f.block(f"(block {out}"), self._f.loop(again):
            self._f.add(f"(br_if {out} (i32.ge_s (local.get {moved}) {upto}))")
            at = f"(i32.sub (i32.sub {lying} (i32.const 1)) (local.get {moved}))"
            if count is None:
                onto = f"(i32.and {target} (i32.const 1))"
                at = f"(select {at} (local.get {moved}) {onto})"
            thing = f"(i32.load offset={room} (i32.shl {at} (i32.const 2)))"
            self._place(kind, thing, target, s)
            self._f.set(moved, f"(i32.add (local.get {moved}) (i32.const 1))")
            self._f.add(f"(br {again})")
        self._code.changed(versions.places(kind.name))

    def _enough(self, count: Code, lying: Code, s: ir.MoveTop) -> Code:
        """Return how many are moved, at most as many as lie there; else F02."""
        if not s.up_to:
            with self._f.when(f"(i32.gt_s {count} {lying})"):
                self._e.fault(F02, "Too few lie there.", s.span)
        return self._f.keep(f"(select {count} {lying} (i32.lt_s {count} {lying}))")

    def _tokens(self, s: ir.MoveTokens) -> None:
        memory = self._context.memory
        here, there = self._e.in_order(
            lambda: self._e.index(s.source, s.source_keys, s.span),
            lambda: self._e.index(s.to, s.to_keys, s.span),
        )
        here = self._f.keep(f"(i32.shl {here} (i32.const 2))")
        there = self._f.keep(f"(i32.shl {there} (i32.const 2))")
        source, to = memory.tokens[s.source].at, memory.tokens[s.to].at
        lying = self._f.keep(f"(i32.load offset={source} {here})")
        count = lying
        if s.count is not None:
            count = self._f.keep(self._e.number(s.count, s.span))
        if s.up_to:
            count = self._f.keep(f"(select {count} {lying} (i32.lt_s {count} {lying}))")
        if s.count is not None:
            with self._f.when(f"(i32.gt_u {count} {lying})"):
                self._e.fault(F02, "Too few lie there.", s.span)
        less = f"(i32.sub {lying} {count})"
        self._f.add(f"(i32.store offset={source} {here} {less})")
        more = f"(i32.add (i32.load offset={to} {there}) {count})"
        self._f.add(f"(i32.store offset={to} {there} {more})")
        self._code.changed(versions.tokens(s.source), versions.tokens(s.to))
