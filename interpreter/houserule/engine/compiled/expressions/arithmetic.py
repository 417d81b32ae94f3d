"""Numbers and conditions: arithmetic, comparison, logic, rows of cases."""

from __future__ import annotations

from typing import assert_never

from houserule import ir
from houserule.engine.compiled.expressions import sets
from houserule.engine.compiled.expressions.operands import Operands
from houserule.engine.compiled.functions import NONE, Code, i32
from houserule.engine.compiled.memory.shapes import bounds, may_be_no_set
from houserule.engine.state.faults import F08
from houserule.ir import types

COMPARING = {">=": "ge_s", "<=": "le_s", ">": "gt_s", "<": "lt_s"}


def arithmetic(e: Operands, node: ir.Unary | ir.Binary) -> Code:
    """Return the result of arithmetic on present numbers, or of `not`."""
    match node:
        case ir.Unary("not", operand):
            return f"(i32.eqz {e.truth(operand)})"
        case ir.Unary("-", operand):
            return f"(i32.sub (i32.const 0) {e.number(operand)})"
        case ir.Unary("abs", operand):
            code = e.f.keep(e.number(operand))
            return (
                f"(select {code} (i32.sub (i32.const 0) {code})"
                f" (i32.ge_s {code} (i32.const 0)))"
            )
        case ir.Unary(_, operand):
            return e.number(operand)
        case ir.Binary():
            left, right = e.in_order(
                lambda: e.number(node.left), lambda: e.number(node.right)
            )
            match node.op:
                case "+":
                    return f"(i32.add {left} {right})"
                case "-":
                    return f"(i32.sub {left} {right})"
                case "*":
                    return f"(i32.mul {left} {right})"
                case "min" | "max":
                    left, right = e.f.keep(left), e.f.keep(right)
                    less = "lt_s" if node.op == "min" else "gt_s"
                    return f"(select {left} {right} (i32.{less} {left} {right}))"
                case "/down" | "/up" | "mod":
                    left, right = e.f.keep(left), e.f.keep(right)
                    limits = bounds(node.right.type)
                    if limits is None or limits[0] <= 0 <= limits[1]:
                        with e.f.when(f"(i32.eqz {right})"):
                            e.fault(F08, "Something is to be divided by 0.", node.span)
                    over = bounds(node.left.type)
                    if (
                        over
                        and over[0] >= 0
                        and limits
                        and limits[0] > 0
                        and node.op != "/up"
                    ):
                        name = "div_u" if node.op == "/down" else "rem_u"
                        return f"(i32.{name} {left} {right})"
                    name = {"/down": "$floor", "/up": "$ceiling", "mod": "$modulo"}[
                        node.op
                    ]
                    return f"(call {name} {left} {right})"
                case _:
                    assert_never(node.op)
        case _:
            assert_never(node)


# ---- comparison: with none it is false, but `!=` is the negation of `==`


def compared(e: Operands, node: ir.CompareValues) -> Code:
    if isinstance(node.left.type, types.Set) or may_be_no_set(node.left.type):
        return sets.same(e, node)
    optional = [isinstance(each.type, types.Maybe) for each in (node.left, node.right)]
    left, right = e.in_order(lambda: e.scalar(node.left), lambda: e.scalar(node.right))
    if node.op in COMPARING:
        left, right = e.f.keep(left), e.f.keep(right)
        code = f"(i32.{COMPARING[node.op]} {left} {right})"
        for operand, may_be_none in zip((left, right), optional, strict=True):
            if may_be_none:
                code = f"(i32.and {code} (i32.ne {operand} {NONE}))"
        return code
    if isinstance(node.right, ir.Const) and node.right.value is not None:
        optional = [False, False]
    if not all(optional):
        # One of them is never none, so that none and none do not meet.
        equal = f"(i32.eq {left} {right})"
    else:
        left = e.f.keep(left)
        equal = f"(i32.and (i32.eq {left} {right}) (i32.ne {left} {NONE}))"
    return equal if node.op == "==" else f"(i32.eqz {equal})"


# ---- what does not matter is not evaluated


def logic(e: Operands, node: ir.Connective) -> Code:
    """Return whether both hold, or one of them; the second only where it matters."""
    left = e.truth(node.left)
    # Write what the second needs apart, as it may have to be skipped.
    lines, e.f.lines = e.f.lines, []
    right = e.truth(node.right)
    needed, e.f.lines = e.f.lines, lines
    if not needed:
        yes, no = (right, i32(0)) if node.op == "and" else ("(i32.const 1)", right)
        return f"(if (result i32) {left} (then {yes}) (else {no}))"
    result = e.f.local("i32")
    e.f.set(result, left)
    condition = f"(local.get {result})"
    with e.f.when(condition if node.op == "and" else f"(i32.eqz {condition})"):
        e.f.lines += needed
        e.f.set(result, right)
    return condition


def chosen(e: Operands, node: ir.Cases | ir.OrElse) -> Code:
    """Return the value of the first row that holds, or the code of `none`."""
    result = e.f.local("i32")
    if isinstance(node, ir.OrElse):
        e.f.set(result, e.scalar(node.value))
        with e.f.when(f"(i32.eq (local.get {result}) {NONE})"):
            e.f.set(result, e.scalar(node.otherwise))
    else:
        e.first_row(node, lambda each: e.f.set(result, e.scalar(each)))
    return f"(local.get {result})"
