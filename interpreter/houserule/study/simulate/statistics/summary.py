"""Tallies and summaries: the counts of many games at one table.

Games are not kept: only how often each number occurred, and one hash of all games. A
tally's size depends on how many different numbers occur, not on the number of games.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import overload

from pydantic import JsonValue

from houserule.base.plain import Plain
from houserule.compiler.options.scales import setting_words
from houserule.compiler.rules import ChosenTable
from houserule.ir import Program, is_kept
from houserule.ir.walk import bodies
from houserule.play.records.hashes import Digest
from houserule.play.records.records import plain_options
from houserule.study.simulate.play import seated
from houserule.study.simulate.results import Finished, victors
from houserule.study.simulate.schedule.batch import Ended, Job
from houserule.study.simulate.statistics import intervals

MESSAGES = 10
THE_BASE = "the base game"


class Ordered(Sequence[int]):
    """A sorted sequence of numbers, given how often each occurs."""

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
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        return self._numbers[bisect_right(self._ends, at)]

    def __iter__(self) -> Iterator[int]:
        for number in self._numbers:
            for _ in range(self._counts[number]):
                yield number


class Tally:
    """The games of one table, counted.

    Attributes:
        games: how many games there are.
        winners: how many games each set of seats won.
        nobody: games that ended without a winner, and were neither drawn nor stalled.
        drawn: games that the rules ended as drawn.
        draws: drawn games by reason; a game may have several.
        left_open: games that were stopped at the limit of decisions.
        stalls: stalled games by the phase whose bound was reached.
        faults: games in which the rules failed.
        failures: the first ten different failures, each with its first game.
        replayed: the same with better messages, if the games were replayed.
        rounds: how many games had each number of rounds; `sound_rounds` excludes games
            that failed.
        lead_changes: the same for changes of the lead, if the rules define it.
        scores: the same for the scores of each seat; empty if there are none.
        ran: how often each clause ran.
        digest: a hash of number, outcome, length and last state of every game.
    """

    def __init__(self) -> None:
        self.games, self.decisions = 0, 0
        self.winners = Counter[tuple[int, ...]]()
        self.nobody, self.left_open, self.faults = 0, 0, 0
        self.drawn, self.draws = 0, Counter[str]()
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
            self.games += 1
            self.digest.add(game.line)
            self.winners[game.winners] += 1
            self.nobody += game.nobody
            self.drawn += game.drawn
            self.draws.update(game.drawn_by)
            self.left_open += game.left_open
            self.faults += game.failed
            if game.stalled:
                self.stalls[game.outcome.partition(":")[2]] += 1
            if game.message and len(self.failures) < MESSAGES:
                self.failures.setdefault(game.message, game.number)
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
        self.ran.update(ran)

    @property
    def messages(self) -> list[str]:
        """The different messages of failures, in their best wording."""
        replayed = (self.replayed.get(each, each) for each in self.failures)
        return list(dict.fromkeys(replayed))


# ---- summaries

DIGITS = 4


class Spread(Plain):
    """The spread of some numbers; all fields are 0 if there are none.

    Quantiles are interpolated linearly.
    """

    mean: float
    low: float
    """Lower end of the 95 % interval of the mean."""
    high: float
    """Upper end of the interval."""
    sd: float
    """The standard deviation of the sample."""
    min: int
    p5: float
    p25: float
    median: float
    p75: float
    p95: float
    max: int


class GameShare(Plain):
    """A share of the games."""

    share: float
    low: float
    """Lower end of the 95 % interval (Wilson)."""
    high: float
    """Upper end of the interval."""


class SimulatedTable(Plain):
    """A simulated table."""

    variants: list[str]
    options: dict[str, JsonValue]
    players: int
    chosen: list[str]
    """The settings as users write them: `goal=50`."""

    @property
    def words(self) -> str:
        """The table in a few words: its variants and settings."""
        return ", ".join([*self.variants, *self.chosen]) or THE_BASE


class Simulation(Plain):
    """The result of many games."""

    game: str
    table: SimulatedTable
    rules: str
    """The fingerprint of the composed rules."""
    bots: list[str]
    """The bots by seat."""
    seed: int
    games: int
    """Games played."""
    ended: Ended
    """What ended the run: all games were played, the interval of rounds was narrow
    enough, the time was over, or an interruption."""
    decisions: int
    """Choices made in all games together."""
    seconds: float
    engine: str
    wins: list[int]
    """How many games each seat won, alone or with others; not those that all won."""
    shares: list[GameShare]
    """Each seat's share of games won."""
    shared: list[int]
    """How many of these games each seat won with others, such as a partner."""
    together: int
    """Games that several seats won, but not all."""
    ties: int
    """Games that all seats won."""
    nobody: int
    """Games that ended without a winner, and were neither drawn nor stalled."""
    drawn: int
    """Games that the rules ended as drawn."""
    drawn_share: GameShare
    """The share of these games."""
    draws: dict[str, int]
    """The drawn games by reason: every `drawn by` of the rules, by name. A game may
    have several."""
    stalled: int
    """Games that reached a bound."""
    stalls: dict[str, int]
    """Stalled games by the phase whose bound was reached."""
    left_open: int
    """Games stopped after the limit `decisions` of choices."""
    faults: int
    """Games in which the rules failed."""
    messages: list[str]
    """The different error messages, at most ten."""
    rounds: Spread
    length: Spread
    """Choices per game."""
    lead_changes: Spread | None
    """How often the lead changed; null if the rules do not define who leads."""
    scores: list[Spread]
    """The spread of each seat's first winning key; empty without winning keys."""
    clauses: dict[str, int]
    """How often each clause ran in all games together, by address."""
    never: list[str]
    """Clauses that ran in no game, by address."""
    digest: str
    """A hash of number, outcome, length and last state of every game."""


def rounded(value: float) -> float:
    """Return a number, rounded for output."""
    return round(value, DIGITS) + 0.0  # no -0.0


def spread(counts: Mapping[int, int]) -> Spread:
    """Return the spread of numbers, given how often each occurs."""
    found, moments = Ordered(counts), intervals.Moments.from_counts(counts)
    mean = moments.mean(intervals.deviations())
    return Spread(
        mean=rounded(mean.value),
        low=rounded(mean.low),
        high=rounded(mean.high),
        sd=rounded(moments.deviation),
        min=found[0] if found else 0,
        p5=rounded(intervals.quantile(found, 0.05)),
        p25=rounded(intervals.quantile(found, 0.25)),
        median=rounded(intervals.quantile(found, 0.5)),
        p75=rounded(intervals.quantile(found, 0.75)),
        p95=rounded(intervals.quantile(found, 0.95)),
        max=found[-1] if found else 0,
    )


def share(hits: int, number: int) -> GameShare:
    """Return a share of `number` games."""
    found = intervals.share(hits, number, intervals.deviations())
    return GameShare(
        share=rounded(found.value), low=rounded(found.low), high=rounded(found.high)
    )


def simulated_table(table: ChosenTable) -> SimulatedTable:
    """Return a table, ready for output."""
    settings = {name: table.options[name] for name in sorted(table.wished)}
    return SimulatedTable(
        variants=sorted(table.variants),
        options=plain_options(table),
        players=table.players,
        chosen=setting_words(settings),
    )


def summarise(
    job: Job, table: ChosenTable, tally: Tally, *, seconds: float, ended: Ended
) -> Simulation:
    """Return the summary of the games of a job's only table."""
    program, seats = job.programs[0], range(job.programs[0].seats)
    clauses = {address: tally.ran.get(address, 0) for address in marked(program)}
    won, shared = Counter[int](), Counter[int]()
    together = ties = 0
    for winners, games in tally.winners.items():
        victorious = victors(winners, program.seats)
        won.update(dict.fromkeys(victorious, games))
        if len(victorious) > 1:
            shared.update(dict.fromkeys(victorious, games))
            together += games
        ties += games if winners and not victorious else 0
    return Simulation(
        game=program.game,
        table=simulated_table(table),
        rules=program.fingerprint,
        bots=list(seated(job.bots, program.seats)),
        seed=job.seed,
        games=tally.games,
        ended=ended,
        decisions=tally.decisions,
        seconds=round(seconds, 3),
        engine=job.engine,
        wins=[won[seat] for seat in seats],
        shares=[share(won[seat], tally.games) for seat in seats],
        shared=[shared[seat] for seat in seats],
        together=together,
        ties=ties,
        nobody=tally.nobody,
        drawn=tally.drawn,
        drawn_share=share(tally.drawn, tally.games),
        draws={each.address: tally.draws[each.address] for each in program.draws},
        stalled=tally.stalls.total(),
        stalls=dict(sorted(tally.stalls.items())),
        left_open=tally.left_open,
        faults=tally.faults,
        messages=tally.messages,
        rounds=spread(tally.rounds),
        length=spread(tally.lengths),
        lead_changes=spread(tally.lead_changes) if tally.lead_changes else None,
        scores=[spread(counts) for counts in tally.scores],
        clauses=clauses,
        never=[address for address, times in clauses.items() if not times],
        digest=str(tally.digest),
    )


def marked(program: Program) -> list[str]:
    """Return the addresses of all clauses that can run: steps and `does`."""
    costs = {c.body.address for a in program.actions.values() for c in a.costs}
    found = {body.address for body in bodies(program)} - costs
    return sorted(address for address in found if not is_kept(address))
