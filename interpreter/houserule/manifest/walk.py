"""Every node of a tree. Margins come after what they stand beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from houserule.syntax.tree import Node


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all that stands inside it."""
    yield node
    for name in _parts(type(node)):
        yield from _within(getattr(node, name))


def _within(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield from walk(value)
    elif isinstance(value, tuple):
        for each in value:
            yield from _within(each)


_PARTS: dict[type, tuple[str, ...]] = {}


def _parts(kind: type[Node]) -> tuple[str, ...]:
    """Return the names of a kind of node's parts, looked up once for each kind."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple(each.name for each in fields(kind) if each.name != "span")
    return _PARTS[kind]
