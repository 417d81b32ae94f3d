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
from houserule.engine.compiled.functions import Code, Function, Write, i32, load, switch
from houserule.engine.compiled.memory.layout import START, ProcedureFrame
from houserule.engine.compiled.memory.shapes import in_words, words_of
from houserule.engine.compiled.optimize.memoisation import declared, parameters
from houserule.engine.compiled.optimize.versions import Versions
from houserule.ir.walk import beneath, option_factors, slots_read

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
        self._write_body(e, node, f"{title}.then", kinds, slots)
        f = Function(title, kinds, ("i32",))
        inner = e.within(f, slots)
        inner.near = e.near
        given = self._given(inner, node)
        passed = "".join(f" (local.get {name})" for name, _ in kinds)
        f.add(f"(call {self._title(node.action)} {self._room(node.action)} {given})")
        found = f.keep(f"(call {title}.then{passed})")
        f.add("(call $undo)")
        f.add(found)
        self._context.add(f)
        args = [
            code for slot, param in params.items() for code in _read(e, slot, param)
        ]
        return f"(call {title}{''.join(f' {arg}' for arg in args)})"

    def _write_body(
        self,
        e: Operands,
        node: ir.PositionAfter,
        title: str,
        kinds: list[tuple[str, str]],
        slots: dict[int, Slot],
    ) -> None:
        """Write the question itself: while it is asked, nothing changes."""
        f = Function(title, kinds, ("i32",), asks=True)
        inner = e.within(f, dict(slots))
        inner.near = e.near
        f.add(inner.scalar(node.body))
        self._context.add(f)

    def _given(self, e: Operands, node: ir.PositionAfter) -> str:
        """Return who takes the action and the words of its option, as arguments."""
        codes = [e.f.keep(e.number(node.by))]
        for arg, param in zip(node.args, self._params(node.action), strict=True):
            kind = "i64" if in_words(param.type) else "i32"
            codes += [e.f.keep(word, kind) for word in argument(e, arg, param)[1]]
        return " ".join(codes)

    def _params(self, action: str) -> list[ir.Param]:
        return [
            ir.Param(name, bind.type)
            for bind in option_factors(self._context.program.actions[action])
            for name in bind.names
        ]

    def _title(self, action: str) -> str:
        if action not in self._actions:
            self._actions[action] = _Imagined(len(self._actions))
        return f"$imagine.{action}"

    def _room(self, action: str) -> Code:
        """Return the place of a new room; it is known at the end."""
        self._actions[action].rooms.append(self._rooms)
        self._rooms += 1
        return f"(global.get $room.{self._rooms - 1})"

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
            regions = _merged(self._regions(name, frames))
            if stirring:
                regions.append((shadows[0], shadows[1]))
            counters = self._versions.moved_by(self._versions.families_written(name))
            self._imagine(name, action, frames, regions, counters, stirring=stirring)
            forget = stamps if stirring else []
            undoing[action.number] = _undoing(regions, counters, forget)
            size = sum(to - at for at, to in regions) + 8 * len(counters)
            for number in action.rooms:
                at = self._context.data.room(size)
                globals_ += f"(global $room.{number} i32 {i32(at)})\n"
        self._undo(undoing)
        return globals_

    def _imagine(
        self,
        name: str,
        action: _Imagined,
        frames: Mapping[str, ProcedureFrame],
        regions: list[tuple[int, int]],
        counters: list[str],
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
            (0, i32(action.number)),
            (4, "(local.get $room)"),
            (8, "(global.get $counting)"),
            (12, "(global.get $quiet)"),
        ):
            f.add(f"(i32.store offset={self._stack + offset} {entry} {code})")
        f.add("(global.set $imagined (i32.add (global.get $imagined) (i32.const 1)))")
        for offset, at, size in _laid_out(regions):
            to = f"(i32.add (local.get $room) {i32(offset)})"
            f.add(f"(memory.copy {to} {i32(at)} {i32(size)})")
        for offset, counter in _behind(regions, counters):
            value = f"(global.get {counter})"
            f.add(f"(i32.store offset={offset} (local.get $room) {value})")
        frame = frames[f"action {name}"]
        f.store(frame.at, i32(0))
        f.store(frame.slots[0], "(local.get $me)")
        # The values of the option go into the action's frame.
        slots = [
            slot
            for bind in option_factors(self._context.program.actions[name])
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

    def _undo(self, undoing: dict[int, list[str]]) -> None:
        """Write what undoes the last action that was imagined."""

        def lines(some: list[str]) -> Write:
            return lambda f: f.lines.extend(some)

        cases = {number: lines(some) for number, some in undoing.items()}
        self._context.add(
            switch("$undo_one", cases, params=(("$room", "i32"),), results=())
        )
        f = Function("$undo")
        f.add("(global.set $imagined (i32.sub (global.get $imagined) (i32.const 1)))")
        at = f.keep(f"(i32.mul (global.get $imagined) {i32(ENTRY)})")
        for offset, name in ((8, "$counting"), (12, "$quiet")):
            f.add(f"(global.set {name} (i32.load offset={self._stack + offset} {at}))")
        number = f"(i32.load offset={self._stack} {at})"
        room = f"(i32.load offset={self._stack + 4} {at})"
        f.add(f"(call $undo_one {number} {room})")
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


def _read(e: Operands, slot: int, param: ir.Param) -> list[Code]:
    """Return the words of a variable at the place of the question."""
    place = e.slots.get(slot)
    if isinstance(place, InLocals):
        return [f"(local.get {name})" for name in place.names]
    if place is None:
        raise AssertionError(f"slot {slot}, {param.name}, is not bound here")
    kind = "i64" if in_words(param.type) else "i32"
    return [load(place.at + 8 * word, kind) for word in range(words_of(param.type))]


def _merged(regions: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return regions in order, those that touch or nearly do as one."""
    found: list[tuple[int, int]] = []
    for at, end in sorted(regions):
        if found and at <= found[-1][1] + 8:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((at, end))
    return found


def _laid_out(regions: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield for each region where its copy is in a room, where it is, how long."""
    offset = 0
    for at, end in regions:
        yield offset, at, end - at
        offset += end - at


def _behind(
    regions: list[tuple[int, int]], counters: list[str]
) -> Iterator[tuple[int, str]]:
    size = sum(end - at for at, end in regions)
    for number, counter in enumerate(counters):
        yield size + 4 * number, counter


def _undoing(
    regions: list[tuple[int, int]], counters: list[str], stamps: list[int]
) -> list[str]:
    """Return the statements that put back what was copied into `$room`."""
    lines = []
    for offset, at, size in _laid_out(regions):
        source = f"(i32.add (local.get $room) {i32(offset)})"
        lines.append(f"(memory.copy {i32(at)} {source} {i32(size)})")
    for offset, counter in _behind(regions, counters):
        was = f"(i32.load offset={offset} (local.get $room))"
        lines.append(f"(global.set {counter} {was})")
    # The shadows of watched values belong to the undone position.
    lines += [f"(i32.store {i32(stamp)} (i32.const 0))" for stamp in stamps]
    return lines
