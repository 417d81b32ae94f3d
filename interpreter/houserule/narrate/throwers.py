"""Whose a throw is, where the rules let several seats throw one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.ir.types import Kind
from houserule.ir.walk import beneath, bodies

if TYPE_CHECKING:
    from collections.abc import Mapping


def throwers(program: ir.Program) -> Mapping[str, int]:
    """Return, for throws in a loop over seats, the slot of the seat, by the clause.

    Of loops in each other the innermost counts.
    """
    found: dict[str, int] = {}
    for node in beneath(*bodies(program)):
        if isinstance(node, ir.ForEach) and _over_seats(node):
            for inner in beneath(*node.body):
                if isinstance(inner, ir.RollDice):
                    found[inner.stream] = node.bind.slots[-1]
    return found


def _over_seats(loop: ir.ForEach) -> bool:
    type_ = loop.bind.type
    return isinstance(type_, Kind) and type_.sort == "seat"
