"""The core: the only meaning of the language, for one table (variants, options, seats).

A `Program` has no names left to resolve and nothing left to merge: options are
constants, captions and citations hang on clauses by address, every local variable is
a slot of its procedure's frame. Slot 0 of every frame is `me`, the acting seat (None
where nobody acts). `docs/language/semantics.md` says what each node means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from houserule.ir.types import Data, Kind, Type
from houserule.source import NOWHERE, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything that stands for something written; the span is where."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


# ---- expressions: pure, no draws, evaluated left to right


@dataclass(frozen=True, slots=True)
class Const(Node):
    """A value known when the table is set."""

    value: Data
    type: Type


@dataclass(frozen=True, slots=True)
class Local(Node):
    """A slot of the frame: a parameter, a binder, a `let`; slot 0 is `me`."""

    slot: int
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class PhaseVar(Node):
    """The current item of an enclosing phase that has a variable (not `me`)."""

    phase: str
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class ReadCell(Node):
    """A state, at its keys."""

    state: str
    keys: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ReadFace(Node):
    """The face of a die; none for none."""

    die: Expr
    kind: Kind
    type: Type


@dataclass(frozen=True, slots=True)
class ReadField(Node):
    """A field of a component; none for none. Fields never change."""

    subject: Expr
    kind: Kind
    field: str
    type: Type


@dataclass(frozen=True, slots=True)
class Contents(Node):
    """The set of what lies in a zone (of a pile too: order is not seen)."""

    zone: str
    keys: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ZoneSize(Node):
    """How many things lie in a zone."""

    zone: str
    keys: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class TokenCount(Node):
    """How many tokens lie in a slot of their family."""

    slot: str
    keys: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class PileTop(Node):
    """The component at the top (or bottom) of a pile, or none; `nth` counts from it.

    `index` 0 is the end itself; further in for larger ones.
    """

    zone: str
    keys: tuple[Expr, ...]
    end: Literal["top", "bottom"]
    index: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class PositionOf(Node):
    """A place to move things to: an end of a zone."""

    zone: str
    keys: tuple[Expr, ...]
    end: Literal["top", "bottom"]
    type: Type


@dataclass(frozen=True, slots=True)
class CallValue(Node):
    """A declared value at its arguments."""

    value: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-n`, `not c`, `abs n`, `seat p` (the number of a seat: its id)."""

    op: Literal["-", "not", "abs", "seat"]
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic on present numbers. `/up` and `/down` and `mod` are by floor."""

    op: Literal["+", "-", "*", "/up", "/down", "mod", "min", "max"]
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`==` holds for none == none only through `x is none`; else none makes it false.

    `==` and `!=` also compare sets. `!=` is the negation of `==`.
    """

    op: Literal["==", "!=", ">=", "<=", ">", "<"]
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class IsNone(Node):
    """`x is none`."""

    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class In(Node):
    """`x is in S`; false for none."""

    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`and`, `or`: the right side is evaluated only where it matters."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Cases(Node):
    """The value of the first row whose condition holds, else `otherwise`."""

    rows: tuple[tuple[Expr, Expr], ...]  # (condition, value)
    otherwise: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Default(Node):
    """`(x else y)`: y where x is none."""

    value: Expr
    otherwise: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class MakeSet(Node):
    """`{a, b}`: members that are none are left out."""

    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class MakeRange(Node):
    """`a..b`: empty where b is less than a."""

    low: Expr
    high: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Without(Node):
    """`S but x`: the right side is a member, none, or a set."""

    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Size(Node):
    """The number of members of a set."""

    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class FirstOf(Node):
    """The member of a set with the smallest id, or none of an empty one."""

    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class DiceTest(Node):
    """`equal faces in S`, `all faces different in S`, over `read(d)` of each die.

    Both hold for a set of fewer than two dice.
    """

    what: Literal["equal", "different"]
    dice: Expr
    slot: int  # bound to each die in turn
    read: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Seats(Node):
    """Seats in an order: a sequence, only for `for` of a phase or statement.

    "clockwise": from `start`, one round; "reversed": the other way round;
    "snaking": clockwise in odd laps, reversed in even ones, from the last.
    """

    how: Literal["clockwise", "reversed", "snaking"]
    start: Expr
    lap: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class Can(Node):
    """`can(step)`: some action at the step would be legal were it open."""

    step: str
    type: Type


@dataclass(frozen=True, slots=True)
class Doing(Node):
    """The action that is considered or running, or none."""

    type: Type


@dataclass(frozen=True, slots=True)
class Bind(Node):
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


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """`sum`, `highest`, `lowest` of `body`; of nothing: 0, the least, the greatest."""

    kind: Literal["sum", "highest", "lowest"]
    binds: tuple[Bind, ...]
    where: Expr | None
    body: Expr
    empty: int  # the result of nothing
    type: Type


@dataclass(frozen=True, slots=True)
class CountOf(Node):
    """How many bindings satisfy `where`."""

    binds: tuple[Bind, ...]
    where: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`some`, `every`, `no` binding that satisfies `where` satisfies `body`."""

    kind: Literal["some", "every", "no"]
    binds: tuple[Bind, ...]
    where: Expr | None
    body: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Pick(Node):
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


@dataclass(frozen=True, slots=True)
class Reached(Node):
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
    | Contents
    | ZoneSize
    | TokenCount
    | PileTop
    | PositionOf
    | CallValue
    | Unary
    | Binary
    | Compare
    | IsNone
    | In
    | Logic
    | Cases
    | Default
    | MakeSet
    | MakeRange
    | Without
    | Size
    | FirstOf
    | DiceTest
    | Seats
    | Can
    | Doing
    | Fold
    | CountOf
    | Quantified
    | Pick
    | Reached
)

# ---- statements


@dataclass(frozen=True, slots=True)
class MoveThings(Node):
    """Move a thing, none (nothing moves) or a set of things, by id, to a place.

    The whole of a zone is moved by `MoveTop` without a count, and keeps its order.
    """

    what: Expr
    to: Expr  # of type Position


@dataclass(frozen=True, slots=True)
class MoveTop(Node):
    """Move `count` things off a pile (from the top) or all of a zone to a place.

    `count` None means all, which keep their order; one by one they would reverse it.
    Without `up_to`, too few is a fault.
    """

    count: Expr | None
    up_to: bool
    zone: str
    keys: tuple[Expr, ...]
    to: Expr


@dataclass(frozen=True, slots=True)
class MoveTokens(Node):
    """Move tokens of one family between two of its slots."""

    count: Expr | None
    up_to: bool
    source: str
    source_keys: tuple[Expr, ...]
    to: str
    to_keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetCell(Node):
    """`becomes`: leaving the declared range is a fault."""

    state: str
    keys: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class AddCell(Node):
    """`gains` (sign 1) and `loses` (sign -1)."""

    state: str
    keys: tuple[Expr, ...]
    amount: Expr
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class SetFace(Node):
    """`d.face becomes n`; a face the die does not have is a fault."""

    die: Expr
    kind: Kind
    value: Expr


@dataclass(frozen=True, slots=True)
class AddFace(Node):
    """`d.face gains n`."""

    die: Expr
    kind: Kind
    amount: Expr
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class RollDice(Node):
    """Roll each die of a set, by id, each from its own stream of this clause."""

    dice: Expr
    kind: Kind
    stream: str  # the clause's address; the die's name follows after a slash


@dataclass(frozen=True, slots=True)
class ShufflePile(Node):
    """Shuffle a pile."""

    zone: str
    keys: tuple[Expr, ...]
    stream: str


@dataclass(frozen=True, slots=True)
class LetSlot(Node):
    """Give a slot a value."""

    slot: int
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class RequestAgain(Node):
    """`again x`: honoured when the action or automatic step is complete."""

    target: str  # a phase or a step


@dataclass(frozen=True, slots=True)
class RequestEnd(Node):
    """`end x`; an empty target ends the game."""

    target: str


@dataclass(frozen=True, slots=True)
class ShowThings(Node):
    """Let seats see things until they move or are rolled. `to` is a set of seats."""

    what: Expr
    kind: Kind
    to: Expr


@dataclass(frozen=True, slots=True)
class CallEffect(Node):
    """Run an effect."""

    effect: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choose(Node):
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


@dataclass(frozen=True, slots=True)
class DrawOne(Node):
    """`random x in S`: one binding, each alike; over nothing it does nothing."""

    bind: Bind
    where: Expr | None
    body: Block
    stream: str


@dataclass(frozen=True, slots=True)
class ShareOut(Node):
    """One decision: how `amount` is spread over the members; body once for each > 0."""

    amount: Expr
    bind: Bind
    where: Expr | None
    count_slot: int
    body: Block
    site: str


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """The bindings are fixed on entry; sorted by keys, ties by id."""

    bind: Bind
    where: Expr | None
    direction: Literal["most", "least"]
    keys: tuple[Expr, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class When(Node):
    """`if`."""

    condition: Expr
    body: Block
    otherwise: Block


Statement: TypeAlias = (
    MoveThings
    | MoveTop
    | MoveTokens
    | SetCell
    | AddCell
    | SetFace
    | AddFace
    | RollDice
    | ShufflePile
    | LetSlot
    | RequestAgain
    | RequestEnd
    | ShowThings
    | CallEffect
    | Choose
    | DrawOne
    | ShareOut
    | ForEach
    | When
)
Block: TypeAlias = tuple[Statement, ...]

# ---- declarations

Visibility: TypeAlias = Literal["everyone", "nobody"]


@dataclass(frozen=True, slots=True)
class Param(Node):
    """A parameter of a value or an effect: its slot is its place plus one."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class ComponentDef(Node):
    """A kind with its rows: `labels` are the ids people write, `fields` the columns.

    `faces` is non-empty for dice. `seen` (of dice) is a set of seats, with the die in
    slot 1; None means everyone.
    """

    kind: Kind
    labels: tuple[str, ...]
    fields: Mapping[str, tuple[Type, tuple[Data, ...]]]
    faces: tuple[int, ...] = ()
    seen: Expr | None = None


@dataclass(frozen=True, slots=True)
class StateDef(Node):
    """A family of cells. `life` is the phase whose entry restarts it, or ''.

    `first` is evaluated with the keys in slots 1…; `computed` tells that it is not a
    constant. Keys of set type are indexed by the bit pattern of the member ids.
    `seen` is a set of seats with the keys in slots 1…; None means everyone.
    """

    name: str
    keys: tuple[Param, ...]
    type: Type
    life: str
    first: Expr
    computed: bool
    seen: Expr | None = None


@dataclass(frozen=True, slots=True)
class ZoneDef(Node):
    """A family of zones. `seen` None means everyone; 'nobody' is an empty set.

    `showing` lists the fields that all see even where the thing is hidden.
    `at_most` None means no limit. `starts` is a set, put there before play, by id.
    """

    name: str
    keys: tuple[Param, ...]
    kind: Literal["set", "pile", "slot"]
    member: Kind
    at_most: int | None
    showing: tuple[str, ...]
    starts: Expr | None
    seen: Expr | None


@dataclass(frozen=True, slots=True)
class TokensDef(Node):
    """A conserved family: `amount` tokens for each key, all in the first slot at first.

    `slots` maps a slot's name to its key parameters; the family's keys come first or
    wherever `family_keys` says: for each slot, the places of the family's keys.
    """

    name: str
    keys: tuple[Param, ...]
    amount: int
    slots: Mapping[str, tuple[Param, ...]]
    family_keys: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class LayerDef(Node):
    """One layer: its operation, then what contributes, by id (address, expression).

    An adjustment's expression has the value's keys in slots 1….
    """

    name: str
    op: Literal["times", "plus", "at least", "at most"]
    adjusts: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class ValueDef(Node):
    """A pure definition; leaving its declared range is a fault."""

    name: str
    params: tuple[Param, ...]
    type: Type
    definition: Expr
    layers: tuple[LayerDef, ...]
    lifts: tuple[tuple[str, Expr], ...]  # yes also when one of these holds
    frame: int  # slots, `me` and parameters included


@dataclass(frozen=True, slots=True)
class Condition(Node):
    """A named condition: holds when `test` does, or one of the `lifts`."""

    address: str
    test: Expr
    lifts: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Body(Node):
    """A named run of statements (`does`, a step) with the slots it needs.

    `before` and `after` are the addresses of the hooks around it, in order.
    """

    address: str
    block: Block
    frame: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PayThings(Node):
    """A payment takes these things: those of different costs must be disjoint."""

    what: Expr  # a member, none or a set
    kind: Kind


@dataclass(frozen=True, slots=True)
class PayTop(Node):
    """A payment takes so many things off a pile."""

    count: Expr
    zone: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PayTokens(Node):
    """A payment takes so many tokens out of a slot; the sums must be covered."""

    count: Expr
    slot: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PayCell(Node):
    """A payment lowers a counter; the sums must leave it at its least or above."""

    amount: Expr
    state: str
    keys: tuple[Expr, ...]


Payment: TypeAlias = PayThings | PayTop | PayTokens | PayCell


@dataclass(frozen=True, slots=True)
class CostDef(Node):
    """A factor of the option (bindings, empty for none) and its payment.

    `payments` is what the body takes, through the effects it calls, over the action's
    frame: with it an engine tells whether the cost can be paid.
    """

    address: str
    binds: tuple[Bind, ...]
    payments: tuple[Payment, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class LimitDef(Node):
    """At most `count` takings in each item of the phase."""

    address: str
    count: Expr
    phase: str


@dataclass(frozen=True, slots=True)
class AskDef(Node):
    """Who is asked, after the choice and before the payment."""

    address: str
    who: Expr


@dataclass(frozen=True, slots=True)
class EffectDef(Node):
    """An effect: frame slots are `me`, the parameters, then locals of each body.

    `needs` hold for every action that pays with this effect; `instead` lists the
    replacements by address.
    """

    name: str
    params: tuple[Param, ...]
    needs: tuple[Condition, ...]
    does: tuple[Body, ...]
    instead: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActionDef(Node):
    """An action. One frame serves factors, conditions, costs and effects.

    `params` are the header's factors; `frame` counts all slots. `conditions` are its
    own needs, those of its step and those of effects it pays with (already expressed
    over this action's frame), by address order. `by` binds the acting seat (slot 0)
    for actions that others take.
    """

    name: str
    at: str
    by: Bind | None
    params: tuple[Bind, ...]
    costs: tuple[CostDef, ...]
    conditions: tuple[Condition, ...]
    limits: tuple[LimitDef, ...]
    asks: tuple[AskDef, ...]
    does: tuple[Body, ...]
    frame: int


@dataclass(frozen=True, slots=True)
class StepDef(Node):
    """A step of a phase: automatic (`body`, maybe `guard`), or open with a `mode`."""

    name: str
    phase: str
    mode: Literal["any number", "at most once", "exactly once"] | None
    guard: Expr | None
    body: Body | None
    actions: tuple[str, ...]  # by id


@dataclass(frozen=True, slots=True)
class PhaseDef(Node):
    """A phase. `items` are its children's names, by id.

    `source` with `slot` is its `for`; `seat` tells that the variable is a seat which
    acts (`me`). `before` maps a child to the children that must be over first (the
    transitive relation without the released pairs).
    """

    name: str
    parent: str
    source: Expr | None
    variable: str
    acts: bool  # the variable is `me`
    together: bool
    guard: Expr | None
    until: Expr | None
    times: Expr | None
    items: tuple[str, ...]
    before: Mapping[str, tuple[str, ...]]
    released: tuple[tuple[str, str], ...]
    actions: tuple[str, ...]  # actions at the phase itself, by id
    before_hooks: tuple[str, ...] = ()
    after_hooks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReactionDef(Node):
    """`when … changes`, a hook or a replacement, with its own frame.

    For "when": slots 1… are the value's keys, then old and new where they are named.
    For a hook or replacement: slots 1… are the hooked thing's parameters.
    `uses_up` is the measure that falls with each firing.
    """

    name: str
    moment: Literal["when", "before", "after", "instead"]
    event: str
    params: tuple[Param, ...]
    old_slot: int | None
    new_slot: int | None
    needs: tuple[Condition, ...]
    asks: tuple[AskDef, ...]
    does: tuple[Body, ...]
    uses_up: Expr | None
    frame: int


@dataclass(frozen=True, slots=True)
class ClauseInfo(Node):
    """What people are told about an address: its caption, citations and history.

    `origin` and `changed_by` are unit ids ("" is the base game). `cites` are printable.
    """

    address: str
    kind: str
    caption: str
    text: str  # the condition or statement as written
    origin: str
    changed_by: tuple[str, ...]
    cites: tuple[str, ...]
    rulings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A composed, checked game for one table."""

    game: str
    title: str
    seats: int
    variants: tuple[str, ...]
    options: Mapping[str, Data]
    kinds: Mapping[str, Kind]
    labels: Mapping[str, tuple[str, ...]]  # kind -> the names of its members
    components: Mapping[str, ComponentDef]
    states: Mapping[str, StateDef]
    zones: Mapping[str, ZoneDef]
    tokens: Mapping[str, TokensDef]
    values: Mapping[str, ValueDef]
    effects: Mapping[str, EffectDef]
    actions: Mapping[str, ActionDef]
    steps: Mapping[str, StepDef]
    phases: Mapping[str, PhaseDef]
    root: PhaseDef  # the game itself: its items are the outermost phases
    reactions: Mapping[str, ReactionDef]
    always: tuple[Condition, ...]
    asserts: tuple[Condition, ...]
    winners: Expr  # a set of seats
    winning_keys: tuple[Expr, ...]  # keys of `with most …`, the seat in `winners_slot`
    winning_direction: Literal["most", "least"]
    winners_slot: int
    clauses: Mapping[str, ClauseInfo]
    read_by: Mapping[str, str] = field(default_factory=dict)  # die kind -> value
    fingerprint: str = ""
