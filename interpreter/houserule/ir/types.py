"""The types of the core: every one finite, every value an int, a flag, none or a tuple.

How values look at run time, in every engine's interface:

- a ranged integer is an `int`; yes and no are `True` and `False`;
- a member of a `Kind` (a seat, a card, a die, a suit, an action) is its id, an `int`
  from 0, in the order of declaration;
- "no value" is `None`;
- a set is a tuple of its members in ascending order, without repeats;
- a position is a pair (place of a zone, 0 for the top or 1 for the bottom).
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from houserule.base.frozen import frozen


@frozen
class Whole:
    """The whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@frozen
class Flag:
    """Yes or no."""

    def __str__(self) -> str:
        return "yes or no"


@frozen
class Kind:
    """A closed set of named things: seats, members of an enumeration, cards, dice.

    `sort` says what they are: "seat", "enum", "component", "die" or "action".
    """

    name: str
    size: int
    sort: str = "enum"

    def __str__(self) -> str:
        return self.name


@frozen
class Position:
    """An end of a zone that holds things of one kind."""

    member: Kind

    def __str__(self) -> str:
        return "position"


@frozen
class Maybe:
    """A value of the inner type, or none."""

    inner: Whole | Flag | Kind | Set | Position

    def __str__(self) -> str:
        return f"{self.inner} or none"


@frozen
class Set:
    """A set of members; `part` sets are never empty."""

    member: Whole | Kind
    part: bool = False

    def __str__(self) -> str:
        return f"{'part' if self.part else 'set'} of {self.member}"


Type: TypeAlias = Whole | Flag | Kind | Position | Maybe | Set
Data: TypeAlias = int | bool | tuple[int, ...] | None


def core(type_: Type) -> Whole | Flag | Kind | Set | Position:
    """Return the type without `or none`."""
    return type_.inner if isinstance(type_, Maybe) else type_


def is_seat(type_: Type) -> bool:
    """Return whether values of a type are players, or players or none."""
    inner = core(type_)
    return isinstance(inner, Kind) and inner.sort == "seat"


def members(type_: Type) -> range:
    """Return the members of a scalar type that can key a cell, in order.

    Raises:
        TypeError: the type is neither a range, a flag nor a kind.
    """
    match type_:
        case Whole(low, high):
            return range(low, high + 1)
        case Kind(_, size, _):
            return range(size)
        case Flag():
            return range(2)
        case _:
            raise TypeError(f"{type_} has no plain list of members")


def least(type_: Type) -> Data:
    """Return the first value of a type: none before all, the empty set, the least id.

    A part is never empty: its first value is the set of the first member.
    """
    match type_:
        case Whole(low, _):
            return low
        case Kind():
            return 0
        case Flag():
            return False
        case Maybe():
            return None
        case Set(member, part):
            return (members(member)[0],) if part else ()
        case Position():
            return (0, 0)
        case _:
            assert_never(type_)


def kind_of(type_: Type) -> Kind | None:
    """Return the kind of things that a value is, or is a set of; None if of none."""
    match type_:
        case Maybe(inner):
            return kind_of(inner)
        case Set(Kind() as kind) | (Kind() as kind):
            return kind
        case _:
            return None
