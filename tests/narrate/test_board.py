"""Boards are drawn from the state, by what the manifest says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.rulesets import ruleset_from_texts
from tests.support.small_games import prepared

from houserule.base.resources import data_root
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import GamePosition
from houserule.ir.types import Data
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import Plain
from houserule.language.manifest.ruleset_models import Board, BoardHeads, BoardLayer
from houserule.play.narration.boards.drawing import Paint, drawn, unpainted
from houserule.play.narration.boards.grid import Grid, grid_of
from houserule.play.narration.boards.reading import UnknownOnBoard
from houserule.play.narration.boards.validate import board_faults
from houserule.play.narration.wording import Wording

DOTS = BoardLayer(each="Cell", row="row", column="column", mark="·")
STONES = BoardLayer(each="Cell", row="row", column="column", shows=["stone"])
BOATS = BoardLayer(each="Boat", row="boat_row", column="place")
SPOTS = BoardLayer(each="Spot", row="row", column="column", mark="~")


def hex_game() -> ReferenceGame:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / "hex_board")
    assert ruleset is not None
    program = prepare(ruleset, TableChoice()).program
    assert program is not None
    stones: dict[tuple[Data, ...], Data] = {(0,): 0, (6,): 1, (24,): 1}
    return ReferenceGame.start(
        program, position=GamePosition(cells={"stone": stones}, at="placing", seat=0)
    )


def ferry_game(places: dict[int, int], width: int = 4) -> ReferenceGame:
    """Return the ferry with some boats on their way; seat 0 keeps the north bank."""
    _, program = prepared("ferry", TableChoice(settings={"width": width}))
    cells: dict[str, dict[tuple[Data, ...], Data]] = {
        "place": {(boat,): place for boat, place in places.items()},
        "first": {(): 0},
    }
    return ReferenceGame.start(
        program, position=GamePosition(cells=cells, at="rowing", seat=0)
    )


def board(
    *layers: BoardLayer,
    rows: list[int | str] | None = None,
    columns: list[int | str] | None = None,
    row_heads: BoardHeads | None = None,
) -> Board:
    return Board(
        title="Test",
        rows=rows,
        columns=columns,
        row_heads=row_heads,
        draw=list(layers),
    )


def grid(of: Board, game: ReferenceGame) -> Grid:
    return grid_of(of, game, Wording(game.program))


def text(
    of: Board,
    game: ReferenceGame,
    players: list[str] | None = None,
    paint: Paint = unpainted,
) -> str:
    words = Wording(game.program, players=players or [])
    return drawn(of, grid_of(of, game, words), words, paint)


def test_later_layers_lie_on_top() -> None:
    of = board(DOTS, STONES, rows=[1, 2], columns=[1, 3])
    assert text(of, hex_game()) == "p1 ·  ·\n·  p2 ·"


def test_rows_and_columns_may_run_the_other_way() -> None:
    of = board(DOTS, STONES, rows=[2, 1], columns=[3, 1])
    assert text(of, hex_game()) == "·  p2 ·\n·  ·  p1"


def test_columns_are_as_wide_as_any_single_piece() -> None:
    of = board(DOTS, STONES, rows=[1, 1], columns=[1, 3])
    assert text(of, hex_game()) == "p1 ·  ·"


def test_cells_with_nothing_in_them_are_as_wide_as_the_others() -> None:
    of = board(BOATS, rows=[1, 2], columns=[1, 4])
    shown = text(of, ferry_game({0: 1, 1: 4, 2: 3, 3: 3})).split("\n")
    assert shown[:2] == ["A1          A2", "      B1/B2"]


def test_a_piece_knows_its_seat() -> None:
    cells = grid(board(STONES, rows=[1, 5], columns=[1, 5]), hex_game()).cells
    assert cells[0][0][0].seat == 0
    assert cells[4][4][0].seat == 1
    assert cells[1][0] == []


@pytest.mark.parametrize("width", [3, 9])
def test_a_board_without_ends_is_as_large_as_what_is_drawn(width: int) -> None:
    found = grid(board(SPOTS, BOATS), ferry_game({0: 1, 1: 1, 2: 1, 3: 1}, width))
    assert list(found.rows) == [1, 2]
    assert list(found.columns) == list(range(1, width + 1))


def test_what_lies_nowhere_makes_no_board_larger() -> None:
    found = grid(board(SPOTS, BOATS), ferry_game({0: 10, 1: 1, 2: 1, 3: 1}))
    assert list(found.columns) == [1, 2, 3, 4]
    assert [piece.text for piece in found.beside] == ["A1"]


def test_pieces_are_called_by_their_owner_and_told_beneath() -> None:
    game = ferry_game({0: 2, 1: 7, 2: 3, 3: 4})
    assert text(board(SPOTS, BOATS), game, ["Zoe", "Yul"]) == (
        "~  Z1 ~  ~\n~  ~  Y1 Y2\nNot on it: Z2\nZ is Zoe, Y is Yul"
    )


def test_players_with_the_same_initial_get_letters() -> None:
    game = ferry_game({0: 2, 1: 2, 2: 3, 3: 4})
    shown = text(board(SPOTS, BOATS), game, ["Ann", "Abe"])
    assert "A1/A2" in shown
    assert "B1" in shown
    assert shown.endswith("A is Ann, B is Abe")


def test_of_several_in_a_cell_the_highest_comes_first() -> None:
    game = ferry_game({0: 1, 1: 3, 2: 4, 3: 4})
    layer = BoardLayer(each="Boat", row="boat_row", column="boat_row", order="place")
    cell = grid(board(layer), game).cells[0][0]
    assert [piece.text for piece in cell] == ["A2", "A1"]


def test_heads_are_names_of_things_or_numbers() -> None:
    game = ferry_game({0: 2, 1: 2, 2: 3, 3: 4})
    heads = BoardHeads(each="Bank", at="line")
    found = grid(board(SPOTS, row_heads=heads), game)
    assert found.row_heads == ["north", "south"]
    assert found.column_heads == []
    numbered = Board(title="Test", column_heads="numbers", draw=[SPOTS])
    assert text(numbered, game).split("\n")[0] == "1 2 3 4"


def test_a_board_is_as_wide_as_an_option_says() -> None:
    columns: list[int | str] = ["width", 1]
    for width in (4, 6):
        of = grid(board(SPOTS, columns=columns), ferry_game({}, width))
        assert list(of.columns) == list(range(width, 0, -1))
    with pytest.raises(UnknownOnBoard, match="wide"):
        grid(board(SPOTS, columns=["wide", 1]), ferry_game({}))


def test_colours_take_no_room() -> None:
    game = ferry_game({0: 2, 1: 2, 2: 3, 3: 4})
    of = board(SPOTS, BOATS)
    painted = text(of, game, paint=lambda text, seat: f"<{seat}|{text}>")
    assert "<0|A1>/<0|A2>" in painted
    assert "<1|B> is p2" in painted
    plain = painted
    for mark in ("<0|", "<1|", ">"):
        plain = plain.replace(mark, "")
    assert plain == text(of, game)


def test_a_mark_is_explained() -> None:
    rocks = BoardLayer(
        each="Spot", row="row", column="column", mark="#", when="rock", means="a rock"
    )
    shown = text(board(SPOTS, rocks), ferry_game({0: 1, 1: 1, 2: 1, 3: 1}))
    assert shown == "~ ~ ~ #\n~ ~ ~ ~\n# is a rock"


def test_what_is_not_in_the_rules_is_named() -> None:
    wrong = BoardLayer(each="Cell", row="row", column="colour")
    with pytest.raises(UnknownOnBoard, match="colour"):
        grid(board(wrong), hex_game())
    strange = BoardLayer(each="Field", row="row", column="column")
    with pytest.raises(UnknownOnBoard, match="Field"):
        grid(board(strange), hex_game())


def test_a_number_below_zero_is_no_colour() -> None:
    rules = """game lamp "Lamp"
players 2..2
winners: players
type Spot = left(-1, red) | right(1, blue)
  column: -1..1
  paint: Paint
type Paint = red | blue
phase turn for me in players
  step s: must act once, if possible
action wait during s
  does it: end game
"""
    program = prepare(ruleset_from_texts({"game.rules": rules}), TableChoice()).program
    assert program is not None
    game = ReferenceGame.start(program, 1)
    of = {"each": "Spot", "row": "column", "column": "column", "mark": "."}

    def colours(name: str) -> list[str]:
        look = {"as": "ground", "colour": name}
        found = grid(board(BoardLayer.model_validate({**of, "look": look})), game)
        return [each.colour or "" for row in found.grounds for each in row if each]

    assert colours("paint") == ["red", "blue"]
    assert colours("column") == ["", ""]


@pytest.mark.parametrize("arm", [4, 8, 12])
def test_arms_of_any_length_are_drawn_whole(arm: int) -> None:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / "pachisi")
    assert ruleset is not None
    settings: dict[str, Plain] = {"arm_length": arm}
    program = prepare(ruleset, TableChoice(settings=settings)).program
    assert program is not None
    found = grid(ruleset.manifest.boards[0], ReferenceGame.start(program, 1))
    assert len(found.rows) == len(found.columns) == 2 * arm + 3
    squares = [cell for row in found.cells for cell in row if cell]
    assert len(squares) == 12 * arm + 8  # two players' pawns wait beside the arms


WRONG = """# yaml-language-server: $schema=../../schemas/ruleset.json
id: hex_board
version: "1.0"
title: Hex
summary: Hex.
languages: [en]
rules: [game.rules]
boards:
  - title: The board
    after: [round, tern]
    row_heads: {each: Cell, at: roww}
    column_heads: {each: Colum, at: row}
    draw:
      - {each: Cel, row: row, column: column}
      - {each: Cell, row: row, column: colum, shows: [stone, stonne], order: hight}
  - title: Off its grid
    rows: [20, 29]
    columns: [1, 200]
    draw: [{each: Cell, row: row, column: column}]
  - title: A part of it, and a margin
    rows: [4, 9]
    columns: [0, 6]
    draw: [{each: Cell, row: row, column: column}]
"""


def test_check_finds_what_a_board_wants_in_vain(tmp_path: Path) -> None:
    shipped = data_root() / "rulesets" / "hex_board"
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
    lines = [10, 11, 12, 14, 15, 15, 15, 17]
    assert found == [("E038", line) for line in lines]
