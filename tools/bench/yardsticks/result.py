"""What a yardstick tells of one game: what the engine would tell of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """How one game went.

    Attributes:
        outcome: `won:0,2` or `stalled:round`.
        winners: the seats that won.
        decisions: how many choices were made.
        rounds: how many rounds had a choice.
        scores: of each seat.
        position: all that lies on the table at the end, as numbers in a fixed order.
    """

    outcome: str
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    position: tuple[int, ...]


def won(winners: list[int]) -> str:
    """Return the outcome of a game that somebody won."""
    return f"won:{','.join(str(seat) for seat in winners)}"
