"""What is measured of a game to compare tables, and in which words it is told.

A measure is a *mean* (a number of each game) or a *share* (whether something came
about in a game, told as so many of a hundred games). Every measure is of one game, so
that two tables can be compared game by game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from houserule.simulate.play import seated

if TYPE_CHECKING:
    from houserule.simulate.results import Finished
    from houserule.simulate.schedule.batch import Order


@dataclass(frozen=True, slots=True)
class Wording:
    """How a difference is told: more, less, and how little it is; `{}` is how much."""

    more: str
    less: str
    little: str
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to measure; `of` gives None for a game of which it cannot be told.

    It gives a whole number of parts; so many of them are one of what is told.
    """

    name: str
    kind: Literal["mean", "share"]
    of: Callable[[Finished], int | None]
    wording: Wording
    parts: int = 1


ROUNDS = Measure(
    "rounds",
    "mean",
    lambda game: game.rounds,
    Wording("longer by {} rounds", "shorter by {} rounds", "{} rounds"),
)
CHOICES = Measure(
    "choices",
    "mean",
    lambda game: game.decisions,
    Wording("longer by {} choices", "shorter by {} choices", "{} choices"),
)
LEADS = Measure(
    "lead changes",
    "mean",
    lambda game: game.lead_changes,
    Wording("{} more lead changes", "{} fewer lead changes", "{} lead changes"),
)
OFTEN = Wording(
    "in {} more of 100 games", "in {} fewer of 100 games", "{} of 100 games", scale=100
)
BALANCE = Wording(
    "seats less alike by {} of 100 games",
    "seats more alike by {} of 100 games",
    "{} of 100 games",
    scale=100,
)


def measures(
    order: Order, seats: Sequence[str], least: bool = False
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
            Wording("higher by {}", "lower by {}", "{}"),
            parts=len(seats),
        ),
        Measure(
            "winning margin",
            "mean",
            lambda game: _margin(game, least),
            Wording("wider by {}", "closer by {}", "{}"),
        ),
        Measure("tied", "share", lambda game: len(game.winners) > 1, OFTEN),
        Measure("won by nobody", "share", lambda game: game.nobody, OFTEN),
        Measure("stalled", "share", lambda game: game.stalled, OFTEN),
        *(_wins(seat, name) for seat, name in enumerate(seats)),
        *_wins_by_bot(order, len(seats)),
    )


def _margin(game: Finished, least: bool) -> int | None:
    """Return how far the best stood from the next."""
    if len(game.scores) < 2:
        return None
    first, second, *_ = sorted(game.scores, reverse=not least)
    return abs(first - second)


def _wins(seat: int, name: str) -> Measure:
    return Measure(f"{name} wins", "share", lambda game: game.winners == (seat,), OFTEN)


def _wins_by_bot(order: Order, seats: int) -> list[Measure]:
    """Return how often each kind of bot wins, where there are several."""
    kinds = list(dict.fromkeys(seated(order.bots, seats)))
    if len(kinds) < 2:
        return []

    def won_by(kind: str) -> Measure:
        def won(game: Finished) -> bool:
            if len(game.winners) != 1:
                return False
            at = seated(order.bots, seats, game.number * order.rotate)
            return at[game.winners[0]] == kind

        return Measure(f"{kind} wins", "share", won, OFTEN)

    return [won_by(kind) for kind in kinds]
