"""Coverage data for editors: plain values with a schema.

Places are "file:line", as in messages. Addresses are those of rules files.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.base.plain import Plain
from houserule.language.manifest.ruleset_models import SentenceStatus


class SentenceCoverage(Plain):
    """A sentence of a rulebook: its clauses and its examples."""

    number: int
    """From 1, under its heading."""
    status: SentenceStatus | None
    """Its kind in the register; none if it is not yet classified."""
    words: str = ""
    """The sentence itself, if the rulebook is available."""
    clauses: tuple[str, ...] = ()
    """Addresses of clauses and edits that cite it."""
    notes: tuple[str, ...] = ()
    """Remarks that cite it: they claim that it needs no rule."""
    examples: tuple[str, ...] = ()
    """Names of the worked examples of it, or of a clause of it."""
    given: tuple[str, ...] = ()
    """Of these, the examples that cite the sentence itself."""


class HeadingCoverage(Plain):
    """A part of a rulebook under one heading."""

    heading: str
    sentences: tuple[SentenceCoverage, ...]


class SourceCoverage(Plain):
    """A rulebook, sentence by sentence."""

    name: str
    title: str
    rules: int
    """The number of sentences that are rules,"""
    said: int
    """how many of these a clause cites,"""
    claimed: int
    """how many only a remark cites,"""
    shown: int
    """and how many have an example, directly or through a clause."""
    examples: int
    """The number of sentences that are examples,"""
    given: int
    """and how many of these a worked example covers."""
    headings: tuple[HeadingCoverage, ...]


class ClauseCoverage(Plain):
    """A clause, a declaration or an edit: its place and its examples."""

    address: str
    unit: str
    """The name of the variant or bridge; '' in the base game."""
    place: str
    cites: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class ExampleCoverage(Plain):
    """A worked example: its place, and the clauses it shows."""

    name: str
    place: str
    covers: tuple[str, ...] = ()


class ConditionCoverage(Plain):
    """A condition: whether it was seen to hold and to fail."""

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
    """A gap: something missing or to review."""

    kind: HoleKind
    name: str
    """Its subject: a clause, a ruling, or a heading with a sentence's number."""
    place: str = ""
    says: str = ""
    """Further explanation."""


class CoveredBooks(Plain):
    """A ruleset compared with its rulebooks."""

    game: str
    title: str
    sources: tuple[SourceCoverage, ...]
    holes: tuple[Hole, ...]

    @property
    def complete(self) -> bool:
        """Whether a clause cites every sentence that is a rule."""
        return not any(hole.kind == "unreached" for hole in self.holes)


class Coverage(CoveredBooks):
    """A ruleset compared with its rulebooks, its examples and random games."""

    clauses: tuple[ClauseCoverage, ...]
    examples: tuple[ExampleCoverage, ...]
    conditions: tuple[ConditionCoverage, ...]
