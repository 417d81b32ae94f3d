"""Content equality including source positions, which nodes of a tree ignore in `==`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

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
