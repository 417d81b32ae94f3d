"""Statements and clauses of the tree."""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.language.syntax.tree.expressions import Best, Binder, Expr
from houserule.language.syntax.tree.terms import Node, Notes, Text, Type, Word

# ---- statements


@frozen
class Move(Node):
    """`move x to zone`: a thing, a set of things, or everything in a zone."""

    what: Expr
    to: Expr


@frozen
class MoveCount(Node):
    """`move n|up to n|all from a to b`: cards from a pile, or tokens."""

    count: Expr | None  # None for all
    up_to: bool
    source: Expr
    to: Expr


@frozen
class Becomes(Node):
    """`score(p) becomes e`."""

    target: Expr
    value: Expr


@frozen
class Gains(Node):
    """`score(p) gains e`, and `loses` with sign -1."""

    target: Expr
    value: Expr
    sign: Literal[1, -1]


@frozen
class Roll(Node):
    """`roll throw`."""

    dice: Expr


@frozen
class Shuffle(Node):
    """`shuffle deck`."""

    pile: Expr


@frozen
class Let(Node):
    """`let n = e`."""

    name: Word
    value: Expr


@frozen
class Again(Node):
    """`again turn`."""

    name: Word


@frozen
class End(Node):
    """`end turn`, `end game`."""

    name: Word


@frozen
class Show(Node):
    """`show given to partner`."""

    what: Expr
    to: Expr


@frozen
class Call(Node):
    """`pay(me, c)`: an effect as a statement."""

    name: str
    args: tuple[Expr, ...]


@frozen
class Choose(Node):
    """`must choose x in S where C by q: …  else: …`, `may choose …`."""

    must: bool
    binder: Binder
    where: Expr | None
    by: Expr | None
    body: Block
    otherwise: Block | None


@frozen
class Random(Node):
    """`random x in S where C: …`."""

    binder: Binder
    where: Expr | None
    body: Block


@frozen
class Share(Node):
    """`share 5 over c in S as n: …`: one decision, a distribution."""

    amount: Expr
    binder: Binder
    where: Expr | None
    count: Word
    body: Block


@frozen
class For(Node):
    """`for x in S and y in T where C by most E: …`."""

    binders: tuple[Binder, ...]
    where: Expr | None
    order: Best | None
    body: Block


@frozen
class Until(Node):
    """`until finished, at most 400 times`; with `, then stop` the bound is a rule."""

    condition: Expr
    times: Expr
    stops: bool = False


@frozen
class Repeat(Node):
    """`until C, at most N times: …`: tested before each time."""

    until: Until
    body: Block


@frozen
class LetIfAny(Node):
    """`let x = E, if any: …  else: …`: statements about a thing that may be none."""

    name: Word
    value: Expr
    body: Block
    otherwise: Block | None


@frozen
class ElseIf(Node):
    """`else if C: …`."""

    condition: Expr
    body: Block


@frozen
class If(Node):
    """`if C: … else if C: … else: …`.

    An `if` that is alone in an `else` is also one of the `others`.
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
BlockStatement: TypeAlias = Choose | Random | Share | For | Repeat | If | LetIfAny
Statement: TypeAlias = SimpleStatement | BlockStatement


@frozen
class Block(Node):
    """Statements in order, with the citations inside the block."""

    statements: tuple[Statement, ...]
    notes: Notes = ()


# ---- parameters and clauses


@frozen
class Typed(Node):
    """`a, b: Card` among parameters."""

    names: tuple[Word, ...]
    type: Type


Param: TypeAlias = Typed | Binder
Params: TypeAlias = tuple[Param, ...]


@frozen
class Needs(Node):
    """`needs slide.downhill "caption": C`; one node for each address written."""

    name: Word
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@frozen
class Advice(Node):
    """`unwise walk.stranding "caption": C`, `usual …`: one node for each address."""

    name: Word
    caption: Text | None
    condition: Expr
    usual: bool
    notes: Notes = ()


@frozen
class Cost(Node):
    """`cost die(d in tray): spend({d})`: a factor of the option and its payment."""

    name: Word
    params: Params
    caption: Text | None
    body: Block
    notes: Notes = ()


@frozen
class Limit(Node):
    """`limit offers: at most 3 times each turn`."""

    name: Word
    caption: Text | None
    count: Expr
    phase: Word
    notes: Notes = ()


@frozen
class Does(Node):
    """`does move "caption": …`."""

    name: Word
    caption: Text | None
    body: Block
    notes: Notes = ()


@frozen
class Asks(Node):
    """`asks cancel "question": q`."""

    name: Word
    caption: Text | None
    who: Expr
    notes: Notes = ()


@frozen
class UsesUp(Node):
    """`ends as this shrinks "caption": e`: decreases each time a reaction runs."""

    caption: Text | None
    measure: Expr
    notes: Notes = ()


ConditionClause: TypeAlias = Needs | Advice
Clause: TypeAlias = ConditionClause | Cost | Limit | Does | Asks | UsesUp
