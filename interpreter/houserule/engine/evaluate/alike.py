"""Alike things: whether two are alike, and the classes of a set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from houserule import ir
from houserule.engine.evaluate.work import spend
from houserule.ir.subsets import alike_parts
from houserule.ir.types import Data

if TYPE_CHECKING:
    from houserule.engine.evaluate.context import (
        Compiler,
        Frame,
        GameContext,
        Items,
        Truth,
    )

Classes: TypeAlias = "Callable[[GameContext, Frame], list[list[int]]]"
"""Gives the members of a set, each with those that are alike, by their least ids."""


def alike(c: Compiler, node: ir.Alike) -> Truth:
    """Return the test whether two things are alike, as far as `ir.Alike` says."""
    left, right, kind = c.number(node.left), c.number(node.right), node.kind.name
    rows, place, known = c.program.components[kind].alike, node.place, node.known
    sets = {name for name, zone in c.program.zones.items() if zone.kind == "set"}

    def code(ctx: GameContext, frame: Frame) -> bool:
        one, other = left(ctx, frame), right(ctx, frame)
        if rows[one] != rows[other]:
            return False
        store = ctx.store
        if known and store.known[kind][one] != store.known[kind][other]:
            return False
        if not place:
            return True
        lying = store.where[kind][one]
        inside = lying is None or lying[0] in sets
        return inside and lying == store.where[kind][other]

    return code


def classes_of(c: Compiler, node: ir.Distinct) -> Classes:
    """Return the code of the classes of alike members of a set."""
    members, test = c.members(node.operand), c.truth(node.alike)
    (one, other), span = node.slots, node.span

    def code(ctx: GameContext, frame: Frame) -> list[list[int]]:
        things = members(ctx, frame)
        spend(ctx, len(things), span)
        found: list[list[int]] = []
        for thing in things:
            frame[other] = thing
            for each in found:
                frame[one] = each[0]
                if test(ctx, frame):
                    each.append(thing)
                    break
            else:
                found.append([thing])
        return found

    return code


def parts_of(c: Compiler, bind: ir.Bind, node: ir.Distinct) -> Items:
    """Return the code of the parts of a set, of alike ones one; each counts."""
    classes, low, high, span = classes_of(c, node), bind.low, bind.high, node.span

    def counted(ctx: GameContext, frame: Frame) -> Iterator[Data]:
        found = classes(ctx, frame)
        for part in alike_parts(found, low, high):
            spend(ctx, 1, span)
            yield part

    return counted
