"""Constants of the tree, and their plain values.

Defaults and ranges of options and the settings of presets are constant expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from houserule.arithmetic import DIVISIONS, OPERATIONS, ROUNDED, Operation
from houserule.source import NOWHERE, Span
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.manifest.ruleset import Plain


MEMBERS_AT_MOST = 10_000  # of a constant set that is written as a range


class NotConstantError(Exception):
    """An expression is no constant; the text says why, `span` which part of it."""

    def __init__(self, message: str, span: Span = NOWHERE) -> None:
        super().__init__(message)
        self.span = span


def constant_value(
    expr: tree.Expr, named: Callable[[str], Plain] = lambda name: name
) -> Plain:
    """Return the value of a constant expression.

    `named` says what a name means; left to itself, a name is a member's and stays as
    it is.

    Raises:
        NotConstantError: it is none.
    """
    match expr:
        case tree.Int(value) | tree.Bool(value):
            return value
        case tree.NoneValue():
            return None
        case tree.Name(name):
            return named(name)
        case tree.SetOf(items):
            return [constant_value(item, named) for item in items]
        case tree.RangeSet(low, high):
            return _numbers(constant_number(low, named), constant_number(high, named))
        case tree.Negative(operand):
            return -constant_number(operand, named)
        case tree.Arith(op, left, right):
            return _calculated(op, left, right, named)
        case tree.Divide(left, right, rounding):
            return _calculated(ROUNDED[rounding], left, right, named)
        case _:
            message = "it is not a constant"
            raise NotConstantError(message, expr.span)


def _numbers(low: int, high: int) -> list[Plain]:
    """Return the numbers from one to another: a file of one line asks for no more."""
    if high - low >= MEMBERS_AT_MOST:
        message = f"a set here has {MEMBERS_AT_MOST} members at most"
        raise NotConstantError(message)
    return list(range(low, high + 1))


def constant_number(expr: tree.Expr, named: Callable[[str], Plain]) -> int:
    """Return the value of a constant that is a number.

    Raises:
        NotConstantError: it is none.
    """
    value = constant_value(expr, named)
    if isinstance(value, bool) or not isinstance(value, int):
        message = "it is not a number"
        raise NotConstantError(message, expr.span)
    return value


def _calculated(
    op: Operation, left: tree.Expr, right: tree.Expr, named: Callable[[str], Plain]
) -> int:
    a, b = constant_number(left, named), constant_number(right, named)
    if op in DIVISIONS and b == 0:
        message = "it is divided by 0"
        raise NotConstantError(message)
    return OPERATIONS[op](a, b)
