"""How long a search bot thinks."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from houserule.base.frozen import frozen

MOST_DECISIONS = 1 << 30
PIECE, SHORT = 64, 0.01  # decisions of the first piece of a search, and its seconds
QUICK_PIECE = 2_048  # decisions of that piece in the compiled engine


@frozen
class Effort:
    """The effort of a search: a number of decisions or of seconds.

    0 means no limit of this kind. By decisions the same seed leads to the same choice
    everywhere; by time it does not.
    """

    decisions: int = 0
    seconds: float = 0.0

    def spend(self, look_at: Callable[[int], int], piece: int = PIECE) -> None:
        """Let a search look on, in short pieces, until it has thought long enough.

        It can be interrupted between two pieces; this is the size of the first.

        `look_at` is given how many decisions are to be looked at in all, and returns
        how many were: fewer if it was stopped.
        """
        begun, most = monotonic(), self.decisions or MOST_DECISIONS
        looked_at, least = 0, piece
        while looked_at < most:
            before, wanted = monotonic(), min(looked_at + piece, most)
            looked_at = look_at(wanted)
            now = monotonic()
            if looked_at < wanted or 0 < self.seconds <= now - begun:
                return
            if now - before < SHORT:
                piece *= 2
            elif piece > least:
                piece //= 2
