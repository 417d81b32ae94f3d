"""Notices reach a player without an open page, and nothing else."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tests.web.own.test_going_on import own_table
from tests.web.serving import open_table, served
from tests.web.test_people import decide

from houserule.ui.web.notices import MOST, NoticeError, Notices

SITE = "https://games.example"


class Inbox(HTTPServer):
    """A server that keeps what is posted to it."""

    def __init__(self, status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), Post)
        self.status, self.got = status, list[tuple[str, str, str]]()

    @property
    def name(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class Post(BaseHTTPRequestHandler):
    server: Inbox

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.got.append((self.path, self.headers["Content-Type"], body))
        self.send_response(self.server.status)
        self.send_header("Location", f"http://{self.server.name}/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def inbox(status: int = 200) -> Iterator[Inbox]:
    with Inbox(status) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_player_without_a_page_reads_that_it_is_their_turn(tmp_path: Path) -> None:
    with inbox() as box:
        notices = Notices([box.name], SITE, patience=0.1)
        with served(tmp_path, notices=notices) as tables:
            table = open_table(tables, "nim", ["Ann", "Bob"])
            first = 0 if "data-turn" in table.part(0) else 1
            other = table.seats[1 - first]
            address = f"http://{box.name}/ann?about=turn"
            said = tables.guest().post(f"{other}/notices", data={"address": address})
            assert "A test was sent" in said.text
            ((path, kind, test),) = box.got
            assert (path, kind) == ("/ann?about=turn", "text/plain; charset=utf-8")
            assert SITE in test
            live = tables.server.tables._live[table.id]
            live.looked.clear()  # no page is open
            decide(table, table.seats[first], first)
            live.looked.clear()
            for _ in range(100):
                if len(box.got) == 2:
                    break
                time.sleep(0.05)
            assert box.got[1][2] == f"It is your turn: Nim for 2. {SITE}"
            every = [key.rpartition("/")[2] for key in table.seats]
            assert not any(key in body for key in every for _, _, body in box.got)
            assert address not in table.part(first)


def test_the_server_sends_the_notices_of_rules_that_players_brought(
    tmp_path: Path,
) -> None:
    with inbox() as box:
        notices = Notices([box.name], SITE, patience=0.5)
        with served(tmp_path, notices=notices) as tables:
            table = own_table(tables, ["Ann", "Bob"])
            first = 0 if "your turn" in table.part(0) else 1
            assert f"{table.seats[first]}/notices" in table.part(first)
            address = f"http://{box.name}/ann"
            at, data = f"{table.seats[first]}/notices", {"address": address}
            assert "A test was sent" in tables.guest().post(at, data=data).text
            assert len(box.got) == 1
            time.sleep(1)
            assert len(box.got) == 1, "the player has a page open"
            workers = tables.server._own.workers
            for game in [*workers._workers]:  # the next process has seen no page
                workers.end(game)
            tables.server.tables._looked.clear()
            tables.server.tables._called.clear()  # call the player once more
            other = 1 - first
            assert f"{table.seats[other]}/notices" in table.part(other)
            for _ in range(200):
                if len(box.got) == 2:
                    break
                time.sleep(0.05)
            line = f"It is your turn: Pig · Rules of your own. {SITE}"
            assert [body for _, _, body in box.got[1:]] == [line]
            every = [key.rpartition("/")[2] for key in table.seats]
            assert not any(key in body for key in every for _, _, body in box.got)
            assert address in tables.guest().get(at).text
            assert tables.guest().post(at, data={"address": ""}).status_code == 200
            assert address not in tables.guest().get(at).text


def test_a_server_without_notices_has_no_page_for_them(tmp_path: Path) -> None:
    with served(tmp_path) as tables:
        table = open_table(tables, "nim", ["Ann", "Bob"])
        assert tables.guest().get(f"{table.seats[0]}/notices").status_code == 405
        assert "/notices" not in table.part(0)


@pytest.mark.parametrize(
    ("places", "address", "why"),
    [
        ([], "https://ntfy.sh/x", "notices_where"),
        (["ntfy.sh"], "https://ntfy.sh.example/x", "notices_where"),
        (["ntfy.sh"], "https://name@ntfy.sh/x", "notices_wrong"),
        (["ntfy.sh"], "https://ntfy.sh/x\r\nHost:y", "notices_wrong"),
        (["ntfy.sh"], "file:///etc/passwd", "notices_wrong"),
        (["ntfy.sh:443"], "http://ntfy.sh:80/x", "notices_where"),
        (["ntfy.sh:443"], "http://ntfy.sh/x", "notices_where"),
        (["ntfy.sh"], "http://ntfy.sh:6379/x", "notices_where"),
        (["ntfy.sh"], "http://ntfy.sh:443/x", "notices_where"),
        (["ntfy.sh"], "https://ntfy.sh:0/x", "notices_where"),
        (["public"], "http://ntfy.sh/x", "notices_where"),
        (["public"], "https://ntfy.sh:8443/x", "notices_where"),
        (["public"], "https://127.0.0.1/x", "notices_where"),
        (["public"], "https://[::1]/x", "notices_where"),
        (["public"], "https://[::ffff:10.0.0.1]/x", "notices_where"),
        (["public"], "https://169.254.169.254/x", "notices_where"),
        (["public"], "https://10.1.2.3/x", "notices_where"),
    ],
)
def test_no_notice_goes_where_the_host_does_not_want_it(
    places: list[str], address: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("called"))
    with pytest.raises(NoticeError, match=why):
        Notices(places).send(1, address, "text")


def test_a_name_of_an_inner_address_gets_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = [(2, 1, 6, "", (each, 443)) for each in ("93.184.216.34", "192.168.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: inner)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("called"))
    with pytest.raises(NoticeError, match="notices_where"):
        Notices(["public"]).send(1, "https://games.example/x", "text")


def test_a_refused_or_redirected_notice_is_reported_and_not_followed() -> None:
    for status in (302, 500):
        with inbox(status) as box:
            with pytest.raises(NoticeError, match="notices_lost"):
                Notices([box.name]).send(1, f"http://{box.name}/x", "text")
            assert [path for path, *_ in box.got] == ["/x"]


def test_a_table_sends_a_limited_number_of_notices() -> None:
    with inbox() as box:
        notices = Notices([box.name])
        for _ in range(MOST):
            notices.send(1, f"http://{box.name}/x", "text")
        with pytest.raises(NoticeError, match="notices_many"):
            notices.send(1, f"http://{box.name}/x", "text")
        notices.send(2, f"http://{box.name}/x", "text")
        assert len(box.got) == MOST + 1
