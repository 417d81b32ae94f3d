"""How a turn goes: shown the first time in a game, until one click hides it."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from playwright.sync_api import Browser, expect
from tests.web.browsing import PHONE, axe_finds, visit
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.base.resources import shipped_rulesets
from houserule.rulebook.diagram.turn_lines import LINES, turn_lines
from houserule.ui.web.games import rules_of


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.mark.parametrize("game", sorted(shipped_rulesets()))
def test_every_game_says_how_a_turn_goes_in_a_few_lines(game: str) -> None:
    rules = rules_of(game)
    for language in rules.ruleset.spoken:
        lines = turn_lines(rules.program, rules.wording(language))
        assert 2 <= len(lines) <= LINES + 1
        assert not any("_" in line for line in lines), "no names of the rules"


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        ("nim", ["Take sticks", "What counts: The player who takes the last stick."]),
        ("yacht", ["Throw all dice", "Throw dice again", "Fill a box", "What counts"]),
        ("hearts", ["All cards are dealt", "Pass three cards", "Play a card", "What"]),
    ],
)
def test_the_lines_are_in_the_order_of_play(game: str, lines: list[str]) -> None:
    rules = rules_of(game)
    said = turn_lines(rules.program, rules.wording("en"))
    at = [next(n for n, e in enumerate(said) if e.startswith(each)) for each in lines]
    assert at == sorted(at)


def test_the_base_game_goes_before_house_rules() -> None:
    rules = rules_of("x_pasch?preset=official_deluxe")
    said = turn_lines(rules.program, rules.wording("en"))
    base = turn_lines(rules_of("x_pasch").program, rules.wording("en"))
    assert len(said) == len(base) == LINES + 1
    assert set(said[:-1]) & set(base[:-1]) == set(base[:-1])


def close(table: OpenTable, seat: int, game: str) -> str:
    return (
        table.guests[seat]
        .post(f"{table.seats[seat]}/learnt", data={"version": "1", "game": game})
        .text
    )


def test_it_is_shown_until_it_is_closed_for_each_game_and_browser(
    tables: Served,
) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    assert "How a turn goes" in table.part(0)
    assert "Take sticks" in unescape(table.part(0))
    assert "How a turn goes" not in close(table, 0, "nim")
    assert "How a turn goes" not in table.part(0)
    assert "How a turn goes" in table.part(1), "another browser"
    assert "How a turn goes" not in tables.guest().get(table.watcher).text
    again = open_table(tables, "nim", ["Ann", "Bob"])
    other = open_table(tables, "kalah", ["Ann", "Bob"])
    browser = table.guests[0]
    assert "How a turn goes" not in browser.get(again.seats[0]).text
    assert "How a turn goes" in browser.get(other.seats[0]).text
    close(table, 0, "x~y;z")
    assert "x~y" not in browser.cookies["learnt"]
    assert "How a turn goes" not in browser.get(again.seats[0]).text


@pytest.mark.parametrize("scripts", [True, False])
def test_one_click_closes_it(browser: Browser, tables: Served, scripts: bool) -> None:
    table = open_table(tables, "yacht", ["Ann"])
    address = f"{tables.address}{table.seats[0]}"
    with visit(browser, address, scripts=scripts) as page:
        expect(page.locator("#coach")).to_be_visible()
        page.locator("#coach").get_by_role("button", name="Got it").click()
        expect(page.locator("#coach")).to_have_count(0)
        page.reload()
        expect(page.locator("#coach")).to_have_count(0)


def test_on_a_phone_it_is_one_line_that_unfolds(
    browser: Browser, tables: Served
) -> None:
    table = open_table(tables, "hearts", ["Ann"])
    with visit(browser, f"{tables.address}{table.seats[0]}", PHONE) as page:
        page.get_by_text("How a turn goes").locator("visible=true").click()
        expect(page.get_by_text("Pass three cards").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert axe_finds(page) == []
