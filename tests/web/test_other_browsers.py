"""A game is played to its end in the other engines that browsers have."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from tests.web.other_browsers import BROWSERS, PATIENCE, PageLeft
from tests.web.serving import open_table, served

OPTION = "#choose :is(ul.options .do, .side)"
CLOSED = "#choose details.list:not([open]) > summary"
GAMES = ("nim", "guild_street?players=2", "hex_board?set=side=3")


@pytest.mark.slow
@pytest.mark.parametrize("name", BROWSERS)
def test_games_are_played_to_their_end(tmp_path: Path, name: str) -> None:
    """By clicks alone; what the other one does comes without a click."""
    random = Random(3)
    with BROWSERS[name]() as browser, served(tmp_path) as tables:
        for game in GAMES:
            table = open_table(tables, game, ["Ann", "Bob"])
            browser.go(f"{tables.address}{table.seats[0]}")
            until = time.monotonic() + PATIENCE
            while not table.over:
                assert time.monotonic() < until, f"{game}: nothing goes on"
                before = table.version(0)
                if table.asked == 1:
                    table.post(1, "choose", table.a_move())
                else:
                    try:
                        browser.press(CLOSED)
                        browser.press(OPTION, random.random())
                    except PageLeft:
                        pass  # it is being loaded
                if table.version(0) != before:
                    until = time.monotonic() + PATIENCE
            last = f'#table.ended[data-version="{table.version(0)}"]'
            browser.wait(last)
