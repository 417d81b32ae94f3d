"""The counted result of one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NOTHING: Mapping[str, int] = {}


def victors(winners: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Return the winners of a game, alone or together; none if all tied."""
    return () if len(winners) == seats > 1 else winners


class Finished(NamedTuple):
    """The counted result of one game.

    Attributes:
        number: its number among the games of its seed.
        outcome: in one word, as in a digest; `fault:F01` if the rules failed.
        decisions: how many choices were made.
        rounds: how often the main loop began.
        scores: each seat's first winning key; empty without winning keys.
        state: a hash of the last state, in sixteen digits.
        lead_changes: how often the lead changed; None if the rules do not define it.
        ran: how often each clause ran. The first game of a batch may hold the counts of
            the whole batch.
        message: how and where the rules failed, if they did.

    Example:
        >>> (game,) = houserule.load("pig").table().games([3])
        >>> game.number, game.outcome, game.failed
        (3, 'won:0', False)
    """

    number: int
    outcome: str
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    state: str
    lead_changes: int | None = None
    ran: Mapping[str, int] = NOTHING
    message: str = ""

    @property
    def line(self) -> str:
        """The game's line in a digest."""
        return f"{self.number} {self.outcome} {self.decisions} {self.state}"

    def without_counts(self) -> Finished:
        """Return a copy without the counts of clauses, which take most space."""
        return self._replace(ran=NOTHING) if self.ran else self

    @property
    def failed(self) -> bool:
        return self.outcome.startswith("fault")

    @property
    def nobody(self) -> bool:
        """Whether the game ended without a winner."""
        return self.outcome == "won:"

    @property
    def drawn(self) -> bool:
        """Whether the rules ended the game as drawn."""
        return self.outcome.startswith("drawn")

    @property
    def drawn_by(self) -> tuple[str, ...]:
        """All reasons of the draw, by name."""
        return tuple(self.outcome.partition(":")[2].split(",")) if self.drawn else ()

    @property
    def left_open(self) -> bool:
        """Whether the game was stopped at the limit of decisions."""
        return self.outcome == "open"

    @property
    def stalled(self) -> bool:
        """Whether the game reached a bound."""
        return self.outcome.startswith("stalled")
