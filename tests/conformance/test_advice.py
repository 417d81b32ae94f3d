"""Bots in the shipped rulesets take what is unwise only where nothing else is left."""

from __future__ import annotations

import pytest

from houserule.bots.bot import seat_bots
from houserule.engine.play.game import ReferenceGame
from houserule.ir import Program
from houserule.prepare import TableChoice, prepare

from .tables import NAMES, ruleset_of, sampled

MOST = 400


def advised_tables() -> list[object]:
    """Return a table of each edition of the rulesets that give advice."""
    found: list[object] = []
    for name in NAMES:
        for choice in sampled(name):
            if not choice.why.startswith(("nothing", "only")):
                continue
            table = TableChoice(
                with_=tuple(sorted(choice.variants)),
                settings=choice.settings,
                players=choice.players,
            )
            program = prepare(ruleset_of(name), table).program
            if program and any(each.unwise for each in program.actions.values()):
                told = ", ".join((*program.variants, f"{program.seats} players"))
                found.append(pytest.param(program, id=f"{name}: {told}"))
    assert len(found) > 10
    return found


@pytest.mark.parametrize("program", advised_tables())
def test_bots_follow_advice_where_they_can(program: Program) -> None:
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
