"""The domain of a type: its values, the least of them, how they are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias, assert_never

from pydantic import JsonValue

from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
    members,
)

Labels: TypeAlias = Mapping[str, tuple[str, ...]]
Json: TypeAlias = JsonValue


def fits(type_: Type) -> Callable[[Data], bool]:
    """Return the test whether a value belongs to a type.

    A flag is not a number, and a number is not a flag. For a position only the shape is
    tested.
    """
    match type_:
        case Whole(low, high):
            return lambda value: type(value) is int and low <= value <= high
        case Kind(size=size):
            return lambda value: type(value) is int and 0 <= value < size
        case Flag():
            return lambda value: type(value) is bool
        case Position():
            return lambda value: type(value) is tuple and len(value) == 2
        case Maybe(inner):
            inside = fits(inner)
            return lambda value: value is None or inside(value)
        case Set(member, part):
            every = members(member)
            low, high = every[0] if every else 0, every[-1] if every else -1

            def test(value: Data) -> bool:
                if type(value) is not tuple:
                    return False
                before = low - 1
                for each in value:
                    if type(each) is not int or each <= before:
                        return False
                    before = each
                return before <= high and (bool(value) or not part)

            return test
        case _:
            assert_never(type_)


def size_of(type_: Type) -> int | None:
    """Return how many values a type has; None for a position, which is not counted."""
    match type_:
        case Whole(low, high):
            return max(high - low + 1, 0)
        case Kind(size=size):
            return size
        case Flag():
            return 2
        case Maybe(inner):
            inside = size_of(inner)
            return None if inside is None else inside + 1
        case Set(member, part):
            return int(2 ** len(members(member))) - part
        case Position():
            return None
        case _:
            assert_never(type_)


def values_of(type_: Type) -> Iterator[Data]:
    """Yield the values of a type: none first, sets by size, then by members.

    Raises:
        TypeError: a position has no list of values.
    """
    match type_:
        case Maybe(inner):
            yield None
            yield from values_of(inner)
        case Flag():
            yield from (False, True)
        case Set(member, part):
            every = members(member)
            for size in range(int(part), len(every) + 1):
                yield from combinations(every, size)
        case _:
            yield from members(type_)


def plain(value: Data, type_: Type, labels: Labels) -> Json:
    """Return a value as people write it: names for members, lists for sets."""
    if value is None:
        return None
    match type_:
        case Maybe(inner):
            return plain(value, inner, labels)
        case Set(member) if isinstance(value, tuple):
            return [plain(each, member, labels) for each in value]
        case Position() if isinstance(value, tuple):
            return list(value)
        case Kind(name) if isinstance(value, int):
            return labels[name][value] if name in labels else value
        case Flag():
            return bool(value)
        case _:
            assert not isinstance(value, tuple)
            return value


def printed(value: Data, type_: Type, labels: Labels) -> str:
    """Return a value as a word of a sentence."""
    shown = plain(value, type_, labels)
    match shown:
        case None:
            return "none"
        case True:
            return "yes"
        case False:
            return "no"
        case list():
            return "{" + ", ".join(str(each) for each in shown) + "}"
        case _:
            return str(shown)
