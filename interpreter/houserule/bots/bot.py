"""What a bot is, and which there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from houserule.bots.greedy import GreedyBot
from houserule.bots.random_choice import RandomBot
from houserule.engine.random_numbers import Stream

if TYPE_CHECKING:
    from houserule.engine.choices import Choice
    from houserule.engine.play.game import ReferenceGame


class Bot(Protocol):
    """Somebody who decides for one seat."""

    def choose(self, game: ReferenceGame) -> Choice:
        """Return one of the options of the game's decision, which is the seat's.

        The game itself is not changed.
        """


class Kind(Protocol):
    """A kind of bot: makes one for a seat, with its own stream."""

    def __call__(self, seat: int, stream: Stream) -> Bot:
        """Return a bot."""


KINDS: Mapping[str, Kind] = {"random": RandomBot, "greedy": GreedyBot}
"""The bots by name."""


def seat_bots(names: Sequence[str], seats: int, seed: int, number: int) -> list[Bot]:
    """Return a bot for each seat; fewer names than seats go round.

    A bot draws from the stream of its seat, its seed and the number of its game, so
    its draws move nobody's dice.

    Raises:
        KeyError: there is no such bot.
    """
    return [
        KINDS[names[seat % len(names)]](seat, Stream.of(seed, number, f"bot/{seat}"))
        for seat in range(seats)
    ]
