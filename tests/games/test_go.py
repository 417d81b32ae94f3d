"""Go with its house rules, move by move beside a Go in plain Python."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import houserule

from .plain_go import Go, HouseRules

TABLES: dict[str, dict[str, Any]] = {
    "base": {},
    "suicide": {"suicide": True},
    "superko": {"superko": True},
    "territory": {"territory": True},
    "territory pass_stones": {"territory": True, "pass_stones": True},
    "handicap": {"ahead": 2},
    "capture_go": {"needed": 3},
    "torus": {"torus": True},
    "whole_points": {"whole_points": True, "komi": 1},
    "suicide superko torus": {"suicide": True, "superko": True, "torus": True},
    "superko handicap territory": {"superko": True, "ahead": 5, "territory": True},
}


@pytest.mark.parametrize("names", TABLES)
@pytest.mark.parametrize("side", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_whole_games_have_the_same_moves_and_winners(names: str, side: int) -> None:
    rules = HouseRules(side=side, **TABLES[names])
    settings = {"side": side, "komi": rules.komi}
    settings |= {"ahead": rules.ahead} if rules.ahead else {}
    settings |= {"needed": rules.needed} if rules.needed else {}
    chosen = [] if names == "base" else names.split()
    table = houserule.load("go").table(with_=chosen, settings=settings)
    for seed in range(2):
        luck, game, plain = Random(seed), table.start(seed=seed), Go(rules)
        while game.outcome is None:
            assert not plain.over()
            assert game.decision is not None
            assert game.decision.seat == plain.mover
            options: list[Any] = list(game.options)
            ours = [
                (each.args[0] // side + 1, each.args[0] % side + 1)
                if each.args
                else None
                for each in options
            ]
            assert ours == plain.moves()
            chosen_now = luck.randrange(len(ours) > 3, len(ours))
            plain.choose(ours[chosen_now])
            game.choose(options[chosen_now])
        assert plain.over()
        assert game.outcome.winners == plain.winners()
