"""Bots in the shipped rulesets take what is unwise only where nothing else is left."""

from __future__ import annotations

import re

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

    They are those whose rules give advice anywhere.
    """
    texts = (source.text for source in ruleset_of(name).sources.values())
    if not any(re.search(r"^ *(unwise|usual) \w", text, re.M) for text in texts):
        return []
    return [each for each in sampled(name) if each.why.startswith(("nothing", "only"))]


@pytest.mark.parametrize("table", tables(editions, stride=100, first=False))
def test_bots_follow_advice_where_they_can(table: ShippedTable) -> None:
    program = program_at(table)
    assert any(each.advice for each in program.actions.values())
    players = seat_bots(["random"], program.seats, 8, 0)
    game = ReferenceGame.start(program, 8)
    for _ in range(MOST):
        decision = game.decision
        if decision is None:
            break
        choice = players[decision.seat].choose(game)
        advised = decision.options.advised()
        assert choice in (*advised,) or not advised.count()
        for other in advised.first(3):
            assert all(each.usual for each in decision.options.advice(other))
            assert not decision.options.refusals(other)
        game.choose(choice)
