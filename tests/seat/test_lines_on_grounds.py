"""Lines on the ground of a place, and on cards: a set of directions as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.seat.test_board_pictures import board_of

import houserule
from houserule.play.narration.boards.drawing import drawn
from houserule.play.narration.boards.grid import grid_of
from houserule.play.seat.seat_model import SeenBoard

RULES = """\
game paths "Paths"
players 2..2
type Way = north(-1, 0) | east(0, 1) | south(1, 0) | west(0, -1) | back(1, -1)
  down: -1..1
  right: -1..1
component Tile for each nr: 1..2
zone tray: set of Tile starts as Tile
component Place for each row: 1..2, column: 1..2
state ways(x: Place): set of Way starts as {north, west, back}
state guest(x: Place): Player or none starts as none
state count(x: Place): 0..1 starts as 0
winners: players
phase turn for me in players
  step coming: must act once, if possible
action come(x in Place) during coming
  does come: guest(x) becomes me
"""
MANIFEST = """\
id: paths
version: "1"
title: Paths
summary: Paths and guests.
languages: [en]
rules: [game.rules]
boards:
  - title: The land
    draw:
      - each: Place
        row: row
        column: column
        mark: "."
        look: {{as: ground, ways: {ways}}}
      - {{each: Place, row: row, column: column, shows: [guest], look: {{as: piece}}}}
    look: {{shape: {shape}, seen_from: own side}}
looks:
  things:
    Tile: {{as: card, ways: {card}}}
"""


def game(
    folder: Path, ways: str = "ways", shape: str = "squares", card: str = "nr"
) -> houserule.Ruleset:
    text = MANIFEST.format(ways=ways, shape=shape, card=card)
    (folder / "ruleset.yaml").write_text(text, "utf-8")
    (folder / "game.rules").write_text(RULES, "utf-8")
    return houserule.load(folder)


def land(rules: houserule.Ruleset, viewer: int) -> SeenBoard:
    sitting = rules.table().sit("ann,bob")
    return board_of(sitting, viewer)


def ends(board: SeenBoard) -> set[tuple[tuple[int, int], ...]]:
    return {ground.ways for row in board.grounds for ground in row if ground}


@pytest.mark.parametrize(
    ("shape", "viewer", "expected"),
    [
        ("squares", 0, ((0, -50), (-50, 0), (-50, 50))),
        ("squares", 1, ((0, 50), (50, 0), (50, -50))),
        ("hexes", 0, ((-25, -43), (-50, 0), (-25, 43))),
    ],
)
def test_a_line_leads_to_each_side(
    tmp_path: Path, shape: str, viewer: int, expected: tuple[tuple[int, int], ...]
) -> None:
    assert ends(land(game(tmp_path, shape=shape), viewer)) == {expected}


def test_letters_draw_lines_and_who_is_on_them(tmp_path: Path) -> None:
    rules = game(tmp_path)
    sitting = rules.table().sit("ann,bob")
    assert board_of(sitting, None).cells[0][0][0].text == "─┘ "
    sitting.choose(0, sitting.hint(0))
    words = sitting.rules.wording("en", sitting.seated.names)
    board = sitting.rules.ruleset.manifest.boards[0]
    text = drawn(board, grid_of(board, sitting.game, words), words)
    assert [*text.splitlines()[:2]] == ["─┘A ─┘", "─┘  ─┘"]


@pytest.mark.parametrize(
    ("ways", "card", "message"),
    [
        ("way", "nr", "The board wants way of Place"),
        ("count", "nr", "count is not a set of directions"),
        ("guest", "nr", "guest is not a set of directions"),
        ("ways", "number", "`looks` draws number of Tile"),
        ("ways", "nr", "nr is not a set of directions"),
    ],
)
def test_what_is_no_set_of_directions_is_reported(
    tmp_path: Path, ways: str, card: str, message: str
) -> None:
    found = game(tmp_path, ways=ways, card=card).check().diagnostics
    assert any(message in each.message for each in found), [*found]
