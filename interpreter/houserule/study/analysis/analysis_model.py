"""The result of an analysis, as plain values with a JSON Schema.

A seat's result is a number from 0 to 1: its share of the win. If a search did not play
to the end, the seat's relative progress is used instead.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from houserule.base.plain import Plain

Verdict: TypeAlias = Literal["only", "good", "inaccurate", "bad", "unknown"]

Ended: TypeAlias = Literal["record", "time", "interrupt"]


class FoundValue(Plain):
    """A number measured by repeated searches, with its 95 % interval."""

    value: float
    low: float
    high: float


class BetterOption(Plain):
    """The best alternative to the choice, according to a search."""

    do: JsonValue
    """The option, as in a record."""
    words: str
    value: float
    """The seat's result with this option."""


class AnalysedChoice(Plain):
    """A choice of the game, and the evaluation of it."""

    n: int
    """Its number among the choices that were not taken back, from 1."""
    seat: str
    at: str
    """Where in the rules the decision was."""
    do: JsonValue
    """The choice, as in a record."""
    words: str
    options: int
    """How many options there were."""
    verdict: Verdict
    """`only`: there was no alternative; `unknown`: it could not be evaluated. A
    statistically certain loss is `inaccurate` from 0.05 on, and `bad` from 0.15 on."""
    value: float | None = None
    """The seat's result with the choice; its expected result if a search would choose
    the same."""
    better: BetterOption | None = None
    """None if no search found a certainly better option."""
    loss: float = 0.0
    """How much more the better option gives the seat; 0 if that is not certain."""
    compared: FoundValue | None = None
    """The measured gain of the most promising alternative; None if there was none."""
    expected: list[FoundValue] = []
    """Each seat's expected result before this choice; empty if others must not know
    it."""
    luck: list[FoundValue] = []
    """What the random numbers drawn by this choice gave each seat; empty if none were
    drawn."""


class LeadPassed(Plain):
    """Another seat took the lead in expected result."""

    n: int
    """The number of the choice after which it leads."""
    seat: str
    before: str
    """The seat that led until then."""


class AnalysedSeat(Plain):
    """How one seat played."""

    seat: str
    name: str
    """The player's name."""
    choices: int
    """Analysed choices with at least two options."""
    good: int
    inaccurate: int
    bad: int
    unknown: int
    loss: float
    """Average loss per choice; uncertain losses count as 0."""
    luck: FoundValue | None = None
    """The total effect of chance; None if it cannot be determined."""


class Analysis(Plain):
    """The result of an analysis: the turning points of a game."""

    game: str
    labels: list[str]
    """The seats' labels in the rules."""
    players: list[str]
    """The players' names."""
    seat: str | None
    """The only seat whose choices were analysed; None for all seats."""
    effort: str
    """The search effort, named like a bot."""
    engine: Literal["compiled", "reference"]
    ended: Ended
    """What ended the analysis."""
    finished: bool
    """Whether the game is over."""
    total: int
    """How many choices the game has so far."""
    choices: list[AnalysedChoice]
    seats: list[AnalysedSeat]
    turning: list[int]
    """The numbers of the choices with the largest losses, in the order of play."""
    leads: list[LeadPassed]
    """Changes of the seat that expects most."""
    final: list[float]
    """Each seat's final result; empty if the game is not over, or was not analysed to
    its end."""
