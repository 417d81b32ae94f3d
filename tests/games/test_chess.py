"""Chess and its variants in lock-step with python-chess, and known numbers of moves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import houserule

chess = pytest.importorskip("chess", reason="the extra `test` has python-chess")
variants = pytest.importorskip("chess.variant")

BOARDS: dict[str, Any] = {
    "": chess.Board,
    "king_of_the_hill": variants.KingOfTheHillBoard,
    "three_checks": variants.ThreeCheckBoard,
    "antichess": variants.AntichessBoard,
    "atomic_chess": variants.AtomicBoard,
    "crazyhouse": variants.CrazyhouseBoard,
    "chess960": None,
}
LETTERS = "kqrbnp"
"""The kinds of pieces in the order of the rules."""


def named(board: Any, option: Any) -> str:  # noqa: ANN401
    """Return the UCI name of an option."""
    match option.action:
        case "go":
            x, y, kind = option.args
            move = chess.square_name(x) + chess.square_name(y)
            pawn = board.piece_type_at(x) == chess.PAWN
            promotes = pawn and chess.square_rank(y) in (0, 7)
            return str(move + LETTERS[kind] if promotes else move)
        case "drop":
            kind, y = option.args
            return f"{LETTERS[kind].upper()}@{chess.square_name(y)}"
        case _:
            (castling,) = (
                move
                for move in board.legal_moves
                if board.is_castling(move)
                and board.is_kingside_castling(move) == (option.args[0] == 0)
            )
            return str(castling.uci())


@pytest.mark.parametrize(
    ("seed", "plies"),
    [(1, 50), *(pytest.param(n, 300, marks=pytest.mark.slow) for n in range(2, 30))],
)
@pytest.mark.parametrize("variant", BOARDS)
def test_each_position_has_the_moves_of_python_chess(
    variant: str, seed: int, plies: int
) -> None:
    luck = Random(seed)
    game = (
        houserule.load("chess")
        .table(with_=[variant] if variant else [])
        .start(seed=seed)
    )
    board = (
        BOARDS[variant]()
        if BOARDS[variant]
        else chess.Board.from_chess960_pos(game.state("lot"))
    )
    for _ in range(plies):
        if game.outcome is not None:
            break
        ours = {named(board, option): option for option in game.options}
        assert sorted(ours) == sorted(move.uci() for move in board.legal_moves)
        move = luck.choice(sorted(ours))
        game.choose(ours[move])
        board.push_uci(move)
    if game.outcome is not None and game.outcome.kind == "won":
        (winner,) = game.outcome.winners
        result = ("1-0", "0-1")[winner]
        assert board.result() == result


POSITIONS = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": (
        48,
        2039,
        97862,
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": (14, 191, 2812, 43238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": (6, 264, 9467),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": (44, 1486, 62379),
}
"""Positions with known numbers of lines of one move, two moves and more.

They are from chessprogramming.org.
"""


def given(fen: str) -> dict[str, Any]:
    """Return a position in the words of examples."""
    board = chess.Board(fen + " 0 1")
    found: dict[str, Any] = {"turn": "p1", "at": "moving", "piece": None}
    for square, piece in board.piece_map().items():
        colour = "white" if piece.color else "black"
        kind = chess.piece_name(piece.piece_type)
        found[f"piece({chess.square_name(square)})"] = f"{colour}_{kind}"
    for seat, colour in (("p1", chess.WHITE), ("p2", chess.BLACK)):
        for side, has in (
            ("kingside", board.has_kingside_castling_rights(colour)),
            ("queenside", board.has_queenside_castling_rights(colour)),
        ):
            found[f"may_castle({seat}, {side})"] = has
    return found


def lines(game: houserule.Game, moves: int) -> int:
    """Return how many ways there are to make that many moves."""
    if game.outcome is not None:
        return 0
    options = list(game.options)
    if moves == 1:
        return len(options)
    found = 0
    for option in options:
        after = game.copy()
        after.choose(option)
        found += lines(after, moves - 1)
    return found


def lines_there(board: Any, moves: int) -> int:  # noqa: ANN401
    """Return how many ways python-chess has to make that many moves."""
    found = 0
    if moves == 1:
        return sum(1 for _ in board.legal_moves)
    for move in board.legal_moves:
        board.push(move)
        found += lines_there(board, moves - 1)
        board.pop()
    return found


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        pytest.param(fen, moves, marks=pytest.mark.slow if moves > 2 else ())
        for fen in POSITIONS
        for moves in range(1, len(POSITIONS[fen]) + 1)
    ],
)
def test_known_positions_have_the_known_numbers_of_lines(fen: str, moves: int) -> None:
    game = houserule.load("chess").table().start(given=given(fen))
    assert lines(game, moves) == POSITIONS[fen][moves - 1]


@pytest.mark.parametrize("moves", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("variant", BOARDS)
def test_each_variant_has_as_many_lines_as_in_python_chess(
    variant: str, moves: int
) -> None:
    game = (
        houserule.load("chess").table(with_=[variant] if variant else []).start(seed=5)
    )
    board = (
        BOARDS[variant]()
        if BOARDS[variant]
        else chess.Board.from_chess960_pos(game.state("lot"))
    )
    assert lines(game, moves) == lines_there(board, moves)
