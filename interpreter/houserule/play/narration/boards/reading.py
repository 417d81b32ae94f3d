"""How boards read the state: what a name says of a thing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from houserule.base.frozen import frozen
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Param, Program, is_kept
from houserule.ir.types import (
    Data,
    Kind,
    Maybe,
    Type,
)

if TYPE_CHECKING:
    from houserule.play.narration.visibility import ViewerVisibility

AMOUNT = Kind("amount", 0)  # how many lie in a zone; none is not printed


class UnknownOnBoard(ValueError):
    """A board names a kind, or something of a thing, that the composed rules lack."""


def kind_of(program: Program, name: str) -> Kind:
    """Return a kind by its name.

    Raises:
        UnknownOnBoard: there is none.
    """
    kind = program.kinds.get(name)
    if kind is None:
        raise UnknownOnBoard(name)
    return kind


@frozen
class Reader:
    """What a name says of the things of a kind.

    Attributes:
        type: of what it says.
        sees: whether the viewer may know what it says of a thing.
        says: what that is, of a thing of which the viewer may know it.
    """

    type: Type
    sees: Callable[[int], bool]
    says: Callable[[int], Data]

    def of(self, thing: int) -> Data:
        """Return what is said of a thing; none if the viewer may not know it."""
        return self.says(thing) if self.sees(thing) else None


class BoardReading:
    """Reads the state of a game.

    Args:
        game: as it is now.
        knowledge: of the viewer; without it all is read.
    """

    def __init__(
        self, game: ReferenceGame, knowledge: ViewerVisibility | None = None
    ) -> None:
        self.game, self.knowledge = game, knowledge
        self.program: Program = game.program
        self._readers: dict[tuple[str, str], Reader] = {}

    def reader(self, kind: Kind, name: str) -> Reader:
        """Return what reads a name of the things of a kind.

        A field of the component; else a state, value, zone or place of tokens whose
        only key is the thing. Of a zone it is the number of things there.

        Raises:
            UnknownOnBoard: there is none of these by that name.
        """
        found = self._readers.get((kind.name, name))
        if found is None:
            found = self._readers[kind.name, name] = self._reader(kind, name)
        return found

    def _reader(self, kind: Kind, name: str) -> Reader:
        program, game = self.program, self.game
        component = program.components.get(kind.name)
        if component is not None and name in component.fields:
            type_, column = component.fields[name]
            return Reader(type_, _always, column.__getitem__)
        if name in program.states and len(program.states[name].keys) == 1:
            type_ = program.states[name].type
            return Reader(type_, self._sees_cell(name), partial(game.cell, name))
        if name in program.values and len(program.values[name].params) == 1:
            type_ = program.values[name].type
            return Reader(type_, self._sees_value(name), partial(game.value, name))
        if name in program.zones and len(program.zones[name].keys) == 1:
            return Reader(
                AMOUNT, _always, lambda thing: len(game.contents(name, thing))
            )
        if any(name in tokens.slots for tokens in program.tokens.values()):
            return Reader(AMOUNT, _always, partial(game.tokens, name))
        raise UnknownOnBoard(f"{name}({kind.name})")

    def _sees_cell(self, name: str) -> Callable[[int], bool]:
        knowledge, index = self.knowledge, self.game.engine.layout.index
        if knowledge is None or self.program.states[name].seen is None:
            return _always
        return lambda thing: knowledge.cell(name, index(name, (thing,)))

    def _sees_value(self, name: str) -> Callable[[int], bool]:
        knowledge = self.knowledge
        if knowledge is None:
            return _always
        return lambda thing: knowledge.value(name, (thing,))


def _always(_: int) -> bool:
    return True


def readable(program: Program, kind: Kind) -> list[str]:
    """Return every name that `BoardReading.reader` knows for a kind."""
    component = program.components.get(kind.name)
    keyed: list[tuple[str, tuple[Param, ...]]] = [
        *((name, each.keys) for name, each in program.states.items()),
        *((name, each.params) for name, each in program.values.items()),
        *((name, each.keys) for name, each in program.zones.items()),
    ]
    for tokens in program.tokens.values():
        keyed += tokens.slots.items()
    names = {
        name
        for name, keys in keyed
        if [k.type for k in keys] == [kind] and not is_kept(name)
    }
    return sorted(names | set(component.fields if component else ()))


def type_of(program: Program, kind: Kind, name: str) -> Type | None:
    """Return the type of what a name says of a kind; None where it has none."""
    component = program.components.get(kind.name)
    if component is not None and name in component.fields:
        return component.fields[name][0]
    declared = program.states.get(name) or program.values.get(name)
    return declared.type if declared else None


def is_seat(type_: Type) -> bool:
    """Say whether values of a type are seats, or seats or none."""
    inner = type_.inner if isinstance(type_, Maybe) else type_
    return isinstance(inner, Kind) and inner.sort == "seat"
