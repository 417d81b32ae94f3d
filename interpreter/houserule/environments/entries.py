"""The layout of observations, shared by both engines.

A plan is a row of parts; each is a run of entries of the same form. It is made from the
layout of the state and is independent of any one state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.state.domains import printed
from houserule.engine.state.layout import Layout
from houserule.environments.effect_variables import KnownVariable, questions, variables
from houserule.ir.types import (
    Flag,
    Kind,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
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
KINDS = ("over", "act", "choose", "share", "ask")
"""Kinds of decisions, by number."""


class EntryPlan:
    """The parts and the entries of a program's observations.

    Attributes:
        parts: the parts, in order.
        entries: the entries, by index.
    """

    def __init__(self, program: ir.Program, layout: Layout) -> None:
        self._program, self._layout = program, layout
        self.parts: list[Part] = []
        self.entries: list[SeenEntry] = []
        self._decision()
        for state in program.states.values():
            if not ir.is_kept(state.name):
                count, hides = layout.families[state.name].count, state.seen is not None
                self.parts.append(CellPart(self._at, state, count))
                for index in range(count):
                    title = layout.title(state.name, index)
                    self.entries += _of_type(title, state.type, program, hides=hides)
        zones = tuple(
            layout.title(zone, index)
            for zone in program.zones
            for index in range(layout.families[zone].count)
        )
        for kind, count in layout.components.items():
            if kind in layout.members.values():
                self.parts.append(WherePart(self._at, kind, count))
                for label in program.components[kind].labels:
                    name = f"{kind} {label}"
                    last = len(zones) - 1
                    self.entries.append(SeenEntry(name, NONE, last, says=zones))
        for zone in program.zones.values():
            self._zone(zone)
        for kind, faces in layout.faces.items():
            component = program.components[kind]
            low = 0 if component.seen is None else HIDDEN
            distinct = tuple(dict.fromkeys(faces))
            says = tuple(map(str, distinct))
            self.parts.append(FacePart(self._at, kind, distinct, len(component.labels)))
            for label in component.labels:
                name = f"face of {kind} {label}"
                self.entries.append(SeenEntry(name, low, len(distinct) - 1, says=says))
        for tokens in program.tokens.values():
            for slot in tokens.slots:
                count = layout.families[slot].count
                self.parts.append(TokenPart(self._at, slot, count))
                for index in range(count):
                    title = layout.title(slot, index)
                    self.entries.append(SeenEntry(title, 0, tokens.amount))
        for variable in variables(program):
            self._variable(variable)

    @property
    def _at(self) -> int:
        return len(self.entries)

    # ---- the phases

    def _decision(self) -> None:
        program = self._program
        sites = ("", *program.phases, *questions(program))
        seats = program.labels.get("Player") or tuple(map(str, range(program.seats)))
        self.parts.append(DecisionPart(self._at, sites))
        self.entries += [
            SeenEntry("seat", 0, program.seats - 1, says=seats),
            SeenEntry("decides", NONE, program.seats - 1, says=seats),
            SeenEntry("decision", 0, len(KINDS) - 1, says=KINDS),
            SeenEntry("at", NONE, len(sites) - 1, says=sites),
        ]
        for phase in program.phases.values():
            self.parts.append(PhasePart(self._at, phase, phase.times is not None))
            name = f"phase {phase.name}"
            if phase.source is None:
                self.entries.append(SeenEntry(name, NONE, 0))
            else:
                of = phase.source.type
                assert isinstance(of, Set), "a phase goes over a set"
                (item,) = _of_type(name, of.member, self._program, hides=False)
                low, high = item.low, item.high
                self.entries.append(
                    SeenEntry(name, min(low, NONE), high, item.least, item.says)
                )
            if phase.times is not None:
                self.entries.append(
                    SeenEntry(f"{name} passes", NONE, _most(phase.times))
                )
            for child in phase.items:
                self.entries.append(SeenEntry(f"{name} over {child}", NONE, 1))
        for action in program.actions.values():
            for limit in action.limits:
                self.parts.append(LimitPart(self._at, limit))
                self.entries.append(SeenEntry(limit.address, 0, _most(limit.count)))

    def _zone(self, zone: ir.ZoneDef) -> None:
        count = self._layout.families[zone.name].count
        classes, shown = self._classes(zone)
        titles = [self._layout.title(zone.name, index) for index in range(count)]
        if zone.kind == "set":
            if zone.seen is None:
                return
            many = max(len(shown), 1)
            self.parts.append(HiddenPart(self._at, zone, count, classes, many))
            for title in titles:
                for number in range(many):
                    what = f" {shown[number]}" if shown else ""
                    self.entries.append(
                        SeenEntry(f"{title} hidden{what}", 0, zone.member.size)
                    )
            return
        room = 1 if zone.kind == "slot" else zone.member.size
        room = min(room, zone.at_most or room)
        self.parts.append(OrderPart(self._at, zone, count, room, classes))
        labels = self._program.components[zone.member.name].labels
        places = [
            title if zone.kind == "slot" else f"{title}[{place}]"
            for title in titles
            for place in range(room)
        ]
        most = zone.member.size - 1
        self.entries += [SeenEntry(place, NONE, most, says=labels) for place in places]
        if classes:
            last = len(shown) - 1
            self.entries += [
                SeenEntry(f"{place} shows", NONE, last, says=shown) for place in places
            ]

    def _classes(self, zone: ir.ZoneDef) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return a number by thing for its visible features, and these features."""
        if zone.seen is None or not zone.showing:
            return (), ()
        fields = self._program.components[zone.member.name].fields
        columns = [fields[name] for name in zone.showing]
        rows = list(zip(*(values for _, values in columns), strict=True))
        numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        shown = tuple(
            " ".join(
                printed(value, type_, self._program.labels)
                for value, (type_, _) in zip(row, columns, strict=True)
            )
            for row in numbers
        )
        return tuple(numbers[row] for row in rows), shown

    # ---- running procedures

    def _variable(self, variable: KnownVariable) -> None:
        self.parts.append(VariablePart(self._at, variable))
        name = f"{variable.proc}: {variable.name}"
        hides = bool(variable.kind)
        for each in _of_type(name, variable.type, self._program, hides=hides):
            self.entries.append(
                SeenEntry(each.name, NONE, each.high, each.least, each.says)
            )
        if hides and isinstance(_inner(variable.type), Set):
            size = self._layout.components[variable.kind]
            self.entries.append(SeenEntry(f"{name}, hidden", NONE, size))


def _most(node: ir.Expr) -> int:
    """Return the greatest value of an expression."""
    type_ = _inner(node.type)
    return max(type_.high, 0) if isinstance(type_, Whole) else 0


def _inner(type_: Type) -> Type:
    return type_.inner if isinstance(type_, Maybe) else type_


def entries_of(type_: Type) -> int:
    """Return the number of entries of a value: one per possible member for sets."""
    inner = _inner(type_)
    return len(members(inner.member)) if isinstance(inner, Set) else 1


def _of_type(
    name: str, type_: Type, program: ir.Program, *, hides: bool
) -> Iterator[SeenEntry]:
    """Yield the entries of a value of a type."""
    low = NONE if isinstance(type_, Maybe) else HIDDEN if hides else 0
    match _inner(type_):
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
    inner = _inner(type_)
    return inner.low if isinstance(inner, Whole) else 0
