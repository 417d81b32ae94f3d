"""Random games under sampled tables: they end, and nothing is lost on the way."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.support.engines import (
    DECISIONS_AT_MOST,
    SEED,
    game_at,
    machine_at,
    play_whole,
)
from tests.support.shipped import (
    ShippedTable,
    at_every_count,
    everything,
    program_at,
    tables,
    telling,
)

from houserule.engine.reference.play.game import ReferenceGame

GAMES = 12  # in which nothing may go wrong at any table
FEW = 27  # so many tables share one: they differ from others in the number of seats


@pytest.mark.parametrize("table", tables(at_every_count, stride=FEW))
def test_games_end(table: ShippedTable) -> None:
    rows = machine_at(table).batch(SEED, 100, GAMES)
    assert len(rows) == GAMES
    assert all(row.outcome for row in rows), "a game is open"
    assert all(row.decisions < DECISIONS_AT_MOST for row in rows)


@pytest.mark.parametrize("table", tables(telling))
def test_every_decision_can_be_saved_and_tried(table: ShippedTable) -> None:
    """Restored and cloned games go on alike; a trial leaves the game as it was.

    Of long games some decisions are tried, those inside effects more often.
    """
    program, played, luck = program_at(table), game_at(table), Random(11)
    game = ReferenceGame.start(program, SEED)
    one_in = len(played.choices) // 20 + 1
    for choice in played.choices:
        decision = game.decision
        assert decision is not None
        if luck.randrange(one_in * (5 if decision.kind == "act" else 1)):
            game.choose(choice)
            continue
        saved = json.dumps(game.save())
        index = luck.randrange(decision.options.count())
        assert json.dumps(game.save()) == saved, "looking at options changes nothing"
        restored = ReferenceGame.restore(program, json.loads(saved))
        assert restored.decision is not None
        assert restored.decision.options[index] == decision.options[index]
        assert json.dumps(restored.save()) == saved
        trial = game.clone()
        trial.choose(choice)
        assert json.dumps(game.save()) == saved
        restored.choose(choice)
        assert restored.save() == trial.save()
        game = trial
    assert json.dumps(game.save()) == played.saved, "a replay ends alike"


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(everything))
def test_many_games(table: ShippedTable) -> None:
    for seed in range(5):
        assert play_whole(program_at(table), seed).row.outcome
