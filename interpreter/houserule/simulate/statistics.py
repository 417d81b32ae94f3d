"""Counts, means and intervals over many games at one table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypedDict

from pydantic import BaseModel, ConfigDict, JsonValue

from houserule.record.hashes import digest
from houserule.record.write import plain_options
from houserule.simulate import intervals
from houserule.simulate.batch import Ended
from houserule.simulate.play import seated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from houserule.compose.rules import Table
    from houserule.ir.nodes import Program
    from houserule.simulate.batch import Order
    from houserule.simulate.results import Finished

MESSAGES = 10
DIGITS = 4


class Part(BaseModel):
    """A part of a simulation's result."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


class Spread(Part):
    """How some numbers are spread; all 0 of none.

    Quantiles lie between two of the numbers in proportion.
    """

    mean: float
    low: float
    """The mean lies from here, with 95 % confidence, ..."""
    high: float
    """... to here."""
    sd: float
    """The standard deviation of the sample."""
    min: int
    p5: float
    p25: float
    median: float
    p75: float
    p95: float
    max: int


class Share(Part):
    """A share of the games."""

    share: float
    low: float
    """It lies from here, with 95 % confidence (Wilson), ..."""
    high: float
    """... to here."""


class SimulatedTable(Part):
    """A table that was simulated."""

    variants: list[str]
    options: dict[str, JsonValue]
    players: int


class Simulation(Part):
    """What came of many games."""

    game: str
    table: SimulatedTable
    rules: str
    """The fingerprint of the composed rules."""
    bots: list[str]
    """The bots by seat."""
    seed: int
    games: int
    """Games that were played."""
    ended: Ended
    """What ended the work: all games were played, or time or an interruption did."""
    decisions: int
    """Choices made in all games together."""
    seconds: float
    engine: str
    wins: list[int]
    """For each seat, the games that it won alone."""
    shares: list[Share]
    """For each seat, the share of the games that it won alone."""
    shared: list[int]
    """For each seat, the games that it won with others."""
    ties: int
    """Games with several winners."""
    nobody: int
    """Games that ended without a winner, and did not stall."""
    stalled: int
    """Games that reached a bound."""
    stalls: dict[str, int]
    """The same by the phase whose bound was reached."""
    faults: int
    """Games in which the rules failed."""
    messages: list[str]
    """How they failed, each once, at most ten."""
    rounds: Spread
    length: Spread
    """Choices in a game."""
    lead_changes: Spread | None
    """How often another seat came to lead; null if the rules do not tell who leads."""
    scores: list[Spread]
    """For each seat the spread of the first winning key; empty if there is none."""
    clauses: dict[str, int]
    """How often each clause ran in all games together, by address."""
    never: list[str]
    """Clauses that ran in no game, by address."""
    digest: str
    """A hash over number, outcome, length and last state of every game."""


def rounded(value: float) -> float:
    """Return a number as outputs have it."""
    return round(value, DIGITS) + 0.0  # no -0.0


def spread(values: Iterable[int]) -> Spread:
    """Return how some numbers are spread."""
    found = sorted(values)
    mean = intervals.mean(found, intervals.deviations())
    return Spread(
        mean=rounded(mean.value),
        low=rounded(mean.low),
        high=rounded(mean.high),
        sd=rounded(intervals.deviation(found)),
        min=found[0] if found else 0,
        p5=rounded(intervals.quantile(found, 0.05)),
        p25=rounded(intervals.quantile(found, 0.25)),
        median=rounded(intervals.quantile(found, 0.5)),
        p75=rounded(intervals.quantile(found, 0.75)),
        p95=rounded(intervals.quantile(found, 0.95)),
        max=found[-1] if found else 0,
    )


def share(hits: int, number: int) -> Share:
    """Return a share of so many games."""
    found = intervals.share(hits, number, intervals.deviations())
    return Share(
        share=rounded(found.value), low=rounded(found.low), high=rounded(found.high)
    )


def simulated_table(table: Table) -> SimulatedTable:
    """Return a table as outputs have it."""
    return SimulatedTable(
        variants=sorted(table.variants),
        options=plain_options(table),
        players=table.players,
    )


def summarise(
    order: Order,
    table: Table,
    games: Sequence[Finished],
    ran: Mapping[str, int],
    *,
    seconds: float,
    ended: Ended,
) -> Simulation:
    """Return the counts of the games of an order's only table.

    `ran` is how often each clause ran in all of them.
    """
    program = order.programs[0]
    clauses = {address: ran.get(address, 0) for address in marked(program)}
    return Simulation(
        game=program.game,
        table=simulated_table(table),
        rules=program.fingerprint,
        bots=list(seated(order.bots, program.seats)),
        seed=order.seed,
        games=len(games),
        ended=ended,
        decisions=sum(each.decisions for each in games),
        seconds=round(seconds, 3),
        engine=order.engine,
        **_ends(games, program.seats),
        rounds=spread(each.rounds for each in games),
        length=spread(each.decisions for each in games),
        lead_changes=_lead_changes(games),
        scores=_scores(games, program.seats),
        clauses=clauses,
        never=[address for address, times in clauses.items() if not times],
        digest=digest(each.line for each in games),
    )


class Ends(TypedDict):
    """How games ended: the part of a `Simulation` that is counted by outcome."""

    wins: list[int]
    shares: list[Share]
    shared: list[int]
    ties: int
    nobody: int
    stalled: int
    stalls: dict[str, int]
    faults: int
    messages: list[str]


def _ends(games: Sequence[Finished], seats: int) -> Ends:
    alone = Counter(each.winners[0] for each in games if len(each.winners) == 1)
    several = [each.winners for each in games if len(each.winners) > 1]
    shared = Counter(seat for winners in several for seat in winners)
    stalls = Counter(each.outcome.partition(":")[2] for each in games if each.stalled)
    return Ends(
        wins=[alone[seat] for seat in range(seats)],
        shares=[share(alone[seat], len(games)) for seat in range(seats)],
        shared=[shared[seat] for seat in range(seats)],
        ties=len(several),
        nobody=sum(each.nobody for each in games),
        stalled=stalls.total(),
        stalls=dict(sorted(stalls.items())),
        faults=sum(each.failed for each in games),
        messages=messages_of(games),
    )


def messages_of(games: Iterable[Finished]) -> list[str]:
    """Return how rules failed, each once, at most ten."""
    found = dict.fromkeys(each.message for each in games if each.message)
    return list(found)[:MESSAGES]


def _lead_changes(games: Sequence[Finished]) -> Spread | None:
    told = [each.lead_changes for each in games if each.lead_changes is not None]
    return spread(told) if told else None


def _scores(games: Sequence[Finished], seats: int) -> list[Spread]:
    scored = [each.scores for each in games if each.scores]
    if not scored:
        return []
    return [spread(scores[seat] for scores in scored) for seat in range(seats)]


def marked(program: Program) -> list[str]:
    """Return the addresses of all clauses that can run: steps and `does`."""
    bodies = [
        *(body for each in program.actions.values() for body in each.does),
        *(body for each in program.effects.values() for body in each.does),
        *(body for each in program.reactions.values() for body in each.does),
        *(step.body for step in program.steps.values() if step.body),
    ]
    return sorted({body.address for body in bodies})
