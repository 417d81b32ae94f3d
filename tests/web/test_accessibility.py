"""Every game's pages, checked by axe: the house rules, a seat, its hint, the rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.web.browsing import PHONE, Scheme, axe_finds, visit
from tests.web.serving import Served, open_table, served

import houserule

GAMES = [game.id for game in houserule.shipped()]
LOOKS: tuple[tuple[tuple[int, int], Scheme, str], ...] = (
    (PHONE, "dark", "de"),
    ((1280, 900), "light", "en"),
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing(browser: Browser, tables: Served, game: str) -> None:
    people = ["Ann", "Bob", "Cleo", "Dora"][: min(houserule.load(game).players)]
    table = open_table(tables, game, people)
    for size, scheme, language in LOOKS:
        addresses = [f"/new/{game}?lang={language}"]
        for seat in table.seats[:2]:  # the one to decide, and another one
            addresses += [seat, f"{seat}?hint=1", f"{seat}/rules?lang={language}"]
        for each in addresses:
            with visit(browser, tables.address + each, size, scheme) as page:
                assert axe_finds(page) == [], (each, language)
