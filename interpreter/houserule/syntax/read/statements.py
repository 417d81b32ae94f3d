"""Statements and their blocks, from the concrete syntax.

A margin on the line that opens a block, or at the end of a block written on one
line, belongs to whatever opened the block: to the clause, or to the block of the
statement. So a text means the same however its lines are broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from houserule.syntax import tree as t
from houserule.syntax.read.cst import CstNode
from houserule.syntax.read.expressions import (
    best_option,
    binder,
    expression,
    expression_option,
    listed,
)
from houserule.syntax.read.terms import notes, phrase, word

Build: TypeAlias = Callable[[CstNode], t.Statement]


def is_statement(cst: CstNode) -> bool:
    """Say whether this is one statement (and no expression)."""
    return cst.rule in _SIMPLE or cst.rule in _OPENERS


def statement(cst: CstNode) -> t.Statement:
    """Return one statement."""
    build = _SIMPLE.get(cst.rule)
    return build(cst) if build else _opener(cst)


def body(cst: CstNode) -> tuple[t.Block, t.Notes]:
    """Return a block and the margins of the line that opens it."""
    if cst.rule == "line_body":
        return _line(cst.node(0))
    head, *lines = cst.nodes()
    return _lines(lines, cst), notes(head)


def block(cst: CstNode) -> t.Block:
    """Return a block that keeps the margins of the line that opens it."""
    inner, margins = body(cst)
    return replace(inner, notes=margins + inner.notes)


def _line(cst: CstNode) -> tuple[t.Block, t.Notes]:
    """Return a block written on one line, its margins apart."""
    if cst.rule == "stmt_line":
        *simple, margins = cst.nodes()
        built = tuple(map(statement, simple))
        return t.Block(built, span=cst.span), notes(margins)
    inner = cst.nodes()[-1]
    block_of_one, margins_of_one = _line(inner)
    only = _OPENERS[cst.rule](cst, block_of_one)
    return t.Block((only,), span=cst.span), margins_of_one


def _lines(csts: list[CstNode], whole: CstNode) -> t.Block:
    found: list[t.Statement] = []
    margins: t.Notes = ()
    for cst in csts:
        if cst.rule == "stmt_line":
            *simple, last = cst.nodes()
            found.extend(map(statement, simple))
            margins += notes(last)
        else:
            found.append(statement(cst))
    return t.Block(tuple(found), margins, span=whole.span)


# ---- statements with a body


def _opener(cst: CstNode) -> t.Statement:
    """Return a statement with its body, which is the first block among its parts."""
    place = next(
        index
        for index, part in enumerate(cst.parts)
        if isinstance(part, CstNode) and part.rule in ("line_body", "block_body")
    )
    built = _OPENERS[cst.rule](cst, block(cst.node(place)))
    if isinstance(built, t.Choose | t.If) and len(cst.parts) > place + 1:
        return replace(built, otherwise=_otherwise(cst.option(place + 1)))
    return built


def _choose(cst: CstNode, inner: t.Block) -> t.Statement:
    return t.Choose(
        phrase(cst.node(0)) == "must",
        binder(cst.node(1)),
        expression_option(cst.option(2)),
        expression_option(cst.option(3)),
        inner,
        None,
        span=cst.span,
    )


def _random(cst: CstNode, inner: t.Block) -> t.Statement:
    where = expression_option(cst.option(1))
    return t.Random(binder(cst.node(0)), where, inner, span=cst.span)


def _share(cst: CstNode, inner: t.Block) -> t.Statement:
    return t.Share(
        expression(cst.node(0)),
        binder(cst.node(1)),
        expression_option(cst.option(2)),
        word(cst.leaf(3)),
        inner,
        span=cst.span,
    )


def _for(cst: CstNode, inner: t.Block) -> t.Statement:
    where = expression_option(cst.option(1))
    order = best_option(cst.option(2))
    return t.For(binder(cst.node(0)), where, order, inner, span=cst.span)


def _if(cst: CstNode, inner: t.Block) -> t.Statement:
    return t.If(expression(cst.node(0)), inner, None, span=cst.span)


def _otherwise(cst: CstNode | None) -> t.Block | None:
    if cst is None:
        return None
    if cst.rule != "else_if":
        return block(cst)
    condition = expression(cst.node(0))
    inner = block(cst.node(1))
    nested = t.If(condition, inner, _otherwise(cst.option(2)), span=cst.span)
    return t.Block((nested,), span=cst.span)


_OPENERS: dict[str, Callable[[CstNode, t.Block], t.Statement]] = {
    "choose": _choose,
    "random": _random,
    "share": _share,
    "for_": _for,
    "if_": _if,
}


# ---- simple statements


def _plain(node: Callable[..., t.Statement], *more: object) -> Build:
    """Return what builds a statement whose parts are all expressions, in order."""
    return lambda cst: node(*map(expression, cst.nodes()), *more, span=cst.span)


def _move_count(cst: CstNode) -> t.Statement:
    source, to = map(expression, cst.nodes()[-2:])
    count = None if cst.rule == "move_all" else expression(cst.node(0))
    up_to = cst.rule == "move_up_to"
    return t.MoveCount(count, up_to, source, to, span=cst.span)


def _let(cst: CstNode) -> t.Statement:
    name, value = word(cst.leaf(0)), expression(cst.node(1))
    return t.Let(name, value, span=cst.span)


def _do(cst: CstNode) -> t.Statement:
    call = cst.node(0)
    args = listed(call.option(1)) if call.rule == "apply" else ()
    return t.Call(call.leaf(0).text, args, span=cst.span)


_SIMPLE: dict[str, Build] = {
    "move": _plain(t.Move),
    "move_all": _move_count,
    "move_n": _move_count,
    "move_up_to": _move_count,
    "becomes": _plain(t.Becomes),
    "gains": _plain(t.Gains, 1),
    "loses": _plain(t.Gains, -1),
    "roll": _plain(t.Roll),
    "shuffle": _plain(t.Shuffle),
    "let": _let,
    "again": lambda cst: t.Again(word(cst.leaf(0)), span=cst.span),
    "end": lambda cst: t.End(word(cst.leaf(0)), span=cst.span),
    "show": _plain(t.Show),
    "do": _do,
}
