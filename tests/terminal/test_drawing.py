"""What a moment looks like at sizes; real ones are in `test_screens`."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.text import Text
from tests.support.terminal_rows import plain_text, width_of
from tests.terminal.pretended import moment

from houserule.base.resources import Phrases
from houserule.play.seat.faces import SIGNS
from houserule.play.seat.seat_model import BoardPiece, Moment, SeenBoard
from houserule.ui.terminal.areas import Areas
from houserule.ui.terminal.look import Look, lines
from houserule.ui.terminal.screen import Picture, draw

KEYS = ("keys_choose", "keys_why", "keys_search", "keys_log", "keys_help", "keys_quit")


def picture(shown: Moment, highlighted: int = 0) -> Picture:
    return Picture(
        moment=shown,
        step=shown.choice,
        highlighted=highlighted,
        news=shown.log,
        log=shown.log,
        keys=KEYS,
    )


def drawn(shown: Moment, width: int, height: int, highlighted: int = 0) -> str:
    rows = draw(picture(shown, highlighted), Phrases("terminal", "en"), width, height)
    assert len(rows) == height
    assert {width_of(row) for row in rows} == {width}
    return plain_text(rows) + "\n"


@pytest.mark.parametrize("width", [30, 80, 120])
@pytest.mark.parametrize("height", [10, 24, 40])
def test_the_marked_option_is_seen_at_every_size(width: int, height: int) -> None:
    shown = moment("board")
    assert shown.choice is not None
    for at, _ in enumerate(shown.choice.options):
        assert f"▸{at + 1:>2} " in drawn(shown, width, height, at)


def test_what_is_chosen_and_whose_a_thing_is_can_be_told_without_colour() -> None:
    text = drawn(moment("companies"), 80, 40, 2)
    assert "▸ 4 Draw a card" in text
    assert "»red die: ⚁ 2«" in text
    assert "✗ Slide a marker" in text
    for sign, name in zip(SIGNS, ("ann", "bob", "cleo"), strict=False):
        assert f"{sign} {name}" in text


BOARD = SeenBoard(
    key="board 0",
    title="Board",
    row_heads=("a", "b"),
    column_heads=("1", "2"),
    cells=(((BoardPiece(text="安娜"),), ()), ((), (BoardPiece(text="x"),))),
    empty="·",
    over_title="Above",
    over=(BoardPiece(text="two white cubes"), BoardPiece(text="a lamp")),
)


def test_cells_stand_below_their_heads_whatever_is_in_them() -> None:
    areas = Areas(Look(()), Phrases("terminal", "en"))
    assert plain_text(lines(areas.draw(BOARD), 40)).split("\n") == [
        "Board",
        "        two",
        "       white",
        "Above  cubes     a lamp",
        "         1         2",
        "    a   安娜       ·",
        "    b    ·         x",
    ]


def test_a_window_that_is_too_small_says_so() -> None:
    assert "too small" in drawn(moment("companies"), 29, 9)


def test_long_labels_wrap_and_lose_nothing() -> None:
    shown = moment("companies")
    text = drawn(shown, 40, 60)
    assert shown.choice is not None
    for option in shown.choice.options:
        for word in option.label.split():
            assert word in text


def test_wide_characters_take_two_columns() -> None:
    rows = lines(Text("安娜 bob"), 40)
    assert width_of(rows[0]) == cell_len("安娜 bob") == 8
