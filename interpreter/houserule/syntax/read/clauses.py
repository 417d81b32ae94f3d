"""Statements, clauses, and the actions and steps that hold them, from concrete syntax.

A margin on the line that opens a block, or at the end of a block written on one
line, belongs to whatever opened the block: to the clause, or to the block of the
statement. So a text means the same however its lines are broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias, cast

from houserule.source import Span
from houserule.syntax import tree as t
from houserule.syntax.read.cst import CstNode
from houserule.syntax.read.expressions import (
    Builder,
    best_option,
    binder,
    binders,
    caption,
    dotted,
    expression,
    expression_option,
    listed,
    long_expression,
    notes,
    params,
    phrase,
    word,
    word_option,
    words,
)

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
    return lines_of(lines, lines[0].span.to(lines[-1].span)), notes(head)


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


def lines_of(csts: list[CstNode], span: Span) -> t.Block:
    """Return the block of some lines of statements, or of statements of one line."""
    found: list[t.Statement] = []
    margins: t.Notes = ()
    for cst in csts:
        if cst.rule == "stmt_line":
            *simple, last = cst.nodes()
            found.extend(map(statement, simple))
            margins += notes(last)
        else:
            found.append(statement(cst))
    return t.Block(tuple(found), margins, span=span)


# ---- statements with a body


def _opener(cst: CstNode) -> t.Statement:
    """Return a statement with its body, which is the first block among its parts."""
    place = next(
        index
        for index, part in enumerate(cst.parts)
        if isinstance(part, CstNode) and part.rule in ("line_body", "block_body")
    )
    built = _OPENERS[cst.rule](cst, block(cst.node(place)))
    if (
        not isinstance(built, t.Choose | t.If | t.LetIfAny)
        or len(cst.parts) == place + 1
    ):
        return built
    others = tuple(map(_else_if, cst.nodes(place + 1)[: len(cst.parts) - place - 2]))
    last = cst.option(len(cst.parts) - 1)
    return _with_others(built, others, None if last is None else block(last))


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
    return t.For(binders(cst.node(0)), where, order, inner, span=cst.span)


def _let_if_any(cst: CstNode, inner: t.Block) -> t.Statement:
    name, value = word(cst.leaf(0)), expression(cst.node(1))
    return t.LetIfAny(name, value, inner, None, span=cst.span)


def _if(cst: CstNode, inner: t.Block) -> t.Statement:
    return t.If(expression(cst.node(0)), inner, (), None, span=cst.span)


def _else_if(cst: CstNode) -> t.ElseIf:
    return t.ElseIf(expression(cst.node(0)), block(cst.node(1)), span=cst.span)


def _with_others(
    built: t.Choose | t.If | t.LetIfAny,
    others: tuple[t.ElseIf, ...],
    last: t.Block | None,
) -> t.Statement:
    """Return a statement with its `else if` and `else`, in the one form they have."""
    if isinstance(built, t.If):
        only = last.statements[0] if last and len(last.statements) == 1 else None
        if last is None or last.notes or not isinstance(only, t.If):
            return replace(built, others=others, otherwise=last)
        first = t.ElseIf(only.condition, only.body, span=only.span)
        others = (*others, first, *only.others)
        return replace(built, others=others, otherwise=only.otherwise)
    if not others:
        return replace(built, otherwise=last)
    first, *rest = others
    whole = first.span.to(others[-1].span if last is None else last.span)
    inner = t.If(first.condition, first.body, tuple(rest), last, span=whole)
    return replace(built, otherwise=t.Block((inner,), span=whole))


_OPENERS: dict[str, Callable[[CstNode, t.Block], t.Statement]] = {
    "choose": _choose,
    "random": _random,
    "share": _share,
    "for_": _for,
    "if_": _if,
    "let_if_any": _let_if_any,
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


# ---- clauses

ClauseBuilder: TypeAlias = Callable[[CstNode], list[t.Clause]]


def clauses(csts: list[CstNode]) -> tuple[t.Clause, ...]:
    """Return the clauses beneath an action, an effect or a reaction."""
    return tuple(found for cst in csts for found in _CLAUSES[cst.rule](cst))


def _conditions(node: type[t.ConditionClause]) -> ClauseBuilder:
    def build(cst: CstNode) -> list[t.Clause]:
        condition, margins = long_expression(cst.node(2))
        said = caption(cst.option(1))
        names = map(dotted, cst.node(0).nodes())
        return [node(name, said, condition, margins, span=cst.span) for name in names]

    return build


def _cost(cst: CstNode) -> list[t.Clause]:
    block, margins = body(cst.node(3))
    name, keys = dotted(cst.node(0)), params(cst.option(1))
    said = caption(cst.option(2))
    return [t.Cost(name, keys, said, block, margins, span=cst.span)]


def _limit(cst: CstNode) -> list[t.Clause]:
    name, said = dotted(cst.node(0)), caption(cst.option(1))
    often, phase = cst.node(2), word(cst.leaf(3))
    once = often.rule == "limit_once"
    count = t.Int(1, span=often.span) if once else expression(often)
    margins = notes(cst.node(4))
    return [t.Limit(name, said, count, phase, margins, span=cst.span)]


def _does(cst: CstNode) -> list[t.Clause]:
    block, margins = body(cst.node(2))
    name, said = dotted(cst.node(0)), caption(cst.option(1))
    return [t.Does(name, said, block, margins, span=cst.span)]


def _asks(cst: CstNode) -> list[t.Clause]:
    who, margins = long_expression(cst.node(2))
    name, said = dotted(cst.node(0)), caption(cst.option(1))
    return [t.Asks(name, said, who, margins, span=cst.span)]


def _shrinks(cst: CstNode) -> list[t.Clause]:
    measure, margins = long_expression(cst.node(1))
    return [t.UsesUp(caption(cst.option(0)), measure, margins, span=cst.span)]


_CLAUSES: dict[str, ClauseBuilder] = {
    "needs": _conditions(t.Needs),
    "unwise": _conditions(t.Unwise),
    "cost": _cost,
    "limit": _limit,
    "does": _does,
    "asks": _asks,
    "shrinks": _shrinks,
}


# ---- what holds clauses


def action(cst: CstNode) -> t.Item:
    """`action slide(origin, target in row) during sliding`, with its clauses."""
    by = cst.option(2)
    return t.Action(
        word(cst.leaf(0)),
        params(cst.option(1)),
        None if by is None else binder(by),
        word(cst.leaf(3)),
        caption(cst.option(4)),
        clauses(cst.nodes(6)),
        notes(cst.node(5)),
        span=cst.span,
    )


def effect(cst: CstNode) -> t.Item:
    """`effect pay(p: Player)`, with its clauses."""
    return t.Effect(
        word(cst.leaf(0)),
        params(cst.option(1)),
        caption(cst.option(2)),
        clauses(cst.nodes(4)),
        notes(cst.node(3)),
        span=cst.span,
    )


def reaction(cst: CstNode) -> t.Item:
    """`reaction r when … changes`, `reaction r before|after|instead of …`."""
    watched = cst.rule == "when"
    event, last = cst.node(1), 3 if watched else 1
    keys = event.option(1)
    return t.Reaction(
        cast('Literal["when", "before", "after", "instead"]', cst.rule),
        dotted(event.node(0)),
        None if keys is None else words(keys),
        word_option(cst.leaf_option(2)) if watched else None,
        word_option(cst.leaf_option(3)) if watched else None,
        word(cst.leaf(0)),
        caption(cst.option(last + 1)),
        clauses(cst.nodes(last + 3)),
        notes(cst.node(last + 2)),
        span=cst.span,
    )


# ---- steps


def mode(cst: CstNode) -> t.Mode:
    """`any number`, `at most once`, `must act once, if possible`."""
    if cst.leaf(0).text == "must":
        return "exactly once"
    return cast("t.Mode", phrase(cst))


def open_step(cst: CstNode) -> t.Item:
    """`step sliding: any number`."""
    return t.Step(
        dotted(cst.node(0)),
        caption(cst.option(1)),
        mode(cst.node(2)),
        None,
        None,
        notes(cst.node(3)),
        span=cst.span,
    )


def automatic_step(cst: CstNode) -> t.Item:
    """`step collecting if C: …`."""
    guard = cst.option(2)
    block, margins = body(cst.node(3))
    return t.Step(
        dotted(cst.node(0)),
        caption(cst.option(1)),
        None,
        None if guard is None else expression_option(guard.option(0)),
        block,
        margins,
        span=cst.span,
    )


def order(cst: CstNode) -> t.Item:
    """`order drawing then playing then scoring`."""
    return t.Order(words(cst), notes(cst.nodes()[-1]), span=cst.span)


_REACTIONS = ("when", "before", "after", "instead")
BUILDERS: dict[str, Builder] = {
    **_CLAUSES,
    "effect": effect,
    "action": action,
    **dict.fromkeys(_REACTIONS, reaction),
    "open_step": open_step,
    "automatic_step": automatic_step,
    "order": order,
}
