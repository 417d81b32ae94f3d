"""Tables compared game by game on the same luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from houserule.record.hashes import digest
from houserule.record.write import seat_names
from houserule.simulate import intervals
from houserule.simulate.batch import Ended
from houserule.simulate.intervals import CONFIDENCE, Estimate
from houserule.simulate.measures import BALANCE, ROUNDS, Measure, measures
from houserule.simulate.play import seated
from houserule.simulate.results import Finished
from houserule.simulate.statistics import (
    Part,
    SimulatedTable,
    messages_of,
    rounded,
    simulated_table,
)
from houserule.simulate.verdicts import verdict

if TYPE_CHECKING:
    from houserule.compose.rules import Table
    from houserule.simulate.batch import Order, Played, Rows

Games: TypeAlias = Sequence[Finished]


class Difference(Part):
    """What a change does to one measure."""

    measure: str
    kind: Literal["mean", "share"]
    """Whether it is the mean of a number, or a share of the games."""
    base: float
    """The mean, or the share, at the base."""
    changed: float
    """The same at the changed table."""
    difference: float
    """The mean of `changed` - `base` over all pairs of games."""
    low: float
    """The difference lies from here ..."""
    high: float
    """... to here."""
    seen: bool
    """Whether no difference at all lies outside this interval."""
    verdict: str


class Side(Part):
    """One of the tables."""

    name: str
    table: SimulatedTable
    rules: str
    """The fingerprint of the composed rules."""
    digest: str
    """A hash over number, outcome, length and last state of every game."""


class Change(Side):
    """A table that was compared with the base."""

    pairs: int
    """Pairs of games that were compared: those in which no rules failed."""
    differences: list[Difference]


class Beyond(Part):
    """What two changes do to one measure beyond the sum of what each does."""

    measure: str
    kind: Literal["mean", "share"]
    difference: float
    low: float
    high: float
    seen: bool
    verdict: str


class Interaction(Part):
    """Two changes at one table."""

    changes: list[str]
    pairs: int
    """Games that were compared: those in which no rules failed at the four tables."""
    differences: list[Beyond]


class LeftOut(Part):
    """A change, or two, that the base cannot have."""

    name: str
    reason: str


class Comparison(Part):
    """What one or more changes do to a table."""

    game: str
    players: int
    bots: list[str]
    """The bots by seat in the first game; in each further game one seat on."""
    seed: int
    games: int
    """Games that were played at each table."""
    ended: Ended
    """What ended the work: all games were played, the intervals were narrow enough,
    or time or an interruption did."""
    engine: str
    confidence: float
    together: int
    """So many changes were compared: for each measure their intervals hold all at once
    with the confidence."""
    base: Side
    changes: list[Change]
    interactions: list[Interaction]
    """For each measure their intervals hold all at once with the confidence."""
    left_out: list[LeftOut]
    faults: int
    """Games in which the rules failed, at all tables."""
    messages: list[str]
    """How they failed, each once, at most ten."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which tables an order plays, besides their programs.

    Attributes:
        names: the tables' names; the first is the base.
        tables: the tables.
        pairs: for tables that have two changes, by place: the places of those that
            have one of them.
        left_out: what could not be played, and why.
    """

    names: tuple[str, ...]
    tables: tuple[Table, ...]
    pairs: Mapping[int, tuple[int, int]]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def changes(self) -> list[int]:
        """The places of the tables that are compared with the base."""
        return [at for at in range(1, len(self.tables)) if at not in self.pairs]


def compare(order: Order, plan: Plan, played: Played, ended: Ended) -> Comparison:
    """Return what came of the games of an order, played by a plan."""
    program = order.programs[0]
    least = program.winning_direction == "least"
    every = measures(order, seat_names(program), least)
    z = intervals.deviations(together=max(1, len(plan.changes)))
    everything = [game for games in played.rows for game in games]
    return Comparison(
        game=program.game,
        players=program.seats,
        bots=list(seated(order.bots, program.seats)),
        seed=order.seed,
        games=played.games,
        ended=ended,
        engine=order.engine,
        confidence=CONFIDENCE,
        together=len(plan.changes),
        base=_side(order, plan, played, 0),
        changes=[_change(order, plan, played, at, every, z) for at in plan.changes],
        interactions=_interactions(plan, played, every),
        left_out=list(plan.left_out),
        faults=sum(game.failed for game in everything),
        messages=messages_of(everything),
    )


def _side(order: Order, plan: Plan, played: Played, at: int) -> Side:
    return Side(
        name=plan.names[at],
        table=simulated_table(plan.tables[at]),
        rules=order.programs[at].fingerprint,
        digest=digest(game.line for game in played.rows[at]),
    )


def _change(
    order: Order,
    plan: Plan,
    played: Played,
    at: int,
    every: Sequence[Measure],
    z: float,
) -> Change:
    base, changed = _sound(played.rows[0], played.rows[at])
    found = [_difference(measure, base, changed, z) for measure in every]
    side = _side(order, plan, played, at)
    return Change(
        name=side.name,
        table=side.table,
        rules=side.rules,
        digest=side.digest,
        pairs=len(base),
        differences=[
            *(each for each in found if each),
            *_balance(base, changed, order.programs[0].seats, z),
        ],
    )


def _sound(*tables: Games) -> list[list[Finished]]:
    """Return the games of tables that failed at none of them."""
    kept = [
        games
        for games in zip(*tables, strict=True)
        if not any(game.failed for game in games)
    ]
    return [list(games) for games in zip(*kept, strict=True)] or [[] for _ in tables]


def _difference(
    measure: Measure, base: Games, changed: Games, z: float
) -> Difference | None:
    """Return the difference in a measure; None if no pair of games can tell it."""
    values = [
        (before, after)
        for one, other in zip(base, changed, strict=True)
        if (before := measure.of(one)) is not None
        and (after := measure.of(other)) is not None
    ]
    if not values:
        return None
    if measure.kind == "share":
        found = intervals.paired_share(
            sum(after > before for before, after in values),
            sum(after < before for before, after in values),
            len(values),
            z,
        )
    else:
        found = intervals.mean([after - before for before, after in values], z)
    return Difference(
        measure=measure.name,
        kind=measure.kind,
        base=rounded(sum(before for before, _ in values) / len(values)),
        changed=rounded(sum(after for _, after in values) / len(values)),
        **_said(found),
        verdict=verdict(found, measure.wording),
    )


def _balance(base: Games, changed: Games, seats: int, z: float) -> list[Difference]:
    """Return the difference in how far the seats' shares of wins lie apart, if any.

    The interval takes for granted which seats win most and least, as was counted.
    """
    if not base or seats < 2:
        return []
    before, after = _apart(base, seats), _apart(changed, seats)
    found = intervals.mean(
        [
            _lead(other, after) - _lead(one, before)
            for one, other in zip(base, changed, strict=True)
        ],
        z,
    )
    found = Estimate(found.value, max(-1.0, found.low), min(1.0, found.high))
    return [
        Difference(
            measure="wins apart",
            kind="share",
            base=rounded(sum(_lead(game, before) for game in base) / len(base)),
            changed=rounded(sum(_lead(game, after) for game in changed) / len(base)),
            **_said(found),
            verdict=verdict(found, BALANCE),
        )
    ]


def _apart(games: Games, seats: int) -> tuple[int, int]:
    """Return the seat that won most games alone, and the one that won fewest."""
    wins = [sum(game.winners == (seat,) for game in games) for seat in range(seats)]
    most = wins.index(max(wins))
    fewest = min(
        (seat for seat in range(seats) if seat != most), key=lambda seat: wins[seat]
    )
    return most, fewest


def _lead(game: Finished, seats: tuple[int, int]) -> int:
    return (game.winners == (seats[0],)) - (game.winners == (seats[1],))


class Said(TypedDict):
    """An estimate, as a `Difference` and a `Beyond` have it."""

    difference: float
    low: float
    high: float
    seen: bool


def _said(found: Estimate) -> Said:
    return Said(
        difference=rounded(found.value),
        low=rounded(found.low),
        high=rounded(found.high),
        seen=found.seen,
    )


def _interactions(
    plan: Plan, played: Played, every: Sequence[Measure]
) -> list[Interaction]:
    z = intervals.deviations(together=max(1, len(plan.pairs)))
    result = []
    for both, (one, other) in plan.pairs.items():
        tables = _sound(*(played.rows[at] for at in (0, one, other, both)))
        found = [_beyond(measure, tables, z) for measure in every]
        result.append(
            Interaction(
                changes=[plan.names[one], plan.names[other]],
                pairs=len(tables[0]),
                differences=[each for each in found if each],
            )
        )
    return result


def _beyond(measure: Measure, tables: Sequence[Games], z: float) -> Beyond | None:
    """Return what both changes do beyond the sum; None if no game can tell it."""
    values: list[float] = []
    for games in zip(*tables, strict=True):
        base, one, other, both = (measure.of(game) for game in games)
        if base is None or one is None or other is None or both is None:
            continue
        values.append((both - other) - (one - base))
    if not values:
        return None
    found = intervals.mean(values, z)
    return Beyond(
        measure=measure.name,
        kind=measure.kind,
        **_said(found),
        verdict=verdict(found, measure.wording, beyond_sum=True),
    )


def narrow_enough(rows: Rows, plan: Plan, width: float) -> bool:
    """Say whether the difference in rounds is known to so wide an interval.

    All changes must be, with intervals that hold for all of them at once.
    """
    z = intervals.deviations(together=max(1, len(plan.changes)))
    for at in plan.changes:
        base, changed = _sound(rows[0], rows[at])
        found = _difference(ROUNDS, base, changed, z)
        if found is None or found.high - found.low > width:
            return False
    return True
