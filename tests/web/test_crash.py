"""The server is killed while people play: no move that was acknowledged is lost.

What each player sent, and what was answered, is a history. Held against the record that
the database has afterwards: whatever was acknowledged stands there, at its place, once.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import httpx
import pytest
from tests.web.databases import Postgres, postgres
from tools.clicking import VERSION, Clickable

from houserule.base.source import Source
from houserule.play.seat.session import Sitting
from houserule.ui.web.store import TableLines, TableStore

BASE = 4  # the version of a table when its three seats are taken
PATIENCE = 30.0  # seconds for a server to be there; on an idle machine it is one


@contextmanager
def server(url: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """Let a server run; it is killed at the end of the block, if it was not before."""
    words = ["serve", "--port", str(port), "--database", url]
    words += ["--rate", "100000"]
    with subprocess.Popen(
        [sys.executable, "-m", "houserule", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and process.poll() is None:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/health")
                except httpx.TransportError:
                    time.sleep(0.05)
                else:
                    break
            yield process
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


@dataclass
class History:
    """What one player sent: the version it was for, and whether it was acknowledged."""

    seat: int
    address: str
    acknowledged: list[int] = field(default_factory=list)
    refused: int = 0


def guest(port: int) -> httpx.Client:
    address = f"http://127.0.0.1:{port}"
    headers = {"origin": address}
    return httpx.Client(base_url=address, headers=headers, follow_redirects=True)


def begin(port: int, choice: str, people: int) -> tuple[str, list[History]]:
    """Open a table with people; return the host's address and the seats'."""
    with guest(port) as browser:
        host = browser.post("/tables", data={"choice": choice}).url.path
        seats = []
        for seat in range(people):
            data = {"seat": str(seat), "name": f"Player {seat}"}
            seats.append(browser.post(f"{host}/sit", data=data).url.path)
        assert browser.post(f"{host}/begin").status_code == 200
    return host, [History(seat, address) for seat, address in enumerate(seats)]


def play(port: int, history: History, random: Random, stop: threading.Event) -> None:
    """Play a seat by clicks, some of them sent twice, until the server is gone."""
    try:
        with guest(port) as browser:
            while not stop.is_set():
                _play_one(browser, history, random)
    except httpx.TransportError:
        pass  # it was killed


def _play_one(browser: httpx.Client, history: History, random: Random) -> None:
    path: tuple[str, ...] = ()
    while True:
        part = browser.get(f"{history.address}/part", params={"path": list(path)}).text
        found = Clickable(part)
        ways = [link for link in found.links if len(link) > len(path)]
        if found.buttons and (not ways or random.random() < 0.5):
            break
        if not ways:
            time.sleep(0.005)
            return
        path = random.choice(ways)
    body = urlencode(random.choice(found.buttons))
    version = VERSION.search(part)
    assert version is not None
    for _ in range(random.choice((1, 1, 2))):
        answer = browser.post(
            f"{history.address}/choose",
            content=body,
            headers={
                "content-type": "application/x-www-form-urlencoded",
                "x-part": "1",
            },
        )
        if answer.status_code == 200:
            history.acknowledged.append(int(version[1]))
        else:
            history.refused += 1


def held_against(url: str, histories: list[History], base: int) -> int:
    """Hold what was acknowledged against the record; return how many moves stand."""
    store = TableStore(url)
    table = store.table(1)
    text = store.record(1, 1)
    lines = [json.loads(line) for line in text.splitlines()]
    moves = [line for line in lines if "do" in line]
    seats = [line["seat"] for line in moves]
    names = sorted({*seats})
    assert table.version == base + 1 + len(moves)  # beginning is one change, too
    for history in histories:
        assert len(set(history.acknowledged)) == len(history.acknowledged)
        for version in history.acknowledged:
            place = version - base - 1
            assert 0 <= place < len(moves), "an acknowledged move is lost"
            assert seats[place] in names
            assert re.search(rf"{history.seat + 1}$|^\w+$", seats[place])
    acknowledged = [v for each in histories for v in each.acknowledged]
    assert len(set(acknowledged)) == len(acknowledged), "a move was doubled"
    assert len(moves) - len(acknowledged) in {0, 1}  # one may have been under way
    source = Source("after", text)
    sitting = Sitting.go_on(source, TableLines(store, table, 1))
    assert len(sitting.made) == len(moves)
    store.close()
    return len(moves)


@contextmanager
def playing(
    port: int, choice: str, random: Random, amid: Callable[[], object]
) -> Iterator[list[History]]:
    """Let three play, do something amid it, and let them go on within the block."""
    _, histories = begin(port, choice, 3)
    stop = threading.Event()
    players = [
        threading.Thread(target=play, args=(port, each, Random(seed), stop))
        for seed, each in zip(random.sample(range(1000), 3), histories, strict=True)
    ]
    for player in players:
        player.start()
    try:
        time.sleep(random.uniform(0.2, 2.0))
        amid()
        yield histories
    finally:
        stop.set()
        for player in players:
            player.join(PATIENCE)


def all_see(port: int, histories: list[History], version: int) -> None:
    """Hold that every player is shown the table in a version."""
    with guest(port) as browser:
        for history in histories:
            answer = browser.get(f"{history.address}/part")
            assert answer.status_code == 200
            shown = VERSION.search(answer.text)
            assert shown is not None
            assert int(shown[1]) == version


def crash(url: str, port: int, seed: int, choice: str) -> int:
    """Play, kill the server amid it, and look; then all come back to what they saw."""
    with (
        server(url, port) as process,
        playing(port, choice, Random(seed), process.kill) as histories,
    ):
        pass
    moves = held_against(url, histories, BASE)
    with server(url, port):
        all_see(port, histories, BASE + 1 + moves)
    return moves


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


CHOICES = ("liars_dice?players=3", "x_pasch?players=3", "guild_street?players=3")


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(
    tmp_path: Path,
) -> None:
    assert crash(f"sqlite:///{tmp_path / 'tables.db'}", free_port(), 1, CHOICES[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 32))
def test_none_is_ever_lost(tmp_path: Path, seed: int) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    crash(url, free_port(), seed, CHOICES[seed % 3])


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    with postgres() as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40, 46))
def test_none_is_lost_with_postgresql(cluster: Postgres, seed: int) -> None:
    crash(cluster.new_database(), free_port(), seed, CHOICES[seed % 3])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50, 56))
def test_play_goes_on_when_the_database_falls(cluster: Postgres, seed: int) -> None:
    """The server lives on without it, refuses, and goes on when it is there again."""
    url, port = cluster.new_database(), free_port()

    def fall() -> None:
        cluster.kill()
        time.sleep(0.3)
        cluster.start()
        time.sleep(1.0)

    with server(url, port) as process:
        with playing(port, "x_pasch?players=3", Random(seed), fall) as histories:
            enough = sum(len(each.acknowledged) for each in histories) + 5
            deadline = time.monotonic() + PATIENCE
            while sum(len(each.acknowledged) for each in histories) < enough:
                assert time.monotonic() < deadline, "nobody can go on"
                time.sleep(0.05)
        assert process.poll() is None
        moves = held_against(url, histories, BASE)
        all_see(port, histories, BASE + 1 + moves)
