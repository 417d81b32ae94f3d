"""The counter of clicks: the shortest way by links and buttons of drawn pages."""

from __future__ import annotations

import pytest
from tools.bench.clicks import fits, measure


@pytest.mark.parametrize(
    ("game", "most", "clicks"),
    [("hex_board", 5, 5), ("pig", 5, 5), ("guild_street", 14, 0)],
)
def test_every_choice_is_reached_and_no_click_decides_nothing(
    game: str, most: int, clicks: int
) -> None:
    row = measure(game, 1, most)
    assert (row.decisions, row.lost, row.idle) == (most, 0, 0)
    assert clicks in (row.clicks, 0)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (["found"], True),
        (["found", "use+red"], True),
        (["found use+red c=eight"], True),
        (["found", "use+green"], False),
        (["place"], False),
        (["found", "c=nine"], False),
    ],
)
def test_a_path_fits_a_choice_that_has_its_keys(path: list[str], wanted: bool) -> None:
    assert fits(path, ["found", "c=eight", "use=red+blue"]) == wanted
