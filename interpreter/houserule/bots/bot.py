"""The bots there are, and what every bot can do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from houserule.bots.greedy import GreedyBot
from houserule.bots.random_choice import RandomBot
from houserule.diagnostics.wording import nearest
from houserule.engine.random_numbers import Stream

if TYPE_CHECKING:
    from houserule.engine.choices import Choice
    from houserule.engine.play.game import ReferenceGame


class Bot(Protocol):
    """A bot decides for one seat."""

    def choose(self, game: ReferenceGame) -> Choice:
        """Return one of the options of the game's decision, which is the seat's.

        The game itself is not changed.
        """


class BotKind(Protocol):
    """A kind of bot: makes one for a seat, with its own stream."""

    def __call__(self, seat: int, stream: Stream) -> Bot:
        """Return a bot."""


GREEDY = "greedy"
KINDS: Mapping[str, BotKind] = {"random": RandomBot, GREEDY: GreedyBot}
"""The bots by name."""


def bot_names(said: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of bots by seat: from names, or a text with commas between them.

    Raises:
        ValueError: there is no such bot, or none is named; the message says so.
    """
    words = re.split(r"[,\s]+", said) if isinstance(said, str) else said
    names = tuple(word for word in words if word)
    for name in names:
        if name not in KINDS:
            near = nearest(name, KINDS)
            hint = f" Did you mean `{near}`?" if near else ""
            raise ValueError(
                f"There is no bot `{name}`.{hint} Bots: {', '.join(KINDS)}."
            )
    if not names:
        raise ValueError("Name at least one bot.")
    return names


def seat_bots(names: Sequence[str], seats: int, seed: int, number: int) -> list[Bot]:
    """Return a bot for each seat; fewer names than seats go round.

    A bot draws from the stream of its seat, its seed and the number of its game, so
    its draws leave the dice of the game as they are.

    Raises:
        KeyError: there is no such bot.
    """
    return [
        KINDS[names[seat % len(names)]](
            seat, Stream.seeded(seed, number, f"bot/{seat}")
        )
        for seat in range(seats)
    ]
