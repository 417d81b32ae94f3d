"""A game that is over, looked at again in a real browser; and the pages beside it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.web.browsing import Player, axe_finds
from tests.web.serving import open_table, served
from tests.web.test_records import play_to_the_end


def test_the_slider_shows_what_it_is_dragged_to(
    browser: Browser, tmp_path: Path
) -> None:
    """By the pointer and by keys, without loading a page; all pages suit everybody."""
    with served(tmp_path) as tables:
        table = open_table(tables, "nim", ["Ann", "Bob"])
        play_to_the_end(table)
        seat = f"{tables.address}{table.seats[0]}"
        looking = Player.at(browser, "phone", f"{seat}/replay", "dark")
        page = looking.page
        loaded: list[str] = []
        page.on("domcontentloaded", lambda at: loaded.append(at.url))
        shown = page.locator("#table")
        for at in ("1", "3", "2"):
            page.locator("#at").fill(at)
        expect(shown).to_have_attribute("data-at", "2")
        expect(page.locator("#at")).to_have_value("2")
        page.locator("#film-following").tap()
        expect(shown).to_have_attribute("data-at", "3")
        page.locator("body").press("Home")
        expect(shown).to_have_attribute("data-at", "0")
        page.locator("body").press("End")
        expect(page.locator(".film .result")).to_be_visible()
        assert "at=" in page.url
        assert loaded == []
        for address in (f"{seat}/replay?at=2", f"{seat}/games", f"{seat}/hand"):
            page.goto(address)
            assert axe_finds(page) == [], address
        page.goto(f"{tables.address}/records")
        assert axe_finds(page) == []
        assert looking.faults == []
