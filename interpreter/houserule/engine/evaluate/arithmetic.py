"""Expressions over numbers and conditions: arithmetic, comparison, logic, cases."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.arithmetic import OPERATIONS
from houserule.engine.evaluate.context import (
    Code,
    Compiler,
    Frame,
    GameContext,
    Number,
    Truth,
    absent,
)
from houserule.engine.evaluate.work import MANY, spend
from houserule.ir.types import Data, Maybe
from houserule.source import Span
from houserule.state.faults import RuleFault

Arithmetic: TypeAlias = ir.Unary | ir.Binary
Conditional: TypeAlias = (
    ir.CompareValues | ir.IsNone | ir.In | ir.Connective | ir.Cases | ir.OrElse
)
Test: TypeAlias = Callable[[int, int], bool]

ORDER: dict[str, Test] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def arithmetic(c: Compiler, node: Arithmetic) -> Code:
    """Return the code of arithmetic on present numbers, or of `not`."""
    match node:
        case ir.Unary("not", operand):
            test = c.truth(operand)
            return lambda ctx, frame: not test(ctx, frame)
        case ir.Unary("-", operand):
            number = c.number(operand)
            return lambda ctx, frame: -number(ctx, frame)
        case ir.Unary(_, operand):
            number = c.number(operand)
            return lambda ctx, frame: abs(number(ctx, frame))
        case ir.Binary():
            return _binary(c, node)
        case _:
            assert_never(node)


def _binary(c: Compiler, node: ir.Binary) -> Code:
    left, right = c.number(node.left), c.number(node.right)
    match node.op:
        case "+":
            return lambda ctx, frame: left(ctx, frame) + right(ctx, frame)
        case "-":
            return lambda ctx, frame: left(ctx, frame) - right(ctx, frame)
        case "*":
            return lambda ctx, frame: left(ctx, frame) * right(ctx, frame)
        case "min":
            return lambda ctx, frame: min(left(ctx, frame), right(ctx, frame))
        case "max":
            return lambda ctx, frame: max(left(ctx, frame), right(ctx, frame))
        case "/down" | "/up" | "mod":
            return _divided(OPERATIONS[node.op], left, right, node.span)
        case _:
            assert_never(node.op)


def _divided(
    divide: Callable[[int, int], int], left: Number, right: Number, span: Span
) -> Code:
    def code(ctx: GameContext, frame: Frame) -> Data:
        a, b = left(ctx, frame), right(ctx, frame)
        if b == 0:
            raise RuleFault("F08", f"{a} is to be divided by 0.", span)
        return divide(a, b)

    return code


def conditional(c: Compiler, node: Conditional) -> Code:
    """Return the code of a comparison, of logic, of rows or of `else`."""
    match node:
        case ir.CompareValues():
            return _compare(c, node)
        case ir.IsNone(operand):
            value = c.expr(operand)
            return lambda ctx, frame: value(ctx, frame) is None
        case ir.In():
            return _in(c, node)
        case ir.Connective():
            return _logic(c, node)
        case ir.Cases():
            return _cases(c, node)
        case ir.OrElse():
            return _default(c, node)
        case _:
            assert_never(node)


# ---- comparison: with none it is false, but `!=` is the negation of `==`


def _compare(c: Compiler, node: ir.CompareValues) -> Code:
    optional = isinstance(node.left.type, Maybe) or isinstance(node.right.type, Maybe)
    if node.op in ORDER:
        return _ordered(c, node, ORDER[node.op], optional)
    left, right, constant = (
        c.expr(node.left),
        c.expr(node.right),
        c.constant(node.right),
    )
    if constant is not None and constant.value is not None:
        return _equals_constant(left, constant.value, node.op == "==")
    optional = optional or constant is not None
    if not optional and node.op == "==":
        return lambda ctx, frame: left(ctx, frame) == right(ctx, frame)
    if not optional:
        return lambda ctx, frame: left(ctx, frame) != right(ctx, frame)
    return _equals(left, right, node.op == "==")


def _equals_constant(left: Code, value: Data, wanted: bool) -> Code:
    if wanted:
        return lambda ctx, frame: left(ctx, frame) == value
    return lambda ctx, frame: left(ctx, frame) != value


def _equals(left: Code, right: Code, wanted: bool) -> Code:
    def code(ctx: GameContext, frame: Frame) -> Data:
        a = left(ctx, frame)
        return (a == right(ctx, frame) and a is not None) is wanted

    return code


def _ordered(c: Compiler, node: ir.CompareValues, test: Test, optional: bool) -> Code:
    if not optional:
        return _ordered_present(c, node)
    left, right = c.maybe(node.left), c.maybe(node.right)

    def code(ctx: GameContext, frame: Frame) -> Data:
        a, b = left(ctx, frame), right(ctx, frame)
        return a is not None and b is not None and test(a, b)

    return code


def _ordered_present(c: Compiler, node: ir.CompareValues) -> Code:
    left, right = c.number(node.left), c.number(node.right)
    match node.op:
        case ">=":
            return lambda ctx, frame: left(ctx, frame) >= right(ctx, frame)
        case "<=":
            return lambda ctx, frame: left(ctx, frame) <= right(ctx, frame)
        case ">":
            return lambda ctx, frame: left(ctx, frame) > right(ctx, frame)
        case _:
            return lambda ctx, frame: left(ctx, frame) < right(ctx, frame)


# ---- membership: the left side first, false for none


def _in(c: Compiler, node: ir.In) -> Code:
    left, constant = c.expr(node.left), c.constant(node.right)
    if constant is not None and isinstance(constant.value, tuple):
        fixed = frozenset(constant.value)
        return lambda ctx, frame: left(ctx, frame) in fixed
    match node.right:
        case ir.Contents(zone, keys):
            index = c.index(zone, keys, node.right.span)
            return lambda ctx, frame: (
                left(ctx, frame) in ctx.store.zones[zone][index(ctx, frame)]
            )
        case ir.MakeRange(low, high):
            return _in_range(c, node.left, c.number(low), c.number(high))
        case _:
            return _in_set(left, c.expr(node.right), node.span)


def _in_range(c: Compiler, value: ir.Expr, low: Number, high: Number) -> Code:
    number = c.maybe(value)

    def code(ctx: GameContext, frame: Frame) -> Data:
        n, least, most = number(ctx, frame), low(ctx, frame), high(ctx, frame)
        return n is not None and least <= n <= most

    return code


def _in_set(left: Code, right: Code, span: Span) -> Code:
    def code(ctx: GameContext, frame: Frame) -> Data:
        value, members = left(ctx, frame), right(ctx, frame)
        if not isinstance(members, tuple):
            return False
        if len(members) > MANY:
            spend(ctx, len(members), span)
        return value in members

    return code


# ---- logic and choice: what does not matter is not evaluated


def _logic(c: Compiler, node: ir.Connective) -> Code:
    left, right, known = c.truth(node.left), c.truth(node.right), c.constant(node.left)
    if known is not None:
        decided = bool(known.value) is (node.op == "or")
        return c.truth(node.left) if decided else right
    if node.op == "and":
        return lambda ctx, frame: left(ctx, frame) and right(ctx, frame)
    return lambda ctx, frame: left(ctx, frame) or right(ctx, frame)


def _cases(c: Compiler, node: ir.Cases) -> Code:
    rows: list[tuple[Truth, Code]] = []
    otherwise = c.expr(node.otherwise)
    for condition, value in node.rows:
        known = c.constant(condition)
        if known is None:
            rows.append((c.truth(condition), c.expr(value)))
        elif known.value is True:
            otherwise = c.expr(value)
            break
    return _first_row(rows, otherwise)


def _first_row(rows: Sequence[tuple[Truth, Code]], otherwise: Code) -> Code:
    if not rows:
        return otherwise
    if len(rows) == 1:
        test, value = rows[0]
        return lambda ctx, frame: (
            value(ctx, frame) if test(ctx, frame) else otherwise(ctx, frame)
        )

    def code(ctx: GameContext, frame: Frame) -> Data:
        for condition, row in rows:
            if condition(ctx, frame):
                return row(ctx, frame)
        return otherwise(ctx, frame)

    return code


def _default(c: Compiler, node: ir.OrElse) -> Code:
    value, otherwise = c.expr(node.value), c.expr(node.otherwise)

    def code(ctx: GameContext, frame: Frame) -> Data:
        found = value(ctx, frame)
        return otherwise(ctx, frame) if found is None else found

    return code


def present(code: Code, span: Span) -> Code:
    """Return code that raises RuleFault F03 where there is none."""

    def checked(ctx: GameContext, frame: Frame) -> Data:
        value = code(ctx, frame)
        if value is None:
            raise absent(span)
        return value

    return checked
