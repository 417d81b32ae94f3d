"""Whole games in lock-step with an engine that somebody else wrote: the same moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import houserule

pyspiel = pytest.importorskip(
    "pyspiel", reason="the extra `openspiel` is not installed, or has no wheel here"
)


@dataclass(frozen=True)
class Twin:
    """A game of OpenSpiel, and its number or its words for a choice of ours."""

    theirs: str
    called: Callable[[Any], int | str]
    passing: int = -1
    spelled: bool = False
    settings: dict[str, int] = field(default_factory=dict)
    variants: tuple[str, ...] = ()


DARK = [
    f"{'abcdefgh'[column]}{row + 1}"
    for row in range(8)
    for column in range(row % 2, 8, 2)
]
"""The dark squares of a board, row by row."""


def taking_over(side: int) -> Callable[[Any], int]:
    """Return OpenSpiel's number of a choice at Hex; taking over comes last."""
    return lambda option: option.args[0] if option.args else side * side


TWINS = {
    # It is drawn earlier there, after forty moves of both without a capture.
    "draughts": Twin(
        "checkers",
        lambda option: "".join(DARK[at] for at in option.args),
        spelled=True,
    ),
    "four_in_a_row": Twin("connect_four", lambda option: option.args[0] // 6),
    "four_in_a_row 5x5": Twin(
        "connect_four(rows=5,columns=5)",
        lambda option: option.args[0] // 5,
        settings={"columns": 5, "rows_up": 5},
    ),
    "go 5x5": Twin(
        "go(board_size=5,komi=7.5)",
        lambda option: option.args[0] if option.args else 25,
        settings={"side": 5},
    ),
    **{
        f"hex_board {side}x{side}": Twin(
            f"hex(board_size={side})",
            lambda option: option.args[0],
            settings={"side": side},
        )
        for side in (3, 4, 5, 7, 11)
    },
    **{
        f"hex_board {side}x{side} with the pie rule": Twin(
            f"hex(board_size={side},swap=True)",
            taking_over(side),
            settings={"side": side},
            variants=("pie_rule",),
        )
        for side in (4, 7)
    },
    "reversi": Twin("othello", lambda option: option.args[0], passing=64),
}


def pass_on(state: Any, twin: Twin) -> None:  # noqa: ANN401
    """Take what OpenSpiel asks of a player who cannot move."""
    while state.legal_actions() == [twin.passing]:
        state.apply_action(twin.passing)


@pytest.mark.parametrize(
    "seeds", [range(8), pytest.param(range(8, 200), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", TWINS)
def test_whole_games_have_the_same_moves_and_winners(name: str, seeds: range) -> None:
    twin = TWINS[name]
    ruleset = houserule.load(name.split()[0])
    table = ruleset.table(with_=twin.variants, settings=twin.settings)
    for seed in seeds:
        luck, game = Random(seed), table.start(seed=seed)
        state = pyspiel.load_game(twin.theirs).new_initial_state()
        while game.outcome is None and not state.is_terminal():
            pass_on(state, twin)
            decision, options = game.decision, list(game.options)
            assert decision is not None
            assert decision.seat == state.current_player()
            ours = {twin.called(each): each for each in options}
            theirs = {
                state.action_to_string(each) if twin.spelled else each: each
                for each in state.legal_actions()
            }
            assert ours.keys() == theirs.keys()
            move = luck.choice([*theirs])
            game.choose(ours[move])
            state.apply_action(theirs[move])
        pass_on(state, twin)
        assert state.is_terminal()
        if game.outcome is None:
            assert twin.spelled
            continue
        best = max(state.returns())
        winners = {seat for seat, each in enumerate(state.returns()) if each == best}
        assert (set(game.outcome.winners) or {0, 1}) == winners
