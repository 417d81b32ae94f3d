"""Play games by bots, from their seeds to their ends, and count the results.

A *round* is an item of the main loop (`Program.main_loop`) that began, whether or not a
seat decided in it.

A *lead change* compares the first winning key, read at the first decision of each round
and at the end of the game. A seat leads if it alone is best. The lead changes when a
different seat leads than at the last reading with a leader; readings with a tie for the
lead are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from houserule.base.limits import limit
from houserule.engine.bots.bot import seat_bots
from houserule.engine.bots.greedy import key_value
from houserule.engine.cancellation import Cancellation
from houserule.engine.reference.numbers import state_number
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.play.records.hashes import outcome_words
from houserule.study.simulate.engines import (
    AT_ONCE,
    COMPILED,
    REFERENCE,
    Seating,
    play_compiled,
)
from houserule.study.simulate.results import Finished


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

    With `rotate`, each game moves the bots one seat on. Only the compiled engine can be
    cancelled; it then returns no games.

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

    Bots are repeated if there are fewer than seats; surplus bots do not play.
    """
    first = [bots[seat % len(bots)] for seat in range(seats)]
    return tuple(first[(seat - turn) % seats] for seat in range(seats))


def play_game(
    program: Program, seed: int, number: int, bots: Sequence[str]
) -> Finished:
    """Play one game by bots; if the rules fail, that is its result."""
    players = seat_bots(bots, program.seats, seed, number)
    decisions, leads = 0, LeadCounter(program)
    most = limit("decisions")
    games: list[ReferenceGame] = []  # the game as soon as it exists
    try:
        start = ReferenceGame.start
        game = start(program, seed, number, count=True, attend=games.append)
        while game.decision is not None and decisions < most:
            leads.look(game)
            game.choose(players[game.decision.seat].choose(game))
            decisions += 1
    except RuleFault as error:
        where = f"{error.span}: " if error.span.line else ""
        clause = f" ({error.address})" if error.address else ""
        return Finished(
            number,
            f"fault:{error.code}",
            (),
            decisions,
            games[0].machine.rounds if games else 0,
            (),
            "",
            None,
            games[0].ran if games else {},
            f"{where}{error.code}: {error.message}{clause}",
        )
    outcome, standings = game.outcome, scores(game)
    leads.note(standings)
    return Finished(
        number,
        outcome_words(outcome),
        outcome.winners if outcome else (),
        decisions,
        game.machine.rounds,
        standings,
        f"{state_number(game.machine.store):016x}",
        leads.changes if standings else None,
        game.ran,
    )


def scores(game: ReferenceGame) -> tuple[int, ...]:
    """Return the first winning key of each seat; empty if the rules have none."""
    ranking = game.program.winning_ranking
    if not ranking.keys:
        return ()
    return tuple(
        key_value(game, ranking, 0, seat) for seat in range(game.program.seats)
    )


class LeadCounter:
    """Counts lead changes; stays 0 without winning keys."""

    def __init__(self, program: Program) -> None:
        self._least = program.winning_direction == "least"
        self._leader: int | None = None
        self._round = 0
        self.changes = 0

    def look(self, game: ReferenceGame) -> None:
        """Record each seat's first winning key if a round began since the last call.

        In the middle of a round the rules may not support reading the keys, so a rule
        fault here changes nothing.
        """
        if game.machine.rounds != self._round:
            self._round = game.machine.rounds
            with suppress(RuleFault):
                self.note(scores(game))

    def note(self, standings: Sequence[int]) -> None:
        """Record each seat's first winning key."""
        if not standings:
            return
        best = min(standings) if self._least else max(standings)
        leading = [seat for seat, key in enumerate(standings) if key == best]
        if len(leading) > 1:
            return
        if self._leader not in (None, leading[0]):
            self.changes += 1
        self._leader = leading[0]
