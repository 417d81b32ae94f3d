"""Formulas: conditions over switches, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TypeAlias, assert_never

from houserule.base.frozen import frozen


@frozen
class On:
    """All these switches are on; without switches, it is true."""

    names: frozenset[str] = frozenset()


@frozen
class Both:
    """Every part is true."""

    parts: tuple[Formula, ...]


@frozen
class Either:
    """Some part is true; without parts, it is false."""

    parts: tuple[Formula, ...] = ()


@frozen
class Off:
    """The part is false."""

    part: Formula


@frozen
class Settled:
    """A condition with a node in a diagram.

    Attributes:
        holds: returns whether it holds if exactly these switches are on.
    """

    node: int
    names: frozenset[str] = field(compare=False)
    holds: Callable[[frozenset[str]], bool] = field(compare=False, repr=False)


Formula: TypeAlias = On | Both | Either | Off | Settled

ALWAYS = On()
NEVER = Either()


def on(*names: str) -> On:
    """Return the condition that all these switches are on."""
    return On(frozenset(names))


def both(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction, without parts that are always true."""
    kept: dict[Formula, None] = {}
    names: frozenset[str] = frozenset()
    for part in parts:
        if part == NEVER:
            return NEVER
        if isinstance(part, On):
            names |= part.names
        else:
            kept[part] = None
    if not kept:
        return On(names)
    every = (On(names), *kept) if names else tuple(kept)
    return every[0] if len(every) == 1 else Both(every)


def either(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction, without parts that are always false."""
    kept = dict.fromkeys(part for part in parts if part != NEVER)
    if ALWAYS in kept:
        return ALWAYS
    return next(iter(kept)) if len(kept) == 1 else Either(tuple(kept))


def off(part: Formula) -> Formula:
    if part == ALWAYS:
        return NEVER
    if part == NEVER:
        return ALWAYS
    return part.part if isinstance(part, Off) else Off(part)


def switches_in(formula: Formula) -> frozenset[str]:
    match formula:
        case On(names):
            return names
        case Both(parts) | Either(parts):
            return frozenset().union(*(switches_in(part) for part in parts))
        case Off(part):
            return switches_in(part)
        case Settled(names=names):
            return names
        case _:
            assert_never(formula)


def holds_in(formula: Formula, table: frozenset[str]) -> bool:
    """Return whether the condition holds if exactly these switches are on."""
    match formula:
        case On(names):
            return names <= table
        case Both(parts):
            return all(holds_in(part, table) for part in parts)
        case Either(parts):
            return any(holds_in(part, table) for part in parts)
        case Off(part):
            return not holds_in(part, table)
        case Settled(holds=holds):
            return holds(table)
        case _:
            assert_never(formula)
