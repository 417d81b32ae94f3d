"""Whole units: actions and steps, edits, phases, and all other items of a unit."""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.language.syntax.tree.expressions import Expr, HowMany
from houserule.language.syntax.tree.statements import Block, Clause, Params, Until
from houserule.language.syntax.tree.terms import Node, Notes, Text, Word
from houserule.language.syntax.tree.things import About, Field, Slot, ThingDecl


@frozen
class Effect(Node):
    """`effect pay(p: Player, c: Card)` with its clauses."""

    name: Word
    params: Params
    caption: Text | None
    clauses: tuple[Clause, ...]
    notes: Notes = ()


@frozen
class ForWhom(Node):
    """`for me in clockwise(first)`."""

    name: Word
    source: Expr


Mode: TypeAlias = Literal[
    "any number", "at most once", "exactly once", "the first who claims"
]
"""How often a player acts at a step; the third is written `must act once, if
possible`."""


@frozen
class Step(Node):
    """`step sliding: any number`; an automatic step has a `body` and no `mode`.

    `name` may be dotted (`use.earning`): its phase, then its own name.
    """

    name: Word
    caption: Text | None
    mode: Mode | None
    guard: Expr | None
    body: Block | None
    notes: Notes = ()


@frozen
class Order(Node):
    """`order founding then placing then sliding`: every earlier before every later."""

    names: tuple[Word, ...]
    notes: Notes = ()


@frozen
class Action(Node):
    """`action slide(origin, target in table) during sliding`, with its clauses."""

    name: Word
    params: Params
    at: Word
    caption: Text | None
    clauses: tuple[Clause, ...]
    notes: Notes = ()


@frozen
class Reaction(Node):
    """`reaction r when v(k) changes from old to new`, `reaction r before e`."""

    moment: Literal["when", "before", "after", "instead"]
    event: Word  # the watched value, or the address of the trigger
    params: tuple[Word, ...] | None  # names for its keys; None if there are none
    old: Word | None
    new: Word | None
    name: Word
    caption: Text | None
    clauses: tuple[Clause, ...]
    notes: Notes = ()


FlowDecl: TypeAlias = Effect | Step | Order | Action | Reaction


# ---- edits

Payload: TypeAlias = Expr | Block | Mode | HowMany


@frozen
class Change(Node):
    """`change slide.downhill "caption" from … to …`."""

    target: Word
    caption: Text | None
    before: Payload
    after: Payload
    notes: Notes = ()


@frozen
class Recaption(Node):
    """`change slide.downhill "caption"`: a new caption for the same rule."""

    target: Word
    caption: Text
    notes: Notes = ()


@frozen
class SetDefault(Node):
    """`default winning_score: 150`."""

    target: Word
    value: Expr
    notes: Notes = ()


@frozen
class Tune(Node):
    """`raise hand_limit by 1`; `lower` has sign -1."""

    target: Word
    amount: Expr
    sign: Literal[1, -1]
    notes: Notes = ()


@frozen
class Remove(Node):
    """`remove exchange.die`; one node for each address written."""

    target: Word
    notes: Notes = ()


@frozen
class Release(Node):
    """`release order among a, b, c` (every pair), `release a then b` (one pair)."""

    names: tuple[Word, ...]
    among: bool
    notes: Notes = ()


@frozen
class Lift(Node):
    """`or place.match.partner "caption": C`: the condition is also met if C holds."""

    target: Word
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@frozen
class ExtendMembers(Node):
    """`extend Die with black`, `extend Box with sevens(7), spare`."""

    target: Word
    names: tuple[Word, ...]
    notes: Notes = ()


@frozen
class ExtendTokens(Node):
    """`extend marker with alumni(p)`."""

    target: Word
    slot: Slot
    notes: Notes = ()


@frozen
class ExtendRows(Node):
    """`extend Green with rows "components/managers.yaml"`."""

    target: Word
    rows: Text
    notes: Notes = ()


@frozen
class ExtendFields(Node):
    """`extend Green` with fields below."""

    target: Word
    fields: tuple[Field, ...]
    notes: Notes = ()


@frozen
class Mute(Node):
    """`mute long_hands at draw.usable`, in a bridge."""

    variant: Word
    target: Word
    notes: Notes = ()


@frozen
class Assert(Node):
    """`assert "caption": C`: checked on the composed rules at the start of play."""

    caption: Text | None
    condition: Expr
    notes: Notes = ()


LineEdit: TypeAlias = (
    Change
    | Recaption
    | SetDefault
    | Tune
    | Remove
    | Release
    | Lift
    | ExtendMembers
    | ExtendTokens
    | ExtendRows
    | ExtendFields
    | Mute
    | Assert
)


# ---- containers of items


@frozen
class Phase(Node):
    """`phase turn for me in clockwise(first) if …`, with its contents."""

    name: Word
    caption: Text | None
    for_whom: ForWhom | None
    together: bool
    guard: Expr | None
    until: Until | None
    items: tuple[Item, ...]
    notes: Notes = ()


@frozen
class WithGuard(Node):
    """`with other_variant:` and the items that require it."""

    names: tuple[Word, ...]
    items: tuple[Item, ...]
    notes: Notes = ()


Decl: TypeAlias = ThingDecl | FlowDecl | Phase | Clause
Edit: TypeAlias = LineEdit | WithGuard
Item: TypeAlias = About | Decl | Edit


@frozen
class Unit(Node):
    """A game, a variant, a bridge or a preset: a header and its items.

    `names` has the members of a bridge; other units have one name. `game` is the name
    after `for` (for a game: its own name).
    """

    kind: Literal["game", "variant", "bridge", "preset"]
    names: tuple[Word, ...]
    game: Word
    caption: Text | None
    items: tuple[Item, ...]
    notes: Notes = ()

    @property
    def id(self) -> str:
        """The unit's address: its name, or the sorted members of a bridge."""
        return "+".join(sorted(word.text for word in self.names))

    @property
    def title(self) -> str:
        """The unit's title: its caption, else its name or its members."""
        return self.caption.text if self.caption else self.id.replace("+", " + ")
