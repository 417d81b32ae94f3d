"""Games by bots, from their seeds to their ends, and what is to be counted of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from houserule.bots.bot import seat_bots
from houserule.bots.greedy import key_value
from houserule.engine.faults import RuleFault
from houserule.engine.game import Game
from houserule.record.hashes import outcome_words, state_hash
from houserule.simulate.rounds import LeadCounter, RoundCounter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from houserule.ir.nodes import Program

MOST_DECISIONS = 200_000
AT_ONCE: Mapping[str, int] = {"reference": 1}
"""The engines by name, each with how many games it plays best at once."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What is counted of one game.

    Attributes:
        number: its number among those of its seed.
        outcome: in one word, as in a digest; `fault:F01` if the rules failed.
        winners: the seats that won.
        decisions: how many choices were made.
        rounds: how often the main loop was begun.
        scores: the first winning key for each seat, empty if there is none.
        state: the hash of the last state.
        lead_changes: how often another seat came to lead; None if nobody can tell.
        ran: how often each clause ran. Of games that were played at once, the first
            may tell it for all of them.
        message: what went wrong, if the rules failed, and where.
    """

    number: int
    outcome: str
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    state: str
    lead_changes: int | None = None
    ran: Mapping[str, int] = field(default_factory=dict)
    message: str = ""

    @property
    def line(self) -> str:
        """The game's line in a digest."""
        return f"{self.number} {self.outcome} {self.decisions} {self.state}"

    def without_counts(self) -> Finished:
        """Return the same without what each clause did, which weighs most."""
        return replace(self, ran={})

    @property
    def failed(self) -> bool:
        """Whether the rules failed."""
        return self.outcome.startswith("fault")

    @property
    def nobody(self) -> bool:
        """Whether the game came to its end and nobody won."""
        return self.outcome == "won:"

    @property
    def stalled(self) -> bool:
        """Whether the game reached a bound."""
        return self.outcome.startswith("stalled")


def play_games(
    program: Program,
    seed: int,
    numbers: range,
    bots: Sequence[str],
    engine: str = "reference",
    *,
    rotate: bool = False,
) -> list[Finished]:
    """Play the games with these consecutive numbers and return them in order.

    With `rotate`, each game seats the bots one further than the game before.

    Raises:
        KeyError: there is no such engine.
    """
    if engine not in AT_ONCE:
        raise KeyError(engine)
    return [
        play_game(program, seed, each, seated(bots, program.seats, each * rotate))
        for each in numbers
    ]


def seated(bots: Sequence[str], seats: int, turn: int = 0) -> tuple[str, ...]:
    """Return the bot of each seat when all have moved `turn` seats on.

    Fewer bots than seats go round; bots that are too many do not play.
    """
    first = [bots[seat % len(bots)] for seat in range(seats)]
    return tuple(first[(seat - turn) % seats] for seat in range(seats))


def play_game(
    program: Program, seed: int, number: int, bots: Sequence[str]
) -> Finished:
    """Play one game by bots; a fault of the rules ends it and is told."""
    players = seat_bots(bots, program.seats, seed, number)
    decisions, rounds, leads = 0, RoundCounter(program), LeadCounter(program)
    game: Game | None = None
    try:
        game = Game.start(program, seed, number, count=True)
        while game.decision is not None and decisions < MOST_DECISIONS:
            if rounds.look(game):
                leads.look(_standings(game))
            game.choose(players[game.decision.seat].choose(game))
            decisions += 1
    except RuleFault as error:
        return _failed(number, error, decisions, rounds.begun, game)
    return _ended(number, game, decisions, rounds, leads)


def _ended(
    number: int, game: Game, decisions: int, rounds: RoundCounter, leads: LeadCounter
) -> Finished:
    outcome, standings = game.outcome, scores(game)
    leads.look(standings)
    return Finished(
        number,
        outcome_words(outcome),
        outcome.winners if outcome else (),
        decisions,
        rounds.begun,
        standings,
        state_hash(game),
        leads.changes if standings else None,
        game.ran,
    )


def _failed(
    number: int, error: RuleFault, decisions: int, rounds: int, game: Game | None
) -> Finished:
    where = f"{error.span}: " if error.span.line else ""
    clause = f" ({error.address})" if error.address else ""
    return Finished(
        number,
        f"fault:{error.code}",
        (),
        decisions,
        rounds,
        (),
        "",
        None,
        game.ran if game else {},
        f"{where}{error.code}: {error.message}{clause}",
    )


def scores(game: Game) -> tuple[int, ...]:
    """Return the first winning key of each seat; nothing if the rules have none."""
    if not game.program.winning_keys:
        return ()
    return tuple(key_value(game, 0, seat) for seat in range(game.program.seats))


def _standings(game: Game) -> tuple[int, ...]:
    """Return the scores under way, where the rules may not mean them to be read."""
    try:
        return scores(game)
    except RuleFault:
        return ()
