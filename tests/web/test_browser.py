"""People play in a real browser, each in another way; nothing is lost on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.support.shipped import NAMES
from tests.web.browsing import Player, Way, axe_finds, see
from tests.web.serving import OpenTable, Served, open_table, served
from tests.web.test_crash import begin, free_port, server


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def sit_down(browser: Browser, table: OpenTable, ways: Sequence[Way]) -> list[Player]:
    """Open each seat of a table in a browser of its own."""
    return [
        Player.at(browser, way, f"{table.served.address}{address}")
        for way, address in zip(ways, table.seats, strict=True)
    ]


def play(players: Sequence[Player], random: Random, most: int) -> int:
    """Play on until the game is over; return how many moves were made."""
    moves = 0  # as they were seen; on a slow machine some are noticed late
    for _ in range(most * 50):
        before = moves
        for player in players:
            if player.way == "plain":
                player.page.reload()
            moves += player.move(random)
        if all(player.over for player in players) or moves >= most:
            break
        if moves == before:  # news are on their way, from this very process
            players[0].page.wait_for_timeout(20)
    return moves


def test_friends_open_a_table_and_play_to_the_end(
    browser: Browser, tables: Served
) -> None:
    """From the first page on: one at a desk, one with a phone."""
    host = Player.at(browser, "mouse", tables.address)
    assert axe_finds(host.page) == []
    host.page.get_by_role("link", name="Nim").click()
    see(host, "House rules")
    host.press("Open a table")
    host.page.wait_for_url("**/h/*")
    assert axe_finds(host.page) == []
    host.fill("Your name", "Ann <b>")
    host.press("Sit here")
    host.page.wait_for_url("**/s/*")
    see(host, "bots take the free seats")
    assert axe_finds(host.page) == []
    link = host.page.locator("#link").input_value()
    guest = Player.at(browser, "phone", link, "dark")
    assert axe_finds(guest.page) == []
    guest.fill("Your name", "Bob")
    guest.press("Sit down")
    see(guest, "Ann <b>")
    see(host, "Bob")  # by itself
    host.press("Begin the game")
    see(guest, "turn")  # by itself
    see(host, "turn")  # Begin leads to the host's seat
    random = Random(3)
    assert play([host, guest], random, 60)
    assert host.over
    assert guest.over
    assert host.faults == guest.faults == []


def newest(player: Player, table: OpenTable, seat: int) -> None:
    """Wait until the page of a seat has heard all: news come when they come."""
    shown = player.page.locator("#table")
    expect(shown).to_have_attribute(
        "data-version", str(table.version(seat)), timeout=15_000
    )


@pytest.mark.slow
@pytest.mark.parametrize("way", ["mouse", "phone", "keys", "plain"])
def test_each_way_suffices(browser: Browser, tables: Served, way: Way) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    players = sit_down(browser, table, [way, "mouse"])
    assert play(players, Random(5), 60)
    assert all(player.over for player in players)
    assert [player.faults for player in players] == [[], []]


def test_a_page_that_renews_itself_sends_what_it_says(
    browser: Browser, tables: Served
) -> None:
    """Buttons that stay while their choice changes send the new one."""
    table = open_table(tables, "guild_street?players=2", ["Ann", "Bob"])
    players = sit_down(browser, table, ["mouse", "mouse"])
    random, fields = Random(7), "#choose [name]"
    # What is folded has no inner text.
    text = r"each.textContent.replace(/\s+/g, ' ').trim()"
    written = f"all => all.map(each => [each.name, each.value, {text}])"
    for seat, player in [*enumerate(players)] * 2:
        player.move(random)
        newest(player, table, seat)
        shown = player.page.locator(fields).evaluate_all(written)
        player.page.reload()
        assert player.page.locator(fields).evaluate_all(written) == shown
    assert [player.faults for player in players] == [[], []]


def test_news_that_come_before_an_answer_are_not_lost(
    browser: Browser, tables: Served
) -> None:
    """On a slow line the next player, or a bot, is faster than the answer."""
    table = open_table(tables, "nim", ["Ann", "Bob"])
    seat = table.asked
    (player,) = sit_down(browser, replace(table, seats=[table.seats[seat]]), ["mouse"])

    def answer_late(route: Route) -> None:
        answer = route.fetch()
        table.post(1 - seat, "choose", table.a_move())
        player.page.wait_for_timeout(500)  # until the page gets the update
        route.fulfill(response=answer)

    player.page.route("**/choose", answer_late)
    player.move(Random(1))
    turn = player.page.locator("#table[data-turn]")
    expect(turn).to_have_attribute("data-version", str(table.version(seat)))
    assert player.faults == []


def test_a_page_that_is_being_left_ignores_news(
    browser: Browser, tables: Served
) -> None:
    """When a game begins, the next page may take long, and moves are made meanwhile."""
    table = open_table(tables, "nim", ["Ann", "Bob"], begin=False)
    (player,) = sit_down(browser, replace(table, seats=table.seats[:1]), ["mouse"])
    page, held = player.page, list[Route]()
    page.route(f"{tables.address}{table.seats[0]}", lambda route: held.append(route))
    table.begin()
    while not held:
        page.wait_for_timeout(20)
    for _ in range(3):
        table.post(table.asked, "choose", table.a_move())
        page.wait_for_timeout(200)
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator("#choice")).to_be_visible()
    assert player.faults == []


def test_seven_tabs_of_one_browser_all_come_up(
    browser: Browser, tables: Served
) -> None:
    """A browser has six connections: streams must leave some for pages."""
    table = open_table(tables, "x_pasch?players=6", list("ABCDEF"))
    context = browser.new_context()
    pages = [context.new_page() for _ in range(7)]
    for page, address in zip(pages, [*table.seats, table.watcher], strict=True):
        page.goto(f"{tables.address}{address}", timeout=15_000)
        assert page.locator("#table").count() == 1
    context.close()


@pytest.mark.slow
def test_pages_come_back_by_themselves(browser: Browser, tmp_path: Path) -> None:
    database, port = f"sqlite:///{tmp_path / 'tables.db'}", free_port()
    with server(database, port):
        _, histories = begin(port, "nim", 2)
        address = f"http://127.0.0.1:{port}"
        players = [
            Player.at(browser, "mouse", f"{address}{each.address}")
            for each in histories
        ]
        random = Random(1)
        assert any(player.move(random) for player in players)
    for player in players:
        player.page.locator("html.offline").wait_for(timeout=15_000)
    with server(database, port):
        for player in players:
            player.page.locator("html:not(.offline)").wait_for(timeout=20_000)
        assert len({player.version for player in players}) == 1
        assert any(player.move(random) for player in players)


def test_the_rules_of_a_table_are_a_page(browser: Browser, tables: Served) -> None:
    table = open_table(tables, "x_pasch?with=harder_sliding&players=3", ["Ann"])
    player = Player.at(browser, "mouse", f"{tables.address}{table.seats[0]}/rules")
    changed = player.page.locator(
        ".beside", has=player.page.locator("[id='c-slide.downhill']")
    )
    expect(changed.locator(".notes")).to_contain_text("Harder sliding")
    assert axe_finds(player.page) == []
    with player.page.expect_download() as kept:
        player.page.get_by_role("link", name="one file").click()
    assert kept.value.suggested_filename == "x_pasch-en.html"
    text = Path(kept.value.path()).read_text(encoding="utf-8")
    assert "Harder sliding" in text
    assert "<script" not in text
    player.page.get_by_role("link", name="Back to the table").click()
    assert player.page.locator("#table").count() == 1
    assert player.faults == []


CHOICES = {"hearts": "hearts?players=3"}
"""How a game is opened for two people where two are too few: with a bot besides."""


@pytest.mark.slow
@pytest.mark.parametrize("game", [name for name in NAMES if name != "x_pasch"])
def test_a_whole_game_of_two_is_played_by_clicks(
    browser: Browser, tables: Served, game: str
) -> None:
    choice = CHOICES.get(game, f"{game}?players=2")
    table = open_table(tables, choice, ["Ann", "Bob"])
    players = sit_down(browser, table, ["phone", "keys"])
    play(players, Random(7), 2_000)
    assert all(player.over for player in players)
    assert all(player.faults == [] for player in players)


@pytest.mark.slow
def test_six_play_x_pasch_deluxe_to_its_end(browser: Browser, tables: Served) -> None:
    """To half of the Euros: at random a whole game takes 1,500 choices."""
    choice = "x_pasch?preset=official_deluxe&players=6&set=winning_score=60"
    table = open_table(tables, choice, ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay"])
    ways: list[Way] = ["mouse", "phone", "keys", "plain", "mouse", "phone"]
    players = sit_down(browser, table, ways)
    play(players, Random(2), 3_000)
    assert all(player.over for player in players)
    assert all(player.faults == [] for player in players)


def test_no_page_before_the_game_is_wider_than_a_phone(
    browser: Browser, tables: Served
) -> None:
    for language in ("en", "fr"):
        table = open_table(tables, f"pachisi?players=2&lang={language}", ["Ann"])
        player = Player.at(browser, "phone", f"{tables.address}{table.seats[0]}")
        for page in ("/", "/records", "/new/pachisi", "/new/pachisi/own", table.host):
            player.page.goto(f"{tables.address}{page}?lang={language}")
            wide = player.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 390, page


def test_the_list_of_ones_tables_looks_like_a_list(
    browser: Browser, tables: Served
) -> None:
    """And not like the mark of a rule of one's own, which has a border."""
    table = open_table(tables, "nim", ["Ann", "Bob"])
    player = Player.at(browser, "mouse", f"{tables.address}{table.seats[0]}")
    player.page.goto(tables.address)
    border = "each => getComputedStyle(each).borderTopWidth"
    assert player.page.locator("section ul").first.evaluate(border) == "0px"
