"""Values that go into a place of some type: a state, a parameter, a result.

What a place cannot hold is F01; what surely fits is not looked at.
"""

from __future__ import annotations

from houserule import ir
from houserule.compiled.expressions import bits, sets
from houserule.compiled.expressions.operands import Operands
from houserule.compiled.memory.shapes import (
    Universe,
    bounds,
    in_words,
    is_set,
    may_be_no_set,
    universe_of,
)
from houserule.compiled.memory.slots import Words
from houserule.compiled.writer.functions import NONE, Code, Unsupported, i32
from houserule.ir import types
from houserule.source import Span


def present_in(
    e: Operands, node: ir.Expr, space: Universe, span: Span
) -> tuple[Code, Words]:
    """Return whether a set is there, and its words in a universe; else F01."""
    if not may_be_no_set(node.type):
        there, words = "(i32.const 1)", e.words_in(node, space, span)
    else:
        there, words = sets.present(e, node)
        words = bits.converted(e, words, universe_of(node.type), space, span)
    return e.f.keep(there), bits.kept(e, words)


def fitting(e: Operands, node: ir.Expr, place: ir.StateDef | ir.ValueDef) -> Words:
    """Return the words in which a state or a value keeps what it is said to be."""
    found = present_in(e, node, universe_of(place.type), place.span)
    return _as_kept(found, node.type, place.type)


def fitted(
    e: Operands,
    found: tuple[Code, Words],
    given: types.Type,
    place: ir.StateDef,
    span: Span,
) -> Words:
    """Return the words in which a state keeps what was found, of a type of its own."""
    there, words = found
    own, space = universe_of(given), universe_of(place.type)
    words = bits.kept(e, bits.converted(e, words, own, space, span))
    return _as_kept((there, words), given, place.type)


def _as_kept(found: tuple[Code, Words], given: types.Type, type_: types.Type) -> Words:
    """Return words as they are kept; that a part is not empty, the check saw to.

    Raises:
        Unsupported: a set that may be none where one must be.
    """
    if is_set(type_) and not is_set(given):
        raise Unsupported(f"{given} where {type_} is kept")
    there, words = found
    return bits.put_together(type_, there, words)


# ---- numbers


def outside(code: Code, low: int, high: int) -> Code:
    """Return whether a number lies outside a range."""
    shifted = f"(i32.sub {code} {i32(low)})" if low else code
    return f"(i32.gt_u {shifted} {i32(high - low)})"


def check_range(
    e: Operands, state: ir.StateDef, value: Code, given: types.Type, span: Span
) -> None:
    """See to it that a number of some type may stand in a state, else F01."""
    inner = state.type.inner if isinstance(state.type, types.Maybe) else state.type
    limits, has = bounds(inner), bounds(given)
    message = f"`{state.name}` would be outside {state.type}."
    optional = isinstance(given, types.Maybe)
    if optional and not isinstance(state.type, types.Maybe):
        with e.f.when(f"(i32.eq {value} {NONE})"):
            e.fault("F01", message, span)
    if limits is None or (has and limits[0] <= has[0] and has[1] <= limits[1]):
        return
    wrong = outside(value, *limits)
    if optional:
        wrong = f"(i32.and {wrong} (i32.ne {value} {NONE}))"
    with e.f.when(wrong):
        e.fault("F01", message, span)


def argument(e: Operands, arg: ir.Expr, param: ir.Param) -> tuple[Code, Words]:
    """Return whether an argument is there, and it; F01 where it leaves its range.

    It stays what it is. None passes; what it means, the caller says.
    """
    if in_words(param.type):
        there, words = present_in(e, arg, universe_of(param.type), arg.span)
        return there, bits.put_together(param.type, there, words)
    code = e.f.keep(e.scalar(arg))
    whole = param.type.inner if isinstance(param.type, types.Maybe) else param.type
    limits = bounds(arg.type)
    if isinstance(whole, types.Whole) and (
        limits is None or limits[0] < whole.low or limits[1] > whole.high
    ):
        _ranged(e, code, whole, param, arg)
    return f"(i32.ne {code} {NONE})", (code,)


def _ranged(
    e: Operands, code: Code, whole: types.Whole, param: ir.Param, arg: ir.Expr
) -> None:
    if not isinstance(arg.type, types.Maybe):
        e.inside(code, whole.low, whole.high, param.name, arg.span)
        return
    with e.f.when(f"(i32.ne {code} {NONE})"):
        e.inside(code, whole.low, whole.high, param.name, arg.span)
