"""Edits of what exists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.syntax.tree.expressions import Expr
from houserule.syntax.tree.flow import Mode
from houserule.syntax.tree.statements import Block
from houserule.syntax.tree.terms import Node, Notes, Text, Word
from houserule.syntax.tree.things import Field, Slot

__all__ = [
    "Assert",
    "Change",
    "ExtendFields",
    "ExtendMembers",
    "ExtendRows",
    "ExtendTokens",
    "Lift",
    "LineEdit",
    "Mute",
    "Payload",
    "Recaption",
    "Release",
    "Remove",
    "SetDefault",
    "Tune",
]

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
