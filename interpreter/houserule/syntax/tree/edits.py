"""Edits of what exists, and whole units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.syntax.tree.expressions import Expr
from houserule.syntax.tree.flow import (
    Action,
    Effect,
    Mode,
    Order,
    Phase,
    Reaction,
    Step,
)
from houserule.syntax.tree.statements import (
    Asks,
    Block,
    Cost,
    Does,
    Limit,
    Needs,
    Unwise,
    UsesUp,
)
from houserule.syntax.tree.terms import (
    Node,
    Notes,
    Text,
    Word,
)
from houserule.syntax.tree.things import (
    Adjust,
    Always,
    Component,
    DiceDecl,
    Extends,
    Field,
    Layer,
    NeedsPlayers,
    OneOf,
    Option,
    Players,
    PresetSet,
    PresetWith,
    Relates,
    Remark,
    Sealed,
    Slot,
    SourceText,
    State,
    Suggests,
    Tokens,
    TypeDecl,
    Value,
    Warn,
    Winners,
    Zone,
)

# ---- edits of what exists

Payload: TypeAlias = Expr | Block | Mode


@dataclass(frozen=True, slots=True)
class Change(Node):
    """`change slide.downhill "caption" from … to …`."""

    target: Word
    caption: Text | None
    before: Payload
    after: Payload
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Recaption(Node):
    """`change slide.downhill "caption"`: other words for the same rule."""

    target: Word
    caption: Text
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class SetDefault(Node):
    """`default winning_score: 150`."""

    target: Word
    value: Expr
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Tune(Node):
    """`raise hand_limit by 1`; `lower` has sign -1."""

    target: Word
    amount: Expr
    sign: Literal[1, -1]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove exchange.die`; one node for each address written."""

    target: Word
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Release(Node):
    """`release order among a, b, c` (every pair), `release a then b` (one pair)."""

    names: tuple[Word, ...]
    among: bool
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Lift(Node):
    """`lift place.match.partner "caption": C`: the condition holds also when C."""

    target: Word
    caption: Text | None
    condition: Expr
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class ExtendMembers(Node):
    """`extend GreenKind with spare`, `extend Die with black`."""

    target: Word
    names: tuple[Word, ...]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class ExtendTokens(Node):
    """`extend marker with alumni(p)`."""

    target: Word
    slot: Slot
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class ExtendRows(Node):
    """`extend Green with rows "components/managers.yaml"`."""

    target: Word
    rows: Text
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class ExtendFields(Node):
    """`extend Green` with fields beneath."""

    target: Word
    fields: tuple[Field, ...]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Mute(Node):
    """`mute long_hands at draw.usable`, in a bridge."""

    variant: Word
    target: Word
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Assert(Node):
    """`assert "caption": C`: checked on the composed rules at the start of play."""

    caption: Text | None
    condition: Expr
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class WithGuard(Node):
    """`with other_variant:` and the items that hold only then."""

    names: tuple[Word, ...]
    items: tuple[Item, ...]
    notes: Notes = ()


About: TypeAlias = (
    Players
    | SourceText
    | Relates
    | OneOf
    | Suggests
    | Sealed
    | NeedsPlayers
    | Extends
    | PresetWith
    | PresetSet
    | Remark
)
Decl: TypeAlias = (
    TypeDecl
    | Component
    | DiceDecl
    | Tokens
    | Zone
    | State
    | Value
    | Layer
    | Adjust
    | Option
    | Always
    | Warn
    | Winners
    | Effect
    | Phase
    | Step
    | Order
    | Action
    | Reaction
    | Needs
    | Unwise
    | Cost
    | Limit
    | Does
    | Asks
    | UsesUp
)
Edit: TypeAlias = (
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
    | WithGuard
)
Item: TypeAlias = About | Decl | Edit


@dataclass(frozen=True, slots=True)
class Unit(Node):
    """A game, a variant, a bridge or a preset: one header and what follows it.

    `names` holds the members of a bridge; the others have one name. `game` is the
    name after `for` (of a game: its own name).
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
