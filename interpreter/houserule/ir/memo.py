"""Memos of nodes: a result computed once for each node of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from houserule import ir

NODE = TypeVar("NODE", bound=ir.CoreNode)
MADE = TypeVar("MADE")


class NodeMemo(Generic[NODE, MADE]):
    """A memoised function of a node.

    A node is known by its identity: an equal node may have another place in the text,
    and comparing nodes would cost more than most results. The memo keeps every node
    that it was asked about, so no other node can come by its identity.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[NODE], MADE]) -> None:
        self._make = make
        self._made: dict[int, tuple[NODE, MADE]] = {}

    def __contains__(self, node: NODE) -> bool:
        """Return whether this node was asked about."""
        return id(node) in self._made

    def __call__(self, node: NODE) -> MADE:
        """Return what is made of this node, made when it is asked for first."""
        found = self._made.get(id(node))
        if found is None:
            found = self._made[id(node)] = (node, self._make(node))
        return found[1]
