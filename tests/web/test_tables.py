"""When the store fails, a table goes on from what is kept."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.web.database.connection import StoreError
from houserule.web.running import listening_at
from houserule.web.store import TableLines

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
