"""How boards read the state: what a name says of a thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from houserule.ir.types import (
    Data,
    Kind,
    Maybe,
    Type,
)
from houserule.narrate.knowledge import Knowledge

if TYPE_CHECKING:
    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import Param, Program

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


@dataclass(frozen=True, slots=True)
class BoardReading:
    """Reads the state of a game, without a viewer all of it."""

    game: ReferenceGame
    knowledge: Knowledge | None = None

    @property
    def program(self) -> Program:
        """The rules that are played."""
        return self.game.program

    def of(self, kind: Kind, thing: int, name: str) -> tuple[Data, Type]:
        """Return what a name says of one thing, with its type.

        A field of the component; else a state, value, zone or place of tokens whose
        only key is the thing. Of a zone it is the number of things there. What the
        viewer may not know is none.

        Raises:
            UnknownOnBoard: there is none of these by that name.
        """
        program, game = self.program, self.game
        match self._sort(kind, name):
            case "field":
                type_, column = program.components[kind.name].fields[name]
                return column[thing], type_
            case "state":
                value = game.cell(name, thing) if self.sees(kind, thing, name) else None
                return value, program.states[name].type
            case "value":
                known = self.sees(kind, thing, name)
                value = game.value(name, thing) if known else None
                return value, program.values[name].type
            case _:
                count = self._count(thing, name)
        if count is None:
            raise UnknownOnBoard(f"{name}({kind.name})")
        return count, AMOUNT

    def sees(self, kind: Kind, thing: int, name: str) -> bool:
        """Say whether the viewer may know what a name says of a thing."""
        match self._sort(kind, name), self.knowledge:
            case "state", Knowledge() as knowledge:
                index = self.game.engine.layout.index(name, (thing,))
                return knowledge.cell(name, index)
            case "value", Knowledge() as knowledge:
                return knowledge.value(name, (thing,))
            case _:
                return True

    def _sort(self, kind: Kind, name: str) -> Literal["field", "state", "value", ""]:
        program = self.program
        component = program.components.get(kind.name)
        if component is not None and name in component.fields:
            return "field"
        if name in program.states and len(program.states[name].keys) == 1:
            return "state"
        if name in program.values and len(program.values[name].params) == 1:
            return "value"
        return ""

    def _count(self, thing: int, name: str) -> int | None:
        program = self.program
        if name in program.zones and len(program.zones[name].keys) == 1:
            return len(self.game.contents(name, thing))
        slots = {slot for tokens in program.tokens.values() for slot in tokens.slots}
        return self.game.tokens(name, thing) if name in slots else None


def readable(program: Program, kind: Kind) -> list[str]:
    """Return every name that `BoardReading.of` knows for a kind."""
    component = program.components.get(kind.name)
    keyed: list[tuple[str, tuple[Param, ...]]] = [
        *((name, each.keys) for name, each in program.states.items()),
        *((name, each.params) for name, each in program.values.items()),
        *((name, each.keys) for name, each in program.zones.items()),
    ]
    for tokens in program.tokens.values():
        keyed += tokens.slots.items()
    names = {name for name, keys in keyed if [k.type for k in keys] == [kind]}
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
