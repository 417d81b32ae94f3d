"""Composed rules: one tree for one table, fully merged.

Edits are applied, guards decided, additions in canonical order (the base's as written,
then those of variants by address). The nodes are those of the tree; the author's data
about one clause, and its editors, are in `clauses`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.language.manifest.ruleset import LoadedRow, Plain

if TYPE_CHECKING:
    from houserule.language.syntax import tree


@frozen
class ChosenTable:
    """A resolved table: its variants (closed under `implies`), options, seats.

    `options` has every option of the composed game; values are plain: numbers, flags,
    names of members, lists of them. `implied` are the variants that others turned on,
    `wished` the explicitly set options; summaries report both.
    """

    game: str
    players: int
    variants: frozenset[str]
    options: Mapping[str, Plain]
    implied: frozenset[str] = field(default=frozenset(), compare=False)
    wished: frozenset[str] = field(default=frozenset(), compare=False)


@frozen
class Origin:
    """The unit of an item: its id ('' for the base), kind and title."""

    unit: str
    kind: str
    title: str
    file: str


@frozen
class ClauseRecord:
    """One addressable clause of the composed rules.

    `caption` and `notes` are the final ones; `changed_by` lists units that changed,
    lifted or tuned it, by id.
    """

    address: str
    kind: str
    caption: str
    notes: tree.Notes
    origin: Origin
    changed_by: tuple[Origin, ...]
    span: Span


@frozen
class Pair:
    """`before` comes before `after`; declared (or released) at `span`."""

    before: str
    after: str
    span: Span
    origin: Origin


@frozen
class Lifted:
    """One lift of a condition or of a yes/no value, with its own address."""

    address: str
    condition: tree.Expr
    span: Span


@frozen
class Rechosen:
    """A parameter whose arity a unit changes.

    `owner` is its action; `after` is the new arity.
    """

    owner: str
    name: str
    after: tree.HowMany
    origin: Origin
    span: Span


@frozen
class PlacedStep:
    """A step and its phase ('' is the game itself)."""

    node: tree.Step
    phase: str


@frozen
class PlacedPhase:
    """A phase (its `items` are empty here) and its enclosing phase."""

    node: tree.Phase
    phase: str


@frozen
class Rules:
    """The composed rules. Every mapping is in canonical order.

    The `clauses` of actions, effects and reactions include every added clause; needs on
    a step or a value are in `outer_needs`. Names of clauses inside them are relative
    again (`downhill`, not `slide.downhill`).
    """

    game: str
    title: str
    table: ChosenTable
    types: Mapping[str, tree.TypeDecl]
    components: Mapping[str, tree.Component]
    rows: Mapping[str, tuple[LoadedRow, ...]]  # component -> rows of its tables
    dice: Mapping[str, tree.DiceDecl]
    tokens: Mapping[str, tree.Tokens]
    zones: Mapping[str, tree.Zone]
    states: Mapping[str, tree.State]
    values: Mapping[str, tree.Value]  # their layers in order
    adjusts: Mapping[str, tree.Adjust]
    options: Mapping[str, tree.Option]
    always: Mapping[str, tree.Always]
    warns: Mapping[str, tree.Warn]
    effects: Mapping[str, tree.Effect]
    phases: Mapping[str, PlacedPhase]
    steps: Mapping[str, PlacedStep]
    outer_needs: Mapping[str, tuple[tree.Needs, ...]]  # of each step and value
    actions: Mapping[str, tree.Action]
    reactions: Mapping[str, tree.Reaction]
    winners: tree.Winners | None
    draws: Mapping[str, tree.DrawnBy]
    striving: tree.Striving | None
    lifts: Mapping[str, tuple[Lifted, ...]]  # address of a condition or value
    pairs: tuple[Pair, ...]
    released: tuple[Pair, ...]
    asserts: Mapping[str, tree.Assert]  # address (unit id, a dot, a number) -> assert
    clauses: Mapping[str, ClauseRecord]
    fingerprint: str
    rechosen: tuple[Rechosen, ...] = ()
