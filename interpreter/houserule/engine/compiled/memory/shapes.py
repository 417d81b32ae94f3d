"""Shapes of values: a number of 32 bits, or words of 64 bits for a set.

A set that may be `none` has one more word in memory: 1 if it is present. All words of
`none` are 0, so that equal values are equal bytes.
"""

from __future__ import annotations

from houserule.base.frozen import frozen
from houserule.engine.compiled.functions import NONE_VALUE, Unsupported
from houserule.ir import types

WORD = 64
ALL = (1 << WORD) - 1  # every bit of a word
LARGEST = (1 << 30) - 1
PLACES_AT_MOST = 1024  # of a set


@frozen
class Universe:
    """What members a set may have: the least of them, and how many places there are."""

    low: int
    places: int

    @property
    def words(self) -> int:
        """How many words of 64 bits a set takes."""
        return max(1, -(-self.places // WORD))

    def bits(self, members: tuple[int, ...]) -> tuple[int, ...]:
        """Return the words of a set.

        Raises:
            Unsupported: a member lies outside.
        """
        words = [0] * self.words
        for member in members:
            place = member - self.low
            if not 0 <= place < self.places:
                raise Unsupported(f"{member} is not a member of a set from {self.low}")
            words[place // WORD] |= 1 << place % WORD
        return tuple(words)

    def members(self, words: tuple[int, ...]) -> tuple[int, ...]:
        """Return the members of a set, ascending."""
        return tuple(
            self.low + place
            for place in range(self.places)
            if words[place // WORD] >> place % WORD & 1
        )


def universe(type_: types.Type) -> Universe:
    """Return what a set of this type may hold.

    Raises:
        Unsupported: not a set, may be `none`, or too large.
    """
    match type_:
        case types.Set(types.Whole(low, high)):
            return _bounded(Universe(low, max(high - low + 1, 0)))
        case types.Set(types.Kind(size=size)):
            return _bounded(Universe(0, size))
        case _:
            raise Unsupported(f"a set is needed, not {type_}")


def universe_of(type_: types.Type) -> Universe:
    """Return the universe of a set type, even if it may be `none`.

    Raises:
        Unsupported: not a set, or too large.
    """
    return universe(types.core(type_))


def _bounded(space: Universe) -> Universe:
    if space.places > PLACES_AT_MOST:
        raise Unsupported(f"a set that may have {space.places} members")
    return space


def may_be_no_set(type_: types.Type) -> bool:
    """Return whether values of a type are sets or none."""
    return isinstance(type_, types.Maybe) and isinstance(type_.inner, types.Set)


def is_set(type_: types.Type) -> bool:
    """Return whether values of a type are sets, and never none."""
    return isinstance(type_, types.Set)


def in_words(type_: types.Type) -> bool:
    """Return whether values of a type are kept in words: sets, or sets or none."""
    return is_set(type_) or may_be_no_set(type_)


def words_of(type_: types.Type) -> int:
    """Return how many words of 64 bits a value takes in memory, at least one.

    Raises:
        Unsupported: a set too large.
    """
    if not in_words(type_):
        return 1
    return universe_of(type_).words + may_be_no_set(type_)


def kept_words(type_: types.Type, value: types.Data) -> tuple[int, ...]:
    """Return the words in which a set is kept, or none if the type has it.

    Raises:
        Unsupported: a member lies outside, or a set that is never none is.
    """
    space = universe_of(type_)
    if is_set(type_):
        return space.bits(members(value))
    there = value is not None
    return (*space.bits(members(value) if there else ()), int(there))


def bounds(type_: types.Type) -> tuple[int, int] | None:
    """Return the least and the greatest number of a type, none apart, if any."""
    match type_:
        case types.Maybe(inner):
            return bounds(inner)
        case types.Whole(low, high):
            return low, high
        case types.Kind(size=size):
            return 0, size - 1
        case types.Flag():
            return 0, 1
        case _:
            return None


def fits(type_: types.Type) -> None:
    """Raise unless the numbers of a type fit the module's numbers.

    Raises:
        Unsupported: they do not, or the type is one of sets.
    """
    if in_words(type_):
        raise Unsupported(f"{type_} as a number")
    low, high = bounds(type_) or (0, 0)
    if low <= high and not -LARGEST <= low <= high <= LARGEST:
        raise Unsupported(f"numbers from {low} to {high}")


def scalar(value: types.Data) -> int:
    """Return a plain value as a number of the module.

    Raises:
        Unsupported: a number that has no room.
    """
    match value:
        case None:
            return NONE_VALUE
        case (place, end):
            return place * 2 + end
        case tuple():
            raise Unsupported("a set as a number")
        case _ if -LARGEST <= value <= LARGEST:
            return int(value)
        case _:
            raise Unsupported(f"the number {value}")


def members(value: types.Data) -> tuple[int, ...]:
    """Return a set's members.

    Raises:
        Unsupported: the value is `none`.
    """
    if not isinstance(value, tuple):
        raise Unsupported("none as a set")
    return value


def part_of(type_: types.Type) -> bool:
    """Return whether sets of a type are never empty."""
    inner = types.core(type_)
    return isinstance(inner, types.Set) and inner.part
