"""International and Russian draughts in lock-step with pydraughts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import houserule

draughts = pytest.importorskip("draughts", reason="the extra `test` has pydraughts")

SIDES = {"international": 10, "russian": 8}
CALLED = {"international": "standard", "russian": "russian"}


def square(number: int, preset: str) -> str:
    """Return our name of a square; the international numbers begin at the top."""
    side = SIDES[preset]
    row, place = divmod(number - 1, side // 2)
    row = side - row if preset == "international" else row + 1
    return f"{'abcdefghij'[2 * place + (row + 1) % 2]}{row}"


def moves(board: Any, preset: str, done: tuple[str, ...]) -> dict[Any, Any]:  # noqa: ANN401
    """Return the moves that begin with some squares, by all their squares."""
    found = {
        tuple(square(each, preset) for each in move.steps_move): move
        for move in board.legal_moves()
    }
    return {path: found[path] for path in found if path[: len(done)] == done}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 200), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("preset", SIDES)
def test_whole_games_have_the_same_moves_and_captures(
    preset: str, seeds: range
) -> None:
    table = houserule.load("draughts").table(preset=preset)
    for seed in seeds:
        luck, game = Random(seed), table.start(seed=seed)
        board = draughts.Board(variant=CALLED[preset], fen="startpos")
        done: tuple[str, ...] = ()
        while game.outcome is None:
            ours: dict[tuple[str, ...], Any] = {}
            for option in game.options:
                words: Any = game.words(option)
                (move,) = words.values()
                ours[move["x"], move["y"]] = option
            paths = moves(board, preset, done)
            at = max(len(done), 1) - 1
            assert {path[at : at + 2] for path in paths} == ours.keys(), board.fen
            step = luck.choice(sorted(ours))
            game.choose(ours[step])
            done = (*done[:-1], *step)
            if done in paths:
                board.push(paths[done])
                done = ()
        if game.outcome.kind == "won":
            assert not board.legal_moves()
