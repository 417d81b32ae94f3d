"""Coverage data for editors: plain values with a schema.

Places are "file:line", as in messages. Addresses are those of rules files.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.base.plain import Plain
from houserule.language.manifest.ruleset_models import SentenceStatus


class SentenceCoverage(Plain):
    """A sentence of a book: who says it as a rule, and who shows it."""

    number: int
    """From 1, under its heading."""
    status: SentenceStatus | None
    """What the register says of it; none where nobody has looked at it."""
    words: str = ""
    """The sentence itself, where the book was at hand."""
    clauses: tuple[str, ...] = ()
    """Addresses of clauses and edits whose margins name it."""
    notes: tuple[str, ...] = ()
    """Remarks whose margins name it: they claim that it needs no rule."""
    examples: tuple[str, ...] = ()
    """Names of the worked examples that give it, or that show a clause of it."""
    given: tuple[str, ...] = ()
    """Of these, the examples that cite the sentence itself."""


class HeadingCoverage(Plain):
    """A part of a book under one heading."""

    heading: str
    sentences: tuple[SentenceCoverage, ...]


class SourceCoverage(Plain):
    """A book, sentence by sentence."""

    name: str
    title: str
    rules: int
    """How many sentences are rules,"""
    said: int
    """how many of these a clause says,"""
    claimed: int
    """how many only a remark names,"""
    shown: int
    """and how many an example gives, or shows a clause of."""
    examples: int
    """How many sentences are examples,"""
    given: int
    """and how many of these a worked example gives."""
    headings: tuple[HeadingCoverage, ...]


class ClauseCoverage(Plain):
    """A clause, a declaration or an edit: where it is printed, and what shows it."""

    address: str
    unit: str
    """The name of the variant or bridge; '' in the base game."""
    place: str
    cites: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class ExampleCoverage(Plain):
    """A worked example: where it stands, and the clauses that it shows."""

    name: str
    place: str
    covers: tuple[str, ...] = ()


class ConditionCoverage(Plain):
    """A condition: whether it was seen to hold, and seen to refuse."""

    address: str
    place: str
    kept: tuple[Literal["examples", "games"], ...] = ()
    broken: tuple[Literal["examples", "games"], ...] = ()


HoleKind: TypeAlias = Literal[
    "unreached",
    "unread",
    "claimed",
    "unshown",
    "doubtful",
    "suspect",
    "uncited",
    "unkept",
    "unbroken",
    "idle_ruling",
    "contrary_rulings",
]


class Hole(Plain):
    """Something that is missing, or that somebody should look at."""

    kind: HoleKind
    name: str
    """What it is about: a clause, a ruling, or a heading with a sentence's number."""
    place: str = ""
    says: str = ""
    """What there is to say besides, in words."""


class CoveredBooks(Plain):
    """A ruleset held against its books."""

    game: str
    title: str
    sources: tuple[SourceCoverage, ...]
    holes: tuple[Hole, ...]

    @property
    def complete(self) -> bool:
        """Whether a clause cites every sentence that is a rule."""
        return not any(hole.kind == "unreached" for hole in self.holes)


class Coverage(CoveredBooks):
    """A ruleset held against its books, its examples and random games."""

    clauses: tuple[ClauseCoverage, ...]
    examples: tuple[ExampleCoverage, ...]
    conditions: tuple[ConditionCoverage, ...]
