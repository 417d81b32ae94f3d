"""Bots in the shipped rulesets take what is unwise only where nothing else is left."""

from __future__ import annotations

import pytest
from tests.support.shipped import (
    ShippedTable,
    program_at,
    ruleset_of,
    sampled,
    tables,
)

from houserule.compiler.tables.sample import Choice
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame

MOST = 400


def editions(name: str) -> list[Choice]:
    """Return the tables with nothing on, and each variant alone, of some rulesets.

    They are those whose rules say `unwise` anywhere.
    """
    texts = (source.text for source in ruleset_of(name).sources.values())
    if not any("unwise" in text for text in texts):
        return []
    return [each for each in sampled(name) if each.why.startswith(("nothing", "only"))]


@pytest.mark.parametrize("table", tables(editions))
def test_bots_follow_advice_where_they_can(table: ShippedTable) -> None:
    program = program_at(table)
    assert any(each.unwise for each in program.actions.values())
    players = seat_bots(["random"], program.seats, 8, 0)
    game = ReferenceGame.start(program, 8)
    for _ in range(MOST):
        decision = game.decision
        if decision is None:
            break
        choice = players[decision.seat].choose(game)
        against = decision.options.unwise(choice)
        assert not against or not decision.options.advised().count()
        for other in decision.options.advised().first(3):
            assert not decision.options.unwise(other)
            assert not decision.options.refusals(other)
        game.choose(choice)
