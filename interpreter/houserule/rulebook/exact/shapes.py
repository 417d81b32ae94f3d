"""Shapes of the core that have a word of their own, or are constant."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Literal, TypeAlias

from houserule import ir
from houserule.ir.types import Kind, Whole, core, is_seat

OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}
MIRRORED = {"==": "==", "!=": "!=", ">=": "<=", "<=": ">=", ">": "<", "<": ">"}
_HOLDS = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def neighbour(expr: ir.Expr) -> tuple[Literal["next", "previous"], ir.Expr] | None:
    """Return which neighbour of which seat this is, None if it is not a neighbour."""
    match expr:
        case ir.OrElse(
            value=ir.FirstOf(operand=ir.CombineSets(op="beyond", right=seat)),
            otherwise=ir.FirstOf() | ir.Const(),
        ) if is_seat(expr.type):
            return "next", seat
        case ir.OrElse(
            value=ir.Pick(
                many=False,
                direction="most",
                keys=(ir.Unary(op="seat"),),
                where=ir.CompareValues(op="<", right=ir.Unary(op="seat", operand=seat)),
            ),
            otherwise=ir.Pick(
                many=False, direction="most", where=None, keys=(ir.Unary(op="seat"),)
            ),
        ) if is_seat(expr.type):
            return "previous", seat
        case _:
            return None


Placed: TypeAlias = tuple[
    ir.Pick, Literal["clockwise", "reversed", "pile"], ir.Expr | None
]


def placed(expr: ir.Expr) -> Placed | None:
    """Return a selection without the order of `the first`, the order and its start."""
    if not (isinstance(expr, ir.Pick) and expr.keys):
        return None
    *keys, last = expr.keys
    rest = replace(expr, keys=tuple(keys))
    match last.operand if isinstance(last, ir.Unary) and last.op == "-" else last:
        case ir.Binary(
            "mod",
            ir.Binary("-", ir.Unary("seat", here), ir.Unary("seat", there)),
        ):
            if isinstance(here, ir.Local) and here.slot in expr.bind.slots:
                return rest, "clockwise", there
            return rest, "reversed", here
        case ir.OrElse(
            ir.Pick(where=ir.CompareValues("==", ir.PileTop(), ir.Local(slot=slot))),
            ir.Const(0),
        ) if slot in expr.bind.slots:
            return rest, "pile", None
        case _:
            return None


def settled(expr: ir.Expr) -> bool | None:
    """Return whether a condition always or never holds at this table, else None."""
    match expr:
        case ir.Const(value=bool(value)):
            return value
        case ir.CompareValues(op=op, left=left, right=ir.Const(value=int(value))) if (
            isinstance(left.type, Whole)
        ):
            low, high = (_HOLDS[op](e, value) for e in (left.type.low, left.type.high))
            if op in ("==", "!="):
                return None
            return low if low is high else None
        case ir.Quantifier(
            kind="some" | "every", binds=binds, where=None, body=body
        ) if all(  # each runs over all players, of whom there is one
            isinstance(kind := each.type, Kind)
            and kind.sort == "seat"
            and isinstance(each.source, ir.Const)
            and each.source.value == tuple(range(kind.size))
            for each in binds
        ):
            return settled(body)
        case ir.Unary(op="not", operand=operand):
            inner = settled(operand)
            return None if inner is None else not inner
        case ir.Connective(op=op, left=left, right=right):
            both = settled(left), settled(right)
            if (op == "or") in both:
                return op == "or"
            return None if None in both else op == "and"
        case ir.CompareValues(op=op, left=ir.Const(value=a), right=ir.Const(value=b)):
            if op in ("==", "!="):
                same = a is not None and a == b
                return same if op == "==" else not same
            if isinstance(a, int) and isinstance(b, int):
                return bool(_HOLDS[op](a, b))
            return None
        case ir.IsNone(operand=ir.Const(value=value)):
            return value is None
        case _:
            return None


def open_rows(
    expr: ir.Cases,
) -> tuple[tuple[tuple[ir.Expr, ir.Expr], ...], ir.Expr]:
    """Return the rows of a case that the table can reach, and the default."""
    rows: list[tuple[ir.Expr, ir.Expr]] = []
    for condition, value in expr.rows:
        known = settled(condition)
        if known:
            return tuple(rows), value
        if known is None:
            rows.append((condition, value))
    return tuple(rows), expr.otherwise


def is_whole(expr: ir.Expr) -> bool:
    """Return whether the type of an expression is a number or an optional number."""
    inner = core(expr.type)
    return isinstance(inner, Whole)


def one_more(expr: ir.Expr) -> ir.Expr:
    """Return a number plus one: people count from 1."""
    match expr:
        case ir.Const(value=int(value), type=type_):
            return ir.Const(value + 1, type_)
        case ir.Binary(op="-", left=left, right=ir.Const(value=1)):
            return left
        case ir.Binary(op="+", left=left, right=ir.Const(value=-1)):
            return left
        case _:
            return ir.Binary("+", expr, ir.Const(1, Whole(1, 1)), expr.type)
