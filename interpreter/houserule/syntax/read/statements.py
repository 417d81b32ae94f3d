"""Statements and their blocks, from shapes to nodes.

A margin on the line that opens a block, or at the end of a block written on one
line, belongs to whatever opened the block: to the clause, or to the block of the
statement. So a text means the same however its lines are broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

from houserule.syntax import tree as t
from houserule.syntax.read.cst import Shape
from houserule.syntax.read.expressions import (
    best_option,
    binder,
    expression,
    expression_option,
    listed,
)
from houserule.syntax.read.terms import notes, phrase, word

Build: TypeAlias = Callable[[Shape], t.Statement]


def is_statement(shape: Shape) -> bool:
    """Say whether this shape is one statement (and no expression)."""
    return shape.rule in _BUILDERS


def statement(shape: Shape) -> t.Statement:
    """Return one statement."""
    return _BUILDERS[shape.rule](shape)


def body(shape: Shape) -> tuple[t.Block, t.Notes]:
    """Return a block and the margins of the line that opens it."""
    if shape.rule == "line_body":
        return _line(shape.shape(0))
    head, *lines = shape.shapes()
    return _lines(lines, shape), notes(head)


def block(shape: Shape) -> t.Block:
    """Return a block that keeps the margins of the line that opens it."""
    inner, margins = body(shape)
    return replace(inner, notes=margins + inner.notes)


def _line(shape: Shape) -> tuple[t.Block, t.Notes]:
    """Return a block written on one line, its margins apart."""
    if shape.rule == "stmt_line":
        *simple, margins = shape.shapes()
        built = tuple(map(statement, simple))
        return t.Block(built, span=shape.span), notes(margins)
    inner = shape.shapes()[-1]
    block_of_one, margins_of_one = _line(inner)
    only = _with_body(shape, block_of_one)
    return t.Block((only,), span=shape.span), margins_of_one


def _lines(shapes: list[Shape], whole: Shape) -> t.Block:
    found: list[t.Statement] = []
    margins: t.Notes = ()
    for shape in shapes:
        if shape.rule == "stmt_line":
            *simple, last = shape.shapes()
            found.extend(map(statement, simple))
            margins += notes(last)
        else:
            found.append(statement(shape))
    return t.Block(tuple(found), margins, span=whole.span)


# ---- statements with a body


def _with_body(shape: Shape, inner: t.Block) -> t.Statement:
    span = shape.span
    match shape.rule:
        case "choose":
            return t.Choose(
                phrase(shape.shape(0)) == "must",
                binder(shape.shape(1)),
                expression_option(shape.option(2)),
                expression_option(shape.option(3)),
                inner,
                None,
                span=span,
            )
        case "random":
            where = expression_option(shape.option(1))
            return t.Random(binder(shape.shape(0)), where, inner, span=span)
        case "share":
            return t.Share(
                expression(shape.shape(0)),
                binder(shape.shape(1)),
                expression_option(shape.option(2)),
                word(shape.leaf(3)),
                inner,
                span=span,
            )
        case "for_":
            where = expression_option(shape.option(1))
            order = best_option(shape.option(2))
            return t.For(binder(shape.shape(0)), where, order, inner, span=span)
        case _:
            return t.If(expression(shape.shape(0)), inner, None, span=span)


_BODY = {"choose": 4, "random": 2, "share": 4, "for_": 3, "if_": 1}


def _opener(shape: Shape) -> t.Statement:
    place = _BODY[shape.rule]
    built = _with_body(shape, block(shape.shape(place)))
    if isinstance(built, t.Choose | t.If) and len(shape.parts) > place + 1:
        return replace(built, otherwise=_otherwise(shape.option(place + 1)))
    return built


def _otherwise(shape: Shape | None) -> t.Block | None:
    if shape is None:
        return None
    if shape.rule != "else_if":
        return block(shape)
    condition = expression(shape.shape(0))
    inner = block(shape.shape(1))
    nested = t.If(condition, inner, _otherwise(shape.option(2)), span=shape.span)
    return t.Block((nested,), span=shape.span)


# ---- simple statements


def _move_count(shape: Shape) -> t.Statement:
    source, to = map(expression, shape.shapes()[-2:])
    count = None if shape.rule == "move_all" else expression(shape.shape(0))
    up_to = shape.rule == "move_up_to"
    return t.MoveCount(count, up_to, source, to, span=shape.span)


def _two(shape: Shape) -> tuple[t.Expr, t.Expr]:
    return expression(shape.shape(0)), expression(shape.shape(1))


def _gains(sign: Literal[1, -1]) -> Build:
    return lambda shape: t.Gains(*_two(shape), sign, span=shape.span)


def _let(shape: Shape) -> t.Statement:
    name, value = word(shape.leaf(0)), expression(shape.shape(1))
    return t.Let(name, value, span=shape.span)


def _do(shape: Shape) -> t.Statement:
    call = shape.shape(0)
    args = listed(call.option(1)) if call.rule == "apply" else ()
    return t.Call(call.leaf(0).text, args, span=shape.span)


_BUILDERS: dict[str, Build] = {
    "move": lambda shape: t.Move(*_two(shape), span=shape.span),
    "move_all": _move_count,
    "move_n": _move_count,
    "move_up_to": _move_count,
    "becomes": lambda shape: t.Becomes(*_two(shape), span=shape.span),
    "gains": _gains(1),
    "loses": _gains(-1),
    "roll": lambda shape: t.Roll(expression(shape.shape(0)), span=shape.span),
    "shuffle": lambda shape: t.Shuffle(expression(shape.shape(0)), span=shape.span),
    "let": _let,
    "again": lambda shape: t.Again(word(shape.leaf(0)), span=shape.span),
    "end": lambda shape: t.End(word(shape.leaf(0)), span=shape.span),
    "show": lambda shape: t.Show(*_two(shape), span=shape.span),
    "do": _do,
    "choose": _opener,
    "random": _opener,
    "share": _opener,
    "for_": _opener,
    "if_": _opener,
}
