"""Expressions of an effect, carried over into the frame of an action that pays so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from houserule import ir
from houserule.ir.walk import bound_slots, rebuilt, with_slots
from houserule.lower.symbols.scope import Frame

NODE = TypeVar("NODE", bound=ir.CoreNode)


def inlined(node: NODE, args: Sequence[ir.Expr], frame: Frame) -> NODE:
    """Return the node with an effect's parameters replaced by arguments.

    The parameters are the slots 1…; every other slot that the node binds gets a new
    one in `frame`.
    """
    return cast("NODE", _Inlining(dict(enumerate(args, 1)), frame).carried(node))


@dataclass(slots=True)
class _Inlining:
    """What each slot of the effect becomes: an argument, or a slot of the action."""

    known: dict[int, ir.Expr | int]
    frame: Frame

    def carried(self, node: ir.CoreNode) -> ir.CoreNode:
        """Return a copy; children come in order of writing, so binders before uses."""
        if isinstance(node, ir.Local):
            return self._local(node)
        for slot in bound_slots(node):
            if slot not in self.known:
                self.known[slot] = self.frame.take()
        return with_slots(rebuilt(node, self.carried), self._slot)

    def _local(self, node: ir.Local) -> ir.Expr:
        meant = self.known.get(node.slot, node.slot)
        if node.slot == 0:  # `me` is the same in every frame
            return node
        if isinstance(meant, int):
            return replace(node, slot=meant)
        return replace(meant, span=node.span)

    def _slot(self, slot: int) -> int:
        return cast("int", self.known[slot])
