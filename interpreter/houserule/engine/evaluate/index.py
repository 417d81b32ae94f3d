"""The number of a cell, zone or heap from the expressions of its keys, quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
)
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule import ir
    from houserule.engine.evaluate.context import (
        Code,
        Compiler,
        Context,
        Frame,
        Number,
    )
    from houserule.source import Span
    from houserule.state.layout import Axis, Family


def index_code(
    c: Compiler, family: Family, keys: Sequence[ir.Expr], span: Span
) -> Number:
    """Return the code of the number of a family's member at these keys.

    The code raises RuleFault: F03 where a key is none, F01 where it is out of range.
    """
    constants = [c.constant(key) for key in keys]
    known = [each.value for each in constants if each is not None]
    if len(known) == len(keys):
        return _fixed(family, known, span)
    match [*zip(family.axes, keys, strict=True)]:
        case [(axis, key)] if _plain(axis, key):
            return c.number(key)
        case [(axis, key)] if not axis.of_sets:
            return _one(axis, c.number(key), span)
        case [(first, a), (second, b)] if _plain(first, a) and _plain(second, b):
            return _two(first.stride, c.number(a), c.number(b))
        case _:
            return _any(family, [c.expr(key) for key in keys], span)


def _plain(axis: Axis, key: ir.Expr) -> bool:
    is_kind = isinstance(axis.type, Kind | Flag)
    return is_kind and not isinstance(key.type, Maybe)


def _fixed(family: Family, keys: Sequence[Data], span: Span) -> Number:
    try:
        number = family.index(keys)
    except RuleFault as fault:
        code, message = fault.code, fault.message

        def refuse(ctx: Context, frame: Frame) -> int:
            raise RuleFault(code, message, span)

        return refuse
    return lambda ctx, frame: number


def _one(axis: Axis, key: Number, span: Span) -> Number:
    low, size = axis.low, axis.size

    def index(ctx: Context, frame: Frame) -> int:
        place = key(ctx, frame) - low
        if not 0 <= place < size:
            shown = place + low
            raise RuleFault(
                "F01", f"`{axis.name}` is {shown}, outside {axis.type}.", span
            )
        return place

    return index


def _two(stride: int, first: Number, second: Number) -> Number:
    return lambda ctx, frame: first(ctx, frame) * stride + second(ctx, frame)


def _any(family: Family, keys: Sequence[Code], span: Span) -> Number:
    def index(ctx: Context, frame: Frame) -> int:
        values = [key(ctx, frame) for key in keys]
        try:
            return family.index(values)
        except RuleFault as fault:
            raise fault.located(span) from None

    return index
