"""Statements of the core: what changes the state, asks, draws and calls."""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.ir.expressions import Bind, CoreNode, Expr
from houserule.ir.types import Kind


@frozen
class MoveThings(CoreNode):
    """Move a thing, none (nothing moves) or a set of things, by id, to a place.

    The whole of a zone is moved by `MoveTop` without a count, and keeps its order.
    """

    what: Expr
    to: Expr  # of type Position


@frozen
class MoveTop(CoreNode):
    """Move `count` things off a pile (from the top) or all of a zone to a place.

    `count` None means all, which keep their order; one by one they would reverse it.
    Without `up_to`, too few is a fault.
    """

    count: Expr | None
    up_to: bool
    zone: str
    keys: tuple[Expr, ...]
    to: Expr


@frozen
class MoveTokens(CoreNode):
    """Move tokens of one family between two of its slots."""

    count: Expr | None
    up_to: bool
    source: str
    source_keys: tuple[Expr, ...]
    to: str
    to_keys: tuple[Expr, ...]


@frozen
class SetCell(CoreNode):
    """`becomes`: leaving the declared range is a fault.

    With `anew` it is logged even if unchanged.
    """

    state: str
    keys: tuple[Expr, ...]
    value: Expr
    anew: bool = False


@frozen
class AddCell(CoreNode):
    """`gains` (sign 1) and `loses` (sign -1)."""

    state: str
    keys: tuple[Expr, ...]
    amount: Expr
    sign: Literal[1, -1]


@frozen
class SetFace(CoreNode):
    """`d.face becomes n`; a face the die does not have is a fault."""

    die: Expr
    kind: Kind
    value: Expr


@frozen
class AddFace(CoreNode):
    """`d.face gains n`."""

    die: Expr
    kind: Kind
    amount: Expr
    sign: Literal[1, -1]


@frozen
class RollDice(CoreNode):
    """Roll each die of a set, by id, each from its own stream of this clause."""

    dice: Expr
    kind: Kind
    stream: str  # the clause's address; the die's name follows after a slash


@frozen
class ShufflePile(CoreNode):
    """Shuffle a pile."""

    zone: str
    keys: tuple[Expr, ...]
    stream: str


@frozen
class LetSlot(CoreNode):
    """Give a slot a value."""

    slot: int
    name: str
    value: Expr


@frozen
class RequestAgain(CoreNode):
    """`again x`: honoured when the action or automatic step is complete."""

    target: str  # a phase or a step


@frozen
class RequestEnd(CoreNode):
    """`end x`; an empty target ends the game."""

    target: str


@frozen
class ShowThings(CoreNode):
    """Let seats see things until they move or are rolled. `to` is a set of seats."""

    what: Expr
    kind: Kind
    to: Expr


@frozen
class CallEffect(CoreNode):
    """Run an effect."""

    effect: str
    args: tuple[Expr, ...]


@frozen
class ChooseOption(CoreNode):
    """A decision. `by` None: the acting seat decides. `must` with nothing: otherwise.

    `site` names the decision for records and views: the clause's address, then a
    number where a clause holds several.
    """

    must: bool
    bind: Bind
    where: Expr | None
    by: Expr | None
    body: Block
    otherwise: Block
    site: str


@frozen
class DrawOne(CoreNode):
    """`random x in S`: one binding, each alike; over nothing it does nothing."""

    bind: Bind
    where: Expr | None
    body: Block
    stream: str


@frozen
class ShareOut(CoreNode):
    """One decision: how `amount` is spread over the members; body once for each > 0."""

    amount: Expr
    bind: Bind
    where: Expr | None
    count_slot: int
    body: Block
    site: str


@frozen
class ForEach(CoreNode):
    """The bindings are fixed on entry; sorted by keys, ties by id.

    With `until`, its one variable counts the times, and it ends before a time for which
    `until` holds. After the last time it is F12 if `until` does not hold, unless it
    `stops`.
    """

    binds: tuple[Bind, ...]
    where: Expr | None
    direction: Literal["most", "least"]
    keys: tuple[Expr, ...]
    body: Block
    until: Expr | None = None
    stops: bool = False


@frozen
class When(CoreNode):
    """`if`: the block of the first row whose condition holds, else `otherwise`."""

    rows: tuple[tuple[Expr, Block], ...]
    otherwise: Block


# Each draws from the stream of random numbers that its `stream` names.
ChanceStatement: TypeAlias = RollDice | ShufflePile | DrawOne

Statement: TypeAlias = (
    MoveThings
    | MoveTop
    | MoveTokens
    | SetCell
    | AddCell
    | SetFace
    | AddFace
    | ChanceStatement
    | LetSlot
    | RequestAgain
    | RequestEnd
    | ShowThings
    | CallEffect
    | ChooseOption
    | ShareOut
    | ForEach
    | When
)
Block: TypeAlias = tuple[Statement, ...]
