"""Both engines at a shipped table, and whole games of the reference engine there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from houserule.engine.bots.bot import seat_bots
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import emit
from houserule.engine.compiled.results import PlayedGame
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.numbers import state_number
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.study.simulate.play import LeadCounter, scores

from .shipped import KEPT, ShippedTable, program_at, telling

SEED = 5
DECISIONS_AT_MOST = 20_000


@lru_cache(maxsize=KEPT)
def machine_at(table: ShippedTable) -> CompiledMachine:
    """Return a machine for a table, which may have played before."""
    return CompiledMachine(emit(program_at(table)))


def first_of(game: str) -> ShippedTable:
    """Return the first of the telling tables of a ruleset: nothing is on."""
    return ShippedTable.of(game, telling(game)[0])


def last_of(game: str) -> ShippedTable:
    """Return the last of the telling tables of a ruleset, where much is on."""
    return ShippedTable.of(game, telling(game)[-1])


@dataclass(frozen=True)
class WholeGame:
    """A game that random bots played to its end on the reference engine.

    Attributes:
        choices: what they chose, in order.
        saved: the last state, as text.
        row: what came of it, as the module lays it down.
        ran: how often each clause ran.
    """

    choices: tuple[Choice, ...]
    saved: str
    row: PlayedGame
    ran: dict[str, int]


def play_whole(program: Program, seed: int, number: int = 0) -> WholeGame:
    """Play a game by random bots on the reference engine."""
    bots = seat_bots(("random",), program.seats, seed, number)
    game, choices = (
        ReferenceGame.start(program, seed, number, count=True),
        list[Choice](),
    )
    leads = LeadCounter(program)
    while (decision := game.decision) is not None:
        assert len(choices) < DECISIONS_AT_MOST
        leads.look(game)
        choices.append(bots[decision.seat].choose(game))
        game.choose(choices[-1])
    saved = json.dumps(game.save())
    assert game.outcome is not None
    standings = scores(game)
    leads.note(standings)
    row = PlayedGame(
        outcome={"won": 1, "stalled": 2, "drawn": 3}[game.outcome.kind],
        stalled=["", *program.phases].index(game.outcome.stalled_in),
        winners=sum(1 << seat for seat in game.outcome.winners),
        decisions=len(choices),
        rounds=game.machine.rounds,
        state=state_number(game.machine.store),
        lead_changes=leads.changes if standings else None,
        drawn_by=sum(
            1 << number
            for number, each in enumerate(program.draws)
            if each.address in game.outcome.drawn_by
        ),
        scores=standings,
    )
    return WholeGame(tuple(choices), saved, row, game.ran)


@lru_cache(maxsize=KEPT)
def game_at(table: ShippedTable) -> WholeGame:
    """Return the game number 0 of `SEED` at a table."""
    return play_whole(program_at(table), SEED)
