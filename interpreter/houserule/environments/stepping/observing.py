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
from houserule.environments.encoding import (
    HIDDEN,
    NONE,
    CellPart,
    DecisionPart,
    Encoding,
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

    def __init__(self, parts: Parts, encoding: Encoding) -> None:
        self._context: CompilationContext = parts.context
        self._program, self._memory = parts.context.program, parts.context.memory
        self._parts, self._frames = encoding.parts, parts.procedures.frames
        self._sight = VisibilityRows(
            parts.context,
            parts.reaches,
            parts.versions,
            parts.translator,
            "$look_who_observes",
        )
        self._where = {
            part.kind: part.at for part in self._parts if isinstance(part, WherePart)
        }

    def write(self) -> dict[str, int]:
        """Write it; return the addresses that the handwritten part needs.

        Raises:
            Unsupported: visibility depends on running procedures.
        """
        f = Function("$observe", (("$seat", "i32"), ("$to", "i32")))
        f.add("(global.set $eye (i32.shl (i32.const 1) (local.get $seat)))")
        f.add("(call $look_who_observes)")
        data, layout = self._context.data, self._context.layout
        all_see, eyes = data.numbers([(1 << self._program.seats) - 1]), list[int]()
        for zone in self._program.zones.values():
            family = layout.families[zone.name]
            row = self._sight.row(zone.name, zone.seen, family)
            eyes += [
                all_see if row is None else row + NUMBER * index
                for index in range(family.count)
            ]
        eyes_of_zones = data.numbers(eyes or [0])
        # Locations come first: all other parts about things read them.
        for part in sorted(
            self._parts, key=lambda each: not isinstance(each, WherePart)
        ):
            self._part(f, part)
        self._context.functions += [self._sight.looking, f]
        sizes = layout.components.values()
        (decision,) = (p for p in self._parts if isinstance(p, DecisionPart))
        return {
            "entry_none": NONE,
            "entry_hidden": HIDDEN,
            "eyes_of_zones": eyes_of_zones,
            "things_lying": data.room(NUMBER * max(*sizes, 1, 1)),
            "numbers_of_sites": data.numbers(
                [decision.sites.index(site) for site in self._context.sites] or [0]
            ),
        }

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
            case VariablePart(variable=variable):
                type_, kind = variable.type, variable.kind
                at = self._frames[variable.proc].slots[variable.slot]
                many, is_set = entries_of(type_), in_words(type_)
                counted = int(bool(kind) and is_set)
                lying = _to(self._where[kind]) if kind else ""
                with f.when(f"(i32.eqz {self._known(part)})"):
                    none = f"{_to(part.at)} {i32(many + counted)} {i32(NONE)}"
                    f.add(f"(call $put_all {none})")
                    f.otherwise()
                    if is_set:
                        optional = may_be_no_set(type_)
                        present = at + 8 * universe_of(type_).words if optional else 0
                        self._call(f, "$show_set", (at, many, present), part.at)
                    else:
                        args = [at, 1, scalar_least(type_)]
                        self._call(f, "$show_numbers", args, part.at)
                    if counted:
                        self._call(f, "$hide_things", (at, many, lying), part.at)
                    elif kind:  # hide a thing that the seat does not see
                        with (
                            f.when(f"(i32.ge_s {load(at)} (i32.const 0))"),
                            f.when(f"(call $is_hidden {lying} {load(at)})"),
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
