"""Statements and clauses of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.syntax.tree.expressions import Best, Binder, Expr
from houserule.syntax.tree.terms import (
    Node,
    Notes,
    Text,
    Type,
    Word,
)

__all__ = [
    "Again",
    "Asks",
    "Becomes",
    "Block",
    "BlockStatement",
    "Call",
    "Choose",
    "Clause",
    "ConditionClause",
    "Cost",
    "Does",
    "ElseIf",
    "End",
    "For",
    "Gains",
    "If",
    "Let",
    "LetIfAny",
    "Limit",
    "Move",
    "MoveCount",
    "Needs",
    "Param",
    "Params",
    "Random",
    "Roll",
    "Share",
    "Show",
    "Shuffle",
    "SimpleStatement",
    "Statement",
    "Typed",
    "Unwise",
    "UsesUp",
]

# ---- statements


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move x to zone`: a thing, a set of things, or everything in a zone."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class MoveCount(Node):
    """`move n|up to n|all from a to b`: cards off a pile, or tokens."""

    count: Expr | None  # None: all
    up_to: bool
    source: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Becomes(Node):
    """`score(p) becomes e`."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Gains(Node):
    """`score(p) gains e`, and `loses` with sign -1."""

    target: Expr
    value: Expr
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """`roll throw`."""

    dice: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """`shuffle deck`."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let n = e`."""

    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Again(Node):
    """`again turn`."""

    name: Word


@dataclass(frozen=True, slots=True)
class End(Node):
    """`end turn`, `end game`."""

    name: Word


@dataclass(frozen=True, slots=True)
class Show(Node):
    """`show given to partner`."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`pay(me, c)`: an effect as a statement."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """`must choose x in S where C by q: …  else: …`, `may choose …`."""

    must: bool
    binder: Binder
    where: Expr | None
    by: Expr | None
    body: Block
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class Random(Node):
    """`random x in S where C: …`."""

    binder: Binder
    where: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Share(Node):
    """`share 5 over c in S as n: …`: one decision, a distribution."""

    amount: Expr
    binder: Binder
    where: Expr | None
    count: Word
    body: Block


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for x in S and y in T where C by most E: …`."""

    binders: tuple[Binder, ...]
    where: Expr | None
    order: Best | None
    body: Block


@dataclass(frozen=True, slots=True)
class LetIfAny(Node):
    """`let x = E, if any: …  else: …`: what is done with a thing that is there."""

    name: Word
    value: Expr
    body: Block
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class ElseIf(Node):
    """`else if C: …`."""

    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if C: … else if C: … else: …`.

    An `if` that stands alone beneath an `else` is one of the `others` as well.
    """

    condition: Expr
    body: Block
    others: tuple[ElseIf, ...]
    otherwise: Block | None


SimpleStatement: TypeAlias = (
    Move
    | MoveCount
    | Becomes
    | Gains
    | Roll
    | Shuffle
    | Let
    | Again
    | End
    | Show
    | Call
)
BlockStatement: TypeAlias = Choose | Random | Share | For | If | LetIfAny
Statement: TypeAlias = SimpleStatement | BlockStatement


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements in order, with the margins that stand inside the block."""

    statements: tuple[Statement, ...]
    notes: Notes = ()


# ---- parameters and clauses


@dataclass(frozen=True, slots=True)
class Typed(Node):
    """`a, b: Card` among parameters."""

    names: tuple[Word, ...]
    type: Type


Param: TypeAlias = Typed | Binder
Params: TypeAlias = tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class Needs(Node):
    """`needs slide.downhill "caption": C`; one node for each address written."""

    name: Word
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Unwise(Node):
    """`unwise walk.stranding "caption": C`: advice; one node for each address."""

    name: Word
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Cost(Node):
    """`cost die(d in tray): spend({d})`: a factor of the option and its payment."""

    name: Word
    params: Params
    caption: Text | None
    body: Block
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Limit(Node):
    """`limit offers: at most 3 times each turn`."""

    name: Word
    caption: Text | None
    count: Expr
    phase: Word
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Does(Node):
    """`does move "caption": …`."""

    name: Word
    caption: Text | None
    body: Block
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Asks(Node):
    """`asks cancel "question": q`."""

    name: Word
    caption: Text | None
    who: Expr
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class UsesUp(Node):
    """`ends as this shrinks "caption": e`: less each time a reaction fires."""

    caption: Text | None
    measure: Expr
    notes: Notes = ()


ConditionClause: TypeAlias = Needs | Unwise
Clause: TypeAlias = ConditionClause | Cost | Limit | Does | Asks | UsesUp
