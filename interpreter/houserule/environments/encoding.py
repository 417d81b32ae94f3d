"""Observation encoding: a seat's view of a game as a row of small integers.

The program alone determines the index, name and bounds of every entry. Values count
from 0 for the least of a range, the first member, thing or zone in the order of the
layout. `HIDDEN` means that the seat may not see the value, `NONE` that there is none.
For things in zones, an observation has the zone of each thing that the seat knows. For
others it has the number in each zone by visible features or, in a pile or slot, their
positions. A seat that was shown a thing knows it until it moves.

An observation has no memory of earlier positions, no random streams, no hidden choices
of others, and not who else was shown a thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from houserule import ir
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility
from houserule.environments.entries import (
    HIDDEN,
    KINDS,
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
    SeenEntry,
    TokenPart,
    VariablePart,
    WherePart,
    entries_of,
    scalar_least,
)
from houserule.ir.types import Data, Maybe, Set, Type, members


class Encoding:
    """The observations of a program.

    Attributes:
        size: the number of entries of an observation.
        entries: the meaning of each entry.
        low: the least value of each entry.
        high: the greatest value of each entry.
        names: the name of each entry.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.plan = EntryPlan(program, engine_of(program).layout)
        self.entries: tuple[SeenEntry, ...] = tuple(self.plan.entries)
        self.size = len(self.entries)
        self.low = tuple(entry.low for entry in self.entries)
        self.high = tuple(entry.high for entry in self.entries)
        self.names = tuple(entry.name for entry in self.entries)

    def observe(self, game: ReferenceGame, seat: int) -> list[int]:
        """Return a seat's observation of a game at a decision or at its end.

        Raises:
            ValueError: a game of another program, or an unknown seat.
        """
        if game.program is not self.program:
            raise ValueError("the game is not of the program that is encoded")
        if seat not in range(self.program.seats):
            raise ValueError(f"there is no seat {seat}: {self.program.seats} play")
        return _Look(self, game, seat).row()


@lru_cache(maxsize=32)
def encoding_of(program: ir.Program) -> Encoding:
    """Return the encoding of a program; cached."""
    return Encoding(program)


class _Look:
    """One observation of a game by a seat."""

    def __init__(self, encoding: Encoding, game: ReferenceGame, seat: int) -> None:
        self._plan, self._game, self._seat = encoding.plan, game, seat
        self._program, self._machine = game.program, game.machine
        self._store = game.machine.store
        evaluator = game.engine.evaluator
        self._visible = Visibility(self._program, evaluator, self._store, seat)
        self._frames = {frame.proc: frame for frame in game.machine.frames}

    def row(self) -> list[int]:
        """Return all entries."""
        found: list[int] = []
        for part in self._plan.parts:
            found += self._of(part)
        return found

    def _of(self, part: Part) -> Iterator[int]:
        match part:
            case DecisionPart():
                decision = self._game.decision
                yield self._seat
                if decision is None:
                    yield from (NONE, 0, NONE)
                else:
                    yield decision.seat
                    yield KINDS.index(decision.kind)
                    yield part.sites.index(decision.site)
            case PhasePart():
                phase = part.phase
                under_way = [a for a in self._machine.stack if a.phase == phase.name]
                if not under_way or self._game.decision is None:
                    yield from (NONE for _ in range(1 + part.passes + len(phase.items)))
                    return
                (act,) = under_way
                if phase.source is None:
                    yield 0
                else:
                    assert isinstance(phase.source.type, Set)
                    yield scalar_entry(act.item, Maybe(phase.source.type.member))
                if part.passes:
                    yield act.passes
                yield from (int(child in act.over) for child in phase.items)
            case LimitPart(limit=limit):
                yield self._machine.taken.get(limit.address, 0)
            case CellPart():
                name, type_ = part.state.name, part.state.type
                for index, value in enumerate(self._store.cells[name]):
                    if self._visible.cell(name, index):
                        yield from _value(value, type_)
                    else:
                        yield from (HIDDEN for _ in range(entries_of(type_)))
            case WherePart():
                place = self._store.layout.place
                for thing in range(part.count):
                    lying = self._store.where[part.kind][thing]
                    if not self._visible.thing(part.kind, thing):
                        yield HIDDEN
                    else:
                        yield NONE if lying is None else place(*lying)
            case OrderPart():
                kind, zones = part.zone.member.name, self._store.zones[part.zone.name]
                empty = [[NONE] * (part.room - len(pile)) for pile in zones]
                for pile, rest in zip(zones, empty, strict=True):
                    for thing in pile:
                        yield thing if self._visible.thing(kind, thing) else HIDDEN
                    yield from rest
                if part.classes:
                    for pile, rest in zip(zones, empty, strict=True):
                        yield from (part.classes[thing] for thing in pile)
                        yield from rest
            case HiddenPart():
                kind = part.zone.member.name
                for pile in self._store.zones[part.zone.name]:
                    counts = [0] * part.many
                    for thing in pile:
                        if not self._visible.thing(kind, thing):
                            counts[part.classes[thing] if part.classes else 0] += 1
                    yield from counts
            case FacePart():
                for die, face in enumerate(self._store.faces[part.kind]):
                    if self._visible.face(part.kind, die):
                        yield part.faces.index(face)
                    else:
                        yield HIDDEN
            case TokenPart(slot=slot):
                yield from self._store.tokens[slot]
            case VariablePart():
                yield from self._variable(part)

    def _variable(self, part: VariablePart) -> Iterator[int]:
        variable, decision = part.variable, self._game.decision
        frame = self._frames.get(variable.proc)
        sees = self._sees(variable.kind)
        many = entries_of(variable.type)
        counted = bool(variable.kind) and isinstance(_bare(variable.type), Set)
        known = decision is not None and (
            variable.sites is None or decision.site in variable.sites
        )
        if frame is None or not known:
            yield from (NONE for _ in range(many + counted))
            return
        value = frame.env[variable.slot]
        row = list(_value(value, variable.type))
        if many > 1 or isinstance(_bare(variable.type), Set):
            row = [each if sees(thing) else HIDDEN for thing, each in enumerate(row)]
        elif isinstance(value, int) and not sees(value):
            row = [HIDDEN]
        yield from row
        if counted:
            inside = value if isinstance(value, tuple) else ()
            yield sum(not sees(thing) for thing in inside)

    def _sees(self, kind: str) -> Callable[[int], bool]:
        if not kind:
            return lambda _: True
        return lambda thing: self._visible.thing(kind, thing)


def _bare(type_: Type) -> Type:
    return type_.inner if isinstance(type_, Maybe) else type_


def _value(value: Data, type_: Type) -> Iterator[int]:
    """Yield the entries of a visible value."""
    bare = _bare(type_)
    if not isinstance(bare, Set):
        yield scalar_entry(value, type_)
    elif value is None:
        yield from (NONE for _ in range(entries_of(bare)))
    else:
        assert isinstance(value, tuple)
        yield from (int(each in value) for each in members(bare.member))


def scalar_entry(value: Data, type_: Type) -> int:
    """Return the entry of a value that is not a set."""
    if value is None:
        return NONE
    if isinstance(value, tuple):  # a position
        return 2 * value[0] + value[1]
    return int(value) - scalar_least(type_)
