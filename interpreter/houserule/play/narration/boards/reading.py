"""State readers of boards: the value that a name has for a component."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Param, Program, is_kept
from houserule.ir.types import Data, Kind, Maybe, Set, Type, Whole, is_seat

if TYPE_CHECKING:
    from houserule.play.narration.visibility import ViewerVisibility

AMOUNT = Kind("amount", 0)  # how many components a zone has; zero is not printed
Ways: TypeAlias = tuple[tuple[int, int], ...]
"""The ends of lines from the middle of a place: right and down, in hundredths of its
width."""
SIDES = (0, -50), (50, 0), (0, 50), (-50, 0)  # above, right, below, left
NO_WAYS = "is not a set of directions: of members with two numbers as fields."
LINES = ("", *"╵╶└╷│┌├╴┘─┴┐┤┬┼")  # by the sum of the sides: 1, 2, 4, 8


class UnknownOnBoard(ValueError):
    """A board names a kind or an attribute that the composed rules lack."""


def kind_of(program: Program, name: str) -> Kind:
    """Return a kind by its name.

    Raises:
        UnknownOnBoard: there is no such kind.
    """
    kind = program.kinds.get(name)
    if kind is None:
        raise UnknownOnBoard(name)
    return kind


def ends_of(
    line: Sequence[int | str] | None, program: Program
) -> tuple[int, int] | None:
    """Return the first and last row or column of a board, some of them options.

    Raises:
        UnknownOnBoard: there is no such option, it is not a number, or one too large
            for a board.
    """
    if line is None:
        return None
    found = [program.options.get(e) if isinstance(e, str) else e for e in line]
    for word, number in zip(line, found, strict=True):
        if type(number) is not int or abs(number) > limit("lines"):
            raise UnknownOnBoard(str(word))
    first, last = found
    assert isinstance(first, int)
    assert isinstance(last, int)
    return first, last


def ways_of(
    program: Program, type_: Type | None, value: Data, lean: float = 0.0
) -> Ways:
    """Return a set of directions as lines from the middle of a place.

    The first two number fields of a direction are its rows down and columns right.
    Each row of the board lies `lean` columns further right than the one above.

    Raises:
        UnknownOnBoard: the type is not a set of such members.
    """
    inner = type_.inner if isinstance(type_, Maybe) else type_
    member = inner.member if isinstance(inner, Set) else None
    kind = program.components.get(member.name) if isinstance(member, Kind) else None
    fields = kind.fields.values() if kind is not None else ()
    columns = [column for each, column in fields if isinstance(each, Whole)][:2]
    if len(columns) < 2:
        raise UnknownOnBoard(NO_WAYS)
    high = sqrt(0.75) if lean else 1.0
    found: list[tuple[int, int]] = []
    for item in value if isinstance(value, tuple) else ():
        down, right = (column[item] for column in columns)
        assert isinstance(down, int)
        assert isinstance(right, int)
        found.append((round(50 * (right + down * lean)), round(50 * down * high)))
    return tuple(found)


def lined(ways: Ways) -> str:
    """Return lines to the four sides in three letters, for a drawing as text.

    Other directions cannot be drawn with letters; without a side, the text is empty.
    """
    north, east, south, west = (side in ways for side in SIDES)
    middle = LINES[north + 2 * east + 4 * south + 8 * west]
    return f"{'─' if west else ' '}{middle}{'─' if east else ' '}" if middle else ""


@frozen
class Reader:
    """Reads one attribute of the components of a kind.

    Attributes:
        sees: returns whether the viewer may know a component's value.
        says: returns a component's value, which the viewer may know.
    """

    type: Type
    sees: Callable[[int], bool]
    says: Callable[[int], Data]

    def of(self, thing: int) -> Data:
        """Return a component's value; none if the viewer may not know it."""
        return self.says(thing) if self.sees(thing) else None


class BoardReading:
    """Reads the state of a game.

    Args:
        knowledge: the viewer's knowledge; without it, everything is read.
    """

    def __init__(
        self, game: ReferenceGame, knowledge: ViewerVisibility | None = None
    ) -> None:
        self.game, self.knowledge = game, knowledge
        self.program: Program = game.program
        self._readers: dict[tuple[str, str], Reader] = {}

    def reader(self, kind: Kind, name: str) -> Reader:
        """Return the reader of a name for the components of a kind.

        The name is a field, or a state, value, zone or token place whose only key is
        the component. A zone's value is the number of its components.

        Raises:
            UnknownOnBoard: the name is none of these.
        """
        found = self._readers.get((kind.name, name))
        if found is not None:
            return found
        program, game, knowledge = self.program, self.game, self.knowledge
        component = program.components.get(kind.name)
        sees: Callable[[int], bool] = _always
        if component is not None and name in component.fields:
            type_, column = component.fields[name]
            found = Reader(type_, sees, column.__getitem__)
        elif name in program.states and len(program.states[name].keys) == 1:
            state, index = program.states[name], game.engine.layout.index
            if knowledge is not None and state.seen is not None:
                sees = lambda thing: knowledge.cell(name, index(name, (thing,)))  # noqa: E731
            found = Reader(state.type, sees, partial(game.cell, name))
        elif name in program.values and len(program.values[name].params) == 1:
            if knowledge is not None:
                sees = lambda thing: knowledge.value(name, (thing,))  # noqa: E731
            found = Reader(program.values[name].type, sees, partial(game.value, name))
        elif name in program.zones and len(program.zones[name].keys) == 1:
            found = Reader(AMOUNT, sees, lambda thing: len(game.contents(name, thing)))
        elif any(name in tokens.slots for tokens in program.tokens.values()):
            found = Reader(AMOUNT, sees, partial(game.tokens, name))
        else:
            raise UnknownOnBoard(f"{name}({kind.name})")
        self._readers[kind.name, name] = found
        return found

    def is_fixed(self, kind: Kind, name: str) -> bool:
        """Return whether a name is a field, or a value that depends on fields alone."""
        component = self.program.components.get(kind.name)
        if component is not None and name in component.fields:
            return True
        return self.game.engine.evaluator.is_fixed(name)

    def for_each_seat(self, kind: Kind, name: str, thing: int) -> tuple[Data, ...]:
        """Return the value of a name for a component and each seat.

        The name is one that `reader` accepts, or a value with the component and a
        player as its keys; none if the viewer may not know it.

        Raises:
            UnknownOnBoard: the name is none of these.
        """
        seats = range(self.program.seats)
        value = self.program.values.get(name)
        if value is not None and len(value.params) == 2:
            known = self.knowledge
            return tuple(
                self.game.value(name, thing, seat)
                if known is None or known.value(name, (thing, seat))
                else None
                for seat in seats
            )
        return (self.reader(kind, name).of(thing),) * len(seats)


def _always(_: int) -> bool:
    return True


def readable(program: Program, kind: Kind) -> list[str]:
    """Return every name that `BoardReading.reader` accepts for a kind."""
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


def places_of(program: Program, kind: Kind) -> list[str]:
    """Return every name that `BoardReading.for_each_seat` accepts for a kind."""
    keyed = {
        name
        for name, value in program.values.items()
        if [is_seat(key.type) for key in value.params[1:]] == [True]
        and value.params[0].type == kind
    }
    return sorted(keyed.union(readable(program, kind)))


def type_of(program: Program, kind: Kind, name: str) -> Type | None:
    """Return the type of a name's values for a kind; None if it has none."""
    component = program.components.get(kind.name)
    if component is not None and name in component.fields:
        return component.fields[name][0]
    declared = program.states.get(name) or program.values.get(name)
    return declared.type if declared else None
