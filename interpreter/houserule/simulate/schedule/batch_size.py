"""How many games are played at once, so that no more than a moment's work is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

QUICK, SLOW = 0.02, 0.1  # seconds


class Pace:
    """How many games are handed to a worker at once: at first one.

    What came of them is given up if they are stopped amid, so that counts of clauses
    are those of whole games. So they are no more than take a fraction of a second.

    Attributes:
        games: how many, at every table.
    """

    def __init__(self, most: int) -> None:
        self.games, self._most = 1, most

    @contextmanager
    def noting(self, games: int) -> Iterator[None]:
        """Note how long some games take, unless something comes in between."""
        began = perf_counter()
        yield
        self._note(games, perf_counter() - began)

    def _note(self, games: int, seconds: float) -> None:
        if seconds < QUICK and games >= self.games:
            self.games = min(2 * self.games, self._most)
        elif seconds > SLOW:
            self.games = max(min(games // 2, self.games), 1)
