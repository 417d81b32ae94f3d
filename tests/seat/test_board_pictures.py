"""Pictures of boards: what lies where, whose it is, and from which side it is seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.web.drawing.tables import begun, chooser, view

import houserule
from houserule.base.resources import shipped_rulesets
from houserule.play.seat.seat_model import ComponentLook, SeenBoard
from houserule.play.seat.session import Sitting


def board_of(sitting: Sitting, viewer: int | None) -> SeenBoard:
    areas = sitting.moment(viewer, "en").position.areas
    return next(area for area in areas if isinstance(area, SeenBoard))


def numbers_of(board: SeenBoard) -> list[str]:
    """Return the small numbers, row by row."""
    pieces = (each for row in board.cells for cell in row for each in cell)
    looks = (each.look for each in pieces if each.look is not None)
    return [look.text for look in looks if look.kind == "number"]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_each_player_sees_the_own_numbers_from_the_own_side(
    viewer: int | None,
) -> None:
    far, home = range(13, 25), range(12, 0, -1)
    board = board_of(begun("backgammon", 1), viewer)
    seen = [*far, *home] if viewer != 1 else [*far[::-1], *home[::-1]]
    assert numbers_of(board) == [*map(str, seen)]


def test_a_place_has_the_number_that_the_viewer_uses() -> None:
    sitting = begun("backgammon", 1)
    for viewer in (0, 1):
        keys = [
            each for row in board_of(sitting, viewer).keys for at in row for each in at
        ]
        assert sorted(int(key[1:]) for key in keys if key[0] == "@") == [*range(25)]
    keys = [each for row in board_of(sitting, None).keys for at in row for each in at]
    assert not [key for key in keys if key[0] == "@"]


def test_rows_and_columns_of_points_are_lines() -> None:
    board = board_of(begun("go", 1), 0)
    assert sorted(board.lines) == sorted(
        [*((n, 0, n, 8) for n in range(9)), *((0, n, 8, n) for n in range(9))]
    )


@pytest.mark.parametrize("viewer", range(4))
def test_the_own_yard_is_below_at_the_left(viewer: int) -> None:
    table = houserule.load("ludo").table(players=4)
    board = board_of(table.sit("ann,ben,cyd,dan"), viewer)
    yard = [board.grounds[at][0] for at in (-1, -2)]
    assert [ground and ground.seat for ground in yard] == [viewer, viewer]
    pieces = [each for at in (-1, -2) for each in board.cells[at][0]]
    assert [piece.look and piece.look.seat for piece in pieces] == [viewer, viewer]


def test_what_left_a_place_since_the_last_look_is_marked() -> None:
    sitting = begun("minichess", 0)
    assert board_of(sitting, 0).left == ()
    sitting.choose(0, sitting.hint(0), bots_at_most=1)
    board = board_of(sitting, 0)
    came = [
        (i, j)
        for i, row in enumerate(board.cells)
        for j, cell in enumerate(row)
        if any(each.new for each in cell)
    ]
    assert board.left
    assert came
    assert not {*board.left} & {*came}


@pytest.mark.parametrize(
    ("game", "decisions", "hinted"),
    [
        ("backgammon", 5, "@13 @7"),
        ("hex_board", 6, "1-3"),
        ("hearts", 30, "four_of_hearts"),
    ],
)
def test_a_hint_is_about_things_and_places(
    game: str, decisions: int, hinted: str
) -> None:
    sitting = begun(game, decisions)
    sitting.advance()
    marks = chooser(sitting, "en").marks(sitting.hint(0))
    assert " ".join(mark.piece for mark in marks) == hinted


def test_a_move_by_numbers_is_made_by_its_places() -> None:
    sitting = begun("backgammon", 5)
    sitting.advance()
    step = view(sitting).step
    assert step is not None
    ways = {mark.piece: each.label for each in step.shortcuts for mark in each.marks}
    assert (ways["@13"], ways["@7"]) == ("Move from 13 by 6", "Move from 13 by 6")


@pytest.fixture(scope="module")
def backgammon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of a game: in one place, its rules are checked once for all tests."""
    folder = tmp_path_factory.mktemp("games") / "backgammon"
    return shutil.copytree(shipped_rulesets()["backgammon"], folder)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("place: touched_as", "place: touched", "No value of Spot is called touched."),
        (
            "seen_from: own side",
            "seen_from: nowhere",
            "The board wants nowhere of Player",
        ),
        (
            "{as: number, player: 2}",
            "{as: ground, colour: rde}",
            "The board wants rde of",
        ),
        ("from: n,", "from: m,", "move_man has no place called m."),
        ("to: lands", "to: larger", "move_man has no place called larger."),
        ("move_man:", "move_men:", "`looks` has places of move_men, but no action"),
        ("as: hidden}", "as: hiden}", "`as` is `hiden`; it must be"),
        ("shape: points", "shape: round", "`shape` is `round`; it must be"),
    ],
)
def test_a_wrong_picture_is_reported(
    backgammon: Path, right: str, wrong: str, message: str
) -> None:
    shipped = shipped_rulesets()["backgammon"] / "ruleset.yaml"
    text = shipped.read_text("utf-8")
    assert right in text
    manifest = backgammon / "ruleset.yaml"
    manifest.write_text(text.replace(right, wrong), encoding="utf-8")
    try:
        found = houserule.load(backgammon).check()
        messages = [each.message for each in found.diagnostics]
    except houserule.RulesetError as error:
        messages = [str(error)]
    assert any(message in each for each in messages), messages


def test_a_tile_is_the_thing_that_lies_there_or_that_is_shown(tmp_path: Path) -> None:
    assert {each.kind for each in tiles_of("takeover")} == {"card"}
    folder = tmp_path / "guild_street"
    shutil.copytree(shipped_rulesets()["guild_street"], folder)
    rules = folder / "game.rules"
    drawn = "\nvalue row_of(h: House): 1..1 = 1\nvalue column_of(h: House): 1..1 = 1\n"
    rules.write_text(rules.read_text("utf-8") + drawn, encoding="utf-8")
    manifest = folder / "ruleset.yaml"
    layer = "{each: House, row: row_of, column: column_of, look: {as: tile}}"
    board = f"boards:\n  - title: Houses\n    draw: [{layer}]\n"
    manifest.write_text(f"{board}{manifest.read_text('utf-8')}", encoding="utf-8")
    assert {each.icon for each in tiles_of(folder)} == {"bread", "hammer", "thread"}


def tiles_of(game: str | Path) -> list[ComponentLook]:
    """Return the tiles on the first board at the start."""
    table = houserule.load(game).table()
    board = board_of(table.sit(["ann", *["greedy"] * (table.players - 1)]), 0)
    looks = [each.look for row in board.cells for cell in row for each in cell]
    return [look.tile for look in looks if look is not None and look.tile is not None]


@pytest.mark.parametrize("game", ["morris", "minichess", "ludo"])
def test_an_arrow_leads_from_where_a_piece_was(game: str) -> None:
    """It begins where something left, and ends at what is new there."""
    sitting, found = begun(game, 20), 0
    for _ in range(12):
        if sitting.decision is None:
            break
        seat = sitting.decision.seat
        board_of(sitting, seat)
        sitting.choose(seat, sitting.hint(seat), bots_at_most=0)
        board = board_of(sitting, seat)
        for i, j, k, m in board.arrows:
            assert (i, j) in board.left or board.cells[i][j]
            assert any(each.new for each in board.cells[k][m])
            found += 1
    assert found
