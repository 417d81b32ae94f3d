"""A client that lies: it is refused, nothing changes, and the server goes on."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from unittest.mock import patch

import httpx
import pytest
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.ui.web import guard
from houserule.ui.web.guard import HEADERS, Allowance

CHOICE = "liars_dice?players=3"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture(scope="module")
def table(server: Served) -> OpenTable:
    return open_table(server, CHOICE, ["Ann", "Bob", "Cy"])


@pytest.fixture(autouse=True)
def unchanged(request: pytest.FixtureRequest, table: OpenTable) -> Iterator[None]:
    """Whatever the lie was: nothing changed, and the next answer is as ever."""
    before = table.kept
    yield
    assert table.kept == before
    assert table.guests[0].get("/health").json()["status"] == "ok"


# ---- keys


@pytest.mark.parametrize(
    "address",
    [
        "/{role}/{key}",
        "/{role}/{key}/part",
        "/{role}/{key}/events",
    ],
)
@pytest.mark.parametrize("role", "hjsw")
def test_a_forged_key_opens_nothing(table: OpenTable, role: str, address: str) -> None:
    for key in ("x" * 32, "%00", "..%2f..%2fetc", "1", "a" * 3000):
        asked_for = address.format(role=role, key=key)
        assert table.guests[0].get(asked_for).status_code == 404
    assert table.guests[0].post(f"/{role}/{'x' * 32}/begin").status_code in {404, 405}


def test_a_key_opens_only_what_it_was_made_for(table: OpenTable) -> None:
    seat, host = table.seats[0][3:], table.host[3:]
    browser = table.guests[0]
    for address in (f"/h/{seat}", f"/j/{seat}", f"/w/{seat}", f"/s/{host}"):
        assert browser.get(address).status_code == 404
    for deed in ("begin", "bot", "free", "sit"):
        given = {"seat": "1", "kind": "greedy"}
        assert browser.post(f"/h/{seat}/{deed}", data=given).status_code == 404
    watcher = table.link("watch")
    for deed in ("choose", "undo", "rematch"):
        answer = browser.post(f"/s/{watcher[3:]}/{deed}", data={"version": "1"})
        assert answer.status_code == 404


# ---- moves


def test_a_move_of_another_seat_is_refused(table: OpenTable) -> None:
    path, seat = table.a_move(), table.asked
    for other in {0, 1, 2} - {seat}:
        assert table.post(other, "choose", path).status_code == 409


def test_a_stale_move_is_refused(table: OpenTable) -> None:
    path, seat = table.a_move(), table.asked
    now = table.version(seat)
    for number in (now - 1, now + 1, 0, -5, 10**15, 10**40):
        answer = table.post(seat, "choose", path, version=str(number))
        assert answer.status_code == 409
        assert "look again" in answer.text
    for version in ("", "x", "\uff11", "1e3", "0x10"):
        assert table.post(seat, "choose", path, version=version).status_code == 409


@pytest.mark.parametrize(
    "path",
    [
        [],
        ["no_such"],
        ["__class__"],
        ["bid", "bid"],
        ["="],
        ["bid quantity=99999999999999999999 face=1"],
        ["bid", "quantity=-1"],
        ["a" * 5000],
        ["\x00"],
        ["'; drop table game_table; --"],
    ],
)
def test_a_choice_that_is_none_is_refused(table: OpenTable, path: list[str]) -> None:
    assert table.post(table.asked, "choose", path).status_code == 422


def test_what_may_not_be_taken_back_is_refused(table: OpenTable) -> None:
    for what in ("undo", "restart", "agree", "refuse", "rematch", "ask-undo"):
        assert table.post(table.asked, what).status_code == 409
    assert table.post(0, "no-such-deed").status_code == 404


def test_a_move_is_made_once_however_often_it_is_sent(server: Served) -> None:
    table = open_table(server, "nim", ["Ann", "Bob"])
    path, seat = table.a_move(), table.asked
    version = str(table.version(seat))
    first = table.post(seat, "choose", path, version=version)
    assert first.status_code == 200
    after = table.kept
    for _ in range(3):
        again = table.post(seat, "choose", path, version=version)
        assert again.status_code == 409
    assert table.kept == after


def test_the_record_is_given_when_the_game_is_over(table: OpenTable) -> None:
    """It tells the seed, and so every secret."""
    for address in (table.seats[0], table.link("watch")):
        assert table.guests[0].get(f"{address}/record").status_code == 403


# ---- who sends


LIES: Mapping[str, Mapping[str, str]] = {
    "another site": {"origin": "https://evil.example"},
    "another port": {"origin": "http://127.0.0.1:1"},
    "no site at all": {"origin": "null"},
    "a site that looks alike": {"origin": "http://127.0.0.1.evil.example"},
    "a browser says so": {"sec-fetch-site": "cross-site"},
    "another origin on the same site": {
        "origin": "https://evil.example",
        "sec-fetch-site": "same-origin",
    },
    "a sibling": {"sec-fetch-site": "same-site"},
    "a typed address": {"sec-fetch-site": "none"},
}


@pytest.mark.parametrize("lie", LIES)
def test_only_our_own_pages_may_post(table: OpenTable, lie: str) -> None:
    browser, seat = table.guests[0], table.seats[0]
    answer = browser.post(f"{seat}/undo", data={"version": "1"}, headers=LIES[lie])
    assert answer.status_code == 403
    assert browser.post("/tables", headers=LIES[lie]).status_code == 403


def test_forms_of_our_pages_have_no_origin(server: Served) -> None:
    """Pages tell no site where they were, so browsers send `null`."""
    headers = {"origin": "null", "sec-fetch-site": "same-origin"}
    answer = server.guest().post("/tables", data={"choice": "nim"}, headers=headers)
    assert answer.status_code == 200


def test_a_post_that_does_not_say_where_it_comes_from_is_refused(
    table: OpenTable,
) -> None:
    with httpx.Client(base_url=table.served.address) as bare:
        assert bare.post(f"{table.seats[0]}/undo").status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "", "127.0.0.1.evil.example", "[::]"])
def test_a_server_that_is_called_otherwise_does_not_answer(
    table: OpenTable, host: str
) -> None:
    """Else a page of another site could have its own name lead here."""
    answer = table.guests[0].get("/", headers={"host": host})
    assert answer.status_code in {400, 421}


def test_other_methods_are_refused(table: OpenTable) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        answer = table.guests[0].request(method, table.seats[0])
        assert answer.status_code == 405


# ---- bodies


def test_a_body_that_is_too_large_is_refused(table: OpenTable) -> None:
    browser, seat = table.guests[0], table.seats[0]
    for size in (guard.FORM + 1, guard.UPLOAD + 1):
        answer = browser.post(f"{seat}/choose", content=b"a=" + b"x" * size)
        assert answer.status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 10_000

    assert browser.post(f"{seat}/choose", content=chunks()).status_code == 413


@pytest.mark.parametrize(
    "body", [b"\xff\xfe=1", b"&" * 3000 + b"a=b&" * 300, b"version=%ff%fe&path=%00"]
)
def test_a_broken_body_is_refused(table: OpenTable, body: bytes) -> None:
    answer = table.guests[0].post(f"{table.seats[0]}/choose", content=body)
    assert answer.status_code in {400, 409}


def test_a_body_that_does_not_come_is_not_waited_for(table: OpenTable) -> None:
    head = (
        f"POST {table.seats[0]}/choose HTTP/1.1\r\nHost: {table.served.netloc}\r\n"
        f"Origin: {table.served.address}\r\nContent-Length: 400\r\n\r\nversion="
    )
    host, _, port = table.served.netloc.partition(":")
    with (
        patch.object(guard, "PATIENCE", 0.3),
        socket.create_connection((host, int(port)), timeout=5) as raw,
    ):
        raw.sendall(head.encode())
        assert b" 413 " in raw.recv(200)


def test_what_is_no_http_is_refused(table: OpenTable) -> None:
    host, _, port = table.served.netloc.partition(":")
    for noise in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nA" * 9):
        with socket.create_connection((host, int(port)), timeout=5) as raw:
            raw.sendall(noise + b"\r\n\r\n")
            assert b" 400 " in raw.recv(200)


def test_headers_that_never_end_are_refused(table: OpenTable) -> None:
    host, _, port = table.served.netloc.partition(":")
    with socket.create_connection((host, int(port)), timeout=5) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nx: " + b"y" * 100_000)
        assert b" 400 " in raw.recv(200)


# ---- sitting down


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\u202eb", "a\x00b", "greedy"])
def test_a_name_that_will_not_do_is_refused(server: Served, name: str) -> None:
    host = server.guest()
    page = host.post("/tables", data={"choice": "nim"})
    table = OpenTable(server, page.url.path, host)
    invite, before = table.link("invite"), table.kept
    answer = host.post(invite, data={"seat": "0", "name": name})
    assert answer.url.path.startswith("/j/")
    assert table.kept == before
    for seat in ("9", "-1", "x", ""):
        answer = host.post(invite, data={"seat": seat, "name": "Ann"})
        assert answer.status_code == 404


def test_a_link_puts_no_words_into_a_page(table: OpenTable) -> None:
    for notice in ("!Pay here", "Pay here", "free"):
        for page in (table.host, table.link("invite"), table.seats[0]):
            answer = table.guests[0].get(page, params={"notice": notice})
            assert answer.status_code == 200
            assert "Pay here" not in answer.text
            assert 'role="alert"' not in answer.text


def test_a_taken_seat_cannot_be_taken(table: OpenTable) -> None:
    invite = table.link("invite")
    for name in ("Dora", "Ann", "ANN"):
        answer = table.guests[0].post(invite, data={"seat": "0", "name": name})
        assert "already" in answer.text


@pytest.mark.parametrize(
    "choice",
    [
        "",
        "no_such_game",
        "nim?with=x",
        "../etc",
        "nim?players=999",
        "x" * 9000,
        "nim?players=99999999999999999999999",
    ],
)
def test_a_table_that_cannot_be_is_refused(table: OpenTable, choice: str) -> None:
    answer = table.guests[0].post("/tables", data={"choice": choice})
    assert answer.status_code == 422
    assert "Traceback" not in answer.text


# ---- what every answer has


def test_every_answer_has_the_headers_that_protect(table: OpenTable) -> None:
    browser = table.guests[0]
    answers = [
        browser.get(table.seats[0]),
        browser.get("/nowhere"),
        browser.get("/", headers={"host": "evil.example"}),
        browser.get("/health"),
        browser.post("/tables", headers={"origin": "null"}),
    ]
    for answer in answers:
        for name, value in HEADERS:
            assert answer.headers[name.decode()] == value.decode()
    assert answers[0].headers["cache-control"] == "no-store"
    for cookie in answers[0].headers.get_list("set-cookie"):
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie


@pytest.mark.parametrize(
    "address",
    [
        "/static/x/base.css",
        "/static/x/../server.py",
        "/static/%2e%2e/server.py",
        "/static/x/..%2fserver.py",
        "/static//etc/passwd",
    ],
)
def test_only_files_for_pages_are_given(table: OpenTable, address: str) -> None:
    assert table.guests[0].get(address).status_code == 404


def test_who_asks_too_often_waits() -> None:
    now = 0.0
    allowance = Allowance(2, 12, lambda: now)
    assert [allowance.take("a") for _ in range(13)] == [True] * 12 + [False]
    assert allowance.take("b")
    now = 1.0
    assert [allowance.take("a") for _ in range(3)] == [True, True, False]
    now = 1000.0
    assert [allowance.take("a") for _ in range(13)] == [True] * 12 + [False]


def test_addresses_that_are_remembered_are_bounded() -> None:
    allowance = Allowance(1, 6, lambda: 0.0)
    with patch.object(guard, "KNOWN", 100):
        for number in range(1000):
            assert allowance.take(str(number))
    assert len(allowance._left) == 100
