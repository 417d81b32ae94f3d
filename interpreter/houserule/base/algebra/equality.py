"""Content equality including source positions, for memos.

Nodes of the tree ignore their source positions in `==`. A memo must not: its results
carry positions. Identical objects are equal without a comparison, so comparing two
versions of a rule costs as much as the difference between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import count
from operator import attrgetter, is_
from typing import Any, TypeAlias, TypeVar

VALUE = TypeVar("VALUE")
_Parts: TypeAlias = Callable[[object], tuple[object, ...]]
_PLAIN = frozenset({str, int, bool, float, bytes, type(None)})
_SEQUENCES = (tuple, list)


def same(one: Any, other: Any) -> bool:  # noqa: ANN401  # any content
    """Return whether two values have equal content: every field and position.

    Mappings must also have their keys in the same order.
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in _PLAIN:
        return bool(one == other)
    parts = _parts(kind)  # type: ignore[arg-type]  # classes can be hashed
    if parts is not None:
        one, other = parts(one), parts(other)
    elif kind is dict:
        one, other = tuple(one.items()), tuple(other.items())
    elif not isinstance(one, _SEQUENCES):
        return bool(one == other)
    if len(one) != len(other):
        return False
    for mine, theirs in zip(one, other, strict=True):
        if mine is not theirs and not same(mine, theirs):
            return False
    return True


@cache
def _parts(kind: type) -> _Parts | None:
    """Return a getter of a dataclass's fields, or None for another class."""
    if not is_dataclass(kind):
        return None
    names = [each.name for each in fields(kind)]
    if len(names) < 2:
        return lambda value: tuple(getattr(value, name) for name in names)
    return attrgetter(*names)


class ContentNumbers:
    """Numbers for contents: in one place, equal contents get one number.

    Each place remembers its last contents. A forgotten one gets a new number when it
    returns; no number is used twice.
    """

    LATEST = 100

    def __init__(self) -> None:
        self._known: dict[object, list[tuple[int, Any]]] = {}
        self._numbers = count()

    def intern(self, where: object, value: VALUE) -> tuple[int, VALUE]:
        """Return the number of a content, and the first equal object."""
        known = self._known.get(where)
        if known is None:
            known = self._known[where] = []
        elif known[0][1] is value:
            return known[0]
        # Compare identities first: comparing contents takes longer than all of these.
        for is_it in (is_, same):
            for place, (_, content) in enumerate(known):
                if is_it(content, value):
                    known.insert(0, known.pop(place))  # likely to come next
                    return known[0]
        del known[self.LATEST - 1 :]
        known.insert(0, (next(self._numbers), value))
        return known[0]
