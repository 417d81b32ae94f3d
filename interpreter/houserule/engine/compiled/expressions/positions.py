"""Positions that an action leads to: it is done in place, asked about, and undone.

The places that an action may write are known at compile time. So before it is imagined,
these parts of the state block are copied aside, and afterwards back; what else there is
stays where it is. Each place in the rules that asks has room of its own to copy to, so
positions may be imagined within positions.

A fault in an imagined position ends the call in the midst of it. Therefore there is a
stack of imagined positions: `$wake` undoes the top one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.operands import InLocals, Operands, Slot
from houserule.engine.compiled.expressions.places import argument
from houserule.engine.compiled.functions import Code, Function, each_case, i32, load
from houserule.engine.compiled.memory.layout import START, ProcedureFrame
from houserule.engine.compiled.memory.shapes import in_words, words_of
from houserule.engine.compiled.optimize.memoisation import declared, parameters
from houserule.engine.compiled.optimize.versions import Versions
from houserule.ir.walk import beneath, option_binds, slots_read

ENTRY = 16  # bytes of a record: the action, its memory, two saved globals
DEPTH = 64  # maximal depth of positions within positions


@dataclass
class _Imagined:
    """An action that is imagined: its number, and the rooms of all who ask for it."""

    number: int
    rooms: list[int] = field(default_factory=list)


class Positions:
    """Writes what asks of positions, and in the end what imagines and undoes them.

    A room is taken before it is known how large it must be, so rooms are numbered first
    and laid out by `finish`.
    """

    def __init__(self, context: CompilationContext, versions: Versions) -> None:
        self._context, self._versions = context, versions
        self._actions: dict[str, _Imagined] = {}
        self._rooms = 0
        self._stack = context.data.room(ENTRY * DEPTH)

    # ---- what asks

    def ask(self, e: Operands, node: ir.PositionAfter) -> Code:
        """Return what an expression is after an action."""
        free = slots_read(node)
        used = {
            each.slot: ir.Param(each.name, each.type)
            for each in beneath(node)
            if isinstance(each, ir.Local) and each.slot in free
        }
        params = dict(sorted(used.items()))
        title = self._context.name("after", node.action)
        kinds = declared(list(params.values()))
        slots: dict[int, Slot] = dict(
            zip(params, parameters(list(params.values())).values(), strict=True)
        )
        # The question itself: while it is asked, nothing changes.
        f = Function(f"{title}.then", kinds, ("i32",))
        inner = e.within(f, dict(slots))
        inner.near = e.near
        f.add(inner.scalar(node.body))
        self._context.add(f)
        f = Function(title, kinds, ("i32",))
        inner = e.within(f, slots)
        inner.near = e.near
        # Who takes the action, and the words of its option.
        given = [f.keep(inner.number(node.by))]
        for arg, param in zip(node.args, self._params(node.action), strict=True):
            kind = "i64" if in_words(param.type) else "i32"
            given += [f.keep(word, kind) for word in argument(inner, arg, param)[1]]
        passed = "".join(f" (local.get {name})" for name, _ in kinds)
        # Take a new room, whose place is known at the end.
        imagined = self._actions.setdefault(node.action, _Imagined(len(self._actions)))
        imagined.rooms.append(self._rooms)
        room = f"(global.get $room.{self._rooms})"
        self._rooms += 1
        f.add(f"(call $imagine.{node.action} {room} {' '.join(given)})")
        found = f.keep(f"(call {title}.then{passed})")
        f.add("(call $undo)")
        f.add(found)
        self._context.add(f)
        args: list[Code] = []
        for slot, param in params.items():
            place = e.slots.get(slot)
            if isinstance(place, InLocals):
                args += [f"(local.get {name})" for name in place.names]
                continue
            assert place is not None, f"slot {slot}, {param.name}, is not bound here"
            kind = "i64" if in_words(param.type) else "i32"
            words = range(words_of(param.type))
            args += [load(place.at + 8 * word, kind) for word in words]
        return f"(call {title}{''.join(f' {arg}' for arg in args)})"

    def _params(self, action: str) -> list[ir.Param]:
        return [
            ir.Param(name, bind.type)
            for bind in option_binds(self._context.program.actions[action])
            for name in bind.names
        ]

    # ---- what imagines and undoes, at the end

    def finish(
        self,
        frames: Mapping[str, ProcedureFrame],
        shadows: tuple[int, int],
        stamps: list[int],
    ) -> str:
        """Write the rest, and return the declarations of the rooms.

        Args:
            frames: where procedures keep their values.
            shadows: the part of the block with shadows and what waits.
            stamps: where it stands of which version watched values are known.
        """
        access, globals_ = self._context.access, ""
        undoing = {}
        for name, action in self._actions.items():
            stirring = access.is_stirring(name)
            # Regions that touch, or nearly do, are one.
            regions: list[tuple[int, int]] = []
            for at, end in sorted(self._regions(name, frames)):
                if regions and at <= regions[-1][1] + 8:
                    regions[-1] = regions[-1][0], max(end, regions[-1][1])
                else:
                    regions.append((at, end))
            if stirring:
                regions.append((shadows[0], shadows[1]))
            counters = self._versions.moved_by(self._versions.families_written(name))
            # The statements that copy all this into `$room`, and back.
            saving, restoring, offset = list[str](), list[str](), 0
            for at, end in regions:
                copy = f"(i32.add (local.get $room) {i32(offset)})"
                saving.append(f"(memory.copy {copy} {i32(at)} {i32(end - at)})")
                restoring.append(f"(memory.copy {i32(at)} {copy} {i32(end - at)})")
                offset += end - at
            for counter in counters:
                to = f"offset={offset} (local.get $room)"
                saving.append(f"(i32.store {to} (global.get {counter}))")
                restoring.append(f"(global.set {counter} (i32.load {to}))")
                offset += 4
            if stirring:
                # The shadows of watched values belong to the undone position.
                restoring += [f"(i32.store {i32(at)} (i32.const 0))" for at in stamps]
            self._imagine(name, action.number, frames, saving, stirring=stirring)
            undoing[action.number] = restoring
            size = offset + 4 * len(counters)
            for number in action.rooms:
                at = self._context.data.room(size)
                globals_ += f"(global $room.{number} i32 {i32(at)})\n"
        f = Function("$undo_one", (("$which", "i32"), ("$room", "i32")))
        for number in each_case(f, undoing):
            f.lines += undoing[number]
        self._context.add(f)
        f = Function("$undo")
        f.add("(global.set $imagined (i32.sub (global.get $imagined) (i32.const 1)))")
        entry = f.keep(f"(i32.mul (global.get $imagined) {i32(ENTRY)})")
        for offset, name in ((8, "$counting"), (12, "$quiet")):
            kept = f"(i32.load offset={self._stack + offset} {entry})"
            f.add(f"(global.set {name} {kept})")
        which = f"(i32.load offset={self._stack} {entry})"
        room = f"(i32.load offset={self._stack + 4} {entry})"
        f.add(f"(call $undo_one {which} {room})")
        self._context.add(f)
        return globals_

    def _imagine(
        self,
        name: str,
        number: int,
        frames: Mapping[str, ProcedureFrame],
        saving: list[str],
        *,
        stirring: bool,
    ) -> None:
        params = self._params(name)
        kinds = declared(params)
        f = Function(f"$imagine.{name}", (("$room", "i32"), ("$me", "i32"), *kinds))
        # Push a record; beyond the maximal depth the module stops.
        with f.when(f"(i32.ge_u (global.get $imagined) {i32(DEPTH)})"):
            f.add("(unreachable)")
        entry = f.keep(f"(i32.mul (global.get $imagined) {i32(ENTRY)})")
        for offset, code in (
            (0, i32(number)),
            (4, "(local.get $room)"),
            (8, "(global.get $counting)"),
            (12, "(global.get $quiet)"),
        ):
            f.add(f"(i32.store offset={self._stack + offset} {entry} {code})")
        f.add("(global.set $imagined (i32.add (global.get $imagined) (i32.const 1)))")
        f.lines += saving
        frame = frames[f"action {name}"]
        f.store(frame.at, i32(0))
        f.store(frame.slots[0], "(local.get $me)")
        # The values of the option go into the action's frame.
        slots = [
            slot
            for bind in option_binds(self._context.program.actions[name])
            for slot in bind.slots
        ]
        places = parameters(params).values()
        for slot, place, param in zip(slots, places, params, strict=True):
            kind = "i64" if in_words(param.type) else "i32"
            for word, local in enumerate(place.names):
                f.store(frame.slots[slot] + 8 * word, f"(local.get {local})", kind)
        header = self._context.memory.header
        doing = f.keep(load(header["doing"]))
        f.store(header["doing"], i32(self._context.engine.plans[name].number))
        f.add(f"(global.set $quiet {i32(int(not stirring))})")
        f.add("(global.set $counting (i32.const 0))")
        if stirring:
            for each in ("waiting", "first_waiting", "fired", "running"):
                f.store(header[each], i32(0))
            f.add("(call $look)")
        f.add(f"(drop (call $action.{name}))")
        f.store(header["doing"], doing)
        self._context.add(f)

    # ---- what an action may write

    def _regions(
        self, action: str, frames: Mapping[str, ProcedureFrame]
    ) -> Iterator[tuple[int, int]]:
        """Yield the parts of the block that an action may change."""
        memory, access = self._context.memory, self._context.access
        yield START, max(memory.header.values()) + 8
        for limit in self._context.program.actions[action].limits:
            yield memory.taken[limit.address], memory.taken[limit.address] + 4
        names = [f"action {action}"]
        for each in self._context.access.imagined(action):
            if isinstance(each, ir.EffectDef):
                names.append(f"effect {each.name}")
            elif isinstance(each, ir.ReactionDef):
                names.append(f"reaction {each.name}")
        for name in names:
            yield frames[name].at, frames[name].end
        kinds: set[str] = set()
        for sort, name in access.places_written(*access.imagined_bodies(action)):
            match sort:
                case "state":
                    yield memory.cells[name].at, memory.cells[name].end
                    if (at := memory.inverse.at.get(name)) is not None:
                        inverse = memory.inverse.of(name)
                        assert inverse is not None
                        yield at, at + inverse.size
                case "tokens":
                    yield memory.tokens[name].at, memory.tokens[name].end
                case "face":
                    yield memory.faces[name].at, memory.faces[name].end
                case _:
                    kinds.add(self._context.program.zones[name].member.name)
        for zone in self._context.program.zones.values():
            if zone.member.name in kinds:
                plan = memory.zones[zone.name]
                yield plan.masks.at, plan.masks.end
                if plan.order is not None:
                    yield plan.order.at, plan.order.end
        shown = (n for n in beneath(*access.imagined(action)))
        kinds |= {each.kind.name for each in shown if isinstance(each, ir.ShowThings)}
        for kind in sorted(kinds):
            for cells in (memory.where[kind], memory.known[kind]):
                yield cells.at, cells.end
