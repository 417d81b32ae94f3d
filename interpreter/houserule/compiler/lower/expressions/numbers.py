"""Whole numbers: the range of every result, and constants of the core.

Lowering folds operations on constants, so no later pass of the front end has to.
"""

from __future__ import annotations

from typing import assert_never

from houserule import ir
from houserule.base.algebra.arithmetic import OPERATIONS, Operation
from houserule.base.source import NOWHERE, Span
from houserule.ir.types import Whole, core


def result_range(op: Operation, left: Whole, right: Whole) -> Whole:
    """Return the smallest range that surely contains the result.

    A divisor that may be 0 was reported before; 0 is omitted here.
    """
    match op:
        case "mod":
            if right.low > 0:
                if left.low >= 0 and left.high < right.low:
                    return left
                return Whole(0, right.high - 1)
            if right.high < 0:
                return Whole(right.low + 1, 0)
            return Whole(min(0, right.low + 1), max(0, right.high - 1))
        case "/up" | "/down":
            near = [each for each in (-1, 1) if right.low <= each <= right.high]
            rights = [*near, *filter(None, (right.low, right.high))] or [1]
        case "+" | "-" | "*" | "min" | "max":
            rights = [right.low, right.high]
        case _:
            assert_never(op)
    # In two variables, each of these is monotonic in one while the other keeps its
    # sign: the extremes are at the ends, of a divisor also next to 0.
    extremes = [OPERATIONS[op](a, b) for a in (left.low, left.high) for b in rights]
    return Whole(min(extremes), max(extremes))


def absolute_range(range_: Whole) -> Whole:
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


# ---- constants: every number known before play is a constant of the core


def number(value: int, span: Span = NOWHERE) -> ir.Const:
    return ir.Const(value, Whole(value, value), span=span)


def constant(node: ir.Expr) -> int | None:
    """Return the constant number of an expression; None if it is not constant."""
    if isinstance(node, ir.Const) and isinstance(node.type, Whole):
        assert isinstance(node.value, int)
        return node.value
    return None


def binary(op: Operation, left: ir.Expr, right: ir.Expr, span: Span) -> ir.Expr:
    """Return an operation on two numbers; constants are folded."""
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return number(OPERATIONS[op](a, b), span)
    type_ = result_range(op, range_of(left), range_of(right))
    return ir.Binary(op, left, right, type_, span=span)


def negative(node: ir.Expr, span: Span) -> ir.Expr:
    """Return a number with the other sign."""
    known, range_ = constant(node), range_of(node)
    if known is not None:
        return number(-known, span)
    return ir.Unary("-", node, Whole(-range_.high, -range_.low), span=span)


def absolute(node: ir.Expr, span: Span) -> ir.Expr:
    """Return a number without its sign."""
    known = constant(node)
    if known is not None:
        return number(abs(known), span)
    return ir.Unary("abs", node, absolute_range(range_of(node)), span=span)
