"""Boards are drawn from the state, by what the manifest says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.engine.game import Game
from houserule.engine.setup import Position, arrange
from houserule.ir.types import Data
from houserule.manifest.load import load_ruleset
from houserule.manifest.model import Board, BoardLayer
from houserule.narrate.board import (
    Boards,
    UnknownOnBoard,
    board_faults,
    drawn,
    grid_of,
)
from houserule.prepare import TableChoice, prepare
from houserule.resources import data_root

DOTS = BoardLayer(each="Cell", row="row", column="column", mark="·")
STONES = BoardLayer(each="Cell", row="row", column="column", shows=["stone"])


def hex_game() -> Game:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / "hex_5x5")
    assert ruleset is not None
    program = prepare(ruleset, TableChoice()).program
    assert program is not None
    stones: dict[tuple[Data, ...], Data] = {(0,): 0, (6,): 1, (24,): 1}
    return arrange(program, Position(cells={"stone": stones}, at="placing", seat=0))


def board(*layers: BoardLayer, rows: list[int], columns: list[int]) -> Board:
    return Board(title="Test", rows=rows, columns=columns, draw=list(layers))


def test_later_layers_lie_on_top() -> None:
    text = drawn(board(DOTS, STONES, rows=[1, 2], columns=[1, 3]), hex_game())
    assert text == "p1 ·  ·\n·  p2 ·"


def test_rows_and_columns_may_run_the_other_way() -> None:
    text = drawn(board(DOTS, STONES, rows=[2, 1], columns=[3, 1]), hex_game())
    assert text == "· p2 ·\n· ·  p1"


def test_a_piece_knows_its_seat() -> None:
    grid = grid_of(board(STONES, rows=[1, 5], columns=[1, 5]), hex_game())
    assert grid[0][0][0].seat == 0
    assert grid[4][4][0].seat == 1
    assert grid[1][0] == []


def test_what_is_not_in_the_rules_is_named() -> None:
    wrong = BoardLayer(each="Cell", row="row", column="colour")
    with pytest.raises(UnknownOnBoard, match="colour"):
        grid_of(board(wrong, rows=[1, 5], columns=[1, 5]), hex_game())
    strange = BoardLayer(each="Field", row="row", column="column")
    with pytest.raises(UnknownOnBoard, match="Field"):
        grid_of(board(strange, rows=[1, 5], columns=[1, 5]), hex_game())


def test_no_boards_no_news() -> None:
    assert list(Boards([], "en").all(hex_game())) == []


WRONG = """# yaml-language-server: $schema=../../schemas/ruleset.json
id: hex_5x5
version: "1.0"
title: Hex
summary: Hex.
languages: [en]
rules: [game.rules]
boards:
  - title: The board
    rows: [1, 5]
    columns: [1, 5]
    draw:
      - {each: Cel, row: row, column: column}
      - {each: Cell, row: row, column: colum, shows: [stone, stonne]}
"""


def test_check_finds_what_a_board_wants_in_vain(tmp_path: Path) -> None:
    shipped = data_root() / "rulesets" / "hex_5x5"
    (tmp_path / "game.rules").write_text((shipped / "game.rules").read_text())
    (tmp_path / "ruleset.yaml").write_text(WRONG)
    (tmp_path / "rulings.yaml").write_text((shipped / "rulings.yaml").read_text())
    ruleset, faults = load_ruleset(tmp_path)
    assert ruleset is not None, faults
    program = prepare(ruleset, TableChoice()).program
    assert program is not None
    found = [
        (each.code, each.span.line)
        for each in board_faults(ruleset, program)
        if each.span
    ]
    assert found == [("E038", 13), ("E038", 14), ("E038", 14)]
