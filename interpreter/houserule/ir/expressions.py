"""Expressions of the core: pure, no draws, evaluated left to right."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from houserule.base.algebra.arithmetic import Operation
from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span
from houserule.ir.types import Data, Kind, Type


@frozen
class CoreNode:
    """A node with the span of its text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@frozen
class Const(CoreNode):
    """A value known when the table is set."""

    value: Data
    type: Type


@frozen
class Local(CoreNode):
    """A slot of the frame: a parameter, a binder, a `let`; slot 0 is `me`."""

    slot: int
    name: str
    type: Type


@frozen
class PositionAfter(CoreNode):
    """The value of an expression in the position after an action.

    `by` takes the action; `args` are the values of its parameters, then of its costs.
    The action need not be legal. Nothing of it stays.
    """

    action: str
    by: Expr
    args: tuple[Expr, ...]
    body: Expr
    type: Type


@frozen
class PhaseVar(CoreNode):
    """The current item of an enclosing phase that has a variable (not `me`)."""

    phase: str
    name: str
    type: Type


@frozen
class ReadCell(CoreNode):
    """A state, at its keys."""

    state: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class ReadFace(CoreNode):
    """The face of a die; none for none."""

    die: Expr
    kind: Kind
    type: Type


@frozen
class ReadField(CoreNode):
    """A field of a component; none for none. Fields never change."""

    subject: Expr
    kind: Kind
    field: str
    type: Type


@frozen
class ReadEntry(CoreNode):
    """`x.rent(houses(x))`: a field with a key, at that key; none for none.

    The key is worked out even then.
    """

    subject: Expr
    kind: Kind
    field: str
    key: Expr
    type: Type


@frozen
class MemberAt(CoreNode):
    """`Square(4, 1)`: the member of a product with these parts, its first fields.

    It is none if there is no such member, or if a part is none.
    """

    kind: Kind
    parts: tuple[Expr, ...]
    type: Type


@frozen
class Contents(CoreNode):
    """The set of what lies in a zone (of a pile too: order is not seen)."""

    zone: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class ZoneSize(CoreNode):
    """How many things lie in a zone."""

    zone: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class TokenCount(CoreNode):
    """How many tokens lie in a slot of their family."""

    slot: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class PileTop(CoreNode):
    """The component at an end of a pile, or at `index` from there; none if too far."""

    zone: str
    keys: tuple[Expr, ...]
    end: Literal["top", "bottom"]
    index: Expr | None
    type: Type


@frozen
class PositionOf(CoreNode):
    """A place to move things to: an end of a zone."""

    zone: str
    keys: tuple[Expr, ...]
    end: Literal["top", "bottom"]
    type: Type


@frozen
class CallValue(CoreNode):
    """A declared value at its arguments."""

    value: str
    args: tuple[Expr, ...]
    type: Type


@frozen
class Unary(CoreNode):
    """`-n`, `not c`, `abs n`, `seat p` (the number of a seat: its id)."""

    op: Literal["-", "not", "abs", "seat"]
    operand: Expr
    type: Type


@frozen
class Binary(CoreNode):
    """Arithmetic on present numbers, as `houserule.base.algebra.arithmetic` has it."""

    op: Operation
    left: Expr
    right: Expr
    type: Type


@frozen
class CompareValues(CoreNode):
    """None makes `==` false; `!=` is its negation. Both also compare sets."""

    op: Literal["==", "!=", ">=", "<=", ">", "<"]
    left: Expr
    right: Expr
    type: Type


@frozen
class IsNone(CoreNode):
    """`x is none`."""

    operand: Expr
    type: Type


@frozen
class In(CoreNode):
    """`x is in S`; false for none."""

    left: Expr
    right: Expr
    type: Type


@frozen
class Connective(CoreNode):
    """`and`, `or`: the right side is evaluated only if it matters."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr
    type: Type


@frozen
class Cases(CoreNode):
    """The value of the first row whose condition holds, else `otherwise`."""

    rows: tuple[tuple[Expr, Expr], ...]  # (condition, value)
    otherwise: Expr
    type: Type


@frozen
class OrElse(CoreNode):
    """`(x else y)`: y if x is `none`."""

    value: Expr
    otherwise: Expr
    type: Type


@frozen
class MakeSet(CoreNode):
    """`{a, b}`: members that are `none` are omitted."""

    items: tuple[Expr, ...]
    type: Type


@frozen
class MakeRange(CoreNode):
    """`a..b`: empty where b is less than a."""

    low: Expr
    high: Expr
    type: Type


@frozen
class CombineSets(CoreNode):
    """`S but x`, `S plus x`, `S within x`: x is a member, none, or a set.

    "beyond": the members of S whose ids are greater than x.
    """

    op: Literal["but", "plus", "within", "beyond"]
    left: Expr
    right: Expr
    type: Type


@frozen
class Size(CoreNode):
    """The number of members of a set."""

    operand: Expr
    type: Type


@frozen
class FirstOf(CoreNode):
    """The member of a set with the smallest id, or none of an empty one."""

    operand: Expr
    type: Type


@frozen
class DiceTest(CoreNode):
    """`equal faces in S`, `all faces different in S`, over `read(d)` of each die.

    Both hold for a set of fewer than two dice.
    """

    what: Literal["equal", "different"]
    dice: Expr
    slot: int  # bound to each die in turn
    read: Expr
    type: Type


@frozen
class Alike(CoreNode):
    """Two things have alike rows; with `place` they lie in one set, or nowhere.

    With `known` they were also shown to the same seats.
    """

    left: Expr
    right: Expr
    kind: Kind
    place: bool
    known: bool
    type: Type


@frozen
class Distinct(CoreNode):
    """The members of a set, of those for which `alike` holds in `slots` the first.

    A "subset" binder has the parts of the whole set, with the first of each class.
    """

    operand: Expr
    slots: tuple[int, int]
    alike: Expr
    type: Type


@frozen
class AnyOf(CoreNode):
    """The `count` members with the least ids of a set whose members are all alike.

    If there are fewer, it is F02, or all of them with `up_to`. If there are more, and
    `same` does not hold, it is F13.
    """

    operand: Expr
    count: Expr
    up_to: bool
    same: Expr
    type: Type


@frozen
class Seats(CoreNode):
    """Seats in an order: a sequence, only for `for` of a phase or statement.

    "clockwise": from `start`, one round; "reversed": the other way round;
    "snaking": clockwise in odd laps, reversed in even ones, from the last.
    """

    how: Literal["clockwise", "reversed", "snaking"]
    start: Expr
    lap: Expr | None
    type: Type


@frozen
class Can(CoreNode):
    """`can(step)`: some action at the step would be legal were it open."""

    step: str
    type: Type


@frozen
class Doing(CoreNode):
    """The action that is considered or running, or none."""

    type: Type


@frozen
class Bind(CoreNode):
    """Variables over members or subsets of one set.

    With `how` "member", each slot runs over the members of `source`; several slots
    are an odometer, the last one fastest. With "subset" the single slot runs over
    the subsets of `low` to `high` members, by size, then lexicographically by members.
    """

    slots: tuple[int, ...]
    names: tuple[str, ...]
    how: Literal["member", "subset"]
    type: Type  # of each variable: the member's type, or the set's
    source: Expr
    low: int
    high: int | None  # None: as many as the set has


@frozen
class Aggregate(CoreNode):
    """`sum`, `highest`, `lowest` of `body`.

    Of no members: 0, the least, the greatest; `none` if the rules give a default.
    """

    kind: Literal["sum", "highest", "lowest"]
    binds: tuple[Bind, ...]
    where: Expr | None
    body: Expr
    empty: int | None  # the result of nothing
    type: Type


@frozen
class CountOf(CoreNode):
    """How many bindings satisfy `where`."""

    binds: tuple[Bind, ...]
    where: Expr | None
    type: Type


@frozen
class Quantifier(CoreNode):
    """`some`, `every`, `no` binding that satisfies `where` satisfies `body`."""

    kind: Literal["some", "every", "no"]
    binds: tuple[Bind, ...]
    where: Expr | None
    body: Expr
    type: Type


@frozen
class TooDeep(CoreNode):
    """A call that would be too deep in a value that asks itself: always F12."""

    type: Type


@frozen
class Pick(CoreNode):
    """Members of one set that satisfy `where`, the best by `keys` in turn.

    `many`: the set of all that share the best (of all, without keys). Else the
    single one, or none on a tie, for nothing, or (without keys) for several.
    """

    many: bool
    bind: Bind
    where: Expr | None
    direction: Literal["most", "least"]
    keys: tuple[Expr, ...]
    type: Type


@frozen
class ReachedCells(CoreNode):
    """Everything reached from `start` by steps of `by(y)` through members where C."""

    start: Expr
    slot: int
    by: Expr
    where: Expr | None
    type: Type


Expr: TypeAlias = (
    Const
    | Local
    | PhaseVar
    | ReadCell
    | ReadFace
    | ReadField
    | ReadEntry
    | MemberAt
    | Contents
    | ZoneSize
    | TokenCount
    | PileTop
    | PositionOf
    | CallValue
    | Unary
    | Binary
    | CompareValues
    | IsNone
    | In
    | Connective
    | Cases
    | OrElse
    | MakeSet
    | MakeRange
    | CombineSets
    | Size
    | FirstOf
    | DiceTest
    | Alike
    | Distinct
    | AnyOf
    | Seats
    | Can
    | Doing
    | Aggregate
    | CountOf
    | Quantifier
    | PositionAfter
    | Pick
    | ReachedCells
    | TooDeep
)
