"""Ludo on forty fields held against a plain program: every move of whole games."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest

import houserule
from houserule.engine.reference.choices import Act

from .plain_ludo import HouseRules, Throw

EASY = "three_throws one_on_start"
"""House rules that change no move: games with them come sooner to something."""
TABLES = [
    ("", 2),
    (f"forced_entry capture_duty no_goal_jumping {EASY}", 4),
    (f"barriers capture_duty backward_hits {EASY}", 4),
    (f"barriers no_goal_jumping out_with_one forced_entry backward_hits {EASY}", 3),
    (f"capture_duty out_with_one three_sixes {EASY}", 4),
]


def rules_of(variants: str) -> HouseRules:
    known = {each.name for each in fields(HouseRules)}
    return HouseRules(**{name: True for name in variants.split() if name in known})


def places_in(game: houserule.Game, seats: int) -> list[list[int]]:
    steps = [[f"p{seat + 1}-{nr}" for nr in (1, 2, 3, 4)] for seat in range(seats)]
    return [[int(str(game.state("place", k))) for k in pieces] for pieces in steps]


@pytest.mark.parametrize(("variants", "seats"), TABLES)
@pytest.mark.parametrize(
    "games", [2, pytest.param(40, marks=pytest.mark.slow)], ids=lambda games: str(games)
)
def test_every_move_of_whole_games(variants: str, seats: int, games: int) -> None:
    """Both know the same moves, and where they take the pieces."""
    rules, luck = rules_of(variants), Random(variants)
    table = houserule.load("ludo").table(with_=variants.split(), players=seats)
    for seed in range(games):
        game = table.start(seed)
        while game.decision is not None:
            die, seat = int(str(game.face("Die", 0))), game.decision.seat
            throw = Throw(places_in(game, seats), seat, die, rules)
            found = {
                (option.action, int(str(option.args[0])) % 4): option
                for option in game.options
                if isinstance(option, Act)
            }
            wanted = throw.moves()
            assert sorted(found) == sorted(wanted), (seed, throw)
            move = luck.choice(sorted(found))
            game.choose(found[move])
            assert places_in(game, seats) == throw.after(move[1], wanted[move])
        assert game.outcome is not None
        (winner,) = game.outcome.winners
        assert min(places_in(game, seats)[winner]) == 41
