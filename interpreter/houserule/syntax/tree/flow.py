"""Effects, steps, actions and reactions of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.syntax.tree.expressions import Binder, Expr
from houserule.syntax.tree.statements import Block, Clause, Params
from houserule.syntax.tree.terms import (
    Node,
    Notes,
    Text,
    Word,
)

__all__ = [
    "Action",
    "Effect",
    "FlowDecl",
    "ForWhom",
    "Mode",
    "Order",
    "Reaction",
    "Step",
    "Until",
]


@dataclass(frozen=True, slots=True)
class Effect(Node):
    """`effect pay(p: Player, c: Card)` with its clauses."""

    name: Word
    params: Params
    caption: Text | None
    clauses: tuple[Clause, ...]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class ForWhom(Node):
    """`for me in clockwise(first)`."""

    name: Word
    source: Expr


@dataclass(frozen=True, slots=True)
class Until(Node):
    """`until finished, at most 400 times`."""

    condition: Expr
    times: Expr


Mode: TypeAlias = Literal["any number", "at most once", "exactly once"]


@dataclass(frozen=True, slots=True)
class Step(Node):
    """`step sliding: any number`; an automatic step has a `body` and no `mode`.

    `name` may be dotted (`use.earning`): the phase it stands in, then its own name.
    """

    name: Word
    caption: Text | None
    mode: Mode | None
    guard: Expr | None
    body: Block | None
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Order(Node):
    """`order founding then placing then sliding`: every earlier before every later."""

    names: tuple[Word, ...]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Action(Node):
    """`action slide(origin, target in table) at sliding`, with its clauses."""

    name: Word
    params: Params
    by: Binder | None
    at: Word
    caption: Text | None
    clauses: tuple[Clause, ...]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Reaction(Node):
    """`when v(k) changes from old to new as r`; `before|after|instead of e as r`."""

    moment: Literal["when", "before", "after", "instead"]
    event: Word  # the watched value, or the hooked address
    params: tuple[Word, ...] | None  # names for its keys; None: none were written
    old: Word | None
    new: Word | None
    name: Word
    caption: Text | None
    clauses: tuple[Clause, ...]
    notes: Notes = ()


FlowDecl: TypeAlias = Effect | Step | Order | Action | Reaction
