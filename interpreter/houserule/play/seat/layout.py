"""Areas of a position, computed once for each program.

The keys of a state family decide where it is shown. Keyed by a player, it is a column
of the players' chart; keyed by a component, it is shown with that component; without a
key, it is a fact. Nothing that a board draws is shown elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.options.options import Decision
from houserule.ir.types import Kind, Position, Set, Type, is_seat
from houserule.ir.walk import asking_statements, option_binds
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import Board, BoardHeads, PositionLayout
from houserule.play.narration.boards.usual import boards_of
from houserule.play.narration.visibility import access_of
from houserule.play.seat.looks import field_of

Sort: TypeAlias = Literal["field", "state", "value", "zone", "tokens"]
Shape: TypeAlias = Literal[
    "players", "board", "zone", "keyed", "dice", "things", "facts"
]

PLAYERS, FACTS = "players", "facts"


def board_key(number: int) -> str:
    """Return the area key of a board, by its index in the manifest."""
    return f"board {number}"


def place_key(number: object) -> str:
    """Return the key of a place that actions name by a number, or by several."""
    return f"@{number}"


def is_place(key: str) -> bool:
    """Return whether a key is that of a place that actions name by a number."""
    return key.startswith("@")


@frozen
class Saying:
    """A state family or field to show for a player, a component or the game.

    `at` is the index of the owner among its keys; -1 if it has no key.
    """

    name: str
    sort: Sort
    keys: tuple[Type, ...]
    at: int = -1


@frozen
class AreaPlan:
    """An area: how it looks, and which family, kind or board it shows.

    `holds` are the zones, kinds of components and key types that a choice may range
    over in it; `over` is the header of a board's columns.
    """

    key: str
    shape: Shape
    name: str = ""
    number: int = 0
    sort: Sort = "state"
    holds: frozenset[str | Type] = frozenset()
    over: Saying | None = None


@frozen
class PositionPlan:
    """The static part of every position of a program.

    Attributes:
        areas: in default order, before a choice moves one to the front.
        things: the values to show for a component, by its kind. If a zone shows other
            values, they are listed by the name of the zone.
        facts: the values to show for the whole game.
        counted: zones whose components are counted, not listed.
        colour: the value that gives the players' colours.
        score: the value to show as a score if the rules have no ranking.
    """

    areas: tuple[AreaPlan, ...]
    players: tuple[Saying, ...]
    things: Mapping[str, tuple[Saying, ...]]
    facts: tuple[Saying, ...]
    counted: frozenset[str]
    colour: Saying | None
    score: Saying | None

    def of_things(self, zone: str, kind: str) -> tuple[Saying, ...]:
        """Return what to show for components of a kind in a zone, or in none ('')."""
        return self.things[zone] if zone in self.things else self.things.get(kind, ())


class PositionPlans:
    """The plans of a ruleset's programs, each computed once."""

    def __init__(self, ruleset: LoadedRuleset) -> None:
        self._ruleset = ruleset
        self._plans: dict[ir.Program, PositionPlan] = {}

    def of(self, program: ir.Program) -> PositionPlan:
        if program not in self._plans:
            self._plans[program] = _Planner(self._ruleset, program).plan()
        return self._plans[program]


@dataclass
class _Planner:
    ruleset: LoadedRuleset
    program: ir.Program
    drawn: set[str] = field(default_factory=set)  # kinds that boards draw

    def __post_init__(self) -> None:
        for board in self._boards:
            self.drawn |= {layer.each for layer in board.draw}
            # A board draws only the names of edge components; their fields may be
            # listed.
            self.drawn |= {*_at_edges(board)} - {*self._wanted.things}
        texts = self.ruleset.texts.values()
        things = {key for each in texts for key in each if key.startswith("things/")}
        self._titled = {key.removeprefix("things/") for key in things}

    @property
    def _boards(self) -> Sequence[Board]:
        return boards_of(self.ruleset)

    @property
    def _wanted(self) -> PositionLayout:
        return self.ruleset.manifest.position

    def plan(self) -> PositionPlan:
        program = self.program
        states = (s for s in program.states.values() if not ir.is_kept(s.name))
        values = (v for v in program.values.values() if not ir.is_kept(v.name))
        every = [
            *(
                self._saying(zone.name, "zone", zone.keys)
                for zone in program.zones.values()
            ),
            *(
                self._saying(slot, "tokens", keys)
                for tokens in program.tokens.values()
                for slot, keys in tokens.slots.items()
            ),
            *(self._saying(state.name, "state", state.keys) for state in states),
            *(self._saying(value.name, "value", value.params) for value in values),
        ]
        said = [each for each in every if self._is_said(each)]
        things = {
            kind: self._things(kind, [s for s in said if self._home(s) == kind])
            for kind in self.program.components
            if kind not in self.drawn
        }
        for zone in self.program.zones.values():
            if zone.name in self._wanted.things:
                kind = zone.member.name
                own = [each for each in said if self._home(each) == kind]
                things[zone.name] = self._things(kind, own, zone.name)
        players = [
            each
            for each in said
            if self._home(each) == PLAYERS
            and not (
                each.sort == "zone" and self.program.zones[each.name].kind == "slot"
            )
        ]
        facts = [each for each in said if not each.keys and each.sort != "zone"]
        boards = []
        for number, board in enumerate(self._boards):
            key, wanted = board_key(number), self._wanted.over_columns
            over = next((each for each in said if each.name == wanted.get(key)), None)
            held = {*(layer.each for layer in board.draw), *_at_edges(board)}
            holds = frozenset(held)
            boards.append(AreaPlan(key, "board", number=number, holds=holds, over=over))
        areas = [AreaPlan(PLAYERS, "players"), *boards]
        homes = {each.name: self._home(each) for each in said if each.sort == "zone"}
        lying = {zone.member.name for zone in self.program.zones.values()}
        free = [
            AreaPlan(
                kind,
                "dice" if component.faces else "things",
                kind,
                holds=frozenset({kind}),
            )
            for kind, component in self.program.components.items()
            if kind not in {*lying, *self.drawn, *self._wanted.hide}
            and (component.faces or changing(things.get(kind, ())))
        ]
        areas += free
        # Zones on the table or in front of a player: dice, open zones, hands, piles.
        ranked: list[tuple[int, str]] = []
        for name in homes:
            zone = self.program.zones[name]
            seats = [is_seat(each.type) for each in zone.keys]
            counted = name in self._wanted.count
            if any(seats) and counted:
                continue
            if seats == [False] or homes[name] not in ("", PLAYERS):
                continue
            if self.program.components[zone.member.name].faces:
                ranked.append((0, name))
            elif any(seats):
                ranked.append((2, name))
            else:
                ranked.append((3 if zone.kind == "pile" or counted else 1, name))
        areas += [
            AreaPlan(name, "zone", name, holds=frozenset({name}))
            for _, name in sorted(ranked, key=lambda each: each[0])
        ]
        areas += [
            AreaPlan(
                each.name,
                "keyed",
                each.name,
                sort=each.sort,
                holds=frozenset({each.name} if each.sort == "zone" else each.keys),
            )
            for each in said
            if each.at < 0
            and (len(each.keys) == 1 or (each.keys and each.sort != "zone"))
            and each not in [board.over for board in boards]
        ]
        areas = [*areas, AreaPlan(FACTS, "facts")]
        places = {name: place for place, name in enumerate(self._wanted.areas)}
        areas.sort(key=lambda each: places.get(each.name or each.key, len(places)))
        return PositionPlan(
            tuple(areas),
            _in_order(players, self._wanted.players),
            things,
            _in_order(facts, self._wanted.facts),
            frozenset(self._wanted.count),
            *(
                next((each for each in players if each.name == wanted), None)
                for wanted in (self._wanted.colour, self._wanted.score)
            ),
        )

    # ---- what is shown

    def _saying(self, name: str, sort: Sort, keys: Sequence[ir.Param]) -> Saying:
        types = tuple(key.type for key in keys)
        for wanted in ("component", "enum", "die", "seat"):
            for at, type_ in enumerate(types):
                if not isinstance(type_, Kind) or type_.sort != wanted:
                    continue
                if wanted == "seat" or type_.name in self.program.components:
                    return Saying(name, sort, types, at)
        return Saying(name, sort, types)

    def _home(self, said: Saying) -> str:
        """Return the kind of a family's owner, `players`, or an empty text."""
        type_ = said.keys[said.at] if said.at >= 0 else None
        if not isinstance(type_, Kind):
            return ""
        return PLAYERS if type_.sort == "seat" else type_.name

    def _is_said(self, said: Saying) -> bool:
        """Return whether a family is for people: physical, or with a name for them."""
        if said.name in self._wanted.hide or self._home(said) in self.drawn:
            return False
        zone = self.program.zones.get(said.name)
        if said.sort == "zone" and zone and zone.member.name in self.drawn:
            return False
        if any(isinstance(key, Set) for key in said.keys):
            return False
        wanted = self._wanted
        every = (wanted.players, wanted.facts, wanted.areas, *wanted.things.values())
        won_by = {
            key.value
            for key in self.program.winning_keys
            if isinstance(key, ir.CallValue) and len(key.args) == 1
        }
        by_name = {self._wanted.colour or "", self._wanted.score or ""}
        if said.name in won_by.union(*every, by_name):
            return True
        match said.sort:
            case "zone" | "tokens":
                return True
            case "state":
                type_ = self.program.states[said.name].type
                titled = said.name in self._titled or not self._titled
                return titled and not isinstance(type_, Position)
            case _:
                return False

    def _things(
        self, kind: str, said: list[Saying], zone: str = ""
    ) -> tuple[Saying, ...]:
        """Return what to show for the components of a kind, or for those in one zone.

        A value is shown only if it is listed; it replaces a field of its name.
        """
        wanted = self._wanted.things.get(zone or kind)
        listed = set(wanted or ())
        said = [each for each in said if each.sort != "value" or each.name in listed]
        component = self.program.components[kind]
        # Without texts, all columns of a table are for people. The parts of a product
        # are in the name of the thing.
        fields = [
            Saying(name, "field", (), 0)
            for name in (*component.fields, *component.keyed)
            if (
                name in wanted
                if wanted is not None
                else f"{kind}.{name}" in self._titled
                or (not self._titled and name not in component.each)
            )
        ]
        own, known = {each.name for each in fields}, {each.name for each in said}
        fields += [
            Saying(name, "field", (), 0)
            for name in wanted or ()
            if name not in own | known and field_of(self.program, kind, name)
        ]
        others = {*self._wanted.hide, *(f"{kind}.{each.name}" for each in said)}
        fields = [each for each in fields if f"{kind}.{each.name}" not in others]
        return _in_order([*fields, *said], wanted or ())

    # ---- areas


def changing(said: Sequence[Saying]) -> bool:
    """Return whether any of these can change; components then need a chart."""
    return any(each.sort != "field" for each in said)


def _at_edges(board: Board) -> list[str]:
    heads = (board.row_heads, board.column_heads)
    return [each.each for each in heads if isinstance(each, BoardHeads)]


def _in_order(said: Sequence[Saying], wanted: Sequence[str]) -> tuple[Saying, ...]:
    places = {name: place for place, name in enumerate(wanted)}
    return tuple(sorted(said, key=lambda each: places.get(each.name, len(places))))


# ---- areas of a choice


def about(
    plan: PositionPlan, program: ir.Program, decision: Decision
) -> frozenset[str]:
    """Return the keys of the areas that a decision chooses from.

    A choice may range over the contents of a zone, the cells of a board, or the keys of
    a family. A player cannot choose among components that are only counted.
    """
    site = asking_statements(program).get(decision.site)
    binds = [site.bind] if site is not None else []
    for step in decision.open_steps:
        for action in program.steps[step].actions:
            binds += option_binds(program.actions[action])
    access = access_of(program)
    reads = access.reads(*(bind.source for bind in binds))
    names: set[str | Type] = {name for sort, name in reads if sort == "zone"}
    for bind in binds:
        type_ = bind.type.member if isinstance(bind.type, Set) else bind.type
        names.add(type_.name if isinstance(type_, Kind) else type_)
    return frozenset(
        area.key
        for area in plan.areas
        if area.holds & names and area.name not in plan.counted
    )
