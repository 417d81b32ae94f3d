"""Expressions and binders of the tree."""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.language.syntax.tree.terms import Node, Notes, Word

# ---- expressions


@frozen
class Name(Node):
    """A name used as a value."""

    name: str


@frozen
class Dot(Node):
    """`c.income`."""

    subject: Expr
    field: str


@frozen
class DotAt(Node):
    """`x.rent(houses(x))`: a field with a key."""

    field: Dot
    key: Expr


@frozen
class Apply(Node):
    """`markers(p, c)`: a cell, a value, a zone, a place of tokens, a built-in."""

    name: str
    args: tuple[Expr, ...]


@frozen
class Int(Node):
    """A whole number."""

    value: int


@frozen
class Bool(Node):
    """`yes` or `no`."""

    value: bool


@frozen
class NoneValue(Node):
    """`none`."""


@frozen
class Negative(Node):
    """`-n`."""

    operand: Expr


@frozen
class Arith(Node):
    """`a + b`, `a - b`, `a * b`, `a mod b`."""

    op: Literal["+", "-", "*", "mod"]
    left: Expr
    right: Expr


@frozen
class Divide(Node):
    """`a / b rounded up`."""

    left: Expr
    right: Expr
    rounding: Literal["up", "down"]


@frozen
class RangeSet(Node):
    """`1..n`: the set of the numbers from one to the other."""

    low: Expr
    high: Expr


SetWord: TypeAlias = Literal["but", "plus", "within"]


@frozen
class SetArith(Node):
    """`S but x`, `S plus x`, `S within T`: difference, union, intersection."""

    op: SetWord
    left: Expr
    right: Expr


Relation: TypeAlias = Literal[
    "is", "is not", "at least", "at most", "more than", "less than"
]


@frozen
class Compare(Node):
    """`a at least b` and similar."""

    op: Relation
    left: Expr
    right: Expr


@frozen
class Member(Node):
    """`x is in S`, `x is not in S`."""

    left: Expr
    right: Expr
    negated: bool


@frozen
class Logic(Node):
    """`a and b`, `a or b`."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@frozen
class Not(Node):
    """`not a`."""

    operand: Expr


@frozen
class Default(Node):
    """`(x else 0)`: x, or the default if x is none."""

    value: Expr
    otherwise: Expr


@frozen
class PileEnd(Node):
    """`top of deck`, `bottom of deck`: a component (or none), or a position."""

    end: Literal["top", "bottom"]
    pile: Expr


@frozen
class Dice(Node):
    """`total of use`, `equal faces in use`, `all faces different in use`."""

    what: Literal["total", "equal", "different"]
    dice: Expr


@frozen
class SetOf(Node):
    """`{a, b}`; members that are none are omitted."""

    items: tuple[Expr, ...]


@frozen
class Binder(Node):
    """`c, d in S`; `use part of S`; `use any part of S`; `use 1..3 of S`.

    `c, d in pairs of S`: each unordered pair once.
    """

    names: tuple[Word, ...]
    how: Literal["in", "in pairs", "part", "any part", "some"]
    source: Expr
    low: int | Word | None = None
    high: int | Word | None = None


@frozen
class HowMany(Node):
    """`1..2 of S`, `part of S`: a binder without its names, as in a `change`."""

    how: Literal["in", "in pairs", "part", "any part", "some"]
    source: Expr
    low: int | Word | None = None
    high: int | Word | None = None


Direction: TypeAlias = Literal["most", "least"]


@frozen
class Best(Node):
    """`with most E then F`."""

    direction: Direction
    keys: tuple[Expr, ...]


@frozen
class Fold(Node):
    """`sum of E for x in S where C`, `highest of …`, `lowest of …`."""

    kind: Literal["sum", "highest", "lowest"]
    body: Expr
    binders: tuple[Binder, ...]
    where: Expr | None


@frozen
class Count(Node):
    """`count of x in S where C`."""

    binders: tuple[Binder, ...]
    where: Expr | None


@frozen
class CountEach(Node):
    """`count of each turn for p since take or place with the same man and in_hand`.

    How many items of a phase began since one of these last ran, with the same values as
    now; with `of` only the items of one member; with `last` only among the latest
    items.
    """

    phase: Word
    of: Expr | None
    since: tuple[Word, ...]
    same: tuple[Word, ...]
    last: Expr | None


@frozen
class TheOne(Node):
    """`the one p in S with most E then F, none on a tie`."""

    binder: Binder
    where: Expr | None
    best: Best


@frozen
class TheOnly(Node):
    """`the only g in S where C`."""

    binder: Binder
    where: Expr | None


@frozen
class TheFirst(Node):
    """`the first p in S where C with most E`."""

    binder: Binder
    where: Expr | None
    best: Best | None


@frozen
class Those(Node):
    """`those p in S where C with most E`."""

    binder: Binder
    where: Expr | None
    best: Best | None


@frozen
class Reached(Node):
    """`those y reached from S by near(y) where C`."""

    name: Word
    start: Expr
    by: Expr
    where: Expr | None


@frozen
class Quantified(Node):
    """`some x in S has C`, `every x, y in S has C`, `no x in S has C`."""

    kind: Literal["some", "every", "no"]
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr


@frozen
class After(Node):
    """`after run(n, k) by p: E`: the value of E in the position after an action."""

    action: Word
    args: tuple[Expr, ...]
    by: Expr | None
    body: Expr


@frozen
class AtRandom(Node):
    """`at random among players`: the first value of a state, drawn from a set."""

    among: Expr


@frozen
class Row(Node):
    """`E when C`; `E otherwise` has no condition."""

    value: Expr
    when: Expr | None
    notes: Notes = ()


@frozen
class Rows(Node):
    """A definition by cases: the first true row counts; the last is `otherwise`."""

    rows: tuple[Row, ...]


Expr: TypeAlias = (
    Name
    | Dot
    | DotAt
    | Apply
    | Int
    | Bool
    | NoneValue
    | Negative
    | Arith
    | Divide
    | RangeSet
    | SetArith
    | Compare
    | Member
    | Logic
    | Not
    | Default
    | PileEnd
    | Dice
    | SetOf
    | Fold
    | Count
    | CountEach
    | TheOne
    | TheOnly
    | TheFirst
    | Those
    | Reached
    | Quantified
    | After
    | AtRandom
    | Rows
)
