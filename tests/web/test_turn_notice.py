"""Whose turn it is can be heard, and seen in the title, and is not missed."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.web.browsing import Player
from tests.web.serving import open_table, served
from tests.web.test_people import decide

COUNTED = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  document.documentElement.dataset.tones = ++window.tones;
  return start.apply(this, when);
};
"""


def test_a_turn_sounds_where_that_is_wanted(browser: Browser, tmp_path: Path) -> None:
    """Once when it is switched on, once when the turn comes; the wish is kept."""
    with served(tmp_path) as tables:
        table = open_table(tables, "nim", ["Ann", "Bob"])
        first = 0 if "data-turn" in table.part(0) else 1
        waiting = Player.at(browser, "mouse", tables.address)
        waiting.page.add_init_script(COUNTED)
        waiting.page.goto(f"{tables.address}{table.seats[1 - first]}")
        page = waiting.page.locator("html")
        sound = waiting.page.locator("#sound")
        expect(sound).to_have_attribute("aria-pressed", "false")
        sound.click()
        expect(page).to_have_attribute("data-tones", "1")
        decide(table, table.seats[first], first)
        expect(waiting.page.locator("#table[data-turn]")).to_be_visible(timeout=15_000)
        expect(page).to_have_attribute("data-tones", "2")
        waiting.page.reload()
        expect(sound).to_have_attribute("aria-pressed", "true")
        sound.click()
        decide(table, table.seats[1 - first], 1 - first)
        decide(table, table.seats[first], first)
        expect(waiting.page.locator("#table[data-turn]")).to_be_visible(timeout=15_000)
        assert page.get_attribute("data-tones") is None
        assert waiting.faults == []
