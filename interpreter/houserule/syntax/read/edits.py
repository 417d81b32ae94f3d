"""Edits of what exists, from shapes to nodes."""

from __future__ import annotations

from typing import Literal, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import Shape
from houserule.syntax.read.declarations import fields, slot
from houserule.syntax.read.expressions import expression, long_expression, rows
from houserule.syntax.read.statements import is_statement, statement
from houserule.syntax.read.terms import (
    caption,
    dotted,
    notes,
    phrase,
    quoted,
    word,
    words,
)


def change_line(shape: Shape) -> t.Item:
    """`change X from … to …` on one line."""
    return t.Change(
        dotted(shape.shape(0)),
        caption(shape.option(1)),
        _payload([shape.shape(2)]),
        _payload([shape.shape(3)]),
        notes(shape.shape(4)),
        span=shape.span,
    )


def change(shape: Shape) -> t.Item:
    """`change X` with `from …` and `to …` beneath."""
    sides = [shape.shape(3), shape.shape(4)]
    margins = [part for side in sides for part in side.shapes() if part.rule == "notes"]
    before, after = (
        [part for part in side.shapes() if part.rule != "notes"] for side in sides
    )
    return t.Change(
        dotted(shape.shape(0)),
        caption(shape.option(1)),
        _payload(before),
        _payload(after),
        notes(shape.shape(2), *margins),
        span=shape.span,
    )


def recaption(shape: Shape) -> t.Item:
    """`change X "New caption"`."""
    name, said = dotted(shape.shape(0)), quoted(shape.shape(1).leaf(0))
    return t.Recaption(name, said, notes(shape.shape(2)), span=shape.span)


def _payload(shapes: list[Shape]) -> t.Payload:
    first = shapes[0]
    if is_statement(first):
        span = first.span.to(shapes[-1].span)
        return t.Block(tuple(map(statement, shapes)), span=span)
    if first.rule == "mode":
        return cast("t.Mode", phrase(first))
    return rows(first) if first.rule == "rows" else expression(first)


def default(shape: Shape) -> t.Item:
    """`default target: 150`."""
    name, value, margins = shape.shapes()
    found = expression(value)
    return t.SetDefault(dotted(name), found, notes(margins), span=shape.span)


def tune(shape: Shape) -> t.Item:
    """`raise hand_limit by 1`, `lower hand_limit by 1`."""
    name, amount, margins = shape.shapes()
    sign: Literal[1, -1] = 1 if shape.rule == "raise_by" else -1
    found = expression(amount)
    return t.Tune(dotted(name), found, sign, notes(margins), span=shape.span)


def removes(shape: Shape) -> list[t.Item]:
    """`remove a.b, c.d`: one node for each address."""
    names, margins = shape.shapes()
    found = notes(margins)
    return [t.Remove(dotted(name), found, span=shape.span) for name in names.shapes()]


def release_among(shape: Shape) -> t.Item:
    """`release order among a, b, c`."""
    names, margins = shape.shapes()
    return t.Release(words(names), True, notes(margins), span=shape.span)


def release_pair(shape: Shape) -> t.Item:
    """`release a then b`."""
    margins = notes(shape.shape(2))
    return t.Release(words(shape), False, margins, span=shape.span)


def lift(shape: Shape) -> t.Item:
    """`lift place.match.partner "caption": C`."""
    condition, margins = long_expression(shape.shape(2))
    name, said = dotted(shape.shape(0)), caption(shape.option(1))
    return t.Lift(name, said, condition, margins, span=shape.span)


def extend_members(shape: Shape) -> t.Item:
    """`extend Suit with stars, moons`."""
    name, names = word(shape.leaf(0)), words(shape.shape(1))
    return t.ExtendMembers(name, names, notes(shape.shape(2)), span=shape.span)


def extend_tokens(shape: Shape) -> t.Item:
    """`extend marker with prison(p)`."""
    name, place = word(shape.leaf(0)), slot(shape.shape(1))
    return t.ExtendTokens(name, place, notes(shape.shape(2)), span=shape.span)


def extend_rows(shape: Shape) -> t.Item:
    """`extend Card with rows "components/more.yaml"`."""
    name, file = word(shape.leaf(0)), quoted(shape.leaf(1))
    return t.ExtendRows(name, file, notes(shape.shape(2)), span=shape.span)


def extend_fields(shape: Shape) -> t.Item:
    """`extend Card` with fields beneath."""
    name, margins = word(shape.leaf(0)), notes(shape.shape(1))
    return t.ExtendFields(name, fields(shape.shapes(2)), margins, span=shape.span)


def mute(shape: Shape) -> t.Item:
    """`mute variant at clause`, in a bridge."""
    name, target = word(shape.leaf(0)), dotted(shape.shape(1))
    return t.Mute(name, target, notes(shape.shape(2)), span=shape.span)


def assertion(shape: Shape) -> t.Item:
    """`assert "caption": C`."""
    condition, margins = long_expression(shape.shape(1))
    return t.Assert(caption(shape.option(0)), condition, margins, span=shape.span)
