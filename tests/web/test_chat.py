"""The chat: who reads and writes it, its limits, and that it is in no record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect
from tests.web.browsing import PHONE, visit
from tests.web.drawing.parsed import StrictPage
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.ui.web.store import CHAT_LINES, ChatLine, TableStore


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def say(table: OpenTable, seat: int, text: str) -> httpx.Response:
    return table.post(seat, "say", text=text)


def lines(page: str) -> list[str]:
    (said,) = StrictPage(page).of_class("spoken")
    return said.text.split("\n")


def mode(table: OpenTable, mode: str) -> None:
    table.host_browser.post(f"{table.host}/chat", data={"mode": mode})


def test_all_seats_read_what_one_writes(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    before = table.kept
    assert say(table, 0, "  Hello \n <b>there</b> & you ").status_code == 200
    for seat in (0, 1):
        assert "Ann: Hello <b>there</b> & you" in lines(table.part(seat))[0]
        assert "<b>there" not in table.part(seat)
    assert table.kept == before, "neither the record nor the version changes"
    asked = table.asked
    version = str(table.version(asked))
    say(table, 1 - asked, "Your turn!")
    move = table.post(asked, "choose", table.a_move(), version=version)
    assert move.status_code == 200, "a choice in progress is not stale"


def test_news_of_the_chat_reach_open_pages(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    live = tables.server.tables._live[table.id]
    before = live.news
    say(table, 0, "Hello")
    assert live.news == before + 1
    assert f'data-news="{live.news}"' in table.part(1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Write something first."),
        ("   \n ", "Write something first."),
        ("x" * 301, "too long"),
        ("one\x00two", "cannot be printed"),
        ("one\u202etwo", "cannot be printed"),
    ],
)
def test_what_is_not_taken_says_why(tables: Served, text: str, why: str) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    answer = say(table, 0, text)
    assert answer.status_code == 409
    assert why in unescape(answer.text)
    assert "Nobody has written yet." in table.part(1)
    assert say(table, 0, "x" * 300).status_code == 200


def test_a_seat_writes_ten_lines_a_minute(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    answers = [say(table, 0, f"line {n}").status_code for n in range(12)]
    assert answers == [200] * 10 + [409] * 2
    assert say(table, 1, "me too").status_code == 200, "others may write"


def test_the_host_decides_who_sees_the_chat(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    say(table, 0, "a secret plan")
    watching = tables.guest()
    page = watching.get(table.watcher).text
    assert "a secret plan" not in page
    assert "Write to the table" not in page
    mode(table, "all")
    page = watching.get(table.watcher).text
    assert "a secret plan" in page
    assert "Write to the table" not in page
    key = table.watcher.rpartition("/")[2]
    answer = watching.post(f"/w/{key}/say", data={"text": "hi", "version": "1"})
    assert answer.status_code in {404, 405}
    mode(table, "off")
    assert "a secret plan" not in table.part(0)
    assert say(table, 0, "hello?").status_code == 409
    assert "turned the chat off" in say(table, 0, "hello?").text
    mode(table, "nonsense")
    assert tables.store.table(table.id).chat == "off"
    table.guests[0].post(f"/h/{table.seats[0][3:]}/chat", data={"mode": "all"})
    assert tables.store.table(table.id).chat == "off", "only the host may"


def test_the_chat_outlives_the_server_and_stays_small(tmp_path: Path) -> None:
    with served(tmp_path) as first:
        table = open_table(first, "nim", ["Ann", "Bob"])
        say(table, 0, "see you tomorrow")
        seat, number = table.seats[1], table.id
    with served(tmp_path) as second:
        assert "see you tomorrow" in second.guest().get(seat).text
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    for at in range(2, CHAT_LINES + 10):
        store.add_chat(number, ChatLine(at, 0, "Ann", "again"))
    kept = store.chat(number)
    assert len(kept) == CHAT_LINES
    assert kept[-1].at == CHAT_LINES + 9
    store.close()


def test_a_line_appears_in_other_browsers_and_the_field_is_empty_again(
    browser: Browser, tables: Served
) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    address = f"{tables.address}{table.seats[1 - table.asked]}"
    with visit(browser, address, PHONE) as page:
        say(table, table.asked, "Hello")
        expect(page.locator("#unsaid")).to_have_text("1 in the chat")
        page.locator("#log summary").click()
        expect(page.locator(".spoken")).to_contain_text("Hello")
        expect(page.locator("#unsaid")).to_have_text("")
        field = page.get_by_placeholder("Write to the table")
        field.fill("Hi!")
        page.get_by_role("button", name="Send").click()
        expect(page.locator(".spoken")).to_contain_text("Hi!")
        expect(field).to_have_value("")
        field.fill("half a")
        say(table, table.asked, "more")
        expect(page.locator(".spoken")).to_contain_text("more")
        expect(field).to_have_value("half a")
        assert "Hi!" in table.part(table.asked)


def test_notices_are_offered_once_and_off_until_then(
    browser: Browser, tables: Served
) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    asked = table.asked
    with visit(browser, f"{tables.address}{table.seats[1 - asked]}") as page:
        offer = page.locator("#offer")
        expect(offer).to_be_visible()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
        offer.get_by_role("button", name="With a sound").click()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
        expect(offer).to_be_hidden()
        page.reload()
        expect(page.locator("#offer")).to_be_hidden()
        page.context.grant_permissions(["notifications"])
        page.evaluate(
            "() => { window.sent = []; window.Notification = class {"
            " static permission = 'granted';"
            " static requestPermission = async () => 'granted';"
            " constructor(title) { window.sent.push(title); } }; }"
        )
        page.locator("#notify").click()
        expect(page.locator("#notify")).to_have_attribute("aria-pressed", "true")
        page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
        assert table.post(asked, "choose", table.a_move()).status_code == 200
        icon = page.locator("link[rel=icon]")
        expect(icon).to_have_attribute("href", re.compile("icon-turn"))
        assert page.evaluate("window.sent") == [page.title().removeprefix("● ")]
        assert "●" in page.title()
