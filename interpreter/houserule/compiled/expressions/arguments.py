"""Arguments of values and effects: each keeps the range that was declared for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compiled.expressions import bits
from houserule.compiled.memory.shapes import bounds, is_set, part_of, universe
from houserule.compiled.memory.slots import Words
from houserule.compiled.text.text import NONE, Code
from houserule.ir import nodes as ir
from houserule.ir import types

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions


def argument(e: Expressions, arg: ir.Expr, param: ir.Param) -> Words:
    """Return an argument that stays what it is; F01 where it leaves its range.

    None passes; what it means, the caller says.
    """
    if is_set(param.type):
        words = bits.kept(e, e.words_in(arg, universe(param.type)))
        if part_of(param.type) and not part_of(arg.type):
            with e.f.when(bits.empty(words)):
                e.fault("F01", f"`{param.name}` is empty.", arg.span)
        return words
    code = e.f.keep(e.scalar(arg))
    whole = param.type.inner if isinstance(param.type, types.Maybe) else param.type
    limits = bounds(arg.type)
    if isinstance(whole, types.Whole) and (
        limits is None or limits[0] < whole.low or limits[1] > whole.high
    ):
        _ranged(e, code, whole, param, arg)
    return (code,)


def _ranged(
    e: Expressions, code: Code, whole: types.Whole, param: ir.Param, arg: ir.Expr
) -> None:
    if not isinstance(arg.type, types.Maybe):
        e.inside(code, whole.low, whole.high, param.name, arg.span)
        return
    with e.f.when(f"(i32.ne {code} {NONE})"):
        e.inside(code, whole.low, whole.high, param.name, arg.span)
