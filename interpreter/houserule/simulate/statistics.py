"""Counts and means over many games."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING, TypedDict

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from houserule.record.hashes import digest
from houserule.record.write import plain_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from houserule.compose.rules import Table
    from houserule.ir.nodes import Program
    from houserule.simulate.play import Finished

MESSAGES = 10


class Part(BaseModel):
    """A part of a simulation's result."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


class Spread(Part):
    """Mean, standard deviation and extremes of some numbers; all 0 of none."""

    mean: float
    sd: float
    min: int
    max: int


class SimulatedTable(Part):
    """The table that was simulated."""

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
    decisions: int
    """Choices made in all games together."""
    seconds: float
    engine: str
    wins: list[int]
    """For each seat, the games that it won alone."""
    shared: list[int]
    """For each seat, the games that it won with others."""
    ties: int
    """Games with several winners."""
    nobody: int
    """Games that ended without a winner, and did not stall."""
    stalled: int
    """Games that reached a bound."""
    faults: int
    """Games in which the rules failed."""
    messages: list[str]
    """How they failed, each once, at most ten."""
    rounds: Spread
    length: Spread
    """Choices in a game."""
    scores: list[Spread]
    """For each seat the spread of the first winning key; empty if there is none."""
    never: list[str] = Field(description="Clauses that ran in no game, by address.")
    digest: str
    """A hash over number, outcome, length and last state of every game."""


def spread(values: Iterable[int]) -> Spread:
    """Return mean and deviation (of the sample) of some numbers."""
    found = list(values)
    if not found:
        return Spread(mean=0.0, sd=0.0, min=0, max=0)
    mean = sum(found) / len(found)
    squares = sum((each - mean) ** 2 for each in found)
    deviation = sqrt(squares / (len(found) - 1)) if len(found) > 1 else 0.0
    return Spread(
        mean=round(mean, 4), sd=round(deviation, 4), min=min(found), max=max(found)
    )


def summarise(
    program: Program,
    table: Table,
    finished: Sequence[Finished],
    *,
    bots: Sequence[str],
    seed: int,
    seconds: float,
    engine: str,
) -> Simulation:
    """Return the counts of some games, in order of their numbers."""
    games = sorted(finished, key=lambda each: each.number)
    ran: Counter[str] = Counter()
    for each in games:
        ran.update(each.ran)
    return Simulation(
        game=program.game,
        table=SimulatedTable(
            variants=sorted(table.variants),
            options=plain_options(table),
            players=table.players,
        ),
        rules=program.fingerprint,
        bots=[bots[seat % len(bots)] for seat in range(program.seats)],
        seed=seed,
        games=len(games),
        decisions=sum(each.decisions for each in games),
        seconds=round(seconds, 3),
        engine=engine,
        **_ends(games, program.seats),
        rounds=spread(each.rounds for each in games),
        length=spread(each.decisions for each in games),
        scores=_scores(games, program.seats),
        never=[address for address in marked(program) if not ran[address]],
        digest=digest(each.line for each in games),
    )


class Ends(TypedDict):
    """How games ended: the part of a `Simulation` that is counted by outcome."""

    wins: list[int]
    shared: list[int]
    ties: int
    nobody: int
    stalled: int
    faults: int
    messages: list[str]


def _ends(games: Sequence[Finished], seats: int) -> Ends:
    alone = Counter(each.winners[0] for each in games if len(each.winners) == 1)
    several = [each.winners for each in games if len(each.winners) > 1]
    shared = Counter(seat for winners in several for seat in winners)
    messages = dict.fromkeys(each.message for each in games if each.message)
    return Ends(
        wins=[alone[seat] for seat in range(seats)],
        shared=[shared[seat] for seat in range(seats)],
        ties=len(several),
        nobody=sum(each.outcome == "won:" for each in games),
        stalled=sum(each.outcome.startswith("stalled") for each in games),
        faults=sum(each.outcome.startswith("fault") for each in games),
        messages=list(messages)[:MESSAGES],
    )


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
