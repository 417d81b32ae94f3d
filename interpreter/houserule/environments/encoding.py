"""Observation encoding: a seat's view of a game as a row of small integers.

The program alone determines the index, name and bounds of every entry. Values count
from 0 for the least of a range, the first member, thing or zone in the order of the
layout. `HIDDEN` means that the seat may not see the value, `NONE` that there is none.
For things in zones, an observation has the zone of each thing that the seat knows. For
others it has the number in each zone by visible features or, in a pile or slot, their
positions. A seat that was shown a thing knows it until it moves.

An observation has no memory of earlier positions, no random streams, no hidden choices
of others, and not who else was shown a thing. Both engines share the parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.domains import printed
from houserule.engine.state.layout import Layout
from houserule.engine.state.view import Visibility
from houserule.environments.effect_variables import KnownVariable, questions, variables
from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
    core,
    members,
)

HIDDEN = -1
"""The value of an entry that the seat may not see."""
NONE = -2
"""The value of an empty entry: no value, no thing, not running."""


@frozen
class SeenEntry:
    """One entry of an observation.

    Attributes:
        name: its label, such as `score(red)` or `deck[3]`.
        low: the least value: `NONE` or `HIDDEN` if possible, else 0.
        high: the greatest value.
        least: the number that the value 0 means: 3 of `2..6` is 1.
        says: the names of the values from 0, if they have names.
    """

    name: str
    low: int
    high: int
    least: int = 0
    says: tuple[str, ...] = ()


@frozen
class CellPart:
    """The cells of a state; the type of each gives its number of entries."""

    at: int
    state: ir.StateDef
    count: int


@frozen
class WherePart:
    """The zone of each thing of a kind, by its number."""

    at: int
    kind: str
    count: int


@frozen
class OrderPart:
    """The things at each position of each zone of a family: piles, and slots.

    `room` is the number of positions of a zone; piles count from the bottom. If things
    have visible features although they are hidden, each position has a second entry,
    after all first ones: the number of its features. `classes` has this number by
    thing; it is empty without features.
    """

    at: int
    zone: ir.ZoneDef
    count: int
    room: int
    classes: tuple[int, ...]


@frozen
class HiddenPart:
    """The number of hidden things in each zone of a family, by visible features."""

    at: int
    zone: ir.ZoneDef
    count: int
    classes: tuple[int, ...]
    many: int  # number of classes, at least one


@frozen
class FacePart:
    """The face of each die of a kind, by its number among the declared faces."""

    at: int
    kind: str
    faces: tuple[int, ...]
    count: int


@frozen
class TokenPart:
    """The number of tokens in each member of a slot."""

    at: int
    slot: str
    count: int


@frozen
class DecisionPart:
    """The observing seat, the deciding seat, the kind of decision, and its site."""

    at: int
    sites: tuple[str, ...]  # phases, then clauses with questions


@frozen
class PhasePart:
    """A phase: its item, its passes if any, then which children are over."""

    at: int
    phase: ir.PhaseDef
    passes: bool


@frozen
class LimitPart:
    """How often a limited action was taken."""

    at: int
    limit: ir.LimitDef


@frozen
class VariablePart:
    """A variable of a running procedure."""

    at: int
    variable: KnownVariable


Part: TypeAlias = (
    CellPart
    | WherePart
    | OrderPart
    | HiddenPart
    | FacePart
    | TokenPart
    | DecisionPart
    | PhasePart
    | LimitPart
    | VariablePart
)
"""A run of entries of the same form; `at` is the index of its first one."""

KINDS = ("over", "act", "choose", "share", "ask")
"""Kinds of decisions, by number."""


class Encoding:
    """The observations of a program.

    Attributes:
        parts: the parts of an observation, in order.
        size: the number of entries of an observation.
        entries: the meaning of each entry.
        low: the least value of each entry.
        high: the greatest value of each entry.
        names: the name of each entry.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program, layout = program, engine_of(program).layout
        self.parts: list[Part] = []
        entries: list[SeenEntry] = []
        sites = ("", *program.phases, *questions(program))
        seats = program.labels.get("Player") or tuple(map(str, range(program.seats)))
        self.parts.append(DecisionPart(len(entries), sites))
        entries += [
            SeenEntry("seat", 0, program.seats - 1, says=seats),
            SeenEntry("decides", NONE, program.seats - 1, says=seats),
            SeenEntry("decision", 0, len(KINDS) - 1, says=KINDS),
            SeenEntry("at", NONE, len(sites) - 1, says=sites),
        ]
        for phase in program.phases.values():
            passes, name = phase.times is not None, f"phase {phase.name}"
            self.parts.append(PhasePart(len(entries), phase, passes))
            item = SeenEntry(name, NONE, 0)
            if phase.source is not None:
                assert isinstance(phase.source.type, Set), "a phase goes over a set"
                (item,) = _of_type(name, phase.source.type.member, program, hides=False)
            low = min(item.low, NONE)
            entries.append(SeenEntry(name, low, item.high, item.least, item.says))
            if phase.times is not None:
                entries.append(SeenEntry(f"{name} passes", NONE, _most(phase.times)))
            for child in phase.items:
                entries.append(SeenEntry(f"{name} over {child}", NONE, 1))
        for action in program.actions.values():
            for limit in action.limits:
                self.parts.append(LimitPart(len(entries), limit))
                entries.append(SeenEntry(limit.address, 0, _most(limit.count)))
        for state in program.states.values():
            if not ir.is_kept(state.name):
                count, hides = layout.families[state.name].count, state.seen is not None
                self.parts.append(CellPart(len(entries), state, count))
                for index in range(count):
                    title = layout.title(state.name, index)
                    entries += _of_type(title, state.type, program, hides=hides)
        zones = tuple(
            layout.title(zone, index)
            for zone in program.zones
            for index in range(layout.families[zone].count)
        )
        for kind, count in layout.components.items():
            if kind in layout.members.values():
                self.parts.append(WherePart(len(entries), kind, count))
                for label in program.components[kind].labels:
                    last = len(zones) - 1
                    entries.append(SeenEntry(f"{kind} {label}", NONE, last, says=zones))
        for zone in program.zones.values():
            count = layout.families[zone.name].count
            titles = [layout.title(zone.name, index) for index in range(count)]
            classes, shown = _features(program, zone)
            if zone.kind == "set":
                if zone.seen is not None:
                    at, whats = len(entries), [f" {each}" for each in shown] or [""]
                    part = HiddenPart(at, zone, count, classes, len(whats))
                    self.parts.append(part)
                    entries += [
                        SeenEntry(f"{title} hidden{what}", 0, zone.member.size)
                        for title in titles
                        for what in whats
                    ]
                continue
            room = 1 if zone.kind == "slot" else zone.member.size
            room = min(room, zone.at_most or room)
            self.parts.append(OrderPart(len(entries), zone, count, room, classes))
            labels = program.components[zone.member.name].labels
            places = [
                title if zone.kind == "slot" else f"{title}[{place}]"
                for title in titles
                for place in range(room)
            ]
            last = zone.member.size - 1
            entries += [SeenEntry(place, NONE, last, says=labels) for place in places]
            if classes:
                last = len(shown) - 1
                entries += [
                    SeenEntry(f"{place} shows", NONE, last, says=shown)
                    for place in places
                ]
        for kind, faces in layout.faces.items():
            component = program.components[kind]
            low = 0 if component.seen is None else HIDDEN
            distinct = tuple(dict.fromkeys(faces))
            says, count = tuple(map(str, distinct)), len(component.labels)
            self.parts.append(FacePart(len(entries), kind, distinct, count))
            for label in component.labels:
                name = f"face of {kind} {label}"
                entries.append(SeenEntry(name, low, len(distinct) - 1, says=says))
        for tokens in program.tokens.values():
            for slot in tokens.slots:
                count = layout.families[slot].count
                self.parts.append(TokenPart(len(entries), slot, count))
                for index in range(count):
                    title = layout.title(slot, index)
                    entries.append(SeenEntry(title, 0, tokens.amount))
        for variable in variables(program):
            self.parts.append(VariablePart(len(entries), variable))
            name = f"{variable.proc}: {variable.name}"
            hides = bool(variable.kind)
            for each in _of_type(name, variable.type, program, hides=hides):
                entries.append(
                    SeenEntry(each.name, NONE, each.high, each.least, each.says)
                )
            if hides and isinstance(core(variable.type), Set):
                size = layout.components[variable.kind]
                entries.append(SeenEntry(f"{name}, hidden", NONE, size))
        self.entries, self.size = tuple(entries), len(entries)
        self.low = tuple(entry.low for entry in entries)
        self.high = tuple(entry.high for entry in entries)
        self.names = tuple(entry.name for entry in entries)

    def observe(self, game: ReferenceGame, seat: int) -> list[int]:
        """Return a seat's observation of a game at a decision or at its end.

        Raises:
            ValueError: a game of another program, or an unknown seat.
        """
        if game.program is not self.program:
            raise ValueError("the game is not of the program that is encoded")
        if seat not in range(self.program.seats):
            raise ValueError(f"there is no seat {seat}: {self.program.seats} play")
        machine, store, decision = game.machine, game.machine.store, game.decision
        visible = Visibility(game.program, game.engine.evaluator, store, seat)
        found: list[int] = []
        for part in self.parts:
            match part:
                case DecisionPart():
                    found.append(seat)
                    if decision is None:
                        found += [NONE, 0, NONE]
                    else:
                        found += [decision.seat, KINDS.index(decision.kind)]
                        found.append(part.sites.index(decision.site))
                case PhasePart(phase=phase):
                    under_way = [
                        act for act in machine.stack if act.phase == phase.name
                    ]
                    if not under_way or decision is None:
                        found += [NONE] * (1 + part.passes + len(phase.items))
                        continue
                    (act,) = under_way
                    if phase.source is None:
                        found.append(0)
                    else:
                        assert isinstance(phase.source.type, Set)
                        item = Maybe(phase.source.type.member)
                        found.append(scalar_entry(act.item, item))
                    if part.passes:
                        found.append(act.passes)
                    found += [int(child in act.over) for child in phase.items]
                case LimitPart(limit=limit):
                    found.append(machine.taken.get(limit.address, 0))
                case CellPart():
                    name, type_ = part.state.name, part.state.type
                    for index, value in enumerate(store.cells[name]):
                        if visible.cell(name, index):
                            found += _value(value, type_)
                        else:
                            found += [HIDDEN] * entries_of(type_)
                case WherePart(kind=kind):
                    for thing, lying in enumerate(store.where[kind]):
                        if not visible.thing(kind, thing):
                            found.append(HIDDEN)
                        else:
                            place = store.layout.place
                            found.append(NONE if lying is None else place(*lying))
                case OrderPart():
                    kind, zones = part.zone.member.name, store.zones[part.zone.name]
                    for pile in zones:
                        for thing in pile:
                            seen = visible.thing(kind, thing)
                            found.append(thing if seen else HIDDEN)
                        found += [NONE] * (part.room - len(pile))
                    for pile in zones if part.classes else ():
                        found += [part.classes[thing] for thing in pile]
                        found += [NONE] * (part.room - len(pile))
                case HiddenPart():
                    kind = part.zone.member.name
                    for pile in store.zones[part.zone.name]:
                        counts = [0] * part.many
                        for thing in pile:
                            if not visible.thing(kind, thing):
                                counts[part.classes[thing] if part.classes else 0] += 1
                        found += counts
                case FacePart(kind=kind):
                    for die, face in enumerate(store.faces[kind]):
                        seen = visible.face(kind, die)
                        found.append(part.faces.index(face) if seen else HIDDEN)
                case TokenPart(slot=slot):
                    found += store.tokens[slot]
                case VariablePart(variable=variable):
                    type_, kind, sites = variable.type, variable.kind, variable.sites
                    is_set, many = isinstance(core(type_), Set), entries_of(type_)
                    counted = bool(kind) and is_set
                    frames = [
                        each for each in machine.frames if each.proc == variable.proc
                    ]
                    known = decision is not None and (
                        sites is None or decision.site in sites
                    )
                    if not frames or not known:
                        found += [NONE] * (many + counted)
                        continue
                    value = frames[-1].env[variable.slot]
                    row = list(_value(value, type_))
                    if kind and is_set:
                        row = [
                            each if visible.thing(kind, thing) else HIDDEN
                            for thing, each in enumerate(row)
                        ]
                    elif kind and isinstance(value, int):
                        row = row if visible.thing(kind, value) else [HIDDEN]
                    found += row
                    if counted:
                        inside = value if isinstance(value, tuple) else ()
                        found.append(
                            sum(not visible.thing(kind, thing) for thing in inside)
                        )
        return found


@lru_cache(maxsize=32)
def encoding_of(program: ir.Program) -> Encoding:
    """Return the encoding of a program; cached."""
    return Encoding(program)


def _features(
    program: ir.Program, zone: ir.ZoneDef
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return a number by thing for its visible features, and these features."""
    if zone.seen is None or not zone.showing:
        return (), ()
    fields = program.components[zone.member.name].fields
    columns = [fields[name] for name in zone.showing]
    rows = list(zip(*(values for _, values in columns), strict=True))
    numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    shown = tuple(
        " ".join(
            printed(value, type_, program.labels)
            for value, (type_, _) in zip(row, columns, strict=True)
        )
        for row in numbers
    )
    return tuple(numbers[row] for row in rows), shown


def _most(node: ir.Expr) -> int:
    """Return the greatest value of an expression."""
    type_ = core(node.type)
    return max(type_.high, 0) if isinstance(type_, Whole) else 0


def _value(value: Data, type_: Type) -> Iterator[int]:
    """Yield the entries of a visible value."""
    inner = core(type_)
    if not isinstance(inner, Set):
        yield scalar_entry(value, type_)
    elif value is None:
        yield from (NONE for _ in range(entries_of(inner)))
    else:
        assert isinstance(value, tuple)
        yield from (int(each in value) for each in members(inner.member))


def scalar_entry(value: Data, type_: Type) -> int:
    """Return the entry of a value that is not a set."""
    if value is None:
        return NONE
    if isinstance(value, tuple):  # a position
        return 2 * value[0] + value[1]
    return int(value) - scalar_least(type_)


def entries_of(type_: Type) -> int:
    """Return the number of entries of a value: one per possible member for sets."""
    inner = core(type_)
    return len(members(inner.member)) if isinstance(inner, Set) else 1


def _of_type(
    name: str, type_: Type, program: ir.Program, *, hides: bool
) -> Iterator[SeenEntry]:
    """Yield the entries of a value of a type."""
    low = NONE if isinstance(type_, Maybe) else HIDDEN if hides else 0
    match core(type_):
        case Set(member):
            for each in members(member):
                said = printed(each, member, program.labels)
                yield SeenEntry(f"{name} has {said}", low, 1)
        case Whole(least, most):
            yield SeenEntry(name, low, max(most - least, 0), least)
        case Kind(kind, size):
            yield SeenEntry(name, low, size - 1, says=program.labels.get(kind, ()))
        case Flag():
            yield SeenEntry(name, low, 1, says=("no", "yes"))
        case Position():
            zones = Layout(program)
            places = sum(zones.families[zone].count for zone in program.zones)
            yield SeenEntry(name, low, 2 * places - 1)
        case _:
            raise AssertionError(f"{type_} within another")


def scalar_least(type_: Type) -> int:
    """Return the value that entry 0 means, for anything but a set."""
    inner = core(type_)
    return inner.low if isinstance(inner, Whole) else 0
