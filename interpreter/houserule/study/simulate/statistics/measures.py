"""Measures: the numbers compared between tables, pair by pair and in words.

A measure is a *mean* (a number of each game) or a *share* (how many of a hundred games
have a property). Every measure belongs to a single game, so that two tables can be
compared game by game on the same seeds. Only sums are kept, not the games. Games in
which the rules failed at one of the compared tables are skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Literal

from houserule.base.frozen import frozen
from houserule.play.records.records import seat_names
from houserule.study.simulate.play import seated
from houserule.study.simulate.results import Finished, victors
from houserule.study.simulate.schedule.batch import Job, Played
from houserule.study.simulate.statistics import intervals
from houserule.study.simulate.statistics.intervals import Estimate
from houserule.study.simulate.statistics.summary import Tally


@frozen
class DifferenceWording:
    """The wordings of a difference: more, less, and at most; `{}` is the amount."""

    more: str
    less: str
    little: str
    scale: int = 1


@frozen
class Measure:
    """A quantity measured in each game.

    Attributes:
        of: returns a whole number of parts, or None if the game has no such measure.
        parts: how many of these parts make one unit of the measure.
    """

    name: str
    kind: Literal["mean", "share"]
    of: Callable[[Finished], int | None]
    wording: DifferenceWording
    parts: int = 1


ROUNDS = Measure(
    "rounds",
    "mean",
    lambda game: game.rounds,
    DifferenceWording("longer by {} rounds", "shorter by {} rounds", "{} rounds"),
)
CHOICES = Measure(
    "choices",
    "mean",
    lambda game: game.decisions,
    DifferenceWording("longer by {} choices", "shorter by {} choices", "{} choices"),
)
LEADS = Measure(
    "lead changes",
    "mean",
    lambda game: game.lead_changes,
    DifferenceWording(
        "{} more lead changes", "{} fewer lead changes", "{} lead changes"
    ),
)
OFTEN = DifferenceWording(
    "in {} more of 100 games", "in {} fewer of 100 games", "{} of 100 games", scale=100
)
DRAWS = DifferenceWording(
    "{} more of 100 games", "{} fewer of 100 games", "{} of 100 games", scale=100
)
BALANCE = DifferenceWording(
    "seats less alike by {} of 100 games",
    "seats more alike by {} of 100 games",
    "{} of 100 games",
    scale=100,
)


def measures(
    job: Job, seats: Sequence[str], least: bool = False
) -> tuple[Measure, ...]:
    """Return the measures for tables with these seats.

    With `least`, the fewest points lead.
    """

    def margin(game: Finished) -> int | None:
        """Return how far the best was ahead of the next."""
        if len(game.scores) < 2:
            return None
        first, second, *_ = sorted(game.scores, reverse=not least)
        return abs(first - second)

    def won(name: str, test: Callable[[Finished], bool]) -> Measure:
        return Measure(f"{name} wins", "share", test, OFTEN)

    def won_by_seat(seat: int) -> Callable[[Finished], bool]:
        return lambda game: seat in victors(game.winners, len(seats))

    def won_by_bot(kind: str) -> Callable[[Finished], bool]:
        def test(game: Finished) -> bool:
            at = seated(job.bots, len(seats), game.number * job.rotate)
            won = victors(game.winners, len(seats))
            return any(at[seat] == kind for seat in won)

        return test

    kinds = list(dict.fromkeys(seated(job.bots, len(seats))))
    found = [
        ROUNDS,
        CHOICES,
        LEADS,
        Measure(
            "score",
            "mean",
            lambda game: sum(game.scores) if game.scores else None,
            DifferenceWording("higher by {}", "lower by {}", "{}"),
            parts=len(seats),
        ),
        Measure(
            "winning margin",
            "mean",
            margin,
            DifferenceWording("wider by {}", "closer by {}", "{}"),
        ),
        Measure(
            "won together",
            "share",
            lambda game: len(victors(game.winners, len(seats))) > 1,
            OFTEN,
        ),
        Measure(
            "tied",
            "share",
            lambda game: len(game.winners) == len(seats) > 1,
            OFTEN,
        ),
        Measure("won by nobody", "share", lambda game: game.nobody, OFTEN),
    ]
    if any(program.draws for program in job.programs):
        found.append(Measure("draws", "share", lambda game: game.drawn, DRAWS))
    found.append(Measure("stalled", "share", lambda game: game.stalled, OFTEN))
    found += [won(name, won_by_seat(seat)) for seat, name in enumerate(seats)]
    if len(kinds) > 1:
        found += [won(kind, won_by_bot(kind)) for kind in kinds]
    return tuple(found)


# ---- differences in words: "longer by 1.8 ± 0.3 rounds", or that there is none


def verdict(
    found: Estimate, wording: DifferenceWording, *, beyond_sum: bool = False
) -> str:
    """Return a difference with its interval in words.

    With `beyond_sum` it is the joint effect of two changes beyond the sum of both.
    """
    missing = "no interaction seen" if beyond_sum else "no difference seen"
    if not found.seen:
        most = max(-found.low, found.high) * wording.scale
        if not most:
            return f"{missing}: the same in every game"
        # Rounded up to two digits, so that it stays a bound.
        place = floor(log10(most)) - 1
        bound = f"{ceil(most):d}"
        if place < 0:
            scaled = ceil(round(most * 10**-place, 6))
            bound = f"{scaled / 10**-place:.{-place}f}"
        return f"{missing}: less than {wording.little.format(bound)} either way"
    amount = with_margin(abs(found.value) * wording.scale, found.margin * wording.scale)
    words = (wording.more if found.value > 0 else wording.less).format(amount)
    return f"beyond the sum of both, {words}" if beyond_sum else words


def with_margin(value: float, margin: float, sign: str = "") -> str:
    """Return a value with its margin, rounded to the digits that are significant.

    The margin has one digit, or two if the first is 1: `1.8 ± 0.3`, `24.0 ± 1.2`.
    """
    if margin <= 0:
        return f"{value:{sign}g} ± 0"
    place = floor(log10(margin))
    leading = round(margin / 10**place, 6)
    digits = max(0, -place + (1 if leading < 1.95 else 0))  # whole numbers are kept
    value, margin = (round(each, digits) + 0.0 for each in (value, margin))
    return f"{value:{sign}.{digits}f} ± {margin:.{digits}f}"


# ---- pairs of games


class Paired:
    """One measure of the pairs of games that both have it."""

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
        before, after = self.measure.of(one), self.measure.of(other)
        if before is None or after is None:
            return
        self.before += before
        self.after += after
        self._gained += after > before
        self._lost += after < before
        self._apart.add(after - before)

    def estimate(self, z: float) -> Estimate:
        """Return the mean difference."""
        if self.measure.kind == "share":
            return intervals.paired_share(self._gained, self._lost, self.number, z)
        return self._apart.mean(z, self.measure.parts)


class Pairs:
    """Pairs of games: one of the base and one of a changed table.

    Attributes:
        number: how many pairs there are.
        measured: each measure of the pairs; rounds are the first.
        winners: how often which seats won, at the base and at the change.
    """

    def __init__(self, every: Sequence[Measure]) -> None:
        self.number = 0
        self.measured = [Paired(measure) for measure in every]
        self.winners = Counter[tuple[tuple[int, ...], tuple[int, ...]]]()

    def add(self, one: Finished, other: Finished) -> None:
        """Add a pair, unless the rules failed in it."""
        if one.failed or other.failed:
            return
        self.number += 1
        self.winners[one.winners, other.winners] += 1
        for each in self.measured:
            each.add(one, other)

    def wins(self, side: int, seats: int) -> list[int]:
        """Return how many games each seat won; side 0 is the base."""
        found = [0] * seats
        for winners, times in self.winners.items():
            for seat in victors(winners[side], seats):
                found[seat] += times
        return found


class Fours:
    """Games of the base, two changes, and both: the effect beyond the sum."""

    def __init__(self, every: Sequence[Measure]) -> None:
        self.number = 0
        self.measured = [(measure, intervals.Moments()) for measure in every]

    def add(self, games: Sequence[Finished]) -> None:
        """Add a game of each table, unless the rules failed in one."""
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
        changes: the pairs with the base, by the place of the changed table.
        both: for each table with two changes, by place: its games with those of the
            tables with one.
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
        """How many games each table has."""
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
