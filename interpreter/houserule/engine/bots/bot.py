"""The bots there are, and what every bot can do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Protocol

from houserule.base.diagnostics.wording import nearest
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.greedy import GreedyBot
from houserule.engine.bots.random_choice import RandomBot
from houserule.engine.bots.search import SearchBot
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream


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


GREEDY, SEARCH = "greedy", "search"
LEVELS: Mapping[str, Effort] = {
    "easy": Effort(decisions=20),
    "fair": Effort(decisions=2_000),
    "strong": Effort(decisions=20_000),
}
"""Search bots by how well they play; `tools/bench/strength.py` says what that means."""
PLAIN: Mapping[str, BotKind] = {"random": RandomBot, GREEDY: GreedyBot}
NAMES = (*PLAIN, *LEVELS)
"""The bots that have a name of their own; the others are `search:` and an effort."""
USUAL = "fair"
"""The bot that people are offered first."""
SEARCHES = re.compile(rf"{SEARCH}:(?:([1-9]\d{{0,8}})|(\d{{1,4}}(?:\.\d{{1,3}})?)s)")
HOW = "`search:2000` looks at 2000 decisions, `search:0.5s` thinks for half a second"


def effort_of(name: str) -> Effort | None:
    """Return the effort of a search bot by name; None for another bot."""
    if name in LEVELS:
        return LEVELS[name]
    found = SEARCHES.fullmatch(name)
    if found is None:
        return None
    decisions, seconds = found.groups()
    if decisions:
        return Effort(decisions=int(decisions))
    return Effort(seconds=float(seconds)) if float(seconds) else None


def thinks_longer(name: str, seconds: float, decisions: int) -> bool:
    """Return whether a bot thinks longer than that, or of more decisions."""
    effort = effort_of(name)
    return effort is not None and (
        effort.seconds > seconds or effort.decisions > decisions
    )


def is_bot(name: str) -> bool:
    """Return whether a name is that of a bot."""
    return name in PLAIN or effort_of(name) is not None


def spoken_of(name: str) -> tuple[str, str]:
    """Return the phrase that names a bot to people, and the effort that it says."""
    if effort_of(name) and name not in LEVELS:
        return f"bot_{SEARCH}", name.partition(":")[2]
    return f"bot_{name}", ""


@lru_cache(maxsize=256)
def kind_of(name: str) -> BotKind:
    """Return the kind of bot with a name.

    Raises:
        KeyError: unknown bot.
    """
    effort = effort_of(name)
    return PLAIN[name] if effort is None else partial(SearchBot, effort=effort)


def bot_names(said: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of bots by seat: from names, or a text with commas between them.

    Raises:
        ValueError: unknown bot, or no name; the message says which.
    """
    words = re.split(r"[,\s]+", said) if isinstance(said, str) else said
    names = tuple(word for word in words if word)
    for name in names:
        if not is_bot(name):
            near = nearest(name, NAMES)
            hint = f" Did you mean `{near}`?" if near else ""
            raise ValueError(
                f"There is no bot `{name}`.{hint} Bots: {', '.join(NAMES)}; {HOW}."
            )
    if not names:
        raise ValueError("Name at least one bot.")
    return names


def seat_bots(names: Sequence[str], seats: int, seed: int, number: int) -> list[Bot]:
    """Return a bot for each seat; fewer names than seats go round.

    A bot draws from the stream of its seat, its seed and the number of its game, so
    its draws leave the dice of the game as they are.

    Raises:
        KeyError: unknown bot.
    """
    return [
        kind_of(names[seat % len(names)])(
            seat, Stream.seeded(seed, number, f"bot/{seat}")
        )
        for seat in range(seats)
    ]
