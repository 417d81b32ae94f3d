"""Arguments of values and effects: each keeps the range that was declared for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.expressions import bits
from houserule.compiled.expressions.fitting import present_in
from houserule.compiled.memory.shapes import bounds, in_words, universe_of
from houserule.compiled.memory.slots import Words
from houserule.compiled.writer.functions import NONE, Code
from houserule.ir import types

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions


def argument(e: Expressions, arg: ir.Expr, param: ir.Param) -> tuple[Code, Words]:
    """Return whether an argument is there, and it; F01 where it leaves its range.

    It stays what it is. None passes; what it means, the caller says.
    """
    if in_words(param.type):
        return _of_words(e, arg, param)
    code = e.f.keep(e.scalar(arg))
    whole = param.type.inner if isinstance(param.type, types.Maybe) else param.type
    limits = bounds(arg.type)
    if isinstance(whole, types.Whole) and (
        limits is None or limits[0] < whole.low or limits[1] > whole.high
    ):
        _ranged(e, code, whole, param, arg)
    return f"(i32.ne {code} {NONE})", (code,)


def _of_words(e: Expressions, arg: ir.Expr, param: ir.Param) -> tuple[Code, Words]:
    there, words = present_in(e, arg, universe_of(param.type), arg.span)
    return there, bits.put_together(param.type, there, words)


def _ranged(
    e: Expressions, code: Code, whole: types.Whole, param: ir.Param, arg: ir.Expr
) -> None:
    if not isinstance(arg.type, types.Maybe):
        e.inside(code, whole.low, whole.high, param.name, arg.span)
        return
    with e.f.when(f"(i32.ne {code} {NONE})"):
        e.inside(code, whole.low, whole.high, param.name, arg.span)
