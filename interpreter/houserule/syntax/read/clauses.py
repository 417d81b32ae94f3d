"""Clauses of actions, effects and reactions, and what holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import CstNode
from houserule.syntax.read.expressions import (
    binder,
    expression,
    expression_option,
    long_expression,
    params,
)
from houserule.syntax.read.statements import body
from houserule.syntax.read.terms import (
    Builder,
    caption,
    dotted,
    notes,
    phrase,
    word,
    word_option,
    words,
)

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
    count, phase = expression(cst.node(2)), word(cst.leaf(3))
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


def _uses_up(cst: CstNode) -> list[t.Clause]:
    measure, margins = long_expression(cst.node(1))
    return [t.UsesUp(caption(cst.option(0)), measure, margins, span=cst.span)]


_CLAUSES: dict[str, ClauseBuilder] = {
    "needs": _conditions(t.Needs),
    "unwise": _conditions(t.Unwise),
    "cost": _cost,
    "limit": _limit,
    "does": _does,
    "asks": _asks,
    "uses_up": _uses_up,
}


# ---- what holds clauses


def action(cst: CstNode) -> t.Item:
    """`action slide(origin, target in row) at sliding`, with its clauses."""
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
    """`when … changes … as r`, `before|after|instead of … as r`, with its clauses."""
    event, name = cst.node(0), 3 if cst.rule == "when" else 1
    watched = cst.rule == "when"
    keys = event.option(1)
    return t.Reaction(
        cast('Literal["when", "before", "after", "instead"]', cst.rule),
        dotted(event.node(0)),
        None if keys is None else words(keys),
        word_option(cst.leaf_option(1)) if watched else None,
        word_option(cst.leaf_option(2)) if watched else None,
        word(cst.leaf(name)),
        caption(cst.option(name + 1)),
        clauses(cst.nodes(name + 3)),
        notes(cst.node(name + 2)),
        span=cst.span,
    )


# ---- steps


def open_step(cst: CstNode) -> t.Item:
    """`step sliding: any number`."""
    return t.Step(
        dotted(cst.node(0)),
        caption(cst.option(1)),
        cast("t.Mode", phrase(cst.node(2))),
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


BUILDERS: dict[str, Builder] = {
    **_CLAUSES,
    "effect": effect,
    "action": action,
    "when": reaction,
    "before": reaction,
    "after": reaction,
    "instead": reaction,
    "open_step": open_step,
    "automatic_step": automatic_step,
    "order": order,
}
