"""Content equality, with places: what a memo asks before it gives back an old result.

Nodes of the tree leave out their places when they are compared. A memo may not: its
results carry places. Parts that are one object are equal without a look inside, so a
comparison of two versions of a rule costs as much as the difference between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import count
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

VALUE = TypeVar("VALUE")
_Parts: TypeAlias = Callable[[object], tuple[object, ...]]
_PLAIN = frozenset({str, int, bool, float, bytes, type(None)})
_SEQUENCES = (tuple, list)


def same(one: object, other: object) -> bool:
    """Say whether two values have the same content: every field, places included.

    Mappings must also have their keys in the same order.
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in _PLAIN:
        return one == other
    parts = _parts(kind)  # type: ignore[arg-type]  # classes can be hashed
    if parts is not None:
        return _all_same(parts(one), parts(other))
    if isinstance(one, _SEQUENCES):
        return _all_same(one, other)  # type: ignore[arg-type]  # it is of that class
    if isinstance(one, dict) and isinstance(other, dict):
        return _all_same(tuple(one.items()), tuple(other.items()))
    return one == other


def _all_same(
    ones: tuple[object, ...] | list[object], others: tuple[object, ...] | list[object]
) -> bool:
    if len(ones) != len(others):
        return False
    for one, other in zip(ones, others, strict=True):
        if one is not other and not same(one, other):
            return False
    return True


@cache
def _parts(kind: type) -> _Parts | None:
    """Return what gives the fields of a dataclass, or None for another class."""
    if not is_dataclass(kind):
        return None
    names = [each.name for each in fields(kind)]
    if len(names) < 2:
        return lambda value: tuple(getattr(value, name) for name in names)
    return attrgetter(*names)


class ContentNumbers:
    """Numbers for contents: at one place, equal contents have one number.

    Of each place the latest contents are known, at most `latest`; one that was
    forgotten gets another number when it comes again, and no number comes twice.
    """

    LATEST = 100

    def __init__(self, latest: int = LATEST) -> None:
        self._latest = latest
        self._known: dict[object, list[tuple[int, Any]]] = {}
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._known)

    def intern(self, where: object, value: VALUE) -> tuple[int, VALUE]:
        """Return the number of a content, and the object that stands for it."""
        known = self._known.get(where)
        if known is None:
            known = self._known[where] = []
        elif known[0][1] is value:
            return known[0]
        place = _place_in(known, value)
        if place >= 0:
            if place:  # what was met last is likely to be met next
                known.insert(0, known.pop(place))
            return known[0]
        del known[self._latest - 1 :]
        known.insert(0, (next(self._numbers), value))
        return known[0]


def _place_in(known: list[tuple[int, Any]], value: object) -> int:
    """Return where a content stands; -1 if it is not there."""
    # Whether it is the same object is asked of all first: to look inside of the others
    # takes longer than all of these questions.
    for place, (_, content) in enumerate(known):
        if content is value:
            return place
    for place, (_, content) in enumerate(known):
        if same(content, value):
            return place
    return -1
