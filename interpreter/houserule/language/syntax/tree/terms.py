"""The smallest parts of the tree: names, quoted texts, citations, types."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span


@frozen
class Node:
    """Anything with a place in a text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@frozen
class Word(Node):
    """A name, possibly dotted (`slide.downhill`), as written."""

    text: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The name split at its dots."""
        return tuple(self.text.split("."))


@frozen
class Text(Node):
    """A quoted text: a caption, a file name, a title."""

    text: str


@frozen
class Cite(Node):
    """`["Heading" 3]`, `["Heading" 1..6]`, `["Heading" "up to four words"]`."""

    source: str | None
    heading: str
    first: int | None = None
    last: int | None = None
    words: str | None = None


@frozen
class Ruling(Node):
    """`[ruling tie_pays_nobody]`: refers to a sentence in the rulings file."""

    name: str


Note: TypeAlias = Cite | Ruling
Notes: TypeAlias = tuple[Note, ...]

# ---- types


@frozen
class RangeType(Node):
    """`0..34`, `3..hand_limit`: bounds are numbers or names of options."""

    low: int | Word
    high: int | Word


@frozen
class NamedType(Node):
    """`Player`, `Card`, `Face`, `position`."""

    name: str


@frozen
class FlagType(Node):
    """`yes or no`."""


@frozen
class SetType(Node):
    """`set of Die`."""

    member: str


@frozen
class PartType(Node):
    """`part of Pawn`: a set that is never empty."""

    member: str


@frozen
class MaybeType(Node):
    """`T or none`."""

    inner: RangeType | NamedType | FlagType | SetType | PartType


Type: TypeAlias = RangeType | NamedType | FlagType | SetType | PartType | MaybeType
