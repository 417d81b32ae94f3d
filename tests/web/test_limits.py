"""Limits of the server: for an address, for a table, in time; and what it refuses."""

# ruff: noqa: RUF001  # names that look alike
from __future__ import annotations

import logging
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from starlette.routing import Route
from tests.web.serving import UNLIMITED, OpenTable, Served, open_table, served

from houserule.ui.web import running
from houserule.ui.web.guard import AddressLimits

HEADS = {
    "nothing": b"",
    "a line": b"GET /health HTTP/1.1\r\n",
    "no end": b"GET /health HTTP/1.1\r\nhost: localhost\r\nx-a: ",
    "no body": b"POST /forget HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture(scope="module")
def table(server: Served) -> OpenTable:
    return open_table(server, "pig?players=2", ["Ann", "Bob"])


# ---- every address, whatever is asked

VALUES = ("", "x", "-1", "²", "9" * 30, "\0", "pig", "take", "0")
NAMES = (
    *("why", "hint", "log", "path", "first", "about", "notice", "lang", "invite"),
    *("watch", "seat", "heir", "game", "at", "edit", "choice", "with", "name"),
)
ALONE = [{name: ""} for name in NAMES]
QUERIES: list[dict[str, Any]] = [
    *({name: value for name in NAMES} for value in VALUES),
    {"why": "1", "hint": "1"},
    {"why": "", "path": ["", ""]},
]


def addresses(table: OpenTable) -> list[str]:
    """Return one address of every route for GET but streams, with keys that open."""
    live = table.served.server.tables._live[table.id]
    keys = {
        "h": table.host,
        "s": table.seats[table.asked],
        "w": table.watcher,
        "j": table.link("invite"),
        "t": f"/t/{live.key('heir', 0)}",
    }
    found = []
    for route in table.served.server.within.routes:  # type: ignore[attr-defined]
        assert isinstance(route, Route)
        if "GET" not in (route.methods or ()) or route.path.endswith("/events"):
            continue
        key = keys.get(route.path[1:2], "x/x").rpartition("/")[2]
        at = route.path.replace("{key}", key)
        for part in route.param_convertors:
            at = at.replace(f"{{{part}}}", "pig")
        found.append(at)
    return found


def test_no_query_breaks_an_address(table: OpenTable) -> None:
    browser = table.guests[table.asked]
    for address in addresses(table):
        at_table = address[2:3] == "/"  # a menu takes longer
        for query in (*QUERIES, *ALONE) if at_table else QUERIES[:3]:
            answer = browser.get(address, params=query)
            assert answer.status_code != 500, (address, query)


# ---- requests that do not end


@pytest.mark.parametrize("head", HEADS)
def test_a_request_that_does_not_end_is_closed(tmp_path: Path, head: str) -> None:
    with (
        patch.object(running, "HEAD", 0.5),
        patch.object(running, "BODY", 0.5),
        served(tmp_path) as found,
        ExitStack() as stack,
    ):
        port = int(found.netloc.rpartition(":")[2])
        halves = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            for _ in range(30)
        ]
        for half in halves:
            half.sendall(HEADS[head])
        assert found.guest().get("/health").status_code == 200
        begun = time.monotonic()
        for half in halves:
            try:
                while half.recv(4096):
                    pass
            except ConnectionResetError:
                pass
        assert time.monotonic() - begun < 8


def test_an_address_has_a_limit_of_connections(tmp_path: Path) -> None:
    limits = AddressLimits(100_000, 5, 24, 60)
    with served(tmp_path, limits=limits) as found, ExitStack() as stack:
        port = int(found.netloc.rpartition(":")[2])
        made = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 2))
            for _ in range(8)
        ]
        closed = 0
        for each in made:
            each.settimeout(0.3)
            try:
                closed += not each.recv(1)
            except ConnectionResetError:
                closed += 1
            except TimeoutError:
                continue
        assert closed == 3


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
    ],
)
def test_which_addresses_count_as_one(
    tmp_path: Path, one: str, other: str, same: bool
) -> None:
    limits = AddressLimits(1e5, 1000, 24, 1)
    with served(tmp_path, limits=limits, proxy=True) as found:
        statuses = [
            found.guest()
            .post(
                "/tables",
                data={"choice": "pig?players=2"},
                headers={"x-forwarded-for": address, "x-forwarded-proto": "http"},
            )
            .status_code
            for address in (one, other)
        ]
    assert statuses == [200, 429 if same else 200]


def test_without_a_proxy_a_header_names_no_address(tmp_path: Path) -> None:
    limits = AddressLimits(1e5, 1000, 24, 1)
    with served(tmp_path, limits=limits) as found:
        statuses = [
            found.guest()
            .post(
                "/tables",
                data={"choice": "pig?players=2"},
                headers={"x-forwarded-for": f"192.0.2.{number}"},
            )
            .status_code
            for number in range(2)
        ]
    assert statuses == [200, 429]


# ---- streams and new tables


@pytest.mark.parametrize(
    ("limits", "most"), [(AddressLimits(1e5, 1000, 7, 60), 7), (UNLIMITED, 60)]
)
def test_invented_cookies_open_no_more_streams(
    tmp_path: Path, limits: AddressLimits, most: int
) -> None:
    with served(tmp_path, limits=limits) as found, ExitStack() as stack:
        watcher = open_table(found, "pig?players=2", ["Ann", "Bob"]).watcher
        statuses = []
        for number in range(most + 5):
            client = stack.enter_context(httpx.Client(verify=False))
            answer = stack.enter_context(
                client.stream(
                    "GET",
                    f"{found.address}{watcher}/events",
                    headers={"cookie": f"browser=x{number}"},
                )
            )
            statuses.append(answer.status_code)
        assert statuses == [200] * most + [204] * 5
        assert found.guest().get(watcher).status_code == 200


def test_an_address_has_a_limit_of_new_tables(tmp_path: Path) -> None:
    with served(tmp_path, limits=AddressLimits(1e5, 1000, 24, 2)) as found:
        choice = {"choice": "pig?players=2"}
        answers = [found.guest().post("/tables", data=choice) for _ in range(4)]
        assert [each.status_code for each in answers] == [200, 200, 429, 429]
        assert "many tables" in answers[-1].text
        assert found.store.count() == 2


# ---- https

PROXIED = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7"}


@pytest.mark.parametrize("proxy", [True, False])
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_cookies_are_secure_where_the_browser_uses_https(
    tmp_path: Path, proxy: bool, scheme: str
) -> None:
    with served(tmp_path, proxy=proxy) as found:
        table = open_table(found, "pig?players=2", ["Ann", "Bob"])
        headers = PROXIED | {"x-forwarded-proto": scheme}
        for address in (table.host, table.seats[0]):
            answer = httpx.get(f"{found.address}{address}", headers=headers)
            cookies = answer.headers.get_list("set-cookie")
            assert cookies
            safe = proxy and scheme == "https"
            assert all(("; Secure" in each) == safe for each in cookies)
            assert ("strict-transport-security" in answer.headers) == safe


# ---- the write path


def test_health_says_that_nothing_can_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tmp_path) as found:
        browser = found.guest()
        assert browser.get("/health").status_code == 200
        engine = found.store._engine
        failure = OperationalError("", {}, Exception("disk is full"))
        found.store._written = float("-inf")
        with patch.object(engine, "begin", side_effect=failure):
            assert browser.get("/health").status_code == 503
            assert browser.get("/").status_code == 200
        (failed,) = [each for each in caplog.records if each.levelname == "ERROR"]
        assert "written: disk is full" in failed.message
        assert failed.exc_info is None  # many such lines would fill the disk
        found.store._failed = float("-inf")
        assert browser.get("/health").status_code == 200
        found.store._written = float("-inf")
        full = SimpleNamespace(free=0)  # a small write may still find unused pages
        with patch.object(shutil, "disk_usage", return_value=full):
            assert browser.get("/health").status_code == 503


def test_the_log_of_a_broken_request_is_a_line_of_the_servers_log(
    server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    address = urlsplit(server.address)
    with (
        caplog.at_level("WARNING"),
        socket.create_connection((address.hostname or "", address.port or 0), 5) as to,
    ):
        to.sendall(b"no request\r\n\r\n")
        assert b"400" in to.recv(100)
    (record,) = [each for each in caplog.records if each.levelname == "WARNING"]
    assert record.message == "Invalid HTTP request received."
    names = record.name.split(".")
    above = [".".join(names[: n + 1]) for n in range(len(names))]
    assert all(logging.getLogger(each).propagate for each in above)


# ---- names

TAKEN, BOT = "one that looks like it", "looks like a bot"
MIXED, NONE = "letters of one alphabet", "Enter your name"
WORD, UNSEEN = "already that of a seat", "nobody can see"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Аnn", MIXED),
        ("Αnn", MIXED),
        ("Ꭺnn", MIXED),
        ("Օla", MIXED),
        ("Ann\u3164", TAKEN),
        ("Ann\ufe0f", TAKEN),
        ("\u3164", NONE),
        ("\u2800", NONE),
        ("A nn", TAKEN),
        ("Ann.", TAKEN),
        ("ANN", TAKEN),
        ("ann", TAKEN),
        ("Ａnn", TAKEN),
        ("Fair 2", BOT),
        ("fair 2", BOT),
        ("Fаir 2", MIXED),
        ("greedy", BOT),
        ("gReedy", BOT),
        ("Fair", BOT),
        ("ＳＴＲＯＮＧ", BOT),
        ("Mittel 3", BOT),
        ("Rаndоm 1", MIXED),
        ("Searcher 1", BOT),
        ("p1", WORD),
        ("P 1", WORD),
        ("\u0251nn", TAKEN),
        ("An\u200bn", UNSEEN),
        ("An\u202en", UNSEEN),
        ("👨\u200d👩\u200d👧", UNSEEN),
        ("n" * 41, NONE),
        ("Fa\u0131r 2", BOT),
        ("Everybody", WORD),
        ("Nobody", WORD),
        ("Host", WORD),
        ("Seat 1", WORD),
        ("Platz 2", WORD),
        ("Anna", ""),
        ("p2", ""),
        ("Hosta", ""),
        ("Анна", ""),
        ("Fairuz", ""),
        ("Stark", ""),
        ("山田あかり", ""),
        ("ʻAna", ""),
        ("Ann-Sofie O’Neil ❤️", ""),
        ("Bob 2", ""),
    ],
)
def test_names_that_can_be_confused_are_refused(
    server: Served, name: str, said: str
) -> None:
    host = server.guest()
    page = host.post("/tables", data={"choice": "pig?players=2"}).url.path
    host.post(f"{page}/sit", data={"seat": "0", "name": "Ann"})
    answer = host.post(f"{page}/sit", data={"seat": "1", "name": name})
    if said:
        assert said in answer.text
    else:
        assert answer.url.path.startswith("/s/")
