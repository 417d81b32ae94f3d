"""Minichess held against a plain program: every legal move of whole games."""

from __future__ import annotations

from random import Random

import pytest

import houserule

from .plain_minichess import START, HouseRules, Minichess, Move, leaves

TABLES = {
    "base": HouseRules(),
    "opposite_kings queens_only": HouseRules(
        start="RNBQKPPPPP.....pppppkqbnr", crowns="q"
    ),
    "stalemate_loses": HouseRules(stalemate_loses=True),
    "take_the_king": HouseRules(check=False),
    "take_the_king stalemate_loses": HouseRules(check=False, stalemate_loses=True),
}
COUNTS = [7, 53, 506, 4775, 52512]
"""How many games of one, two, … moves can be played from the start."""


def plain(words: object) -> Move:
    """Return a choice in the words of a scenario as a move of the plain program."""
    assert isinstance(words, dict)
    values = words["go"]
    return str(values["x"]), str(values["y"]), str(values["k"])


@pytest.mark.parametrize("names", TABLES)
@pytest.mark.parametrize(
    "games",
    [1, pytest.param(40, marks=pytest.mark.slow)],
    ids=lambda games: str(games),
)
def test_every_move_of_whole_games(names: str, games: int) -> None:
    """Both know the same moves at every decision, and who has won in the end."""
    rules, luck = TABLES[names], Random(names)
    variants = [each for each in names.split() if each != "base"]
    table = houserule.load("minichess").table(with_=variants)
    for seed in range(games):
        game, chess = table.start(seed), Minichess(rules)
        while game.decision is not None:
            assert game.decision.seat == chess.mover
            options = {plain(game.words(each)): each for each in game.options}
            assert sorted(options) == sorted(chess.moves()), (seed, chess.board)
            move = luck.choice(sorted(options))
            game.choose(options[move])
            chess.go(move)
        assert game.outcome is not None
        assert game.outcome.winners == chess.winners, (seed, chess.board)
        assert ",".join(game.outcome.drawn_by) == chess.drawn, (seed, chess.board)


@pytest.mark.parametrize(
    "depth", [2, pytest.param(3, marks=pytest.mark.slow)], ids=lambda depth: str(depth)
)
def test_all_short_games(depth: int) -> None:
    """The rules lead to as many boards as the plain program counts."""
    table = houserule.load("minichess").table()
    lines: list[list[Move]] = [[]]
    for _ in range(depth):
        longer = []
        for line in lines:
            game = table.start(1)
            for move in line:
                game.choose(
                    next(x for x in game.options if plain(game.words(x)) == move)
                )
            longer += [[*line, plain(game.words(each))] for each in game.options]
        lines = longer
    assert len(lines) == COUNTS[depth - 1]


@pytest.mark.parametrize("depth", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_the_plain_program_counts_the_same(depth: int) -> None:
    """The counts above are those of the plain program."""
    assert leaves(START, 0, depth, HouseRules()) == COUNTS[depth - 1]
