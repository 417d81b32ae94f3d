"""Tables with rules of one's own: in lists, after a new start, and from records."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.web.own.texts import EIGHT_LINES
from tests.web.serving import OpenTable, Served, open_table, served

import houserule
from houserule.base.isolation import Answering
from houserule.ui.web.answers import yours
from houserule.ui.web.own import serving, workers
from houserule.ui.web.own.rules_store import OwnTexts, digest_of

if TYPE_CHECKING:
    import httpx

RULE = f"pig?own={digest_of(EIGHT_LINES)}&with=patient"
FAR = 600.0  # seconds between decisions of bots: none is made in a test
LONG = 20.0  # seconds in which a process starts on a machine that is busy


def own_table(server: Served, people: list[str]) -> OpenTable:
    OwnTexts(server.store).keep(EIGHT_LINES)
    return open_table(server, RULE, people)


def kept_by(guest: httpx.Client) -> str:
    """Return the cookie by which a browser finds back to its seats."""
    return f"{yours.COOKIE}={guest.cookies[yours.COOKIE]}"


def test_ones_tables_have_those_with_rules_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "SOON", LONG)
    with served(tmp_path) as server:
        table = own_table(server, ["Ann", "Bob"])
        homes = [unescape(guest.get("/").text) for guest in table.guests]
        assert all("Pig for 2, with Patience" in home for home in homes)
        assert sorted("Your turn" in home for home in homes) == [False, True]
        first = 0 if "Your turn" in homes[0] else 1
        cookies = [kept_by(guest) for guest in table.guests]
    with served(tmp_path) as server:  # which nobody has told anything yet
        for seat, cookie in enumerate(cookies):
            home = server.guest().get("/", headers={"cookie": cookie}).text
            assert table.seats[seat] in home
            assert ("Your turn" in home) == (seat == first)


def test_a_list_of_tables_waits_for_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path) as server:
        cookie = kept_by(own_table(server, ["Ann", "Bob"]).guests[0])
    monkeypatch.setattr(serving, "SOON", 0.05)
    with served(tmp_path) as server:
        home = server.guest("de").get("/", headers={"cookie": cookie}).text
        assert "Im Gange" in home
        assert "Eigene Regeln" in home
        assert "you are Ann" in server.guest().get("/", headers={"cookie": cookie}).text
    with served(tmp_path, own=False) as server:
        home = server.guest().get("/", headers={"cookie": cookie}).text
        assert "Ann" not in home


def test_bots_play_on_after_a_new_start_though_nobody_looks(tmp_path: Path) -> None:
    with served(tmp_path, pause=FAR) as server:
        table = own_table(server, ["Ann"])
        hold_on(table)
        before = server.store.table(table.id).version
    with served(tmp_path) as server:
        until = time.monotonic() + LONG
        while server.store.table(table.id).version == before:
            assert time.monotonic() < until, "no bot plays on"
            time.sleep(0.05)


def hold_on(table: OpenTable) -> None:
    """Decide for the one person until a bot is asked."""
    for _ in range(60):
        if " data-turn" not in table.part(0):
            return
        held = table.post(0, "choose", ["hold"]).status_code == 200
        if not held:
            table.post(0, "choose", ["throw"])
    raise AssertionError("it is always the person's turn")


def test_what_takes_too_much_keeps_no_other_table_from_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, pause=FAR) as server:
        tables = [own_table(server, ["Ann"]) for _ in range(2)]
        for table in tables:
            hold_on(table)
        before = [server.store.table(table.id).version for table in tables]
        asked = killed_at_first(monkeypatch)
    with served(tmp_path) as server:
        until = time.monotonic() + LONG
        while server.store.table(tables[0].id).version == before[0]:
            assert time.monotonic() < until, "no bot plays on"
            time.sleep(0.05)
    assert asked


def killed_at_first(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Let the first process that is asked end without an answer."""
    started: list[object] = []

    def start(*said: object) -> Answering:
        found = Answering(*said)  # type: ignore[arg-type]
        if not started:
            found.end()
        started.append(found)
        return found

    monkeypatch.setattr(workers, "Answering", start)
    return started


# ---- records that bring rules of their own


def record_with(tmp_path: Path, text: str, moves: int) -> str:
    """Return a record of a game with a rule of one's own, as `play` writes it."""
    file = tmp_path / "ours.rules"
    file.write_text(text, "utf-8")
    game = houserule.load("pig", rules=[file])
    file = tmp_path / "game.jsonl"
    with game.table(with_=["patient"], players=2).sit("Ann,greedy", file=file) as it:
        while it.decision is not None and len(it.made) < moves:
            it.choose(it.decision.seat, it.hint(it.decision.seat))
    return file.read_text("utf-8")


def bring(guest: httpx.Client, text: str) -> httpx.Response:
    return guest.post("/records", files={"file": ("game.jsonl", text)}, timeout=120)


def test_a_record_with_rules_of_its_own_goes_on_by_them(tmp_path: Path) -> None:
    record = record_with(tmp_path, EIGHT_LINES, 3)
    assert json.loads(record.split("\n")[0])["own"]["rules"]
    with served(tmp_path, pause=FAR) as server, server.guest() as guest:
        answer = bring(guest, record)
        assert answer.status_code == 200, answer.text
        assert "with Patience" in answer.text
        host = answer.url.path
        seat = guest.post(f"{host}/sit", data={"seat": "0", "name": "Cleo"})
        assert "Cleo plays on for Ann." in seat.text
        assert "Patience" in guest.get(f"{seat.url.path}/rules").text
        opened = server.store.opened_by(host.rpartition("/")[2])
        assert opened is not None
        kept = server.store.table(opened.table).choice
        assert f"own={digest_of(EIGHT_LINES)}" in kept
        assert server.store.record(opened.table, 1).startswith(record)
        assert not server.server.tables._live, "the server itself plays none of it"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text, "this server does not allow any"),
        (lambda text: text.replace("pig", "hog"), "record cannot be played here"),
    ],
)
def test_a_server_that_plays_no_rules_of_peoples_own_takes_none(
    tmp_path: Path, change: Callable[[str], str], says: str
) -> None:
    record = change(record_with(tmp_path, EIGHT_LINES, 1))
    with served(tmp_path, own=False) as server, server.guest() as guest:
        answer = bring(guest, record)
        assert answer.status_code == 422
        assert says in unescape(answer.text)
        assert server.store.count() == 0


def test_rules_in_a_record_are_looked_at_as_if_they_were_brought(
    tmp_path: Path,
) -> None:
    """They play at their own table, and break another house rule of the game."""
    clash = EIGHT_LINES.replace("---", "option least_hold: 1..3 normally 2\n---")
    record = record_with(tmp_path, clash, 1)
    with served(tmp_path) as server, server.guest() as guest:
        answer = bring(guest, record)
        assert answer.status_code == 422, answer.text
        assert "have errors, or conflict" in answer.text
        assert "least_hold" in answer.text
        assert server.store.count() == 0
