"""Whole games in lock-step with an engine that somebody else wrote: the same moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

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
    games: int = 200


DARK = [
    f"{'abcdefgh'[column]}{row + 1}"
    for row in range(8)
    for column in range(row % 2, 8, 2)
]
"""The dark squares of a board, row by row."""


def on_board(side: int) -> Callable[[Any], int]:
    """Return OpenSpiel's number of a choice; a pass or taking over comes last."""
    return lambda option: option.args[0] if option.args else side * side


TWINS = {
    # It is drawn earlier there, after forty moves of both without a capture. But a
    # position that occurs for the third time is drawn only here.
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
    **{
        f"go {side}x{side}": Twin(
            f"go(board_size={side},komi=7.5)",
            on_board(side),
            settings={"side": side},
            games=games,
        )
        for side, games in ((5, 200), (9, 200), (13, 20), (19, 2))
    },
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
            on_board(side),
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


FEW = 8
"""Games in every run, unless they last long."""


@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        *((name, range(FEW)) for name in TWINS if TWINS[name].games == 200),
        *(
            pytest.param(
                name,
                range(FEW * (twin.games == 200), twin.games),
                marks=pytest.mark.slow,
            )
            for name, twin in TWINS.items()
        ),
    ],
)
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
        if game.outcome is None or not state.is_terminal():
            assert twin.spelled
            assert game.outcome is None or game.outcome.drawn_by == ("repetition",)
            assert set(state.returns()) == {0}
            continue
        best = max(state.returns())
        winners = {seat for seat, each in enumerate(state.returns()) if each == best}
        assert (set(game.outcome.winners) or {0, 1}) == winners


def seen_of_board(view: Any) -> str:  # noqa: ANN401
    """Return a seat's view of the board, from the eighth rank on: `?` is unseen."""
    letters = {"knight": "n"}
    found = ""
    for square in (f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"):
        match view["states"]["piece"][square]:
            case None:
                found += "."
            case str() as piece:
                colour, _, kind = piece.partition("_")
                letter = letters.get(kind, kind[0])
                found += letter.upper() if colour == "white" else letter
            case _:
                found += "?"
    return found


def squares_of(fen: str) -> str:
    """Return the squares of a position in letters, one each."""
    board = fen.split()[0].replace("/", "")
    return "".join("." * int(each) if each.isdigit() else each for each in board)


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 200), marks=pytest.mark.slow)]
)
def test_dark_chess_has_the_same_moves_and_each_player_sees_the_same(
    seeds: range,
) -> None:
    """Seat 0 is White, OpenSpiel's player 1.

    It shows a player who has just gone two squares whether that pawn can be taken in
    passing, by two squares near it. We do not, so these two are not compared.
    """
    chess = pytest.importorskip("chess", reason="the extra `test` has python-chess")
    table = houserule.load("chess").table(with_=["dark_chess"])
    # king, queen, rook, bishop, knight, pawn, as python-chess numbers them
    kinds = [6, 5, 4, 3, 2, 1]
    for seed in seeds:
        luck, game = Random(seed), table.start(seed=seed)
        state = pyspiel.load_game("dark_chess").new_initial_state()
        while game.outcome is None and not state.is_terminal():
            board = chess.Board(str(state))
            for player in range(2):
                ours = list(seen_of_board(game.view(1 - player)))
                theirs = list(squares_of(state.observation_string(player)))
                if board.ep_square is not None and player != state.current_player():
                    for square in (board.ep_square, board.ep_square ^ 24):
                        ours[square ^ 56] = theirs[square ^ 56]
                assert ours == theirs, str(state)
            after: dict[str, Any] = {}
            for option in game.options:
                assert isinstance(option, houserule.Act)
                if option.action == "castle":
                    king = board.king(board.turn)
                    move = chess.Move(king, king + (2 if option.args[0] == 0 else -2))
                else:
                    x, y, kind = cast("tuple[int, int, int]", option.args)
                    pawn = board.piece_type_at(x) == chess.PAWN
                    promotes = pawn and chess.square_rank(y) in (0, 7)
                    move = chess.Move(x, y, kinds[kind] if promotes else None)
                moved = board.copy()
                moved.push(move)
                after[squares_of(moved.board_fen())] = option
            moves = {squares_of(str(state.child(a))): a for a in state.legal_actions()}
            assert after.keys() == moves.keys(), str(state)
            position = luck.choice(sorted(moves))
            game.choose(after[position])
            state.apply_action(moves[position])
        assert state.is_terminal()
        assert game.outcome is not None
        assert game.outcome.winners == tuple(
            1 - player for player in range(2) if state.returns()[player] > 0
        )
