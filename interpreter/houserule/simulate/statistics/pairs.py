"""Paired games: the same seeds at several tables, counted pair by pair.

What a comparison needs is summed up, so that no game is kept. Games in which the rules
failed at one of the tables that are compared are left out there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from houserule.record.write import seat_names
from houserule.simulate.results import Finished
from houserule.simulate.statistics import intervals
from houserule.simulate.statistics.measures import Measure, measures
from houserule.simulate.statistics.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.simulate.schedule.batch import Job, Played
    from houserule.simulate.statistics.intervals import Estimate


class Paired:
    """One measure of pairs of games, of those in which both have it."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.before, self.after = 0, 0
        self._gained, self._lost = 0, 0
        self._apart = intervals.Moments()

    @property
    def number(self) -> int:
        """How many pairs there are."""
        return self._apart.number

    def add(self, one: Finished, other: Finished) -> None:
        """Add a pair."""
        before, after = self.measure.of(one), self.measure.of(other)
        if before is None or after is None:
            return
        self.before += before
        self.after += after
        self._gained += after > before
        self._lost += after < before
        self._apart.add(after - before)

    def estimate(self, z: float) -> Estimate:
        """Return the difference between the two."""
        if self.measure.kind == "share":
            return intervals.paired_share(self._gained, self._lost, self.number, z)
        return self._apart.mean(z, self.measure.parts)


class Pairs:
    """Pairs of games, one of the base and one of a changed table.

    Attributes:
        number: how many there are.
        measured: each measure of them; rounds are the first.
        winners: how often which seats won alone, at the base and at the change.
    """

    def __init__(self, every: Sequence[Measure]) -> None:
        self.number = 0
        self.measured = [Paired(measure) for measure in every]
        self.winners = Counter[tuple[int | None, int | None]]()

    def add(self, one: Finished, other: Finished) -> None:
        """Add a pair, unless the rules failed in it."""
        if one.failed or other.failed:
            return
        self.number += 1
        self.winners[_alone(one), _alone(other)] += 1
        for each in self.measured:
            each.add(one, other)

    def wins(self, side: int, seats: int) -> list[int]:
        """Return the games that each seat won alone; side 0 is the base."""
        found = [0] * seats
        for winners, times in self.winners.items():
            seat = winners[side]
            if seat is not None:
                found[seat] += times
        return found


def _alone(game: Finished) -> int | None:
    return game.winners[0] if len(game.winners) == 1 else None


class Fours:
    """Games of the base, of two changes, and of both: what both do beyond the sum."""

    def __init__(self, every: Sequence[Measure]) -> None:
        self.number = 0
        self.measured = [(measure, intervals.Moments()) for measure in every]

    def add(self, games: Sequence[Finished]) -> None:
        """Add a game of each, unless the rules failed in one."""
        if any(game.failed for game in games):
            return
        self.number += 1
        for measure, moments in self.measured:
            base, one, other, both = (measure.of(game) for game in games)
            if base is None or one is None or other is None or both is None:
                continue
            moments.add((both - other) - (one - base))


class Counted:
    """All games of a job, counted by table and in pairs.

    Attributes:
        tallies: the games of each table.
        changes: the pairs with the base, by the place of the changed table.
        both: of tables with two changes, by their place: with those that have one.
    """

    def __init__(self, job: Job, pairs: Mapping[int, tuple[int, int]]) -> None:
        programs = job.programs
        least = programs[0].winning_direction == "least"
        every = measures(job, seat_names(programs[0]), least)
        self.tallies = tuple(Tally() for _ in programs)
        alone = (at for at in range(1, len(programs)) if at not in pairs)
        self.changes = {at: Pairs(every) for at in alone}
        self.both = {at: Fours(every) for at in pairs}
        self._pairs = pairs

    @property
    def games(self) -> int:
        """How many games there are of each table."""
        return self.tallies[0].games

    def add(self, played: Played) -> None:
        """Count further games."""
        for tally, rows, ran in zip(self.tallies, played.rows, played.ran, strict=True):
            tally.add(rows, ran)
        for games in zip(*played.rows, strict=True):
            for at, pairs in self.changes.items():
                pairs.add(games[0], games[at])
            for at, fours in self.both.items():
                one, other = self._pairs[at]
                fours.add((games[0], games[one], games[other], games[at]))
