"""Code generation: writes a seat's observation into memory, part by part.

It mirrors `encoding`, entry by entry. The things that a seat sees are located once; all
other entries about things read these locations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houserule.engine.compiled.bots.visibility_rows import VisibilityRows
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.functions import Code, Function, i32, load
from houserule.engine.compiled.memory.layout import NUMBER
from houserule.engine.compiled.memory.shapes import in_words, may_be_no_set, universe_of
from houserule.engine.compiled.module import Parts
from houserule.engine.state.layout import family_of
from houserule.environments.entries import (
    HIDDEN,
    NONE,
    CellPart,
    DecisionPart,
    EntryPlan,
    FacePart,
    HiddenPart,
    LimitPart,
    OrderPart,
    Part,
    PhasePart,
    TokenPart,
    VariablePart,
    WherePart,
    entries_of,
    scalar_least,
)
from houserule.ir import Param
from houserule.ir.types import Set


class ObservationWriter:
    """Writes `$observe` for a plan of entries."""

    def __init__(self, parts: Parts, plan: EntryPlan) -> None:
        self._context: CompilationContext = parts.context
        self._program, self._memory = parts.context.program, parts.context.memory
        self._plan, self._frames = plan, parts.procedures.frames
        self._sight = VisibilityRows(
            parts.context,
            parts.reaches,
            parts.versions,
            parts.translator,
            "$look_who_observes",
        )
        self._where = {
            part.kind: part.at for part in plan.parts if isinstance(part, WherePart)
        }

    def write(self) -> dict[str, int]:
        """Write it; return the addresses that the handwritten part needs.

        Raises:
            Unsupported: visibility depends on running procedures.
        """
        f = Function("$observe", (("$seat", "i32"), ("$to", "i32")))
        f.add("(global.set $eye (i32.shl (i32.const 1) (local.get $seat)))")
        f.add("(call $look_who_observes)")
        eyes = self._eyes_of_zones()
        # Locations come first: all other parts about things read them.
        first = [part for part in self._plan.parts if isinstance(part, WherePart)]
        rest = [part for part in self._plan.parts if not isinstance(part, WherePart)]
        for part in (*first, *rest):
            self._part(f, part)
        self._context.functions += [self._sight.looking, f]
        data, sizes = self._context.data, self._context.layout.components.values()
        (decision,) = (p for p in self._plan.parts if isinstance(p, DecisionPart))
        return {
            "entry_none": NONE,
            "entry_hidden": HIDDEN,
            "eyes_of_zones": eyes,
            "things_lying": data.room(NUMBER * max(*sizes, 1, 1)),
            "numbers_of_sites": data.numbers(
                [decision.sites.index(site) for site in self._context.sites] or [0]
            ),
        }

    def _eyes_of_zones(self) -> int:
        """Return the address of each zone's mask, by the zone's number."""
        data, everybody = self._context.data, (1 << self._program.seats) - 1
        all_see, found = data.numbers([everybody]), list[int]()
        for zone in self._program.zones.values():
            family = self._context.layout.families[zone.name]
            row = self._sight.row(zone.name, zone.seen, family)
            found += [
                all_see if row is None else row + NUMBER * index
                for index in range(family.count)
            ]
        return data.numbers(found or [0])

    @staticmethod
    def _call(f: Function, name: str, args: Sequence[int | Code], at: int) -> None:
        words = [i32(each) if isinstance(each, int) else each for each in args]
        f.add(f"(call {name} {' '.join(words)} {_to(at)})")

    def _part(self, f: Function, part: Part) -> None:
        memory, data = self._memory, self._context.data
        args: list[int]
        match part:
            case DecisionPart():
                self._call(f, "$show_decision", ["(local.get $seat)"], part.at)
            case PhasePart():
                phase, less = part.phase, 0
                if phase.source is not None:
                    assert isinstance(phase.source.type, Set)
                    less = scalar_least(phase.source.type.member)
                over, passes = int(phase.source is not None), int(part.passes)
                number = memory.phases[phase.name].number
                args = [number, over, less, passes, len(phase.items)]
                self._call(f, "$show_phase", args, part.at)
            case LimitPart(limit=limit):
                args = [memory.taken[limit.address], 1, 0]
                self._call(f, "$show_numbers", args, part.at)
            case CellPart():
                name, type_, seen = part.state.name, part.state.type, part.state.seen
                cells = memory.cells[name]
                row = self._sight.row(name, seen, self._context.layout.families[name])
                if in_words(type_):
                    words = universe_of(type_).words if may_be_no_set(type_) else 0
                    args = [cells.at, part.count, cells.width, entries_of(type_)]
                    args += [8 * words, row or 0]
                    self._call(f, "$show_sets", args, part.at)
                    return
                args = [cells.at, part.count, scalar_least(type_)]
                if row is None:
                    self._call(f, "$show_numbers", args, part.at)
                else:
                    self._call(f, "$show_some", [*args, row], part.at)
            case WherePart(kind=kind, count=count):
                args = [memory.where[kind].at, memory.known[kind].at, count]
                self._call(f, "$show_where", args, part.at)
            case OrderPart() | HiddenPart():
                place = memory.zones[part.zone.name].place
                classes = data.numbers(part.classes) if part.classes else 0
                lying = _to(self._where[part.zone.member.name])
                if isinstance(part, OrderPart):
                    shown = (place, part.count, part.room, lying, classes)
                    self._call(f, "$show_order", shown, part.at)
                else:
                    shown = (place, part.count, part.many, lying, classes)
                    self._call(f, "$show_hidden", shown, part.at)
            case FacePart(kind=kind):
                component = self._program.components[kind]
                die = Param("die", component.kind)
                row = self._sight.row(kind, component.seen, family_of(kind, (die,)))
                least, faces = min(part.faces), part.faces
                numbers = [
                    faces.index(face) if face in faces else HIDDEN
                    for face in range(least, max(faces) + 1)
                ]
                args = [memory.faces[kind].at, memory.known[kind].at, part.count]
                args += [row or 0, least, data.numbers(numbers)]
                self._call(f, "$show_faces", args, part.at)
            case TokenPart(slot=slot, count=count):
                args = [memory.tokens[slot].at, count, 0]
                self._call(f, "$show_numbers", args, part.at)
            case VariablePart():
                self._variable(f, part)

    def _variable(self, f: Function, part: VariablePart) -> None:
        variable, type_ = part.variable, part.variable.type
        frame = self._frames[variable.proc]
        at, many = frame.slots[variable.slot], entries_of(type_)
        is_set = in_words(type_)
        counted = int(bool(variable.kind) and is_set)
        with f.when(f"(i32.eqz {self._known(part)})"):
            none = f"{_to(part.at)} {i32(many + counted)} {i32(NONE)}"
            f.add(f"(call $put_all {none})")
            f.otherwise()
            if is_set:
                present = 8 * universe_of(type_).words if may_be_no_set(type_) else 0
                args = (at, many, present and at + present)
                self._call(f, "$show_set", args, part.at)
            else:
                self._call(f, "$show_numbers", (at, 1, scalar_least(type_)), part.at)
            if counted:
                seen = _to(self._where[variable.kind])
                self._call(f, "$hide_things", (at, many, seen), part.at)
            elif variable.kind:
                self._hide(f, part, at)

    def _hide(self, f: Function, part: VariablePart, at: int) -> None:
        """Hide a thing that the seat does not see; none means no thing."""
        seen = _to(self._where[part.variable.kind])
        thing = load(at)
        with (
            f.when(f"(i32.ge_s {thing} (i32.const 0))"),
            f.when(f"(call $is_hidden {seen} {thing})"),
        ):
            f.add(f"(i32.store {_to(part.at)} {i32(HIDDEN)})")

    def _known(self, part: VariablePart) -> Code:
        """Return whether a variable is known at the current decision."""
        header, variable = self._memory.header, part.variable
        under_way = load(self._frames[variable.proc].at)
        amid = f"(i32.gt_s {load(header['decision'])} (i32.const 1))"
        known = f"(i32.and {amid} (i32.ne {under_way} (i32.const 0)))"
        if variable.sites is None:
            return known
        numbers: Mapping[str, int] = self._context.sites
        here: Code = i32(0)
        for site in sorted(variable.sites & numbers.keys()):
            is_it = f"(i32.eq {load(header['site'])} {i32(numbers[site])})"
            here = f"(i32.or {here} {is_it})"
        return f"(i32.and {known} {here})"


def _to(at: int) -> Code:
    """Return the address of an entry."""
    return f"(i32.add (local.get $to) {i32(NUMBER * at)})"
