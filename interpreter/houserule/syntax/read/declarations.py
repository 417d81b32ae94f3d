"""What a game is made of: types, components, state, meanings; and lines about the file.

Each builder takes the cst of one line and returns one node, or several where one
line names several things.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import CstNode, Leaf, Part
from houserule.syntax.read.expressions import (
    Builder,
    caption,
    dotted,
    expression,
    expression_option,
    listed,
    long_expression,
    notes,
    param_list,
    params,
    phrase,
    quoted,
    type_of,
    word,
    word_option,
    words,
)

# ---- about the file


def players(cst: CstNode) -> t.Item:
    """`players 3..6`."""
    low, high = (int(leaf.text) for leaf in cst.leaves())
    return t.Players(low, high, notes(cst.node(2)), span=cst.span)


def needs_players(cst: CstNode) -> t.Item:
    """`needs players 4..6`."""
    low, high = (int(leaf.text) for leaf in cst.leaves())
    return t.NeedsPlayers(low, high, notes(cst.node(2)), span=cst.span)


def source(cst: CstNode) -> t.Item:
    """`source abc "Title of the book"`."""
    name, title = word(cst.leaf(0)), quoted(cst.leaf(1))
    return t.SourceText(name, title, span=cst.span)


def relates(cst: CstNode) -> t.Item:
    """`requires a, b`, `implies a`, `excludes a`."""
    kind = cast('Literal["requires", "implies", "excludes"]', cst.rule)
    names, margins = cst.nodes()
    return t.Relates(kind, words(names), notes(margins), span=cst.span)


def one_of(cst: CstNode) -> t.Item:
    """`exactly one of edition: german, french normally german`."""
    name, names, margins = word(cst.leaf(0)), cst.node(1), cst.node(3)
    usual = cst.leaf_option(2)
    normally = word(usual) if usual else None
    margin = notes(margins)
    return t.OneOf(name, words(names), normally, notes=margin, span=cst.span)


def at_most_one_of(cst: CstNode) -> t.Item:
    """`at most one of speed: blitz, slow`."""
    name, names, margins = word(cst.leaf(0)), cst.node(1), notes(cst.node(2))
    return t.OneOf(name, words(names), or_none=True, notes=margins, span=cst.span)


def suggests(cst: CstNode) -> t.Item:
    """`suggests a, b`."""
    names, margins = cst.nodes()
    return t.Suggests(words(names), notes(margins), span=cst.span)


def sealed(cst: CstNode) -> list[t.Item]:
    """`sealed a.b, c`: one node for each address."""
    names, margins = cst.nodes()
    found = notes(margins)
    return [t.Sealed(dotted(name), found, span=cst.span) for name in names.nodes()]


def extends_preset(cst: CstNode) -> t.Item:
    """`extends official`."""
    return t.Extends(word(cst.leaf(0)), span=cst.span)


def preset_with(cst: CstNode) -> t.Item:
    """`with a, b`, in a preset."""
    return t.PresetWith(words(cst.node(0)), span=cst.span)


def preset_set(cst: CstNode) -> t.Item:
    """`set target: 150`, in a preset."""
    name, value = cst.nodes()
    return t.PresetSet(dotted(name), expression(value), span=cst.span)


def remark(cst: CstNode) -> t.Item:
    """`note "…" [cite]`."""
    said, margins = cst.nodes()
    return t.Remark(quoted(said.leaf(0)), notes(margins), span=cst.span)


# ---- types and components


def type_decl(cst: CstNode) -> t.Item:
    """`type Face = 1..6`, `type Suit = red | black`, `type Box = ones(1) | rest`.

    A single bare name is an enumeration of one member.
    """
    definition = cst.node(2)
    enumeration = definition.rule in ("members", "named_type")
    return t.TypeDecl(
        word(cst.leaf(0)),
        members(definition.parts) if enumeration else (),
        None if enumeration else type_of(definition),
        notes(cst.node(3)),
        caption(cst.option(1)),
        fields(cst.nodes(4)),
        span=cst.span,
    )


def members(parts: Iterable[Part]) -> tuple[t.Word, ...]:
    """Return the members of an enumeration, with what their fields are."""
    return tuple(
        word(part) if isinstance(part, Leaf) else _member(part)
        for part in parts
        if part is not None
    )


def _member(cst: CstNode) -> t.ValuedMember:
    values = tuple(map(expression, cst.nodes(1)))
    return t.ValuedMember(cst.leaf(0).text, values, span=cst.leaf(0).span)


def fields(csts: list[CstNode]) -> tuple[t.Field, ...]:
    """Return the fields of a component or an enumeration, one a line."""
    return tuple(map(_field, csts))


def _field(cst: CstNode) -> t.Field:
    name, kind = word(cst.leaf(0)), type_of(cst.node(1))
    return t.Field(name, kind, notes(cst.node(2)), span=cst.span)


def component(cst: CstNode) -> t.Item:
    """`component Card from "x.yaml"`, `component Cell for each row: 1..4`."""
    made = cst.option(1)
    from_rows = made is not None and made.rule == "rows_from"
    return t.Component(
        word(cst.leaf(0)),
        quoted(made.leaf(0)) if made is not None and from_rows else None,
        param_list(made.node(0)) if made is not None and not from_rows else (),
        fields([each for each in cst.nodes(3) if each.rule == "field"]),
        notes(cst.node(2)),
        _where(made),
        _alike(cst.nodes(3)),
        span=cst.span,
    )


def _where(made: CstNode | None) -> t.Expr | None:
    """Return which combinations of a product there are; None where all are."""
    if made is None or made.rule != "rows_each":
        return None
    return expression_option(made.option(1))


def _alike(beneath: list[CstNode]) -> t.AlikeLine | None:
    """Return `those with the same kind are alike`, if it is among some lines."""
    for cst in beneath:
        if cst.rule == "alike_line":
            margins = notes(cst.nodes()[0])
            return t.AlikeLine(tuple(map(word, cst.leaves())), margins, span=cst.span)
    return None


def dice(cst: CstNode) -> t.Item:
    """`dice Die: red, green showing 1..6 read by pips`."""
    made = cst.node(1)
    each = made.rule == "rows_each"
    return t.DiceDecl(
        word(cst.leaf(0)),
        () if each else words(made),
        param_list(made.node(0)) if each else (),
        listed(cst.node(2)),
        word_option(cst.leaf_option(3)),
        seen_by(cst.option(4)),
        notes(cst.node(5)),
        _where(made),
        _alike(cst.nodes(6)),
        span=cst.span,
    )


def seen_by(cst: CstNode | None) -> t.Expr | None:
    """`seen only by p`: who sees it, or None where nothing is said."""
    return None if cst is None else nobody_as_set(expression(cst.node(0)))


def nobody_as_set(who: t.Expr) -> t.Expr:
    """`seen by nobody` is the empty set, as is `seen by {}`."""
    return t.SetOf((), span=who.span) if who == t.Name("nobody") else who


# ---- where things lie


def tokens(cst: CstNode) -> t.Item:
    """`tokens marker(p: Player): 34 in supply(p), markers(p, c: Card)`."""
    return t.Tokens(
        word(cst.leaf(0)),
        params(cst.option(1)),
        caption(cst.option(2)),
        expression(cst.node(3)),
        tuple(map(slot, cst.node(4).nodes())),
        notes(cst.node(5)),
        span=cst.span,
    )


def slot(cst: CstNode) -> t.Slot:
    """`markers(p, c: Card)`: a place where tokens may lie."""
    keys = cst.option(1)
    found = () if keys is None else tuple(map(_slot_key, keys.nodes()))
    return t.Slot(word(cst.leaf(0)), found, span=cst.span)


def _slot_key(cst: CstNode) -> t.SlotKey:
    names = cst.leaves()
    kind = word(names[1]) if len(names) > 1 else None
    return t.SlotKey(word(names[0]), kind, span=cst.span)


def is_slot(cst: CstNode) -> bool:
    """Say whether `name(…)` could be a place of tokens: all in brackets are names."""
    keys = ("name", "typed_key")
    return cst.rule == "given" and all(each.rule in keys for each in cst.nodes(1))


def given_slot(cst: CstNode) -> t.Slot:
    """Return what `is_slot` says could be a place of tokens as one."""
    keys = tuple(map(_slot_key, cst.nodes(1)))
    return t.Slot(word(cst.leaf(0)), keys, span=cst.span)


def zones(cst: CstNode) -> list[t.Item]:
    """`zone tray, spent: set of Die`: one node for each name."""
    first = t.Zone(
        word(cst.node(0).leaf(0)),
        params(cst.option(1)),
        caption(cst.option(2)),
        cast('Literal["set", "pile", "slot"]', phrase(cst.node(3))),
        word(cst.leaf(4)),
        expression_option(cst.option(5)),
        words(cst.option(6)),
        expression_option(cst.option(7)),
        seen_by(cst.option(8)),
        notes(cst.node(9)),
        span=cst.span,
    )
    return [replace(first, name=name) for name in words(cst.node(0))]


def state(cst: CstNode) -> t.Item:
    """`state owed: 0..60 each turn starts as 0`."""
    first = cst.node(5)
    margins = [part for part in first.nodes() if part.rule == "notes"]
    value, *rest = [part for part in first.nodes() if part.rule != "notes"]
    return t.State(
        word(cst.leaf(0)),
        params(cst.option(1)),
        caption(cst.option(2)),
        type_of(cst.node(3)),
        word_option(cst.leaf_option(4)),
        expression(value),
        seen_by(rest[0] if rest else None),
        notes(*margins),
        span=cst.span,
    )


# ---- meanings


def value(cst: CstNode) -> t.Item:
    """`value income(c: Card): 0..99 = c.income`, with its layers beneath."""
    definition = cst.node(4)
    meant, margins = long_expression(definition)
    layers = [part for part in definition.nodes() if part.rule == "value_layer"]
    return t.Value(
        dotted(cst.node(0)),
        params(cst.option(1)),
        caption(cst.option(2)),
        type_of(cst.node(3)),
        meant,
        tuple(map(_value_layer, layers)),
        margins,
        span=cst.span,
    )


def _value_layer(cst: CstNode) -> t.ValueLayer:
    op, margins = _operation(cst.node(0)), notes(cst.node(2))
    return t.ValueLayer(op, word(cst.leaf(1)), margins, span=cst.span)


def extend_layers(cst: CstNode) -> t.Item:
    """`extend income with plus joined, if any, after printed, before doubled`."""
    value, name = word(cst.leaf(0)), cst.leaf(2)
    return t.Layer(
        t.Word(f"{value.text}.{name.text}", span=value.span.to(name.span)),
        _operation(cst.node(1)),
        word_option(cst.leaf_option(3)),
        word_option(cst.leaf_option(4)),
        notes(cst.node(5)),
        span=cst.span,
    )


def _operation(cst: CstNode) -> t.LayerOp:
    return cast("t.LayerOp", phrase(cst))


_OPERATIONS: dict[str, t.LayerOp] = {
    "multiply": "times",
    "add_to": "plus",
    "keep_least": "at least",
    "keep_most": "at most",
}


def adjust(cst: CstNode) -> t.Item:
    """`multiply income.doubled(c) called cards: 2`, and its kin."""
    amount, margins = long_expression(cst.node(4))
    return t.Adjust(
        dotted(cst.node(0)),
        words(cst.option(1)),
        word(cst.leaf(2)),
        caption(cst.option(3)),
        amount,
        margins,
        _OPERATIONS[cst.rule],
        span=cst.span,
    )


def option(cst: CstNode) -> t.Item:
    """`option target: 60..300 step 10 normally 120`."""
    step = cst.leaf_option(3)
    return t.Option(
        word(cst.leaf(0)),
        caption(cst.option(1)),
        type_of(cst.node(2)),
        None if step is None else int(step.text),
        expression(cst.node(4)),
        notes(cst.node(5)),
        span=cst.span,
    )


def always(cst: CstNode) -> t.Item:
    """`always name: C`: an invariant."""
    condition, margins = long_expression(cst.node(3))
    return t.Always(
        word(cst.leaf(0)),
        params(cst.option(1)),
        caption(cst.option(2)),
        condition,
        margins,
        span=cst.span,
    )


def warn(cst: CstNode) -> t.Item:
    """`warn name "caption": C`: a remark about the chosen table."""
    condition, margins = long_expression(cst.node(2))
    return t.Warn(
        word(cst.leaf(0)),
        caption(cst.option(1)),
        condition,
        margins,
        span=cst.span,
    )


def winners(cst: CstNode) -> t.Item:
    """`winners "…": those p in players with most score(p)`."""
    who, margins = long_expression(cst.node(1))
    return t.Winners(caption(cst.option(0)), who, margins, span=cst.span)


def drawn(cst: CstNode) -> t.Item:
    """`drawn by name "caption": C`: a way in which the game ends without a winner."""
    condition, margins = long_expression(cst.node(2))
    return t.DrawnBy(
        word(cst.leaf(0)),
        caption(cst.option(1)),
        condition,
        margins,
        span=cst.span,
    )


def striving(cst: CstNode) -> t.Item:
    """`bots strive for "…": those p in players with most progress(p)`."""
    who, margins = long_expression(cst.node(1))
    return t.Striving(caption(cst.option(0)), who, margins, span=cst.span)


BUILDERS: dict[str, Builder] = {
    "zone": zones,
    "sealed": sealed,
    "players": players,
    "needs_players": needs_players,
    "source": source,
    "requires": relates,
    "implies": relates,
    "excludes": relates,
    "one_of": one_of,
    "at_most_one_of": at_most_one_of,
    "suggests": suggests,
    "extends_preset": extends_preset,
    "preset_with": preset_with,
    "preset_set": preset_set,
    "remark": remark,
    "type_decl": type_decl,
    "component": component,
    "dice": dice,
    "tokens": tokens,
    "state": state,
    "value": value,
    "extend_layers": extend_layers,
    **dict.fromkeys(_OPERATIONS, adjust),
    "option": option,
    "always": always,
    "warn": warn,
    "winners": winners,
    "drawn": drawn,
    "striving": striving,
}
