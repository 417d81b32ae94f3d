"""Measures: what of each game is compared between tables, and differences in words.

A measure is a *mean* (a number of each game) or a *share* (whether something happened
in a game, put as so many of a hundred games). Every measure is of one game, so
that two tables can be compared game by game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Literal

from houserule.simulate.play import seated
from houserule.simulate.statistics.intervals import Estimate

if TYPE_CHECKING:
    from houserule.simulate.results import Finished
    from houserule.simulate.schedule.batch import Job


@dataclass(frozen=True, slots=True)
class DifferenceWording:
    """The words of a difference: more, less, and at most so much; `{}` is how much."""

    more: str
    less: str
    little: str
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to measure of a game.

    Attributes:
        of: gives a whole number of parts, None for a game that has no such measure.
        parts: how many of these parts are one of the measure's unit.
    """

    name: str
    kind: Literal["mean", "share"]
    of: Callable[[Finished], int | None]
    wording: DifferenceWording
    parts: int = 1


ROUNDS = Measure(
    "rounds",
    "mean",
    lambda game: game.rounds,
    DifferenceWording("longer by {} rounds", "shorter by {} rounds", "{} rounds"),
)
CHOICES = Measure(
    "choices",
    "mean",
    lambda game: game.decisions,
    DifferenceWording("longer by {} choices", "shorter by {} choices", "{} choices"),
)
LEADS = Measure(
    "lead changes",
    "mean",
    lambda game: game.lead_changes,
    DifferenceWording(
        "{} more lead changes", "{} fewer lead changes", "{} lead changes"
    ),
)
OFTEN = DifferenceWording(
    "in {} more of 100 games", "in {} fewer of 100 games", "{} of 100 games", scale=100
)
BALANCE = DifferenceWording(
    "seats less alike by {} of 100 games",
    "seats more alike by {} of 100 games",
    "{} of 100 games",
    scale=100,
)


def measures(
    job: Job, seats: Sequence[str], least: bool = False
) -> tuple[Measure, ...]:
    """Return what is measured at tables with these seats.

    With `least`, the fewest points lead.
    """
    return (
        ROUNDS,
        CHOICES,
        LEADS,
        Measure(
            "score",
            "mean",
            lambda game: sum(game.scores) if game.scores else None,
            DifferenceWording("higher by {}", "lower by {}", "{}"),
            parts=len(seats),
        ),
        Measure(
            "winning margin",
            "mean",
            lambda game: _margin(game, least),
            DifferenceWording("wider by {}", "closer by {}", "{}"),
        ),
        Measure("tied", "share", lambda game: len(game.winners) > 1, OFTEN),
        Measure("won by nobody", "share", lambda game: game.nobody, OFTEN),
        Measure("stalled", "share", lambda game: game.stalled, OFTEN),
        *(_wins(seat, name) for seat, name in enumerate(seats)),
        *_wins_by_bot(job, len(seats)),
    )


def _margin(game: Finished, least: bool) -> int | None:
    """Return how far the best stood from the next."""
    if len(game.scores) < 2:
        return None
    first, second, *_ = sorted(game.scores, reverse=not least)
    return abs(first - second)


def _wins(seat: int, name: str) -> Measure:
    return Measure(f"{name} wins", "share", lambda game: game.winners == (seat,), OFTEN)


def _wins_by_bot(job: Job, seats: int) -> list[Measure]:
    """Return how often each kind of bot wins, where there are several."""
    kinds = list(dict.fromkeys(seated(job.bots, seats)))
    if len(kinds) < 2:
        return []

    def won_by(kind: str) -> Measure:
        def won(game: Finished) -> bool:
            if len(game.winners) != 1:
                return False
            at = seated(job.bots, seats, game.number * job.rotate)
            return at[game.winners[0]] == kind

        return Measure(f"{kind} wins", "share", won, OFTEN)

    return [won_by(kind) for kind in kinds]


# ---- differences in words: "longer by 1.8 ± 0.3 rounds", or that none was seen


def verdict(
    found: Estimate, wording: DifferenceWording, *, beyond_sum: bool = False
) -> str:
    """Return what a difference with its interval says.

    With `beyond_sum` it is what two changes do together beyond the sum of both.
    """
    missing = "no interaction seen" if beyond_sum else "no difference seen"
    if not found.seen:
        most = max(-found.low, found.high) * wording.scale
        if not most:
            return f"{missing}: the same in every game"
        return f"{missing}: less than {wording.little.format(_up(most))} either way"
    amount = with_margin(abs(found.value) * wording.scale, found.margin * wording.scale)
    words = (wording.more if found.value > 0 else wording.less).format(amount)
    return f"beyond the sum of both, {words}" if beyond_sum else words


def with_margin(value: float, margin: float, sign: str = "") -> str:
    """Return a value with its margin, to the digits that the margin leaves.

    The margin has one digit, two where the first is 1: `1.8 ± 0.3`, `24.0 ± 1.2`.
    """
    if margin <= 0:
        return f"{value:{sign}g} ± 0"
    digits = _decimals(margin)
    return f"{_at(value, digits, sign)} ± {_at(margin, digits)}"


def _decimals(margin: float) -> int:
    """Return how many decimals a margin leaves; ones are kept in any case."""
    place = floor(log10(margin))
    leading = round(margin / 10**place, 6)
    return max(0, -place + (1 if leading < 1.95 else 0))


def _at(value: float, digits: int, sign: str = "") -> str:
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def _up(value: float) -> str:
    """Return a bound rounded up to two digits: it stays a bound."""
    place = floor(log10(value)) - 1
    if place >= 0:
        return f"{ceil(value):d}"
    scaled = ceil(round(value * 10**-place, 6))
    return f"{scaled / 10**-place:.{-place}f}"
