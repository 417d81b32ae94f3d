"""What is counted of one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NOTHING: Mapping[str, int] = {}


class Finished(NamedTuple):
    """What is counted of one game.

    Attributes:
        number: its number among those of its seed.
        outcome: in one word, as in a digest; `fault:F01` if the rules failed.
        winners: the seats that won.
        decisions: how many choices were made.
        rounds: how often the main loop was begun.
        scores: the first winning key for each seat, empty if there is none.
        state: the number of the last state, in sixteen digits.
        lead_changes: how often another seat came to lead; None where it is not
            known who leads.
        ran: how often each clause ran. Of games that were played at once, the first
            may hold it for all of them.
        message: what went wrong, if the rules failed, and where.

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

    def with_counts(self, ran: Mapping[str, int]) -> Finished:
        """Return the same with how often each clause ran."""
        return self._replace(ran=ran)

    def without_counts(self) -> Finished:
        """Return the same without what each clause did, which weighs most."""
        return self.with_counts(NOTHING) if self.ran else self

    @property
    def failed(self) -> bool:
        """Whether the rules failed."""
        return self.outcome.startswith("fault")

    @property
    def nobody(self) -> bool:
        """Whether the game came to its end without a winner."""
        return self.outcome == "won:"

    @property
    def drawn(self) -> bool:
        """Whether the rules ended the game as drawn."""
        return self.outcome.startswith("drawn")

    @property
    def drawn_by(self) -> tuple[str, ...]:
        """All reasons of a draw, by name."""
        return tuple(self.outcome.partition(":")[2].split(",")) if self.drawn else ()

    @property
    def left_open(self) -> bool:
        """Whether the game was left at the ceiling of its decisions."""
        return self.outcome == "open"

    @property
    def stalled(self) -> bool:
        """Whether the game reached a bound."""
        return self.outcome.startswith("stalled")
