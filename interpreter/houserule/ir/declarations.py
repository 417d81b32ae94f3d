"""Declarations of the core: state, values, actions, flow, and the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.ir.expressions import Bind, Connective, CoreNode, Expr
from houserule.ir.statements import Block
from houserule.ir.types import Data, Flag, Kind, Type

KEPT = "#"
"""A sign in the names of states, steps and values that no rule declares.

They hold what is remembered of earlier positions. People are never shown them.
"""


def seat_ids(players: int) -> tuple[str, ...]:
    """Return the ids of the seats in rules, records and examples: `p1`, `p2`, …."""
    return tuple(f"p{number}" for number in range(1, players + 1))


def is_kept(name: str) -> bool:
    """Return whether this is the name of something that no rule declares."""
    return KEPT in name


def kept_of(name: str) -> str:
    """Return the phase whose items are remembered under such a name."""
    return name.partition(KEPT)[0]


def declared_as(name: str) -> str:
    """Return the name of a value in the rules: a copy has its level after it."""
    own, _, level = name.partition(KEPT)
    return own if level.isdecimal() else name


def kept_parts(name: str) -> tuple[str, tuple[str, ...], tuple[str, ...], int]:
    """Return what a count of items is of: the phase, since when, the same what.

    Last is how many are remembered. The parts are those of the value's name.
    """
    phase, since, same, last, *_ = name.split(KEPT)
    names = [tuple(filter(None, each.split("+"))) for each in (since, same)]
    return phase, names[0], names[1], int(last.partition(".")[0])


# ---- what is kept, and values


@frozen
class Param(CoreNode):
    """A parameter of a value or an effect: its slot is its place plus one."""

    name: str
    type: Type


@frozen
class KeyedField(CoreNode):
    """A field with a key: each row has a value for each of `keys`, in their order."""

    key: Param
    keys: tuple[Data, ...]
    type: Type
    rows: tuple[tuple[Data, ...], ...]


@frozen
class ComponentDef(CoreNode):
    """A kind with its rows: `labels` are the ids people write, `fields` the columns.

    An enumeration whose members have fields is one too, of things that lie nowhere.
    `faces` is non-empty for dice. `seen` (of dice) is a set of seats, with the die in
    slot 1; None means everyone. `alike` has a number for each row: rows with the same
    number are equal; empty if all rows differ. `each` has the fields that make up a
    member of a product; empty for tables. `keyed` has the fields with a key, which
    are not among `fields`.
    """

    kind: Kind
    labels: tuple[str, ...]
    fields: Mapping[str, tuple[Type, tuple[Data, ...]]]
    faces: tuple[int, ...] = ()
    seen: Expr | None = None
    alike: tuple[int, ...] = ()
    each: tuple[str, ...] = ()
    keyed: Mapping[str, KeyedField] = field(default_factory=dict)

    def parts(self, count: int) -> Iterator[tuple[Data, ...]]:
        """Yield the first fields of each member: the parts of a product."""
        columns = [column for _, column in self.fields.values()][:count]
        yield from zip(*columns, strict=True)


@frozen
class StateDef(CoreNode):
    """A family of cells. `life` is the phase whose entry restarts it, or ''.

    `first` is evaluated with the keys in slots 1…; `computed`: it is not a constant.
    First values of one life are worked out by `stage`: each reads only lower ones.
    Keys of set type are indexed by the bit pattern of the member ids. `seen` is a set
    of seats with the keys in slots 1…; None means everyone. With `among` a step before
    all others draws its value out of that set. `follows` is worked out after the draws
    that it reads; until then the state has the least value of its type, as drawn ones.
    """

    name: str
    keys: tuple[Param, ...]
    type: Type
    life: str
    first: Expr
    computed: bool
    seen: Expr | None = None
    among: Expr | None = None
    follows: Expr | None = None
    stage: int = 1

    @property
    def begins(self) -> Expr:
        """What the rules say that it starts with, if it is not drawn."""
        return self.follows or self.first

    @property
    def stream(self) -> str:
        """The stream of random numbers from which it is drawn."""
        return f"{self.name}.starts"


@frozen
class ZoneDef(CoreNode):
    """A family of zones. `seen` None means everyone; an empty set, no seat.

    `showing` lists the fields that everyone sees even if the thing is hidden. `at_most`
    None means no limit. `starts` is the set that is put there before play, by id.
    """

    name: str
    keys: tuple[Param, ...]
    kind: Literal["set", "pile", "slot"]
    member: Kind
    at_most: int | None
    showing: tuple[str, ...]
    starts: Expr | None
    seen: Expr | None


@frozen
class TokensDef(CoreNode):
    """A conserved family: `amount` tokens for each key, all in the first slot at first.

    `slots` maps a slot's name to its key parameters; the family's keys come first or
    wherever `family_keys` says: for each slot, the places of the family's keys.
    """

    name: str
    keys: tuple[Param, ...]
    amount: int
    slots: Mapping[str, tuple[Param, ...]]
    family_keys: Mapping[str, tuple[int, ...]]


@frozen
class LayerDef(CoreNode):
    """One layer: its operation, then what contributes, by id (address, expression).

    An adjustment's expression has the value's keys in slots 1….
    """

    name: str
    op: Literal["times", "plus", "at least", "at most"]
    adjusts: tuple[tuple[str, Expr], ...]


@frozen
class ValueDef(CoreNode):
    """A pure definition; leaving its declared range is a fault."""

    name: str
    params: tuple[Param, ...]
    type: Type
    definition: Expr
    layers: tuple[LayerDef, ...]
    lifts: tuple[tuple[str, Expr], ...]  # yes also when one of these holds
    frame: int  # slots, `me` and parameters included
    needs: tuple[Condition, ...] = ()  # no unless all of these hold
    deep: int = 0  # how many calls of it may be in one another; 0: none

    @property
    def adjusted(self) -> bool:
        """Whether anything contributes to a layer: without house rules mostly not."""
        return any(layer.adjusts for layer in self.layers)

    @property
    def widened(self) -> bool:
        """Whether it is yes or no by more than its definition."""
        return bool(self.lifts or self.needs)

    @property
    def whole(self) -> Expr:
        """Its definition with its lifts and needs, before layers."""
        own = Condition(self.name, self.definition, self.lifts)
        return reduce(_and, (each.whole for each in self.needs), own.whole)


# ---- clauses


@frozen
class Condition(CoreNode):
    """A named condition: holds when `test` does, or one of the `lifts`."""

    address: str
    test: Expr
    lifts: tuple[tuple[str, Expr], ...] = ()

    @property
    def whole(self) -> Expr:
        """The test with its lifts."""
        return reduce(_or, (lift for _, lift in self.lifts), self.test)


@frozen
class AdviceDef(Condition):
    """Advice about legal takings: if it holds they are unwise, or `usual`."""

    usual: bool = False


def _or(left: Expr, right: Expr) -> Expr:
    return Connective("or", left, right, Flag(), span=left.span)


def _and(left: Expr, right: Expr) -> Expr:
    return Connective("and", left, right, Flag(), span=left.span)


@frozen
class Body(CoreNode):
    """A named run of statements (`does`, a step) with the slots it needs.

    `before` and `after` are the addresses of the hooks around it, in order.
    """

    address: str
    block: Block
    frame: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@frozen
class PayThings(CoreNode):
    """A payment takes these things: those of different costs must be disjoint."""

    what: Expr  # a member, none or a set
    kind: Kind


@frozen
class PayTop(CoreNode):
    """A payment of things from the top of a pile."""

    count: Expr
    zone: str
    keys: tuple[Expr, ...]


@frozen
class PayTokens(CoreNode):
    """A payment of tokens from a slot, which must cover the sum."""

    count: Expr
    slot: str
    keys: tuple[Expr, ...]


@frozen
class PayCell(CoreNode):
    """A payment lowers a counter; the sums must leave it at its least or above."""

    amount: Expr
    state: str
    keys: tuple[Expr, ...]


Payment: TypeAlias = PayThings | PayTop | PayTokens | PayCell


@frozen
class CostDef(CoreNode):
    """A factor of the option (bindings, empty for none) and its payment.

    `payments` is what the body takes, through the effects it calls, over the action's
    frame: by it an engine knows whether the cost can be paid.
    """

    address: str
    binds: tuple[Bind, ...]
    payments: tuple[Payment, ...]
    body: Body


@frozen
class LimitDef(CoreNode):
    """At most `count` takings in each item of the phase."""

    address: str
    count: Expr
    phase: str


@frozen
class AskDef(CoreNode):
    """A question: who is asked, after the choice and before the payment."""

    address: str
    who: Expr


# ---- effects, actions, flow, reactions


@frozen
class EffectDef(CoreNode):
    """An effect: frame slots are `me`, the parameters, then locals of each body.

    `needs` hold for every action that pays with this effect or calls it; calls of it
    are guarded by them. `instead` lists the replacements by address.
    """

    name: str
    params: tuple[Param, ...]
    needs: tuple[Condition, ...]
    does: tuple[Body, ...]
    instead: tuple[str, ...]


@frozen
class ActionDef(CoreNode):
    """An action. One frame serves factors, conditions, costs and effects.

    `params` are the header's factors; `frame` counts all slots. `conditions` are its
    own needs, those of its step and those of effects it pays with or calls (expressed
    over this action's frame), by address order. The acting seat is in slot 0. The
    `advice` is in the order of the rules.
    """

    name: str
    at: str
    params: tuple[Bind, ...]
    costs: tuple[CostDef, ...]
    conditions: tuple[Condition, ...]
    limits: tuple[LimitDef, ...]
    asks: tuple[AskDef, ...]
    does: tuple[Body, ...]
    frame: int
    advice: tuple[AdviceDef, ...] = ()


Mode: TypeAlias = Literal[
    "any number", "at most once", "exactly once", "the first who claims"
]
CLAIM: Mode = "the first who claims"


@frozen
class StepDef(CoreNode):
    """A step of a phase: automatic (`body`, maybe `guard`), or open with a `mode`.

    Of all seats that act at a step of mode `CLAIM`, only the first one's action runs.
    No reaction follows a `silent` step: it writes first values.
    """

    name: str
    phase: str
    mode: Mode | None
    guard: Expr | None
    body: Body | None
    actions: tuple[str, ...]  # by id
    silent: bool = False


@frozen
class PhaseDef(CoreNode):
    """A phase. `items` are its children's names, by id.

    `source` with `variable` is its `for`; it `acts` if the variable is `me`. `before`
    maps a child to the children that must be over first (the transitive relation
    without the released pairs).
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
    stops: bool = False  # it ends after `times`, where others stall the game


@frozen
class ReactionDef(CoreNode):
    """`when … changes`, a hook or a replacement, with its own frame.

    For "when": slots 1… are the value's keys, then `change`: the value before and after
    where they are named, else nothing. For a hook or replacement: slots 1… are the
    hooked thing's parameters.
    `uses_up` is the measure that falls with each firing.
    """

    name: str
    moment: Literal["when", "before", "after", "instead"]
    event: str
    params: tuple[Param, ...]
    change: tuple[Param, ...]
    needs: tuple[Condition, ...]
    asks: tuple[AskDef, ...]
    does: tuple[Body, ...]
    uses_up: Expr | None
    frame: int


# ---- the program


@frozen
class Ranking(CoreNode):
    """How seats are compared: key by key, each of the seat in a slot.

    It is `common` if no key reads the seat: then all seats strive for one number.
    """

    keys: tuple[Expr, ...]
    direction: Literal["most", "least"]
    slot: int
    common: bool = False


@frozen
class ClauseInfo(CoreNode):
    """An address as it is shown to people: its caption, citations and history.

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


@frozen
class GamePosition:
    """A position to start from; omitted parts get their first values.

    Attributes:
        cells: state -> keys -> value.
        zones: zone -> keys -> all that lies there, a pile from the bottom up. What
            would lie there otherwise, and is laid nowhere else, lies nowhere.
        tokens: slot -> keys -> how many; the rest stays in the family's first slot.
        faces: die kind -> die -> face.
        at: the step or phase where play stands; everything before it is over.
        items: the item of a phase with a variable, where it matters.
        rolls, draws: the next faces and draws, from 0.
        words: the words it was read from, for records.
    """

    cells: Mapping[str, Mapping[tuple[Data, ...], Data]] = field(default_factory=dict)
    zones: Mapping[str, Mapping[tuple[Data, ...], Sequence[int]]] = field(
        default_factory=dict
    )
    tokens: Mapping[str, Mapping[tuple[Data, ...], int]] = field(default_factory=dict)
    faces: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    at: str = ""
    seat: int | None = None
    items: Mapping[str, Data] = field(default_factory=dict)
    rolls: Sequence[int] = ()
    draws: Sequence[int] = ()
    words: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A composed, checked game for one table.

    A program is equal to itself alone, so what is worked out of it can be cached by it.
    """

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
    warns: tuple[Condition, ...] = ()  # of a set: that it is not empty
    draws: tuple[Condition, ...] = ()  # where one holds, the game is over and drawn
    striving: Ranking | None = None  # the goal of bots, if declared
    read_by: Mapping[str, str] = field(default_factory=dict)  # die kind -> value
    fingerprint: str = ""
    start: GamePosition | None = None  # where games begin, instead of the set-up

    @property
    def main_loop(self) -> frozenset[str]:
        """The phases whose items are the rounds of the game.

        They are the outermost phases with `until`. Without it, they are the outermost
        phases with `for`; with neither, a game has no rounds.
        """
        outermost = [each for each in self.phases.values() if not each.parent]
        loops = [each for each in outermost if each.until is not None]
        loops = loops or [each for each in outermost if each.source is not None]
        return frozenset(each.name for each in loops)

    @property
    def claimed(self) -> frozenset[str]:
        """The phases in which all seats may claim, and only the first one acts."""
        return frozenset(
            step.phase for step in self.steps.values() if step.mode == CLAIM
        )

    @property
    def bot_ranking(self) -> Ranking:
        """The keys by which bots compare seats: their goal, else the winning keys."""
        return self.striving or self.winning_ranking

    @property
    def winning_ranking(self) -> Ranking:
        """By what the rules compare seats to say who wins; without keys by nothing."""
        return Ranking(self.winning_keys, self.winning_direction, self.winners_slot)
