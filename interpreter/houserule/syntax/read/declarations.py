"""What a game is made of: types, components, state, meanings; and lines about the file.

Each builder takes the shape of one line and returns one node, or several where one
line names several things.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import Shape
from houserule.syntax.read.expressions import (
    expression,
    expression_option,
    listed,
    long_expression,
    param_list,
    params,
)
from houserule.syntax.read.terms import (
    caption,
    dotted,
    notes,
    phrase,
    quoted,
    type_of,
    word,
    word_option,
    words,
)

# ---- about the file


def players(shape: Shape) -> t.Item:
    """`players 3..6`."""
    low, high = (int(leaf.text) for leaf in shape.leaves())
    return t.Players(low, high, notes(shape.shape(2)), span=shape.span)


def needs_players(shape: Shape) -> t.Item:
    """`needs players 4..6`."""
    low, high = (int(leaf.text) for leaf in shape.leaves())
    return t.NeedsPlayers(low, high, notes(shape.shape(2)), span=shape.span)


def source(shape: Shape) -> t.Item:
    """`source abc "Title of the book"`."""
    name, title = word(shape.leaf(0)), quoted(shape.leaf(1))
    return t.SourceText(name, title, span=shape.span)


def relates(shape: Shape) -> t.Item:
    """`requires a, b`, `implies a`, `excludes a`."""
    kind = cast('Literal["requires", "implies", "excludes"]', shape.rule)
    names, margins = shape.shapes()
    return t.Relates(kind, words(names), notes(margins), span=shape.span)


def one_of(shape: Shape) -> t.Item:
    """`exactly one of edition: german, french normally german`."""
    name, names, margins = word(shape.leaf(0)), shape.shape(1), shape.shape(3)
    usual = shape.leaf_option(2)
    normally = word(usual) if usual else None
    margin = notes(margins)
    return t.OneOf(name, words(names), normally, notes=margin, span=shape.span)


def at_most_one_of(shape: Shape) -> t.Item:
    """`at most one of speed: blitz, slow`."""
    name, names, margins = word(shape.leaf(0)), shape.shape(1), notes(shape.shape(2))
    return t.OneOf(name, words(names), or_none=True, notes=margins, span=shape.span)


def suggests(shape: Shape) -> t.Item:
    """`suggests a, b`."""
    names, margins = shape.shapes()
    return t.Suggests(words(names), notes(margins), span=shape.span)


def sealed(shape: Shape) -> list[t.Item]:
    """`sealed a.b, c`: one node for each address."""
    names, margins = shape.shapes()
    found = notes(margins)
    return [t.Sealed(dotted(name), found, span=shape.span) for name in names.shapes()]


def extends_preset(shape: Shape) -> t.Item:
    """`extends official`."""
    return t.Extends(word(shape.leaf(0)), span=shape.span)


def preset_with(shape: Shape) -> t.Item:
    """`with a, b`, in a preset."""
    return t.PresetWith(words(shape.shape(0)), span=shape.span)


def preset_set(shape: Shape) -> t.Item:
    """`set target: 150`, in a preset."""
    name, value = shape.shapes()
    return t.PresetSet(dotted(name), expression(value), span=shape.span)


def remark(shape: Shape) -> t.Item:
    """`note "…" [cite]`."""
    said, margins = shape.shapes()
    return t.Remark(quoted(said.leaf(0)), notes(margins), span=shape.span)


# ---- types and components


def type_decl(shape: Shape) -> t.Item:
    """`type Face = 1..6`, `type Suit = red | black`.

    A single bare name is an enumeration of one member.
    """
    name, definition = word(shape.leaf(0)), shape.shape(1)
    margins = notes(shape.shape(2))
    if definition.rule in ("members", "named_type"):
        members = words(definition)
        return t.TypeDecl(name, members, None, margins, span=shape.span)
    return t.TypeDecl(name, (), type_of(definition), margins, span=shape.span)


def fields(shapes: list[Shape]) -> tuple[t.Field, ...]:
    """Return the fields of a component, one a line."""
    return tuple(map(_field, shapes))


def _field(shape: Shape) -> t.Field:
    name, kind = word(shape.leaf(0)), type_of(shape.shape(1))
    return t.Field(name, kind, notes(shape.shape(2)), span=shape.span)


def component(shape: Shape) -> t.Item:
    """`component Card from "x.yaml"`, `component Cell for each row: 1..4`."""
    made = shape.option(1)
    from_rows = made is not None and made.rule == "rows_from"
    return t.Component(
        word(shape.leaf(0)),
        quoted(made.leaf(0)) if made is not None and from_rows else None,
        param_list(made.shape(0)) if made is not None and not from_rows else (),
        fields(shape.shapes(3)),
        notes(shape.shape(2)),
        span=shape.span,
    )


def dice(shape: Shape) -> t.Item:
    """`dice Die: red, green showing 1..6 read by pips`."""
    made = shape.shape(1)
    each = made.rule == "rows_each"
    return t.DiceDecl(
        word(shape.leaf(0)),
        () if each else words(made),
        param_list(made.shape(0)) if each else (),
        listed(shape.shape(2)),
        word_option(shape.leaf_option(3)),
        seen_by(shape.option(4)),
        notes(shape.shape(5)),
        span=shape.span,
    )


def seen_by(shape: Shape | None) -> t.Expr | None:
    """`seen by p`: who sees it, or None where nothing is said."""
    return None if shape is None else expression(shape.shape(0))


# ---- where things lie


def tokens(shape: Shape) -> t.Item:
    """`tokens marker(p: Player): 34 in supply(p), markers(p, c: Card)`."""
    return t.Tokens(
        word(shape.leaf(0)),
        params(shape.option(1)),
        caption(shape.option(2)),
        expression(shape.shape(3)),
        tuple(map(slot, shape.shape(4).shapes())),
        notes(shape.shape(5)),
        span=shape.span,
    )


def slot(shape: Shape) -> t.Slot:
    """`markers(p, c: Card)`: a place where tokens may lie."""
    keys = shape.option(1)
    found = () if keys is None else tuple(map(_slot_key, keys.shapes()))
    return t.Slot(word(shape.leaf(0)), found, span=shape.span)


def _slot_key(shape: Shape) -> t.SlotKey:
    kind = word_option(shape.leaf_option(1))
    return t.SlotKey(word(shape.leaf(0)), kind, span=shape.span)


def zones(shape: Shape) -> list[t.Item]:
    """`zone tray, spent: set of Die`: one node for each name."""
    first = t.Zone(
        word(shape.shape(0).leaf(0)),
        params(shape.option(1)),
        caption(shape.option(2)),
        cast('Literal["set", "pile", "slot"]', phrase(shape.shape(3))),
        word(shape.leaf(4)),
        expression_option(shape.option(5)),
        words(shape.option(6)),
        expression_option(shape.option(7)),
        seen_by(shape.option(8)),
        notes(shape.shape(9)),
        span=shape.span,
    )
    return [replace(first, name=name) for name in words(shape.shape(0))]


def state(shape: Shape) -> t.Item:
    """`state owed: 0..60 each turn starts as 0`."""
    first = shape.shape(5)
    margins = [part for part in first.shapes() if part.rule == "notes"]
    value, *rest = [part for part in first.shapes() if part.rule != "notes"]
    return t.State(
        word(shape.leaf(0)),
        params(shape.option(1)),
        caption(shape.option(2)),
        type_of(shape.shape(3)),
        word_option(shape.leaf_option(4)),
        expression(value),
        seen_by(rest[0] if rest else None),
        notes(*margins),
        span=shape.span,
    )


# ---- meanings


def value(shape: Shape) -> t.Item:
    """`value income(c: Card): 0..99 = c.income`, with its layers beneath."""
    definition = shape.shape(4)
    meant, margins = long_expression(definition)
    layers = [part for part in definition.shapes() if part.rule == "value_layer"]
    return t.Value(
        dotted(shape.shape(0)),
        params(shape.option(1)),
        caption(shape.option(2)),
        type_of(shape.shape(3)),
        meant,
        tuple(map(_value_layer, layers)),
        margins,
        span=shape.span,
    )


def _value_layer(shape: Shape) -> t.ValueLayer:
    op = cast("t.LayerOp", phrase(shape.shape(0)))
    margins = notes(shape.shape(2))
    return t.ValueLayer(op, word(shape.leaf(1)), margins, span=shape.span)


def layer(shape: Shape) -> t.Item:
    """`layer income.joined: plus after printed before doubled`."""
    return t.Layer(
        dotted(shape.shape(0)),
        cast("t.LayerOp", phrase(shape.shape(1))),
        word_option(shape.leaf_option(2)),
        word_option(shape.leaf_option(3)),
        notes(shape.shape(4)),
        span=shape.span,
    )


def adjust(shape: Shape) -> t.Item:
    """`adjust income.managed(c) as bonus: circles(c)`."""
    amount, margins = long_expression(shape.shape(4))
    return t.Adjust(
        dotted(shape.shape(0)),
        words(shape.option(1)),
        word(shape.leaf(2)),
        caption(shape.option(3)),
        amount,
        margins,
        span=shape.span,
    )


def option(shape: Shape) -> t.Item:
    """`option target: 60..300 step 10 normally 120`."""
    step = shape.leaf_option(3)
    return t.Option(
        word(shape.leaf(0)),
        caption(shape.option(1)),
        type_of(shape.shape(2)),
        None if step is None else int(step.text),
        expression(shape.shape(4)),
        notes(shape.shape(5)),
        span=shape.span,
    )


def always(shape: Shape) -> t.Item:
    """`always name: C`: an invariant."""
    condition, margins = long_expression(shape.shape(3))
    return t.Always(
        word(shape.leaf(0)),
        params(shape.option(1)),
        caption(shape.option(2)),
        condition,
        margins,
        span=shape.span,
    )


def warn(shape: Shape) -> t.Item:
    """`warn name "caption": C`: a remark about the chosen table."""
    condition, margins = long_expression(shape.shape(2))
    return t.Warn(
        word(shape.leaf(0)),
        caption(shape.option(1)),
        condition,
        margins,
        span=shape.span,
    )


def winners(shape: Shape) -> t.Item:
    """`winners "…": those p in players with most score(p)`."""
    who, margins = long_expression(shape.shape(1))
    return t.Winners(caption(shape.option(0)), who, margins, span=shape.span)
