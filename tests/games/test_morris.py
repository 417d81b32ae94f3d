"""Nine Men's Morris held against a plain program: every legal move of whole games."""

from __future__ import annotations

from random import Random

import pytest

import houserule

from .plain_morris import HouseRules, Morris, Words

TABLES = {
    "base": HouseRules(),
    "no_flying": HouseRules(flying=False),
    "no_shelter": HouseRules(shelter=False),
    "twelve_men two_for_two": HouseRules(men=12, diagonals=True, two_for_two=True),
    "ten_men no_flying": HouseRules(men=10, slide_at_once=True, flying=False),
    "ten_men no_shelter two_for_two": HouseRules(
        men=10, slide_at_once=True, shelter=False, two_for_two=True
    ),
}


def plain(words: object) -> Words:
    """Return a choice in the words of a scenario as a move of the plain program."""
    assert isinstance(words, dict)
    ((action, values),) = words.items()
    if action == "choose":
        return ("take", *map(str, values))
    assert isinstance(values, dict)
    return (str(action), *(str(values[key]) for key in sorted(values)))


def told(moves: set[Words]) -> list[str]:
    return sorted(" ".join(move) for move in moves)


@pytest.mark.parametrize("names", TABLES)
@pytest.mark.parametrize(
    "games", [3, pytest.param(60, marks=pytest.mark.slow)], ids=lambda games: str(games)
)
def test_every_move_of_whole_games(names: str, games: int) -> None:
    """Both know the same moves at every decision, and who has won in the end."""
    rules, luck = TABLES[names], Random(names)
    variants = [each for each in names.split() if each != "base"]
    table = houserule.load("morris").table(with_=variants)
    for seed in range(games):
        game, morris = table.start(seed), Morris(rules)
        while game.decision is not None:
            assert game.decision.seat == morris.mover
            options = {plain(game.words(each)): each for each in game.options}
            assert told(set(options)) == told(morris.moves()), (seed, morris)
            move = luck.choice(sorted(options))
            game.choose(options[move])
            morris.go(move)
        assert game.outcome is not None
        assert game.outcome.winners == morris.winners
        assert game.outcome.drawn_by == morris.drawn
