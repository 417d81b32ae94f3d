"""Moments drawn at sizes: what stands in `cases/terminal/screens` was looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.text import Text
from tests.terminal.pretended import MOMENTS, moment

from houserule.resources import Phrases
from houserule.seat.model import Moment
from houserule.terminal.look import SIGNS, lines, plain_text, width_of
from houserule.terminal.screen import Picture, draw

SCREENS = MOMENTS.parent / "screens"
SIZES = ((80, 24), (200, 60), (46, 30))
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


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", sorted(path.stem for path in MOMENTS.glob("*.json")))
def test_a_moment_looks_as_it_was_found_good(name: str, size: tuple[int, int]) -> None:
    width, height = size
    found = drawn(moment(name), width, height)
    golden = SCREENS / f"{name}-{width}x{height}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")


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
    assert "»red die ⚁ 2«" in text
    assert "✗ Slide a director" in text
    for sign, name in zip(SIGNS, ("ann", "bob", "cleo"), strict=False):
        assert f"{sign} {name}" in text


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


def test_screens_are_of_moments_that_are_there() -> None:
    names = {path.stem.rsplit("-", 1)[0] for path in Path(SCREENS).glob("*.txt")}
    assert names == {path.stem for path in MOMENTS.glob("*.json")}
