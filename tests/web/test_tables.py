"""When the store fails, a table goes on from what is kept."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.ui.web.database.connection import StoreError
from houserule.ui.web.passes import Pass
from houserule.ui.web.running import listening_at
from houserule.ui.web.store import DAY, TableLines, TableStore, now

PATIENCE = 30.0


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as found:
        yield found


def decide(table: OpenTable) -> int:
    """Make a choice of whoever is asked; return the status of the answer."""
    return table.post(table.asked, "choose", table.a_move()).status_code


def wait_for_ann(table: OpenTable) -> None:
    """Wait until the bot has played."""
    until = time.monotonic() + PATIENCE
    while "data-turn" not in table.part(0):
        assert time.monotonic() < until, "the bot does not play"
        time.sleep(0.01)


def test_a_table_goes_on_after_another_server_changed_it(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    tables.store.change(tables.store.table(table.id))
    assert decide(table) == 503
    assert table.part(0)
    assert decide(table) == 200


def test_bots_go_on_when_the_store_is_there_again(
    tables: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = open_table(tables, "nim", ["Ann"])
    wait_for_ann(table)
    before = tables.store.record(table.id, 1)

    def fails(self: TableLines, line: str) -> None:
        if json.loads(line)["seat"] == "p2":
            raise StoreError("the disk is full")
        kept(self, line)

    kept = TableLines.append
    with monkeypatch.context() as broken, caplog.at_level(logging.WARNING):
        broken.setattr(TableLines, "append", fails)
        assert decide(table) == 200
        until = time.monotonic() + PATIENCE
        while "bots at table" not in caplog.text:
            assert time.monotonic() < until
            time.sleep(0.01)
    # The bot's move that could not be kept may still be there when the fault is told.
    kept_by_then = len(before.splitlines()) + 2
    until = time.monotonic() + PATIENCE
    while len(tables.store.record(table.id, 1).splitlines()) < kept_by_then:
        assert time.monotonic() < until, "the bot does not play again"
        assert table.part(0)
        time.sleep(0.01)
    wait_for_ann(table)
    assert len(tables.store.record(table.id, 1).splitlines()) == kept_by_then


def test_who_follows_the_link_at_once_is_waited_for() -> None:
    """It is told before the server has begun to answer."""
    with listening_at("127.0.0.1", 0) as made:
        socket.create_connection(made.getsockname(), timeout=1).close()


FAR = 1000.0  # seconds between decisions of bots: none is made


def left(folder: Path) -> tuple[int, int, int]:
    """Leave tables: a bot is asked at the first and the last, a person in between."""
    with served(folder, pause=FAR) as tables:
        found = []
        for people in (["Ann"], ["Ann", "Bob"], ["Ann"]):
            table = open_table(tables, "nim", people)
            if len(people) == 1:
                assert table.asked == 0
                assert decide(table) == 200
            found.append(table.id)
    first, second, third = found
    return first, second, third


def eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_start_loads_the_tables_at_which_a_bot_is_due(tmp_path: Path) -> None:
    first, second, third = left(tmp_path)
    with served(tmp_path, pause=FAR) as tables:
        assert tables.store.bots_due() == (third, first)
        eventually(lambda: {first, third} <= tables.server.tables._live.keys())
        assert second not in tables.server.tables._live
    with served(tmp_path) as tables:
        eventually(lambda: tables.store.bots_due() == ())


def test_bots_alone_do_not_keep_a_table_loaded(tmp_path: Path) -> None:
    first, _, third = left(tmp_path)
    with served(tmp_path) as tables:
        live = tables.server.tables
        eventually(lambda: tables.store.bots_due() == () and not live._bots)
        live._forget()
        assert not {first, third} & live._live.keys()


def answered_early(tables: Served) -> tuple[OpenTable, int]:
    """Return a table where all but one answered a call for claims, and that one."""
    people = ["Ann", "Bob", "Cid", "Dora"]
    table = open_table(tables, "mau_mau?players=4&with=jump_in", people)
    live = tables.server.tables._live[table.id]
    assert live.sitting is not None
    while not live.sitting.game.claimed:
        assert decide(table) == 200
    asked = table.asked
    for seat in sorted({*range(4)} - {asked, live.sitting.made[-1].seat}):
        assert table.post(seat, "choose", ["done"]).status_code == 200
    assert {*tables.store.table(table.id).claims.values()} == {"done"}
    return table, asked


def test_an_answer_outlives_the_server_before_all_have_answered(tmp_path: Path) -> None:
    with served(tmp_path) as tables:
        table, asked = answered_early(tables)
        made = tables.store.record(table.id, 1).count('"do"')
        # Another person takes a seat, which reads the game again.
        heir = tables.server.tables._live[table.id].key("heir", asked)
        taken = tables.guest().post(f"/t/{heir}", data={"name": "Eva"})
        table.seats[asked] = taken.url.path
    with served(tmp_path) as tables:
        again = OpenTable(tables, table.host, tables.guest(), seats=table.seats)
        again.guests = [tables.guest() for _ in table.seats]
        assert {n for n in range(4) if "data-turn" in again.part(n)} == {asked}
        assert again.post(asked, "choose", ["done"]).status_code == 200
        assert tables.store.record(table.id, 1).count('"do"') == made + 3
        assert tables.store.table(table.id).claims == {}


def test_an_undo_discards_the_answers_of_some(tables: Served) -> None:
    table, _ = answered_early(tables)
    live = tables.server.tables._live[table.id]
    assert live.sitting is not None
    turn = live.sitting.made[-1].seat
    assert table.post(turn, "ask-undo").status_code == 200
    for seat in sorted({*range(4)} - {turn}):
        assert table.post(seat, "agree").status_code == 200
    assert table.asked == turn
    assert tables.store.table(table.id).claims == {}


@pytest.mark.parametrize(
    ("damage", "status", "logged"),
    [
        ("update game_table set seats = 'nonsense' where id", 500, "table.seats`"),
        ("update game_table set seats = '[]' where id", 500, "table.seats`"),
        ("update game_table set choice = '///' where id", 422, ""),
        (
            "update record_line set text = 'nonsense' where at = 0 and table_id",
            *(500, "cannot be replayed: E080 in line 1."),
        ),
        (
            "delete from record_line where at = 0 and table_id",
            *(500, "cannot be replayed: E080 in line 1."),
        ),
        (
            "update record_line set text = replace(text, '\"h\": ', "
            "'\"h\": 9') where at = 1 and table_id",
            *(500, "cannot be replayed: E081 in line 2."),
        ),
    ],
)
def test_a_damaged_table_spares_the_others(
    tmp_path: Path,
    damage: str,
    status: int,
    logged: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, _, third = left(tmp_path)
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    version = store.table(first).version
    with store.writing() as db:
        assert db.execute(text(f"{damage} = {third}")).rowcount == 1
    key = "a-key-that-nobody-guesses"
    store.add_key(key, Pass(third, "watch", None))
    store.close()
    with served(tmp_path) as tables, caplog.at_level(logging.ERROR):
        eventually(lambda: tables.store.table(first).version > version)
        answer = tables.guest("de").get(f"/w/{key}")
        assert answer.status_code == status
        assert logged in caplog.text
        if status == 500:
            assert "Dieser Tisch ist auf dem Server beschädigt" in answer.text
        assert tables.guest().get("/").status_code == 200


def test_an_old_table_is_deleted_and_its_page_says_so_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path) as tables:
        table = open_table(tables, "nim", ["Ann", "Bob"])
        page = table.host_browser.get(table.host).text
        assert "deletes this table and its games if nobody opens it" in page
        assert "for 365 days" in page
    with served(tmp_path) as tables:
        open_table(tables, "nim", ["Ann", "Bob"])
    later = now() + 366 * DAY
    monkeypatch.setattr("houserule.ui.web.store.now", lambda: later)
    with served(tmp_path) as tables:
        eventually(lambda: tables.store.count() == 1)
        assert tables.guest().get(table.host).status_code == 404


def test_a_table_that_is_opened_does_not_expire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path) as tables:
        table = open_table(tables, "nim", ["Ann", "Bob"])
        open_table(tables, "nim", ["Ann", "Bob"])
    for days in (300, 600, 900):
        at = time.time() + days * DAY
        for module in ("store", "tables"):
            monkeypatch.setattr(f"houserule.ui.web.{module}.now", lambda at=at: int(at))
        with served(tmp_path) as tables:
            assert tables.guest().get(table.seats[0]).status_code == 200


def test_the_button_of_a_number_field_sends_the_number(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    asked = table.asked
    path = table.a_move()
    *before, number = path
    assert number.startswith("n=") or " " in number
    before, (*more, key) = before, number.split()
    name, _, text = key.rpartition("=")
    for amount, status in (("99", 409), ("", 409), ("x", 409), (text, 200)):
        fields = {"amount-of": name, "amount": amount}
        answer = table.post(asked, "choose", [*before, *more], **fields)
        assert (answer.status_code == 200) == (status == 200), answer.status_code
    assert table.asked != asked
