"""The smallest parts of the tree: names, quoted texts, margins, types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from houserule.source import NOWHERE, Span

__all__ = [
    "Cite",
    "FlagType",
    "MaybeType",
    "NamedType",
    "Node",
    "Note",
    "Notes",
    "PartType",
    "RangeType",
    "Ruling",
    "SetType",
    "Text",
    "Type",
    "Word",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything that stands somewhere in a text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name, possibly dotted (`slide.downhill`), as written."""

    text: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The name split at its dots."""
        return tuple(self.text.split("."))


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A quoted text: a caption, a file name, a title."""

    text: str


@dataclass(frozen=True, slots=True)
class Cite(Node):
    """`["Heading" 3]`, `["Heading" 1..6]`, `["Heading" "up to four words"]`."""

    source: str | None
    heading: str
    first: int | None = None
    last: int | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling(Node):
    """`[ruling tie_pays_nobody]`: points to a sentence in the rulings file."""

    name: str


Note: TypeAlias = Cite | Ruling
Notes: TypeAlias = tuple[Note, ...]

# ---- types


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    """`0..34`, `3..hand_limit`: bounds are numbers or names of options."""

    low: int | Word
    high: int | Word


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """`Player`, `Card`, `Face`, `position`."""

    name: str


@dataclass(frozen=True, slots=True)
class FlagType(Node):
    """`yes or no`."""


@dataclass(frozen=True, slots=True)
class SetType(Node):
    """`set of Die`."""

    member: str


@dataclass(frozen=True, slots=True)
class PartType(Node):
    """`part of Pawn`: a set that is never empty."""

    member: str


@dataclass(frozen=True, slots=True)
class MaybeType(Node):
    """`T or none`."""

    inner: RangeType | NamedType | FlagType | SetType | PartType


Type: TypeAlias = RangeType | NamedType | FlagType | SetType | PartType | MaybeType
