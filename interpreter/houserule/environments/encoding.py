"""Encoding: what one seat sees of a game, as a row of small whole numbers.

Every entry has its place, its name and its bounds, known from the program alone. From 0
it counts what there may be: a number from the least of its range, a member, a thing, a
zone in the order of the layout. `HIDDEN` stands for what the seat may not see, `NONE`
for nothing. Of things in zones it says where each of them lies that the seat knows; of
others how many lie in each zone, by what shows of them, or, in a pile and a slot, at
which places. Seats that were shown a thing know it until it moves.

What is remembered of earlier positions, streams of chance, and what others have chosen
unseen are not in it, nor who else was shown a thing.
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
        size: how many entries an observation has.
        entries: what each entry is.
        low: the least of each entry.
        high: the greatest of each entry.
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
        """Return what a seat sees of a game at a decision or over, entry by entry.

        Raises:
            ValueError: the game is of another program, or there is no such seat.
        """
        if game.program is not self.program:
            raise ValueError("the game is not of the program that is encoded")
        if seat not in range(self.program.seats):
            raise ValueError(f"there is no seat {seat}: {self.program.seats} play")
        return _Look(self, game, seat).row()


@lru_cache(maxsize=32)
def encoding_of(program: ir.Program) -> Encoding:
    """Return the encoding of a program, made once."""
    return Encoding(program)


class _Look:
    """One look of a seat at a game."""

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
    """Yield the entries of a value that is seen."""
    bare = _bare(type_)
    if not isinstance(bare, Set):
        yield scalar_entry(value, type_)
    elif value is None:
        yield from (NONE for _ in range(entries_of(bare)))
    else:
        assert isinstance(value, tuple)
        yield from (int(each in value) for each in members(bare.member))


def scalar_entry(value: Data, type_: Type) -> int:
    """Return the entry of a value that is no set."""
    if value is None:
        return NONE
    if isinstance(value, tuple):  # a position
        return 2 * value[0] + value[1]
    return int(value) - scalar_least(type_)
