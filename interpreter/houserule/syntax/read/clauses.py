"""Clauses of actions, effects and reactions, and what holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import Shape
from houserule.syntax.read.expressions import (
    binder,
    expression,
    expression_option,
    long_expression,
    params,
)
from houserule.syntax.read.statements import body
from houserule.syntax.read.terms import (
    caption,
    dotted,
    notes,
    phrase,
    word,
    word_option,
    words,
)

Build: TypeAlias = Callable[[Shape], list[t.Clause]]


def is_clause(shape: Shape) -> bool:
    """Say whether this shape is a clause."""
    return shape.rule in _BUILDERS


def clause(shape: Shape) -> list[t.Clause]:
    """Return a clause; several where one line names several addresses."""
    return _BUILDERS[shape.rule](shape)


def clauses(shapes: list[Shape]) -> tuple[t.Clause, ...]:
    """Return the clauses beneath an action, an effect or a reaction."""
    return tuple(found for shape in shapes for found in clause(shape))


def _needs(shape: Shape) -> list[t.Clause]:
    condition, margins = long_expression(shape.shape(2))
    said = caption(shape.option(1))
    names = [dotted(part) for part in shape.shape(0).shapes()]
    return [t.Needs(name, said, condition, margins, span=shape.span) for name in names]


def _unwise(shape: Shape) -> list[t.Clause]:
    condition, margins = long_expression(shape.shape(2))
    said = caption(shape.option(1))
    names = [dotted(part) for part in shape.shape(0).shapes()]
    return [t.Unwise(name, said, condition, margins, span=shape.span) for name in names]


def _cost(shape: Shape) -> list[t.Clause]:
    block, margins = body(shape.shape(3))
    name, keys = dotted(shape.shape(0)), params(shape.option(1))
    said = caption(shape.option(2))
    return [t.Cost(name, keys, said, block, margins, span=shape.span)]


def _limit(shape: Shape) -> list[t.Clause]:
    name, said = dotted(shape.shape(0)), caption(shape.option(1))
    count, phase = expression(shape.shape(2)), word(shape.leaf(3))
    margins = notes(shape.shape(4))
    return [t.Limit(name, said, count, phase, margins, span=shape.span)]


def _does(shape: Shape) -> list[t.Clause]:
    block, margins = body(shape.shape(2))
    name, said = dotted(shape.shape(0)), caption(shape.option(1))
    return [t.Does(name, said, block, margins, span=shape.span)]


def _asks(shape: Shape) -> list[t.Clause]:
    who, margins = long_expression(shape.shape(2))
    name, said = dotted(shape.shape(0)), caption(shape.option(1))
    return [t.Asks(name, said, who, margins, span=shape.span)]


def _uses_up(shape: Shape) -> list[t.Clause]:
    measure, margins = long_expression(shape.shape(1))
    return [t.UsesUp(caption(shape.option(0)), measure, margins, span=shape.span)]


_BUILDERS: dict[str, Build] = {
    "needs": _needs,
    "unwise": _unwise,
    "cost": _cost,
    "limit": _limit,
    "does": _does,
    "asks": _asks,
    "uses_up": _uses_up,
}


# ---- what holds clauses


def action(shape: Shape) -> t.Item:
    """`action slide(origin, target in row) at sliding`, with its clauses."""
    by = shape.option(2)
    return t.Action(
        word(shape.leaf(0)),
        params(shape.option(1)),
        None if by is None else binder(by),
        word(shape.leaf(3)),
        caption(shape.option(4)),
        clauses(shape.shapes(6)),
        notes(shape.shape(5)),
        span=shape.span,
    )


def effect(shape: Shape) -> t.Item:
    """`effect pay(p: Player)`, with its clauses."""
    return t.Effect(
        word(shape.leaf(0)),
        params(shape.option(1)),
        caption(shape.option(2)),
        clauses(shape.shapes(4)),
        notes(shape.shape(3)),
        span=shape.span,
    )


def reaction(shape: Shape) -> t.Item:
    """`when … changes … as r`, `before|after|instead of … as r`, with its clauses."""
    event, name = shape.shape(0), 3 if shape.rule == "when" else 1
    watched = shape.rule == "when"
    keys = event.option(1)
    return t.Reaction(
        cast('Literal["when", "before", "after", "instead"]', shape.rule),
        dotted(event.shape(0)),
        None if keys is None else words(keys),
        word_option(shape.leaf_option(1)) if watched else None,
        word_option(shape.leaf_option(2)) if watched else None,
        word(shape.leaf(name)),
        caption(shape.option(name + 1)),
        clauses(shape.shapes(name + 3)),
        notes(shape.shape(name + 2)),
        span=shape.span,
    )


# ---- steps


def open_step(shape: Shape) -> t.Item:
    """`step sliding: any number`."""
    return t.Step(
        dotted(shape.shape(0)),
        caption(shape.option(1)),
        cast("t.Mode", phrase(shape.shape(2))),
        None,
        None,
        notes(shape.shape(3)),
        span=shape.span,
    )


def automatic_step(shape: Shape) -> t.Item:
    """`step collecting if C: …`."""
    guard = shape.option(2)
    block, margins = body(shape.shape(3))
    return t.Step(
        dotted(shape.shape(0)),
        caption(shape.option(1)),
        None,
        None if guard is None else expression_option(guard.option(0)),
        block,
        margins,
        span=shape.span,
    )


def order(shape: Shape) -> t.Item:
    """`order drawing then playing then scoring`."""
    return t.Order(words(shape), notes(shape.shapes()[-1]), span=shape.span)
