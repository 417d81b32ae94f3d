"""Whole numbers: the range of every result, and what is known before play."""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule import ir
from houserule.ir.types import Whole
from houserule.lower.types.types import core

Operation: TypeAlias = Literal["+", "-", "*", "/up", "/down", "mod", "min", "max"]


def result_range(op: Operation, left: Whole, right: Whole) -> Whole:
    """Return the smallest range that surely holds the result.

    A divisor that may be 0 was reported before; 0 is left out of it here.
    """
    match op:
        case "+":
            return Whole(left.low + right.low, left.high + right.high)
        case "-":
            return Whole(left.low - right.high, left.high - right.low)
        case "min":
            return Whole(min(left.low, right.low), min(left.high, right.high))
        case "max":
            return Whole(max(left.low, right.low), max(left.high, right.high))
        case "mod":
            return _remainder(left, right)
        case "*":
            ends = [a * b for a in _ends(left) for b in _ends(right)]
        case "/up":
            ends = [-(-a // b) for a in _ends(left) for b in _divisors(right)]
        case "/down":
            ends = [a // b for a in _ends(left) for b in _divisors(right)]
    return Whole(min(ends), max(ends))


def _ends(range_: Whole) -> tuple[int, int]:
    return range_.low, range_.high


def _divisors(range_: Whole) -> list[int]:
    near = [each for each in (-1, 1) if range_.low <= each <= range_.high]
    ends = [each for each in _ends(range_) if each]
    return near + ends or [1]


def _remainder(left: Whole, right: Whole) -> Whole:
    """Return the range of a floored remainder: it has the sign of the divisor."""
    if right.low > 0:
        if left.low >= 0 and left.high < right.low:
            return left
        return Whole(0, right.high - 1)
    if right.high < 0:
        return Whole(right.low + 1, 0)
    return Whole(min(0, right.low + 1), max(0, right.high - 1))


def times_up_to(range_: Whole, most: int) -> Whole:
    """Return the range of a sum of up to `most` such numbers."""
    return Whole(min(0, range_.low * most), max(0, range_.high * most))


def absolute(range_: Whole) -> Whole:
    """Return the range of the number without its sign."""
    if range_.low >= 0:
        return range_
    if range_.high <= 0:
        return Whole(-range_.high, -range_.low)
    return Whole(0, max(-range_.low, range_.high))


def range_of(node: ir.Expr) -> Whole:
    """Return the range of a number; of anything else (reported before) just 0."""
    found = core(node.type)
    return found if isinstance(found, Whole) else Whole(0, 0)


def constant(node: ir.Expr) -> int | None:
    """Return the number an expression is known to be before play, else None."""
    found = node.type
    if isinstance(found, Whole) and found.low == found.high and _is_fixed(node):
        return found.low
    return None


def _is_fixed(node: ir.Expr) -> bool:
    match node:
        case ir.Const():
            return True
        case ir.Unary(_, operand):
            return _is_fixed(operand)
        case ir.Binary(_, left, right):
            return _is_fixed(left) and _is_fixed(right)
        case _:
            return False


def number(value: int, node: ir.Expr | None = None) -> ir.Const:
    """Return a known number, placed where `node` stands."""
    type_ = Whole(value, value)
    return (
        ir.Const(value, type_)
        if node is None
        else ir.Const(value, type_, span=node.span)
    )
