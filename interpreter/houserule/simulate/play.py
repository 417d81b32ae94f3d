"""One game by bots, from its seed to its end, and what is to be counted of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from houserule.bots.bot import seat_bots
from houserule.bots.greedy import key_value
from houserule.engine.faults import RuleFault
from houserule.engine.game import Game
from houserule.record.hashes import outcome_words, state_hash

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from houserule.ir.nodes import Program

MOST_DECISIONS = 200_000


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
        ran: how often each clause ran.
        message: what went wrong, if the rules failed, and where.
    """

    number: int
    outcome: str
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    state: str
    ran: Mapping[str, int] = field(default_factory=dict)
    message: str = ""

    @property
    def line(self) -> str:
        """The game's line in a digest."""
        return f"{self.number} {self.outcome} {self.decisions} {self.state}"


def play_game(
    program: Program, seed: int, number: int, bots: Sequence[str]
) -> Finished:
    """Play one game by bots; a fault of the rules ends it and is told."""
    players = seat_bots(bots, program.seats, seed, number)
    decisions, rounds = 0, RoundCounter(program)
    game: Game | None = None
    try:
        game = Game.start(program, seed, number, count=True)
        while game.decision is not None and decisions < MOST_DECISIONS:
            rounds.look(game)
            game.choose(players[game.decision.seat].choose(game))
            decisions += 1
    except RuleFault as error:
        return _failed(number, error, decisions, rounds.begun, game)
    outcome = game.outcome
    return Finished(
        number,
        outcome_words(outcome),
        outcome.winners if outcome else (),
        decisions,
        rounds.begun,
        scores(game),
        state_hash(game),
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
        game.ran if game else {},
        f"{where}{error.code}: {error.message}{clause}",
    )


def scores(game: Game) -> tuple[int, ...]:
    """Return the first winning key of each seat; nothing if the rules have none."""
    if not game.program.winning_keys:
        return ()
    return tuple(key_value(game, 0, seat) for seat in range(game.program.seats))


class RoundCounter:
    """Counts the rounds of a game: those of its main loop in which somebody decided.

    The main loop is every outermost phase with `until`, or if there is none, every
    outermost phase with `for`. Without either there are no rounds.
    """

    def __init__(self, program: Program) -> None:
        self.begun = 0
        outermost = [phase for phase in program.phases.values() if not phase.parent]
        loops = [phase for phase in outermost if phase.until is not None]
        loops = loops or [phase for phase in outermost if phase.source is not None]
        self._loops = {phase.name for phase in loops}
        self._last: tuple[str, int, int] | None = None

    def look(self, game: Game) -> None:
        """Note where a game stands at a decision."""
        for act in game.machine.stack[1:2]:
            here = (act.phase, act.passes, act.index)
            if act.phase in self._loops and self._last != here:
                self._last = here
                self.begun += 1
