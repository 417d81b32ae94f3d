"""Composed rules: one tree for one table, with nothing left to merge.

Edits have been applied, guards decided, additions put in canonical order (the base's
as written, then those of variants by address). The nodes are those of the tree; what
an author wrote about one clause, and who changed it, stands in `clauses`.
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
    """What a table agreed on: variants (closed under `implies`), options, seats.

    `options` has every option of the composed game; values are plain: numbers, flags,
    names of members, lists of them. `implied` are the variants that were not chosen but
    that others brought along, `wished` the options that were set; summaries say so.
    """

    game: str
    players: int
    variants: frozenset[str]
    options: Mapping[str, Plain]
    implied: frozenset[str] = field(default=frozenset(), compare=False)
    wished: frozenset[str] = field(default=frozenset(), compare=False)


@frozen
class Origin:
    """The unit an item came from: its id ('' for the base), kind and title."""

    unit: str
    kind: str
    title: str
    file: str


@frozen
class ClauseRecord:
    """One addressable clause of the composed rules.

    `caption` and `notes` are those in force; `changed_by` lists units that changed,
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
    """`before` comes before `after`, said (or released) at `span`."""

    before: str
    after: str
    span: Span
    origin: Origin


@frozen
class Lifted:
    """One lift of a condition or of a yes/no value, by its own address."""

    address: str
    condition: tree.Expr
    span: Span


@frozen
class Rechosen:
    """A parameter that a unit makes several things, or one.

    `owner` is its action; `after` says how many it is now.
    """

    owner: str
    name: str
    after: tree.HowMany
    origin: Origin
    span: Span


@frozen
class PlacedStep:
    """A step and the phase it stands in ('' is the game itself)."""

    node: tree.Step
    phase: str


@frozen
class PlacedPhase:
    """A phase (its `items` are empty here) and the phase it stands in."""

    node: tree.Phase
    phase: str


@frozen
class Rules:
    """The composed rules. Every mapping is in canonical order.

    The `clauses` of actions, effects and reactions hold their own and every added
    clause; needs placed on a step stand in `step_needs`. All names of clauses inside
    them are relative again (`downhill`, not `slide.downhill`).
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
    step_needs: Mapping[str, tuple[tree.Needs, ...]]  # step -> needs placed on it
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
