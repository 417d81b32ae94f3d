"""What an analysis found, as plain values with a JSON Schema.

What a seat gets of a game is a number from 0 to 1: its share of the win. Where a search
did not play on to the end, how much further ahead a seat comes stands in its place.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from houserule.base.plain import Plain

Verdict: TypeAlias = Literal["only", "good", "inaccurate", "bad", "unknown"]

Ended: TypeAlias = Literal["record", "time", "interrupt"]


class FoundValue(Plain):
    """A number that was found by repeated searches, with its 95 % interval."""

    value: float
    low: float
    high: float


class BetterOption(Plain):
    """The option that a search holds for the best besides what was chosen."""

    do: JsonValue
    """The option as in a record."""
    words: str
    value: float
    """What the seat gets by it."""


class AnalysedChoice(Plain):
    """A choice of the game, and what searches tell of it."""

    n: int
    """Its number among the choices that stood, from 1."""
    seat: str
    at: str
    """Where in the rules the decision stood."""
    do: JsonValue
    """What was chosen, as in a record."""
    words: str
    options: int
    """How many options there were."""
    verdict: Verdict
    """`only`: there was nothing else to choose; `unknown`: it could not be told. A
    loss is `inaccurate` from 0.05 on, and `bad` from 0.15 on, if it is certain."""
    value: float | None = None
    """What the seat gets by what was chosen: what it could expect, where it chose what
    a search would choose."""
    better: BetterOption | None = None
    """None where no search found anything better for certain."""
    loss: float = 0.0
    """How much more the seat gets by the better option; 0 where that is not certain."""
    compared: FoundValue | None = None
    """How much more it gets by what seemed better when near it; None where nothing
    did."""
    expected: list[FoundValue] = []
    """What each seat gets of the game before this choice, if it is played on to its
    end; nothing where others may not know it."""
    luck: list[FoundValue] = []
    """What chance, drawn by this choice, gave to each seat; nothing where none was."""


class LeadPassed(Plain):
    """Another seat came to expect most."""

    n: int
    """After this choice."""
    seat: str
    before: str
    """Who expected most until then."""


class AnalysedSeat(Plain):
    """How one seat played."""

    seat: str
    name: str
    """What people call it."""
    choices: int
    """Those with something to choose that were looked at."""
    good: int
    inaccurate: int
    bad: int
    unknown: int
    loss: float
    """What it lost by a choice on average; what is not certain counts as nothing."""
    luck: FoundValue | None = None
    """What chance gave it in all; None where that cannot be told."""


class Analysis(Plain):
    """Where a game turned."""

    game: str
    labels: list[str]
    """The seats, as the rules call them."""
    players: list[str]
    """What people call them."""
    seat: str | None
    """The seat whose choices alone were looked at; None: those of all."""
    effort: str
    """How long a search thought, as bots are named."""
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
    """The choices with the largest losses, by number, in the order of play."""
    leads: list[LeadPassed]
    """When another seat came to expect most."""
    final: list[float]
    """What each seat got in the end; nothing where the game is not over, or was not
    looked at to its end."""
