"""Compare tables game by game on the same seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict

from houserule.base.frozen import frozen
from houserule.base.plain import Plain
from houserule.compiler.rules import ChosenTable
from houserule.study.simulate.play import seated
from houserule.study.simulate.schedule.batch import Ended, Job
from houserule.study.simulate.statistics import intervals
from houserule.study.simulate.statistics.intervals import CONFIDENCE, Estimate
from houserule.study.simulate.statistics.measures import (
    BALANCE,
    ROUNDS,
    Counted,
    Pairs,
    verdict,
)
from houserule.study.simulate.statistics.summary import (
    MESSAGES,
    SimulatedTable,
    rounded,
    simulated_table,
)


class MeasureDifference(Plain):
    """The effect of a change on one measure."""

    measure: str
    kind: Literal["mean", "share"]
    """Whether it is the mean of a number, or a share of the games."""
    base: float
    """The mean or share at the base."""
    changed: float
    """The mean or share at the changed table."""
    difference: float
    """The mean of `changed` - `base` over all pairs of games."""
    low: float
    """Lower end of the interval of the difference."""
    high: float
    """Upper end of the interval."""
    seen: bool
    """Whether the interval excludes 0."""
    verdict: str


class Side(Plain):
    """One of the tables."""

    name: str
    table: SimulatedTable
    rules: str
    """The fingerprint of the composed rules."""
    digest: str
    """A hash of number, outcome, length and last state of every game."""


class ChangedTable(Side):
    """A table compared with the base."""

    pairs: int
    """Pairs of games compared, without those in which rules failed."""
    differences: list[MeasureDifference]


class Beyond(Plain):
    """The effect of two changes on a measure beyond the sum of their effects."""

    measure: str
    kind: Literal["mean", "share"]
    difference: float
    low: float
    high: float
    seen: bool
    verdict: str


class Interaction(Plain):
    """Two changes at one table."""

    changes: list[str]
    pairs: int
    """Games compared, without those in which rules failed at one of the four tables."""
    differences: list[Beyond]


class LeftOut(Plain):
    """A change, or a pair, that the base cannot have."""

    name: str
    reason: str


class Comparison(Plain):
    """The effects of one or more changes on a table."""

    game: str
    players: int
    bots: list[str]
    """The bots by seat in the first game; each further game moves them one seat on."""
    seed: int
    games: int
    """Games played at each table."""
    ended: Ended
    """What ended the run: all games were played, the intervals were narrow enough, the
    time was over, or an interruption."""
    engine: str
    confidence: float
    together: int
    """How many changes were compared. For each measure, all their intervals hold
    simultaneously with this confidence."""
    base: Side
    changes: list[ChangedTable]
    interactions: list[Interaction]
    """For each measure, all intervals hold simultaneously with this confidence."""
    left_out: list[LeftOut]
    faults: int
    """Games in which the rules failed, at all tables."""
    messages: list[str]
    """The different error messages, at most ten."""


@frozen
class Plan:
    """The tables of a job, in addition to their programs.

    Attributes:
        names: the tables' names; the first is the base.
        pairs: for each table with two changes, by place: the places of the tables with
            one of them.
        left_out: what could not be played, and why.
    """

    names: tuple[str, ...]
    tables: tuple[ChosenTable, ...]
    pairs: Mapping[int, tuple[int, int]]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def changes(self) -> list[int]:
        """The places of the tables compared with the base."""
        return [at for at in range(1, len(self.tables)) if at not in self.pairs]


def compare(job: Job, plan: Plan, counted: Counted, ended: Ended) -> Comparison:
    """Return the comparison of a job's games, played by a plan."""
    program = job.programs[0]
    z = intervals.deviations(together=max(1, len(plan.changes)))
    changes: list[ChangedTable] = []
    for at in plan.changes:
        pairs, side = counted.changes[at], _side(job, plan, counted, at)
        differences = [
            MeasureDifference(
                measure=each.measure.name,
                kind=each.measure.kind,
                base=rounded(each.before / (each.number * each.measure.parts)),
                changed=rounded(each.after / (each.number * each.measure.parts)),
                **_difference_fields(each.estimate(z)),
                verdict=verdict(each.estimate(z), each.measure.wording),
            )
            for each in pairs.measured
            if each.number
        ]
        if pairs.number and program.seats > 1:
            differences.append(_balance(pairs, program.seats, z))
        changes.append(
            ChangedTable(
                name=side.name,
                table=side.table,
                rules=side.rules,
                digest=side.digest,
                pairs=pairs.number,
                differences=differences,
            )
        )
    z_of_pairs = intervals.deviations(together=max(1, len(plan.pairs)))
    interactions: list[Interaction] = []
    for both, (one, other) in plan.pairs.items():
        # The effect of two changes beyond the sum of their effects.
        beyond: list[Beyond] = []
        for measure, moments in counted.both[both].measured:
            if moments.number:
                found = moments.mean(z_of_pairs, measure.parts)
                beyond.append(
                    Beyond(
                        measure=measure.name,
                        kind=measure.kind,
                        **_difference_fields(found),
                        verdict=verdict(found, measure.wording, beyond_sum=True),
                    )
                )
        interactions.append(
            Interaction(
                changes=[plan.names[one], plan.names[other]],
                pairs=counted.both[both].number,
                differences=beyond,
            )
        )
    messages = dict.fromkeys(m for tally in counted.tallies for m in tally.messages)
    return Comparison(
        game=program.game,
        players=program.seats,
        bots=list(seated(job.bots, program.seats)),
        seed=job.seed,
        games=counted.games,
        ended=ended,
        engine=job.engine,
        confidence=CONFIDENCE,
        together=len(plan.changes),
        base=_side(job, plan, counted, 0),
        changes=changes,
        interactions=interactions,
        left_out=list(plan.left_out),
        faults=sum(tally.faults for tally in counted.tallies),
        messages=list(messages)[:MESSAGES],
    )


def _side(job: Job, plan: Plan, counted: Counted, at: int) -> Side:
    return Side(
        name=plan.names[at],
        table=simulated_table(plan.tables[at]),
        rules=job.programs[at].fingerprint,
        digest=str(counted.tallies[at].digest),
    )


def _balance(pairs: Pairs, seats: int, z: float) -> MeasureDifference:
    """Return the difference in the spread of the seats' shares of wins.

    The interval assumes that the seats counted as best and worst really are.
    """

    def ends(side: int) -> tuple[int, int]:
        """Return the seats with the most and the fewest wins."""
        wins = pairs.wins(side, seats)
        most = wins.index(max(wins))
        others = (seat for seat in range(seats) if seat != most)
        return most, min(others, key=lambda seat: wins[seat])

    best, worst = zip(ends(0), ends(1), strict=True)
    apart, sums = intervals.Moments(), [0, 0]
    for winners, times in pairs.winners.items():
        leads = [
            (first in won) - (last in won)
            for won, first, last in zip(winners, best, worst, strict=True)
        ]
        apart.add(leads[1] - leads[0], times)
        sums = [sums[0] + leads[0] * times, sums[1] + leads[1] * times]
    found = apart.mean(z)
    found = Estimate(found.value, max(-1.0, found.low), min(1.0, found.high))
    return MeasureDifference(
        measure="wins apart",
        kind="share",
        base=rounded(sums[0] / pairs.number),
        changed=rounded(sums[1] / pairs.number),
        **_difference_fields(found),
        verdict=verdict(found, BALANCE),
    )


class DifferenceFields(TypedDict):
    """The fields of an estimate, shared by `MeasureDifference` and `Beyond`."""

    difference: float
    low: float
    high: float
    seen: bool


def _difference_fields(found: Estimate) -> DifferenceFields:
    return DifferenceFields(
        difference=rounded(found.value),
        low=rounded(found.low),
        high=rounded(found.high),
        seen=found.seen,
    )


def narrow_enough(counted: Counted, plan: Plan, width: float) -> bool:
    """Return whether the interval of the difference in rounds is narrow enough.

    Applies to all changes, with intervals that hold simultaneously.
    """
    z = intervals.deviations(together=max(1, len(plan.changes)))
    for at in plan.changes:
        rounds = counted.changes[at].measured[0]
        assert rounds.measure is ROUNDS, "rounds are measured first"
        found = rounds.estimate(z)
        if not rounds.number or rounded(found.high) - rounded(found.low) > width:
            return False
    return True
