"""The first page leads a browser back to its seats, and nobody else to them."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from tests.web.serving import Served, open_table, served
from tests.web.test_people import decide

from houserule.ui.web.answers.yours import COOKIE, MOST


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def test_the_first_page_says_where_it_is_ones_turn(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    ann, bob = table.guests
    for guest, seat in zip(table.guests, table.seats, strict=True):
        guest.get(seat)
    homes = [unescape(guest.get("/").text) for guest in table.guests]
    assert sorted("Your turn" in home for home in homes) == [False, True]
    assert all(seat in home for seat, home in zip(table.seats, homes, strict=True))
    assert table.seats[0] not in homes[1]
    assert "new since" not in homes[0]
    first = 0 if "Your turn" in homes[0] else 1
    decide(table, table.seats[first], first)
    other = table.guests[1 - first].get("/").text
    assert "Your turn" in other
    assert "new since you looked: 1" in other
    table.guests[1 - first].get(table.seats[1 - first])
    assert "new since" not in table.guests[1 - first].get("/").text
    assert "Your turn" not in tables.guest().get("/").text
    assert ann.cookies != bob.cookies


def test_a_seat_that_was_given_away_is_gone(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    guest, seat = table.guests[0], table.seats[0]
    assert seat in guest.get("/").text
    table.host_browser.post(f"{table.host}/free", data={"seat": "0"})
    assert seat not in guest.get("/").text


def test_a_browser_forgets_if_it_is_told_to(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    guest, seat = table.guests[0], table.seats[0]
    assert seat in guest.get("/").text
    assert seat not in guest.post("/forget").text
    assert seat not in guest.get("/").text
    assert guest.get(seat).status_code == 200


def test_a_cookie_is_kept_from_scripts_and_stays_small(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    guest, seat = table.guests[0], table.seats[0]
    many = "~".join(f"{'k' * 31}{n:x}.5" for n in range(16))
    for odd in (many, "x" * 9000, "~.~..", '"', f"{'k' * 32}.{'9' * 99}"):
        guest.cookies.clear()
        answer = guest.get(seat, headers={"cookie": f"{COOKIE}={odd}"})
        (kept,) = (
            each
            for each in answer.headers.get_list("set-cookie")
            if each.startswith(COOKIE)
        )
        assert "HttpOnly" in kept
        assert "SameSite=strict" in kept
        assert kept.count("~") < MOST
        assert kept.startswith(f"{COOKIE}={seat[3:]}.")
        guest.cookies.clear()
        home = guest.get("/", headers={"cookie": f"{COOKIE}={odd}"})
        assert home.status_code == 200


def test_seats_have_the_colours_of_their_game_before_it_begins(tables: Served) -> None:
    host = tables.guest()
    page = host.post("/tables", data={"choice": "pachisi"}).text
    assert 'class="sign colour-' in page
    assert 'class="sign seat-' not in page
