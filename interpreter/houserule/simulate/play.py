"""Games by bots, from their seeds to their ends, and what is to be counted of them.

A *round* is one pass of the game's main loop in which a seat decided. The main loop
is every outermost phase with `until`, or if there is none, every outermost phase with
`for`. Without either there are no rounds.

A *lead change* is counted by the first winning key, looked at when the first decision
of each round is due, and once more when the game is over. Where one seat alone stands
best it leads; a change is counted when that is another seat than the last one that led
alone. Looks at which several seats stand best change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.bots.bot import seat_bots
from houserule.bots.greedy import key_value
from houserule.engine.numbers import state_number
from houserule.engine.play.game import ReferenceGame
from houserule.limits import limit
from houserule.record.hashes import outcome_words
from houserule.simulate.engines import (
    AT_ONCE,
    COMPILED,
    REFERENCE,
    Seating,
    play_compiled,
)
from houserule.simulate.results import Finished
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.ir import Program
    from houserule.simulate.schedule.cancellation import Cancellation


def play_games(
    program: Program,
    seed: int,
    numbers: range,
    bots: Sequence[str],
    engine: str = REFERENCE,
    *,
    rotate: bool = False,
    cancellation: Cancellation | None = None,
) -> list[Finished]:
    """Play the games with these consecutive numbers and return them in order.

    With `rotate`, each game seats the bots one further than the game before. The
    compiled engine alone can be cancelled, and then returns none.

    Raises:
        KeyError: there is no such engine, or no such bot.
    """
    if engine not in AT_ONCE:
        raise KeyError(engine)
    if engine == COMPILED:
        seating = Seating.of(seated(bots, program.seats), rotate=rotate)
        return play_compiled(program, seed, numbers, cancellation, seating)
    turns = ((number, number if rotate else 0) for number in numbers)
    return [
        play_game(program, seed, number, seated(bots, program.seats, turn))
        for number, turn in turns
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
    """Play one game by bots; a fault of the rules ends it and is its result."""
    players = seat_bots(bots, program.seats, seed, number)
    decisions, rounds, leads = 0, RoundCounter(program), LeadCounter(program)
    most = limit("decisions")
    game: ReferenceGame | None = None
    try:
        game = ReferenceGame.start(program, seed, number, count=True)
        while game.decision is not None and decisions < most:
            if rounds.look(game):
                leads.look(_standings(game))
            game.choose(players[game.decision.seat].choose(game))
            decisions += 1
    except RuleFault as error:
        return _failed(number, error, decisions, rounds.begun, game)
    return _ended(number, game, decisions, rounds, leads)


def _ended(
    number: int,
    game: ReferenceGame,
    decisions: int,
    rounds: RoundCounter,
    leads: LeadCounter,
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
        f"{state_number(game.machine.store):016x}",
        leads.changes if standings else None,
        game.ran,
    )


def _failed(
    number: int,
    error: RuleFault,
    decisions: int,
    rounds: int,
    game: ReferenceGame | None,
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


def scores(game: ReferenceGame) -> tuple[int, ...]:
    """Return the first winning key of each seat; nothing if the rules have none."""
    ranking = game.program.winning_ranking
    if not ranking.keys:
        return ()
    return tuple(
        key_value(game, ranking, 0, seat) for seat in range(game.program.seats)
    )


def _standings(game: ReferenceGame) -> tuple[int, ...]:
    """Return the scores under way, where the rules may not mean them to be read."""
    try:
        return scores(game)
    except RuleFault:
        return ()


# ---- rounds and lead changes


class RoundCounter:
    """Counts the rounds of a game."""

    def __init__(self, program: Program) -> None:
        self.begun = 0
        outermost = [phase for phase in program.phases.values() if not phase.parent]
        loops = [phase for phase in outermost if phase.until is not None]
        loops = loops or [phase for phase in outermost if phase.source is not None]
        self._loops = {phase.name for phase in loops}
        self._last: tuple[str, int, int] | None = None

    def look(self, game: ReferenceGame) -> bool:
        """Note where a game stands at a decision; say whether a round has begun."""
        before = self.begun
        for act in game.machine.stack[1:2]:
            here = (act.phase, act.passes, act.index)
            if act.phase in self._loops and self._last != here:
                self._last = here
                self.begun += 1
        return self.begun > before


class LeadCounter:
    """Counts how often the lead changed; knows nothing if no winning key says who."""

    def __init__(self, program: Program) -> None:
        self._least = program.winning_direction == "least"
        self._leader: int | None = None
        self.changes = 0

    def look(self, standings: Sequence[int]) -> None:
        """Note the first winning key of each seat, at a new round or at the end."""
        if not standings:
            return
        best = min(standings) if self._least else max(standings)
        leading = [seat for seat, key in enumerate(standings) if key == best]
        if len(leading) > 1:
            return
        if self._leader not in (None, leading[0]):
            self.changes += 1
        self._leader = leading[0]
