"""Lookups: expressions that read a local, the running game, or a place in the state.

A family's member (a cell, a zone, a slot of tokens) is addressed by keys. Its number is
worked out by the quickest code that its keys allow: constants at compile time, members
of a kind without a test of range, and anything else through `Family.index`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.engine.evaluate.context import (
    Code,
    Compiler,
    Frame,
    GameContext,
    Number,
    absent,
)
from houserule.ir import types
from houserule.ir.types import Data, Flag, Kind, Maybe
from houserule.source import Span
from houserule.state.faults import RuleFault
from houserule.state.layout import BOTTOM, TOP, Axis, CellFamily

Running: TypeAlias = ir.Const | ir.Local | ir.PhaseVar | ir.Can | ir.Doing
Reading: TypeAlias = ir.ReadCell | ir.ReadFace | ir.ReadField | ir.TokenCount
ZoneReading: TypeAlias = ir.Contents | ir.ZoneSize | ir.PileTop | ir.PositionOf


def running(node: Running) -> Code:
    """Return the code of a constant, a local, or a question about the running game."""
    match node:
        case ir.Const(value):
            return lambda ctx, frame: value
        case ir.Local():
            return _local(node)
        case ir.PhaseVar():
            return _phase_var(node)
        case ir.Can(step):
            return lambda ctx, frame: ctx.can(step)
        case ir.Doing():
            return lambda ctx, frame: ctx.doing
        case _:
            assert_never(node)


def _local(node: ir.Local) -> Code:
    slot = node.slot
    if slot or isinstance(node.type, types.Maybe):
        return lambda ctx, frame: frame[slot]

    def me(ctx: GameContext, frame: Frame) -> Data:
        seat = frame[0]
        if seat is None:
            raise RuleFault("F06", "Nobody acts here, so `me` is nobody.", node.span)
        return seat

    return me


def _phase_var(node: ir.PhaseVar) -> Code:
    phase, optional = node.phase, isinstance(node.type, types.Maybe)

    def item(ctx: GameContext, frame: Frame) -> Data:
        value = ctx.phase_items.get(phase)
        if value is None and not optional:
            raise absent(node.span)
        return value

    return item


def reading(c: Compiler, node: Reading) -> Code:
    """Return the code of a cell, a face, a field or a number of tokens."""
    match node:
        case ir.ReadCell():
            return _cell(c, node)
        case ir.ReadFace():
            return _face(c, node)
        case ir.ReadField():
            return _field(c, node)
        case ir.TokenCount():
            return _tokens(c, node)
        case _:
            assert_never(node)


def _member_slot(c: Compiler, node: ir.Expr) -> int | None:
    """Return the slot of a local that is a present member of a kind, not `me`."""
    if isinstance(node, ir.Local) and node.slot and isinstance(node.type, types.Kind):
        return node.slot
    return None


def _cell(c: Compiler, node: ir.ReadCell) -> Code:
    name, keys = node.state, node.keys
    axes = c.layout.families[name].axes
    slots = [_member_slot(c, key) for key in keys]
    match slots:
        case []:
            return lambda ctx, frame: ctx.store.cells[name][0]
        case [int(slot)] if isinstance(axes[0].type, types.Kind):
            return lambda ctx, frame: ctx.store.cells[name][frame[slot]]  # type: ignore[index]  # a member of a kind
    index = c.index(name, keys, node.span)
    return lambda ctx, frame: ctx.store.cells[name][index(ctx, frame)]


def _tokens(c: Compiler, node: ir.TokenCount) -> Code:
    name = node.slot
    index = c.index(name, node.keys, node.span)
    return lambda ctx, frame: ctx.store.tokens[name][index(ctx, frame)]


def _face(c: Compiler, node: ir.ReadFace) -> Code:
    kind, die = node.kind.name, c.maybe(node.die)
    if not isinstance(node.die.type, types.Maybe):
        present = c.number(node.die)
        return lambda ctx, frame: ctx.store.faces[kind][present(ctx, frame)]

    def face(ctx: GameContext, frame: Frame) -> Data:
        which = die(ctx, frame)
        return None if which is None else ctx.store.faces[kind][which]

    return face


def _field(c: Compiler, node: ir.ReadField) -> Code:
    _, column = c.program.components[node.kind.name].fields[node.field]
    if not isinstance(node.subject.type, types.Maybe):
        present = c.number(node.subject)
        return lambda ctx, frame: column[present(ctx, frame)]
    subject = c.maybe(node.subject)

    def field(ctx: GameContext, frame: Frame) -> Data:
        which = subject(ctx, frame)
        return None if which is None else column[which]

    return field


def zone_reading(c: Compiler, node: ZoneReading) -> Code:
    """Return the code of what lies in a zone, or of the position at one of its ends."""
    zone = node.zone
    index = c.index(zone, node.keys, node.span)
    match node:
        case ir.Contents() if c.program.zones[zone].kind == "pile":
            return lambda ctx, frame: tuple(
                sorted(ctx.store.zones[zone][index(ctx, frame)])
            )
        case ir.Contents():
            return lambda ctx, frame: ctx.store.zones[zone][index(ctx, frame)]
        case ir.ZoneSize():
            return lambda ctx, frame: len(ctx.store.zones[zone][index(ctx, frame)])
        case ir.PileTop():
            return _pile_top(c, node, index)
        case ir.PositionOf(end=end):
            first, side = c.layout.place(zone, 0), TOP if end == "top" else BOTTOM
            return lambda ctx, frame: (first + index(ctx, frame), side)
        case _:
            assert_never(node)


def _pile_top(c: Compiler, node: ir.PileTop, index: Number) -> Code:
    zone, from_top = node.zone, node.end == "top"
    if node.index is None:
        end = -1 if from_top else 0

        def outermost(ctx: GameContext, frame: Frame) -> Data:
            pile = ctx.store.zones[zone][index(ctx, frame)]
            return pile[end] if pile else None

        return outermost
    depth = c.number(node.index)

    def inner(ctx: GameContext, frame: Frame) -> Data:
        pile = ctx.store.zones[zone][index(ctx, frame)]
        deep = depth(ctx, frame)
        if not 0 <= deep < len(pile):
            return None
        return pile[-1 - deep] if from_top else pile[deep]

    return inner


# ---- the number of a family's member, from the expressions of its keys


def index_code(
    c: Compiler, family: CellFamily, keys: Sequence[ir.Expr], span: Span
) -> Number:
    """Return the code of the number of a family's member at these keys.

    The code raises RuleFault: F03 where a key is none, F01 where it is out of range.
    """
    constants = [c.constant(key) for key in keys]
    known = [each.value for each in constants if each is not None]
    if len(known) == len(keys):
        return _constant_index(family, known, span)
    match [*zip(family.axes, keys, strict=True)]:
        case [(axis, key)] if _never_out_of_range(axis, key):
            return c.number(key)
        case [(axis, key)] if not axis.of_sets:
            return _checked_index(axis, c.number(key), span)
        case [(first, a), (second, b)] if _never_out_of_range(
            first, a
        ) and _never_out_of_range(second, b):
            return _product_index(first.stride, c.number(a), c.number(b))
        case _:
            return _general_index(family, [c.expr(key) for key in keys], span)


def _never_out_of_range(axis: Axis, key: ir.Expr) -> bool:
    is_kind = isinstance(axis.type, Kind | Flag)
    return is_kind and not isinstance(key.type, Maybe)


def _constant_index(family: CellFamily, keys: Sequence[Data], span: Span) -> Number:
    try:
        number = family.index(keys)
    except RuleFault as fault:
        code, message = fault.code, fault.message

        def refuse(ctx: GameContext, frame: Frame) -> int:
            raise RuleFault(code, message, span)

        return refuse
    return lambda ctx, frame: number


def _checked_index(axis: Axis, key: Number, span: Span) -> Number:
    low, size = axis.low, axis.size

    def index(ctx: GameContext, frame: Frame) -> int:
        place = key(ctx, frame) - low
        if not 0 <= place < size:
            shown = place + low
            raise RuleFault(
                "F01", f"`{axis.name}` is {shown}, outside {axis.type}.", span
            )
        return place

    return index


def _product_index(stride: int, first: Number, second: Number) -> Number:
    return lambda ctx, frame: first(ctx, frame) * stride + second(ctx, frame)


def _general_index(family: CellFamily, keys: Sequence[Code], span: Span) -> Number:
    def index(ctx: GameContext, frame: Frame) -> int:
        values = [key(ctx, frame) for key in keys]
        try:
            return family.index(values)
        except RuleFault as fault:
            raise fault.located(span) from None

    return index
