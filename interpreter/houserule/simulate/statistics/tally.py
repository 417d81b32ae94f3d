"""Tallies: what is counted of many games at one table, without keeping any game.

Numbers are kept as how often each came about, and games as a hash over all of them. So
a tally grows with how many different numbers there are, not with how many games.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import overload

from houserule.record.hashes import Digest
from houserule.simulate.results import Finished

MESSAGES = 10


class Ordered(Sequence[int]):
    """Numbers in order, of which it is known how often each came about."""

    def __init__(self, counts: Mapping[int, int]) -> None:
        self._numbers = sorted(counts)
        self._ends = list(accumulate(counts[each] for each in self._numbers))
        self._counts = counts

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        """Return the number at a place."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        return self._numbers[bisect_right(self._ends, at)]

    def __iter__(self) -> Iterator[int]:
        """Yield the numbers in order."""
        for number in self._numbers:
            for _ in range(self._counts[number]):
                yield number


class Tally:
    """The games of one table, counted.

    Attributes:
        games: how many there are.
        decisions: choices in all of them.
        alone: games that each seat won alone.
        shared: games that each seat won with others.
        ties: games with several winners.
        nobody: games that ended without a winner.
        stalls: stalled games by the phase whose bound was reached.
        faults: games in which the rules failed.
        failures: how they failed, each once with the first game, the first ten.
        replayed: these in better words, where the games were replayed.
        rounds: how many games had so many rounds; `sound_rounds` without those that
            failed.
        lengths: the same for choices.
        lead_changes: the same for changes of the lead, where it is known who leads.
        scores: the same for the scores of each seat; empty if there are none.
        ran: how often each clause ran.
        digest: a hash over number, outcome, length and last state of every game.
    """

    def __init__(self) -> None:
        self.games, self.decisions = 0, 0
        self.alone, self.shared = Counter[int](), Counter[int]()
        self.ties, self.nobody, self.faults = 0, 0, 0
        self.stalls, self.ran = Counter[str](), Counter[str]()
        self.failures: dict[str, int] = {}
        self.replayed: dict[str, str] = {}
        self.rounds, self.sound_rounds = Counter[int](), Counter[int]()
        self.lengths, self.lead_changes = Counter[int](), Counter[int]()
        self.scores: list[Counter[int]] = []
        self.digest = Digest()

    def add(self, games: Iterable[Finished], ran: Mapping[str, int]) -> None:
        """Count further games, and how often each clause ran in them."""
        for game in games:
            self._add(game)
        self.ran.update(ran)

    def _add(self, game: Finished) -> None:
        self.games += 1
        self.digest.add(game.line)
        self._add_end(game)
        self.decisions += game.decisions
        self.rounds[game.rounds] += 1
        self.lengths[game.decisions] += 1
        if game.lead_changes is not None:
            self.lead_changes[game.lead_changes] += 1
        if not game.failed:
            self.sound_rounds[game.rounds] += 1
        if game.scores and not self.scores:
            self.scores = [Counter() for _ in game.scores]
        for counts, score in zip(self.scores, game.scores, strict=False):
            counts[score] += 1

    def _add_end(self, game: Finished) -> None:
        if len(game.winners) == 1:
            self.alone[game.winners[0]] += 1
        elif game.winners:
            self.ties += 1
            self.shared.update(game.winners)
        self.nobody += game.nobody
        self.faults += game.failed
        if game.stalled:
            self.stalls[game.outcome.partition(":")[2]] += 1
        if game.message and len(self.failures) < MESSAGES:
            self.failures.setdefault(game.message, game.number)

    @property
    def messages(self) -> list[str]:
        """How the rules failed, in the best words, each once."""
        replayed = (self.replayed.get(each, each) for each in self.failures)
        return list(dict.fromkeys(replayed))
