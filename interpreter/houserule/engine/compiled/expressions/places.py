"""Places: expressions that look something up, and values that go into a place.

A place is a cell of a state, a face, a field, a zone, a heap of tokens, a parameter or
a result. A value out of range is F01; a value that surely fits is not tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.base.source import Span
from houserule.engine.compiled.expressions import bits, sets
from houserule.engine.compiled.expressions.operands import (
    Operands,
    Words,
    outside,
    scaled,
)
from houserule.engine.compiled.functions import NONE, Code, Unsupported, i32
from houserule.engine.compiled.memory.shapes import (
    Universe,
    bounds,
    in_words,
    is_set,
    may_be_no_set,
    scalar,
    universe_of,
)
from houserule.engine.state.faults import F01
from houserule.engine.state.layout import BOTTOM, TOP, Axis
from houserule.ir import types

Lying: TypeAlias = ir.ZoneSize | ir.PileTop | ir.PositionOf


def cell(e: Operands, node: ir.ReadCell | ir.TokenCount) -> Code:
    """Return the number in a cell, or the number of tokens in a slot."""
    memory = e.context.memory
    match node:
        case ir.ReadCell(family, keys):
            cells = memory.cells[family]
        case ir.TokenCount(family, keys):
            cells = memory.tokens[family]
        case _:
            assert_never(node)
    where = scaled(index(e, family, keys, node.span), cells.width)
    return f"(i32.load offset={cells.at} {where})"


def index(e: Operands, family: str, keys: Sequence[ir.Expr], span: Span) -> Code:
    """Return the number of a family's member; F03 or F01 for an invalid key.

    A single number is wanted present where it stands; of several keys all are worked
    out before the first is looked at.
    """
    axes = e.context.layout.families[family].axes
    if not axes:
        return i32(0)
    if len(axes) == 1 and not axes[0].of_sets:
        code = e.scalar(keys[0])
        if isinstance(keys[0].type, types.Maybe):
            fixed = isinstance(keys[0], ir.Const)
            code = e.present(code, span if fixed else keys[0].span)
        return _place(e, axes[0], keys[0], code, span)
    makers = [partial(_key, e, axis, key) for axis, key in zip(axes, keys, strict=True)]
    codes = e.in_order(*makers)
    total = ""
    pairs = list(zip(axes, keys, strict=True))
    if any(may_fail(axis, key) for axis, key in pairs):
        codes = [e.f.keep(code) for code in codes]
    for (axis, key), code in zip(pairs, codes, strict=True):
        place = code
        if not axis.of_sets:
            if isinstance(key.type, types.Maybe):
                code = e.present(code, span)
            place = _place(e, axis, key, code, span)
        part = scaled(place, axis.stride)
        total = f"(i32.add {total} {part})" if total else part
    return total


def may_fail(axis: Axis, key: ir.Expr) -> bool:
    """Return whether a key may be `none` or outside its axis."""
    return not axis.of_sets and (
        isinstance(key.type, types.Maybe) or _may_leave(axis, key)
    )


def _may_leave(axis: Axis, key: ir.Expr) -> bool:
    if not isinstance(axis.type, types.Whole):
        return False
    limits = bounds(key.type)
    return limits is None or limits[0] < axis.low or limits[1] > axis.type.high


def _key(e: Operands, axis: Axis, key: ir.Expr) -> Code:
    if axis.of_sets:
        (word,) = e.words_in(key, Universe(axis.low, axis.places))
        return f"(i32.wrap_i64 {word})"
    return e.scalar(key)


def _place(e: Operands, axis: Axis, key: ir.Expr, code: Code, span: Span) -> Code:
    if isinstance(axis.type, types.Whole) and _may_leave(axis, key):
        code = e.inside(code, axis.low, axis.type.high, axis.name, span)
    return f"(i32.sub {code} {i32(axis.low)})" if axis.low else code


def component(e: Operands, node: ir.ReadFace | ir.ReadField) -> Code:
    """Return a die's face, or a field of a component; none for none."""
    if isinstance(node, ir.ReadFace):
        subject, at = node.die, e.context.memory.faces[node.kind.name].at
    else:
        subject, at = node.subject, e.context.column(node.kind.name, node.field)
    code = e.scalar(subject)
    if not isinstance(subject.type, types.Maybe):
        return f"(i32.load offset={at} {scaled(code, 4)})"
    code = e.f.keep(code)
    value = f"(i32.load offset={at} {scaled(code, 4)})"
    return f"(if (result i32) (i32.eq {code} {NONE}) (then {NONE}) (else {value}))"


def entry(e: Operands, node: ir.ReadEntry) -> Code:
    """Return a field with a key at a key; none for none."""
    keyed = e.context.program.components[node.kind.name].keyed[node.field]
    at, of = e.context.column(node.kind.name, node.field), keyed.key.type
    subject, key = e.in_order(
        partial(e.scalar, node.subject), partial(e.scalar, node.key)
    )
    subject = e.f.keep(subject)
    if isinstance(of, types.Whole):
        limits = bounds(node.key.type)
        if limits is None or limits[0] < of.low or limits[1] > of.high:
            key = e.inside(key, of.low, of.high, keyed.key.name, node.key.span)
        key = f"(i32.sub {key} {i32(of.low)})" if of.low else key
    number = f"(i32.add {scaled(subject, len(keyed.keys))} {key})"
    value = f"(i32.load offset={at} {scaled(number, 4)})"
    if not isinstance(node.subject.type, types.Maybe):
        return value
    return f"(if (result i32) (i32.eq {subject} {NONE}) (then {NONE}) (else {value}))"


def member_at(e: Operands, node: ir.MemberAt) -> Code:
    """Return the member of a product with some parts, or none: a table look-up."""
    f, component = e.f, e.context.program.components[node.kind.name]
    ends = [
        (min(map(scalar, values)), max(map(scalar, values)))
        for _, values in [*component.fields.values()][: len(node.parts)]
    ]
    at = e.context.products(node.kind.name, ends)
    codes = e.in_order(*(partial(e.scalar, part) for part in node.parts))
    total, inside = "", ""
    for (low, high), part, code in zip(ends, node.parts, codes, strict=True):
        place = f"(i32.sub {code} {i32(low)})" if low else code
        limits = None if isinstance(part.type, types.Maybe) else bounds(part.type)
        if limits is None or limits[0] < low or limits[1] > high:
            place = f.keep(place)
            test = f"(i32.lt_u {place} {i32(high - low + 1)})"
            inside = f"(i32.and {inside} {test})" if inside else test
        wide = scaled(total, high - low + 1) if total else ""
        total = f"(i32.add {wide} {place})" if total else place
    found = f"(i32.load offset={at} {scaled(total, 4)})"
    if not inside:
        return found
    return f"(if (result i32) {inside} (then {found}) (else {NONE}))"


def lying(e: Operands, node: Lying) -> Code:
    """Return how much lies in a zone, what lies at its end, or the place itself."""
    zone = e.context.memory.zones[node.zone]
    number = index(e, node.zone, node.keys, node.span)
    match node:
        case ir.PositionOf(end=end):
            side = TOP if end == "top" else BOTTOM
            place = f"(i32.add {number} {i32(zone.place)})"
            return f"(i32.or (i32.shl {place} (i32.const 1)) {i32(side)})"
        case ir.ZoneSize() if zone.order is not None:
            where = scaled(number, zone.order.width)
            return f"(i32.load offset={zone.order.at} {where})"
        case ir.ZoneSize():
            return bits.count(bits.loaded(e, zone.masks.at, zone.masks.words, number))
        case ir.PileTop():
            order = e.context.memory.zones[node.zone].order
            if order is None:
                raise Unsupported("the top of something that is not a pile")
            base = e.f.keep(scaled(number, order.width))
            deep = "(i32.const 0)" if node.index is None else e.number(node.index)
            deep = e.f.keep(deep)
            count = e.f.keep(f"(i32.load offset={order.at} {base})")
            place = deep
            if node.end == "top":
                place = f"(i32.sub (i32.sub {count} (i32.const 1)) {deep})"
            found = (
                f"(i32.load offset={order.at + 4} (i32.add {base} {scaled(place, 4)}))"
            )
            test = f"(i32.lt_u {deep} {count})"
            return f"(if (result i32) {test} (then {found}) (else {NONE}))"
        case _:
            assert_never(node)


# ---- what goes into a place: sets


def present_in(
    e: Operands, node: ir.Expr, space: Universe, span: Span
) -> tuple[Code, Words]:
    """Return whether a set is present, and its words in a universe; else F01."""
    if not may_be_no_set(node.type):
        there, words = "(i32.const 1)", e.words_in(node, space, span)
    else:
        there, words = sets.present(e, node)
        words = bits.converted(e, words, universe_of(node.type), space, span)
    return e.f.keep(there), bits.kept(e, words)


def fitting(e: Operands, node: ir.Expr, place: ir.StateDef | ir.ValueDef) -> Words:
    """Return the stored words of a new value of a state or a declared value."""
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
        Unsupported: a set that may be `none` but must be present.
    """
    if is_set(type_) and not is_set(given):
        raise Unsupported(f"{given} where {type_} is kept")
    there, words = found
    return bits.put_together(type_, there, words)


# ---- what goes into a place: numbers


def check_range(
    e: Operands, state: ir.StateDef, value: Code, given: types.Type, span: Span
) -> None:
    """Check that a number of some type fits a state, else F01."""
    inner = types.core(state.type)
    limits, has = bounds(inner), bounds(given)
    message = f"`{state.name}` would be outside {state.type}."
    optional = isinstance(given, types.Maybe)
    if optional and not isinstance(state.type, types.Maybe):
        with e.f.when(f"(i32.eq {value} {NONE})"):
            e.fault(F01, message, span)
    if limits is None or (has and limits[0] <= has[0] and has[1] <= limits[1]):
        return
    wrong = outside(value, *limits)
    if optional:
        wrong = f"(i32.and {wrong} (i32.ne {value} {NONE}))"
    with e.f.when(wrong):
        e.fault(F01, message, span)


def argument(e: Operands, arg: ir.Expr, param: ir.Param) -> tuple[Code, Words]:
    """Return whether an argument is present, and its value; F01 if out of range.

    It stays what it is. `none` passes; the caller interprets it.
    """
    if in_words(param.type):
        there, words = present_in(e, arg, universe_of(param.type), arg.span)
        return there, bits.put_together(param.type, there, words)
    code = e.f.keep(e.scalar(arg))
    whole = types.core(param.type)
    limits = bounds(arg.type)
    if isinstance(whole, types.Whole) and (
        limits is None or limits[0] < whole.low or limits[1] > whole.high
    ):
        if not isinstance(arg.type, types.Maybe):
            e.inside(code, whole.low, whole.high, param.name, arg.span)
        else:
            with e.f.when(f"(i32.ne {code} {NONE})"):
                e.inside(code, whole.low, whole.high, param.name, arg.span)
    return f"(i32.ne {code} {NONE})", (code,)
