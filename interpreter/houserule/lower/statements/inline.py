"""Expressions of an effect, carried over into the frame of an action that pays so."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar, cast

from houserule import ir
from houserule.lower.symbols.scope import Frame

N = TypeVar("N", bound=ir.CoreNode)

_BINDING = (ir.Bind, ir.DiceTest, ir.ReachedCells)


def inlined(node: N, args: Sequence[ir.Expr], frame: Frame) -> N:
    """Return the node with an effect's parameters replaced by arguments.

    The parameters are the slots 1…; every other slot that the node binds gets a new
    one in `frame`.
    """
    known: dict[int, ir.Expr | int] = dict(enumerate(args, 1))
    return cast("N", _carry(node, known, frame))


@cache
def _parts(class_: Hashable) -> tuple[str, ...]:
    assert isinstance(class_, type)
    return tuple(
        each.name for each in fields(class_) if each.name not in {"span", "type"}
    )


def _carry(value: object, known: dict[int, ir.Expr | int], frame: Frame) -> object:
    """Return a copy; fields are visited as written, so binders come before uses."""
    match value:
        case ir.Local(0):
            return value
        case ir.Local(slot):
            meant = known.get(slot, slot)
            if not isinstance(meant, int):
                return replace(meant, span=value.span)
            return replace(value, slot=meant)
        case ir.CoreNode():
            return _carry_node(value, known, frame)
        case tuple():
            return tuple(_carry(each, known, frame) for each in value)
        case _:
            return value


def _carry_node(
    node: ir.CoreNode, known: dict[int, ir.Expr | int], frame: Frame
) -> ir.CoreNode:
    _rename(node, known, frame)
    changes: dict[str, Any] = {}
    class_: Hashable = type(node)  # type: ignore[assignment]  # every class is
    for name in _parts(class_):
        part = getattr(node, name)
        if isinstance(node, _BINDING) and name in {"slot", "slots"}:
            changes[name] = _renamed(part, known)
        else:
            changes[name] = _carry(part, known, frame)
    return replace(node, **changes)


def _rename(node: ir.CoreNode, known: dict[int, ir.Expr | int], frame: Frame) -> None:
    """Give the slots that a node binds new numbers."""
    match node:
        case ir.Bind(slots=slots):
            bound = slots
        case ir.DiceTest(slot=slot) | ir.ReachedCells(slot=slot):
            bound = (slot,)
        case _:
            bound = ()
    for each in bound:
        if each not in known:
            known[each] = frame.take()


def _renamed(
    slots: int | tuple[int, ...], known: dict[int, ir.Expr | int]
) -> int | tuple[int, ...]:
    if isinstance(slots, int):
        meant = known[slots]
        assert isinstance(meant, int)
        return meant
    return tuple(cast("int", known[slot]) for slot in slots)
