"""Statements of the core as WebAssembly; `reference.procedures` defines them."""

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
    """Writes statements into a procedure; `ControlWriter` writes what steers."""

    def __init__(
        self, code: ResumableCode, loops: Loops, walks: Walks, costs: Costs
    ) -> None:
        self._code, self._context = code, code.context
        self._control = ControlWriter(code, loops, walks, costs, self.block)

    def block(self, block: ir.Block) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, s: ir.Statement) -> None:
        code, f, e = self._code, self._code.f, self._code.e
        memory, program = self._context.memory, self._context.program
        frame, header = code.frame, memory.header
        e.near = s.span
        e.slots = dict(code.slots)  # a query before may have had a slot in a local
        match s:
            case (
                ir.When()
                | ir.ForEach()
                | ir.ChooseOption()
                | ir.ShareOut()
                | ir.DrawOne()
            ):
                self._control.write(s)
            case ir.LetSlot(slot, _, value):
                at = frame.slots[slot]
                if in_words(value.type):
                    for number, word in enumerate(e.value(value)):
                        f.store(at + 8 * number, word, "i64")
                else:
                    f.store(at, e.scalar(value))
            case ir.CallEffect(effect, args):
                # All arguments are computed before any is written.
                code.calls = True
                called = code.procedures.frames[f"effect {effect}"]
                params = program.effects[effect].params
                stores: list[tuple[int, str, Code]] = []
                for number, (arg, param) in enumerate(
                    zip(args, params, strict=True), 1
                ):
                    kind = "i64" if in_words(param.type) else "i32"
                    at = called.slots[number]
                    _, words = argument(e, arg, param)
                    stores += [(at + 8 * k, kind, word) for k, word in enumerate(words)]
                stores.append((called.slots[0], "i32", load(frame.slots[0])))
                for at, kind, word in stores:
                    f.store(at, word, kind)
                code.call(f"effect {effect}")
            case ir.RequestAgain(target) | ir.RequestEnd(target):
                again = isinstance(s, ir.RequestAgain)
                f.store(header["wished"], i32(1))
                if not again and not target:
                    f.store(header["end_game"], i32(1))
                    return
                if target in program.phases:
                    name = "agains" if again else "ends"
                    bit = memory.phases[target].number
                else:
                    name, bit = "reopened", list(program.steps).index(target)
                if bit >= PHASES_AT_MOST:
                    raise Unsupported("more than 64 phases or steps")
                at = header[name]
                f.store(at, f"(i64.or {load(at, 'i64')} {i64(1 << bit)})", "i64")

            # ---- cells

            case ir.SetCell(family, keys) if memory.cells[family].words:
                cells, state = memory.cells[family], program.states[family]
                found = sets.present(e, s.value)
                index = f.keep(e.index(family, keys, s.span))
                words = fitted(e, found, s.value.type, state, s.span)
                place = f"(i32.mul {index} {i32(cells.width)})"
                for number, word in enumerate(words):
                    f.add(f"(i64.store offset={cells.at + 8 * number} {place} {word})")
                code.changed(versions.cells(family))
            case ir.SetCell(family, keys):
                at, state = memory.cells[family].at, program.states[family]
                new, index = e.in_order(
                    lambda: e.scalar(s.value), lambda: e.index(family, keys, s.span)
                )
                new, index = f.keep(new), f.keep(index)
                check_range(e, state, new, s.value.type, s.span)
                self._put(family, at, index, new)
                code.changed(versions.cells(family))
            case ir.AddCell(family, keys):
                if memory.cells[family].words:
                    raise Unsupported("a set that gains")
                at, state = memory.cells[family].at, program.states[family]
                amount, index = e.in_order(
                    lambda: e.number(s.amount, s.span),
                    lambda: e.index(family, keys, s.span),
                )
                index = f.keep(index)
                now = f"(i32.load offset={at} (i32.shl {index} (i32.const 2)))"
                if isinstance(state.type, types.Maybe):
                    now = e.present(now, s.span)
                new = f"(i32.{'add' if s.sign > 0 else 'sub'} {now} {amount})"
                new, given = f.keep(new), types.Whole(-(1 << 29), 1 << 29)
                check_range(e, state, new, given, s.span)
                self._put(family, at, index, new)
                code.changed(versions.cells(family))

            # ---- dice

            case ir.SetFace() | ir.AddFace():
                at = memory.faces[s.kind.name].at
                wanted = s.value if isinstance(s, ir.SetFace) else s.amount
                die, face = e.in_order(
                    lambda: e.number(s.die, s.span), lambda: e.number(wanted, s.span)
                )
                where = f"(i32.shl {f.keep(die)} (i32.const 2))"
                if isinstance(s, ir.AddFace):
                    sign = "add" if s.sign > 0 else "sub"
                    face = f"(i32.{sign} (i32.load offset={at} {where}) {face})"
                face, fits = f.keep(face), i32(0)
                for each in sorted(set(program.components[s.kind.name].faces)):
                    fits = f"(i32.or {fits} (i32.eq {face} {i32(each)}))"
                with f.when(f"(i32.eqz {fits})"):
                    e.fault(F09, "The die has no such face.", s.span)
                f.add(f"(i32.store offset={at} {where} {face})")
                code.changed(versions.faces(s.kind.name))
            case ir.RollDice():
                component = program.components[s.kind.name]
                at, known = memory.faces[s.kind.name].at, memory.known[s.kind.name].at
                faces = self._context.data.numbers(component.faces)
                streams = [memory.stream(f"{s.stream}/{x}") for x in component.labels]
                first, width = streams[0], i32(STREAM)
                if streams != [first + STREAM * die for die in range(len(streams))]:
                    what = "dice of two kinds with the same names in one clause"
                    raise Unsupported(what)
                dice = sets.as_words(e, s.dice, Universe(0, s.kind.size))
                die, many = f.local("i32", "die"), len(component.faces)
                with bits.each_member(e, dice, 0, die):
                    drawn = i32(0)  # one possibility draws nothing
                    if many > 1:
                        place = f"(i32.mul (local.get {die}) {width})"
                        stream = f.keep(f"(i32.add {i32(first)} {place})")
                        at_drawn = RECORDS["stream"]["drawn"]
                        f.add(f"(i64.store offset={at_drawn} {stream} (i64.const 1))")
                        drawn = f"(i32.wrap_i64 (call $below {stream} {i64(many)}))"
                    where = f"(i32.shl (local.get {die}) (i32.const 2))"
                    face = f"(i32.load offset={faces} (i32.shl {drawn} (i32.const 2)))"
                    f.add(f"(i32.store offset={at} {where} {face})")
                    f.add(f"(i32.store offset={known} {where} (i32.const 0))")
                code.changed(versions.faces(s.kind.name))

            # ---- things and tokens

            case ir.MoveThings(what, to):
                of = getattr(to.type, "member", None)
                if not isinstance(of, types.Kind):
                    raise Unsupported("a place for things of no kind")
                words = bits.kept(e, sets.as_words(e, what, Universe(0, of.size)))
                target = f.keep(e.number(to, s.span))
                thing = f.local("i32", "thing")
                with bits.each_member(e, words, 0, thing):
                    self._place(of, f"(local.get {thing})", target, s)
                code.changed(versions.places(of.name))
            case ir.MoveTop():
                # Copy what lies there, then move it one by one.
                zone, things = memory.zones[s.zone], program.zones[s.zone].member
                index = f.keep(e.index(s.zone, s.keys, s.span))
                target = f.keep(e.number(s.to, s.span))
                count = f.keep(e.number(s.count, s.span)) if s.count else None
                room = self._context.data.room(4 * max(things.size, 1))
                place = f"(i32.add {i32(zone.place)} {index})"
                lying = upto = f.keep(f"(call $lying {place} {i32(room)})")
                if count is not None:
                    if not s.up_to:
                        with f.when(f"(i32.gt_s {count} {lying})"):
                            e.fault(F02, "Too few lie there.", s.span)
                    less = f"(i32.lt_s {count} {lying})"
                    upto = f.keep(f"(select {count} {lying} {less})")
                moved = f.local("i32", "moved")
                f.set(moved, i32(0))
                on, out = f.label("move"), f.label("moved")
                with f.block(f"(block {out}"), f.loop(on):
                    f.add(f"(br_if {out} (i32.ge_s (local.get {moved}) {upto}))")
                    last = f"(i32.sub {lying} (i32.const 1))"
                    lies_at = f"(i32.sub {last} (local.get {moved}))"
                    if count is None:
                        onto = f"(i32.and {target} (i32.const 1))"
                        lies_at = f"(select {lies_at} (local.get {moved}) {onto})"
                    where = f"(i32.shl {lies_at} (i32.const 2))"
                    self._place(things, f"(i32.load offset={room} {where})", target, s)
                    f.set(moved, f"(i32.add (local.get {moved}) (i32.const 1))")
                    f.add(f"(br {on})")
                code.changed(versions.places(things.name))
            case ir.MoveTokens():
                here, there = e.in_order(
                    lambda: e.index(s.source, s.source_keys, s.span),
                    lambda: e.index(s.to, s.to_keys, s.span),
                )
                here = f.keep(f"(i32.shl {here} (i32.const 2))")
                there = f.keep(f"(i32.shl {there} (i32.const 2))")
                source, to_at = memory.tokens[s.source].at, memory.tokens[s.to].at
                lying = count = f.keep(f"(i32.load offset={source} {here})")
                if s.count is not None:
                    count = f.keep(e.number(s.count, s.span))
                if s.up_to:
                    less = f"(i32.lt_s {count} {lying})"
                    count = f.keep(f"(select {count} {lying} {less})")
                if s.count is not None:
                    with f.when(f"(i32.gt_u {count} {lying})"):
                        e.fault(F02, "Too few lie there.", s.span)
                left = f"(i32.sub {lying} {count})"
                f.add(f"(i32.store offset={source} {here} {left})")
                more = f"(i32.add (i32.load offset={to_at} {there}) {count})"
                f.add(f"(i32.store offset={to_at} {there} {more})")
                code.changed(versions.tokens(s.source), versions.tokens(s.to))
            case ir.ShufflePile(zone_name, keys, tag):
                plan = memory.zones[zone_name]
                kind_name = program.zones[zone_name].member.name
                if plan.order is None:
                    raise Unsupported("shuffling something that is not a pile")
                index = e.index(zone_name, keys, s.span)
                order, width = i32(plan.order.at), i32(plan.order.width)
                pile = f"(i32.add {order} (i32.mul {index} {width}))"
                known_at, draws = (
                    i32(memory.known[kind_name].at),
                    i32(memory.stream(tag)),
                )
                f.add(f"(call $shuffle {draws} {pile} {known_at})")
                code.changed(versions.places(kind_name))
            case ir.ShowThings():
                seats = sets.as_words(e, s.to, Universe(0, program.seats))
                words = sets.as_words(e, s.what, Universe(0, s.kind.size))
                seen = f.keep(f"(i32.wrap_i64 {seats[0]})")
                known = memory.known[s.kind.name].at
                thing = f.local("i32", "thing")
                with bits.each_member(e, words, 0, thing):
                    where = f"(i32.shl (local.get {thing}) (i32.const 2))"
                    now = f"(i32.or (i32.load offset={known} {where}) {seen})"
                    f.add(f"(i32.store offset={known} {where} {now})")
                # Only interchangeable things are read for who was shown them.
                alike = program.components[s.kind.name].alike
                code.changed(*([versions.places(s.kind.name)] if alike else []))
            case _:
                raise Unsupported(f"{type(s).__name__} as a statement")

    def _put(self, state: str, at: int, index: Code, value: Code) -> None:
        """Write a number into a cell, and keep the inverse sets up to date."""
        if inverse := self._context.memory.inverse.of(state):
            self._code.f.add(f"(call {inverse.put} {index} {value})")
        else:
            where = f"offset={at} (i32.shl {index} (i32.const 2))"
            self._code.f.add(f"(i32.store {where} {value})")

    def _place(
        self, kind: types.Kind, thing: Code, target: Code, s: ir.CoreNode
    ) -> None:
        memory = self._context.memory
        where, known = memory.where[kind.name].at, memory.known[kind.name].at
        full = self._context.fault(F04, "The zone is full.", s.span)
        args = f"{i32(where)} {i32(known)} {thing} {target} {i32(full)}"
        self._code.f.add(f"(call $place {args})")
