"""Every shipped game, played at random: no view leaks, every state is whole."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.determinize import redeal
from houserule.engine.state.state_model import load_store, validate_store
from houserule.engine.state.view import view
from houserule.language.manifest.load import load_ruleset

if TYPE_CHECKING:
    from houserule.ir import Program

RULESETS = sorted((Path(__file__).parents[2] / "rulesets").glob("*/ruleset.yaml"))
DECISIONS = 40


@cache
def program_of(folder: Path) -> Program:
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None, faults
    table, faults = choose_table(ruleset)
    assert table is not None, faults
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    program, faults = check_rules(rules)
    assert program is not None, [str(fault) for fault in faults]
    return program


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.parent.name)
def test_views_leak_nothing_and_states_stay_whole(path: Path) -> None:
    program = program_of(path.parent)
    game, luck = ReferenceGame.start(program, seed=5), Stream.seeded(5, 0, "bot")
    evaluator, layout = game.engine.evaluator, game.engine.layout
    for _ in range(DECISIONS):
        if game.decision is None:
            break
        store = game.machine.store
        for seat in range(program.seats):
            world = redeal(program, evaluator, store, seat, luck).store
            seen = view(program, evaluator, store, seat)
            assert view(program, evaluator, world, seat) == seen
            validate_store(world)
            json.dumps(seen)
        data = json.loads(json.dumps(store.to_data()))
        assert load_store(layout, data).where == store.where
        options = game.decision.options
        game.choose(options[luck.below(options.count())])
