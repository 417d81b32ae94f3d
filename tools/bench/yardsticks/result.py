"""The result of a game, as a yardstick and the engine both report it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game.

    Attributes:
        outcome: `won:0,2` or `stalled:round`.
        winners: the seats that won.
        decisions: the number of choices.
        rounds: the number of rounds with a choice.
        scores: of each seat.
        position: the final position, as numbers in a fixed order.
    """

    outcome: str
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    position: tuple[int, ...]


def won(winners: list[int]) -> str:
    """Return the outcome of a won game."""
    return f"won:{','.join(str(seat) for seat in winners)}"
