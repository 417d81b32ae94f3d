"""Walking over the core: what is beneath a node, which slots it reads and needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from houserule import ir

_FIELDS: dict[str, tuple[str, ...]] = {}


def _child_fields(node: ir.CoreNode) -> tuple[str, ...]:
    name = type(node).__name__
    found = _FIELDS.get(name)
    if found is None:
        found = _FIELDS[name] = tuple(
            each.name for each in fields(node) if each.name not in {"span", "type"}
        )
    return found


def _nodes_in(value: object) -> Iterator[ir.CoreNode]:
    if isinstance(value, ir.CoreNode):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _nodes_in(each)


def children(node: ir.CoreNode) -> Iterator[ir.CoreNode]:
    """Yield the nodes directly beneath one, in order of writing."""
    if is_dataclass(node):
        for name in _child_fields(node):
            yield from _nodes_in(getattr(node, name))


def beneath(*roots: ir.CoreNode) -> Iterator[ir.CoreNode]:
    """Yield the roots and every node beneath them, parents first."""
    for root in roots:
        yield root
        for child in children(root):
            yield from beneath(child)


def bound_slots(node: ir.CoreNode) -> frozenset[int]:
    """Return the slots that this node itself binds for what is inside it."""
    match node:
        case ir.Bind(slots=slots):
            return frozenset(slots)
        case ir.DiceTest(slot=slot) | ir.ReachedCells(slot=slot):
            return frozenset({slot})
        case ir.LetSlot(slot=slot):
            return frozenset({slot})
        case ir.ShareOut(count_slot=slot):
            return frozenset({slot})
        case _:
            return frozenset()


def slots_read(*roots: ir.CoreNode) -> frozenset[int]:
    """Return the slots that are read beneath the roots but not bound there.

    Slots are given out once in a frame, so a slot that is bound anywhere beneath is
    never one from outside.
    """
    read: set[int] = set()
    bound: set[int] = set()
    for node in beneath(*roots):
        bound |= bound_slots(node)
        if isinstance(node, ir.Local):
            read.add(node.slot)
    return frozenset(read - bound)


def values_called(*roots: ir.CoreNode) -> frozenset[str]:
    """Return the names of declared values that are called beneath the roots."""
    return frozenset(
        node.value for node in beneath(*roots) if isinstance(node, ir.CallValue)
    )


def slots_needed(*roots: ir.CoreNode) -> int:
    """Return how many slots a frame needs for the roots, `me` included."""
    most = 0
    for node in beneath(*roots):
        match node:
            case ir.Local(slot=slot):
                most = max(most, slot)
            case _:
                most = max([most, *bound_slots(node)])
    return most + 1
