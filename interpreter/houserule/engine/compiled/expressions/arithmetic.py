"""Numbers and conditions: arithmetic, comparison, logic, rows of cases."""

from __future__ import annotations

from typing import assert_never

from houserule import ir
from houserule.engine.compiled.expressions import sets
from houserule.engine.compiled.expressions.operands import InLocals, Operands
from houserule.engine.compiled.functions import NONE, Code, i32
from houserule.engine.compiled.memory.shapes import bounds, may_be_no_set
from houserule.engine.state.faults import F08
from houserule.ir import types
from houserule.ir.walk import slots_read

MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}
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
                            e.fault(F08, "The rules divide a number by 0.", node.span)
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


# ---- conditions on a number, as steps: where may the result change?


def steps(test: ir.Expr, slot: int) -> bool:
    """Return whether a test only compares the number in a slot with fixed ones."""
    if slot not in slots_read(test):
        return True
    match test:
        case ir.Connective(left=left, right=right):
            return steps(left, slot) and steps(right, slot)
        case ir.Unary("not", operand):
            return steps(operand, slot)
        case ir.CompareValues(left=left, right=right):
            moving = [each for each in (left, right) if slot in slots_read(each)]
            return len(moving) == 1 and follows(moving[0], slot)
        case _:
            return False


def follows(number: ir.Expr, slot: int) -> bool:
    """Return whether a number is that in the slot, plus or minus a fixed one."""
    match number:
        case ir.Local(slot=at):
            return at == slot
        case ir.Binary("+" | "-" as op, left, right):
            if slot in slots_read(right):
                left, right = right, left
                if op == "-":
                    return False
            return slot not in slots_read(right) and follows(left, slot)
        case _:
            return False


def _change(e: Operands, place: InLocals, op: str, moving: Code, fixed: Code) -> None:
    """Note the number of steps up after which a comparison may change."""
    f = e.f
    beyond = i32(1) if op in {">", "<="} else i32(0)
    if op in {"==", "!="}:
        beyond = f"(i32.eq {moving} {fixed})"
    # As 64 bits, so that `none` is far below.
    left, right = (f"(i64.extend_i32_s {code})" for code in (fixed, moving))
    far = f"(i64.add (i64.sub {left} {right}) (i64.extend_i32_u {beyond}))"
    far = f.keep(far, "i64")
    last, now = f"(local.get {place.change})", f"(local.get {place.names[0]})"
    near = f"(i64.lt_s {far} (i64.extend_i32_s (i32.sub {last} {now})))"
    with f.when(f"(i32.and (i64.gt_s {far} (i64.const 0)) {near})"):
        f.set(place.change, f"(i32.add {now} (i32.wrap_i64 {far}))")


# ---- comparison: with none it is false, but `!=` is the negation of `==`


def compared(e: Operands, node: ir.CompareValues) -> Code:
    if isinstance(node.left.type, types.Set) or may_be_no_set(node.left.type):
        return sets.same(e, node)
    optional = [isinstance(each.type, types.Maybe) for each in (node.left, node.right)]
    left, right = e.in_order(lambda: e.scalar(node.left), lambda: e.scalar(node.right))
    stepping = [
        (slot, place)
        for slot, place in e.slots.items()
        if isinstance(place, InLocals) and place.change and slot in slots_read(node)
    ]
    if node.op in COMPARING or stepping:
        left, right = e.f.keep(left), e.f.keep(right)
    for slot, place in stepping:
        if follows(node.left, slot):
            _change(e, place, node.op, left, right)
        else:
            _change(e, place, MIRRORED.get(node.op, node.op), right, left)
    if node.op in COMPARING:
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
    """Return whether both hold, or one of them; the second only if it matters."""
    left = e.truth(node.left)
    # Write what the second needs apart, as it may have to be skipped.
    lines, e.f.lines = e.f.lines, []
    e.f.depth += 1
    right = e.truth(node.right)
    e.f.depth -= 1
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
