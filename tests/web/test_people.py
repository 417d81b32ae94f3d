"""Who acts for an absent person, and who takes a seat over: all are told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode

import pytest
from tests.web.serving import OpenTable, Served, open_table, served
from tools.clicking import VERSION, Clickable

from houserule.ui.web import live


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def table(tables: Served) -> OpenTable:
    return open_table(tables, "nim", ["Ann", "Bob"])


@pytest.fixture
def all_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "AWAY", -1.0)


def act_for(table: OpenTable, seat: int, name: str = "Cy") -> str:
    """Let the host act for somebody; return the address of the page."""
    asked = table.host_browser.get(f"{table.host}/act", params={"seat": seat})
    assert "Everybody sees" in asked.text
    page = table.host_browser.post(
        f"{table.host}/act", data={"seat": str(seat), "name": name}
    )
    assert page.url.path.startswith("/a/"), page.text
    return page.url.path


def decide(table: OpenTable, browser_at: str, seat: int | None = None) -> None:
    """Choose whatever comes first, at an address of the host's browser or a seat."""
    browser = table.host_browser if seat is None else table.guests[seat]
    page = browser.get(browser_at)
    while not Clickable(page.text).buttons:
        path = Clickable(page.text).links[0]
        page = browser.get(browser_at, params={"path": list(path)})
    answer = browser.post(
        f"{browser_at}/choose",
        content=urlencode(Clickable(page.text).buttons[0]),
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 200, answer.text


def log_of(table: OpenTable, seat: int) -> str:
    return unescape(table.part(seat))


@pytest.mark.usefixtures("all_away")
def test_a_host_acts_for_who_is_away_and_all_are_told(table: OpenTable) -> None:
    page = act_for(table, 0)
    shown = table.host_browser.get(page).text
    assert "You act for Ann." in shown
    assert all(f"{page}/{what}" not in shown for what in ("undo", "rematch"))
    decide(table, page)
    for seat in (0, 1):
        assert "Cy, as the host, may decide for Ann" in log_of(table, seat)
        assert "Cy decides for Ann." in log_of(table, seat)
    assert "Cy, the host, is deciding for you now" in log_of(table, 0)
    assert "is deciding for you" not in log_of(table, 1)
    record = table.kept[1].splitlines()
    assert record[1] == '{"acting": "p1", "by": "Cy"}'


@pytest.mark.usefixtures("all_away")
@pytest.mark.parametrize("way", ["choose", "back", "stop", "seated", "handed"])
def test_acting_ends_and_the_page_opens_nothing(table: OpenTable, way: str) -> None:
    page = act_for(table, 0)
    match way:
        case "choose":
            decide(table, table.seats[0], 0)
        case "back":
            table.post(0, "back")
        case "stop":
            left = table.host_browser.post(f"{page}/stop", data={"version": "0"})
            assert left.url.path == table.host
        case "seated":
            data = {"seat": "0", "kind": "greedy"}
            table.host_browser.post(f"{table.host}/bot", data=data)
        case _:
            table.guests[1].post(heirs_link(table, 0), data={"name": "Dora"})
    assert table.host_browser.get(page).status_code == 404
    assert table.host_browser.post(f"{page}/choose").status_code == 404
    assert "decides for Ann" not in log_of(table, 1)
    if way in {"choose", "back", "stop"}:
        assert "Ann decides alone again." in log_of(table, 1)


@pytest.mark.usefixtures("all_away")
def test_a_page_of_one_game_is_none_of_the_next(table: OpenTable) -> None:
    page = act_for(table, 0)
    while '"end"' not in table.kept[1]:
        if "data-turn" in table.part(1):
            decide(table, table.seats[1], 1)
        else:
            decide(table, page)
    table.post(1, "rematch")
    assert table.host_browser.get(page).status_code == 404


def test_nobody_acts_for_who_is_there(table: OpenTable) -> None:
    page = table.host_browser.get(table.host).text
    assert "/act?" not in page
    data = {"seat": "0", "name": "Cy"}
    answer = table.host_browser.post(f"{table.host}/act", data=data)
    assert "Nobody can act for this seat now" in answer.text
    assert "acting" not in table.kept[1]
    for odd in ("9", "-1", "x"):
        wrong = table.host_browser.post(f"{table.host}/act", data={"seat": odd})
        assert wrong.status_code == 404


@pytest.mark.usefixtures("all_away")
def test_who_acts_does_nothing_else(table: OpenTable) -> None:
    """No word for the seat's person, no undo; and looking is not the person's look."""
    page = act_for(table, 0)
    decide(table, page)
    kept = table.kept
    for what in ("undo", "restart", "ask-undo", "agree", "rematch", "back"):
        answer = table.host_browser.post(f"{page}/{what}", data={"version": "1"})
        assert answer.status_code == 404
    assert table.host_browser.post(f"{page}/hand").status_code == 404
    assert table.kept == kept


def host_answers(table: OpenTable, what: str, **fields: str) -> str:
    """Answer for Bob on the host's page; return what the page says then."""
    page = table.host_browser.get(table.host).text
    assert ("Answer for Bob" in page) == (f"{table.host}/{what}" in page)
    version = found[1] if (found := VERSION.search(page)) else ""
    data = {"seat": "1", "name": "Cy", "version": version, **fields}
    return table.host_browser.post(f"{table.host}/{what}", data=data).text


def asked_undo(table: OpenTable) -> None:
    """Let both decide, then let Ann ask to take that back."""
    for seat in (table.asked, 1 - table.asked):
        table.post(seat, "choose", table.a_move())
    table.post(0, "ask-undo")


@pytest.mark.usefixtures("all_away")
@pytest.mark.parametrize("what", ["agree", "refuse"])
def test_a_host_answers_for_who_is_away_and_all_are_told(
    table: OpenTable, what: str
) -> None:
    asked_undo(table)
    table.guests[0].cookies.set(f"host{table.id}", table.host[3:])  # Ann is the host
    shown = table.part(0)
    assert "Bob has no page open." in shown
    assert "you may answer for an absent player" in shown
    before = table.version(0)
    page = host_answers(table, what)
    assert "Answer for Bob" not in page
    assert table.version(0) > before
    for seat in (0, 1):
        told = log_of(table, seat)
        assert f"Cy, as the host, {what}s for Bob" in told
        assert ("Ann takes back" in told) == (what == "agree")
        assert "You asked to take back" not in told
    assert (
        f'"answered": "p2", "agreed": {str(what == "agree").lower()}' in (table.kept[1])
    )


@pytest.mark.usefixtures("all_away")
def test_an_answer_that_is_late_or_has_no_name_is_none(table: OpenTable) -> None:
    asked_undo(table)
    kept = table.kept
    assert "look again" in host_answers(table, "agree", version="1")
    assert "Enter your name" in host_answers(table, "agree", name=" ")
    assert "Nobody can act" in host_answers(table, "agree", seat="0")  # who asks
    assert table.kept == kept


def test_nobody_answers_for_who_is_there(table: OpenTable) -> None:
    asked_undo(table)
    kept = table.kept
    assert "Nobody can act" in host_answers(table, "agree")
    assert table.kept == kept
    table.post(1, "refuse")
    assert "Bob does not agree that something is taken back." in log_of(table, 0)


def heirs_link(table: OpenTable, seat: int) -> str:
    page = table.guests[seat].post(f"{table.seats[seat]}/hand")
    found = re.search(r"/t/[\w-]+", page.text)
    assert found is not None, page.text
    return found[0]


def test_a_seat_is_handed_on(table: OpenTable, tables: Served) -> None:
    link = heirs_link(table, 0)
    assert "Ann" in log_of(table, 0)  # who still plays
    dora = tables.guest("de")
    assert "Ann gibt dir einen Platz" in dora.get(link).text
    refused = dora.post(link, data={"name": "Bob"})
    assert "Jemand am Tisch heißt so" in refused.text
    seat = dora.post(link, data={"name": "Dora", "language": "de"})
    assert seat.url.path.startswith("/s/")
    assert "Dora spielt für Ann weiter." in seat.text
    assert "Dora plays on for Ann." in log_of(table, 1)
    for old in (link, table.seats[0]):
        assert table.guests[0].get(old).status_code == 404
    decide(OpenTable(tables, "", dora), seat.url.path)
    assert dora.post(link, data={"name": "Eve"}).status_code == 404


def test_a_seat_is_handed_on_before_the_game(tables: Served) -> None:
    host = tables.guest()
    page = host.post("/tables", data={"choice": "nim"}).url.path
    seat = host.post(f"{page}/sit", data={"seat": "0", "name": "Ann"}).url.path
    table = OpenTable(tables, page, host, [host], [seat])
    answer = tables.guest().post(heirs_link(table, 0), data={"name": "Dora"})
    assert "Dora" in answer.text
    assert host.get(seat).status_code == 404


def test_a_link_to_a_seat_is_shown_on_its_own_page_alone(table: OpenTable) -> None:
    """No key of somebody else's becomes a link with a picture."""
    mine = heirs_link(table, 1).rpartition("/")[2]
    for key in (mine, "<b>", table.seats[1].rpartition("/")[2]):
        page = table.guests[0].get(f"{table.seats[0]}/hand", params={"heir": key})
        assert "/t/" not in page.text


def test_the_store_keeps_who_sits_with_the_line_that_says_so(
    table: OpenTable,
) -> None:
    heir = heirs_link(table, 0)
    before = tables_version(table)
    table.guests[1].post(heir, data={"name": "Dora"})
    kept, record = table.kept
    assert record.splitlines()[-1] == '{"sits": "p1", "name": "Dora"}'
    assert tables_version(table) == before + 1
    assert "Dora" in str(kept)


def tables_version(table: OpenTable) -> int:
    return table.served.store.table(table.id).version


@pytest.mark.parametrize(("game", "spoken"), [("nim", "en"), ("pachisi", "fr")])
def test_a_table_and_its_seats_speak_a_language_of_the_game(
    tables: Served, game: str, spoken: str
) -> None:
    table = open_table(tables, f"{game}?lang=fr", [])
    stored = tables.store.table(table.id)
    assert {stored.language, *(chair.language for chair in stored.chairs)} == {spoken}
    table.host_browser.post(f"{table.host}/free", data={"seat": "0"})
    guest, invite = tables.guest("fr"), table.link("invite")
    assert f'<html lang="{spoken}">' in guest.get(invite).text
    guest.post(invite, data={"seat": "0", "name": "Ann", "language": "fr"})
    assert tables.store.table(table.id).chairs[0].language == spoken
