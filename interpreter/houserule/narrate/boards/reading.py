"""How boards read the state: what a name says of a thing."""

from __future__ import annotations

from houserule.engine.play.game import ReferenceGame
from houserule.ir import Param, Program
from houserule.ir.types import (
    Data,
    Kind,
    Maybe,
    Type,
)

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


def read(game: ReferenceGame, kind: Kind, thing: int, name: str) -> tuple[Data, Type]:
    """Return what a name says of one thing, with its type.

    A field of the component; else a state, value, zone or place of tokens whose only
    key is the thing. Of a zone it is the number of things there.

    Raises:
        UnknownOnBoard: there is none of these by that name.
    """
    program = game.program
    component = program.components.get(kind.name)
    if component is not None and name in component.fields:
        type_, column = component.fields[name]
        return column[thing], type_
    if name in program.states and len(program.states[name].keys) == 1:
        return game.cell(name, thing), program.states[name].type
    if name in program.values and len(program.values[name].params) == 1:
        return game.value(name, thing), program.values[name].type
    count = _count(game, thing, name)
    if count is None:
        raise UnknownOnBoard(f"{name}({kind.name})")
    return count, AMOUNT


def _count(game: ReferenceGame, thing: int, name: str) -> int | None:
    program = game.program
    if name in program.zones and len(program.zones[name].keys) == 1:
        return len(game.contents(name, thing))
    slots = {slot for tokens in program.tokens.values() for slot in tokens.slots}
    return game.tokens(name, thing) if name in slots else None


def readable(program: Program, kind: Kind) -> list[str]:
    """Return every name that `read` knows for a kind."""
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


def is_seat(type_: Type) -> bool:
    """Say whether values of a type are seats, or seats or none."""
    inner = type_.inner if isinstance(type_, Maybe) else type_
    return isinstance(inner, Kind) and inner.sort == "seat"
