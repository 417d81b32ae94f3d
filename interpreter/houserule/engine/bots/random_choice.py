"""The random bot: any advised option, all equally likely."""

from __future__ import annotations

from houserule.engine.reference.choices import Choice
from houserule.engine.reference.options.options import Options
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream

MOST = 1 << 32  # the range of one draw


class RandomBot:
    """Draws the number of an option; nothing is listed."""

    def __init__(self, seat: int, stream: Stream) -> None:
        self._stream = stream

    def choose(self, game: ReferenceGame) -> Choice:
        """Return a random option of the game's decision, a sensible one if there is."""
        decision = game.decision
        assert decision is not None, "a bot is asked only if there is a decision"
        return random_option(sensible(decision.options), self._stream)


def random_option(options: Options, stream: Stream) -> Choice:
    """Return one option, each alike (of the first 2^32, should there be more)."""
    return options[stream.below(min(options.count(), MOST))]


def sensible(options: Options) -> Options:
    """Return the advised options; all options if none is advised."""
    advised = options.advised()
    return advised if advised is options or advised.first(1) else options
