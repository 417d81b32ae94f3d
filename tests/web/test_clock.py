"""The clock of a table: off by default; when it runs out, the table decides."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.web.serving import OpenTable, open_table, served

from houserule.ui.web.clock import LENGTHS, Clock, RunningClock

SHORT = 1  # seconds
PATIENCE = 10.0


def set_clock(table: OpenTable, **said: str) -> None:
    answer = table.host_browser.post(f"{table.host}/clock", data=said)
    assert answer.status_code == 200


def decisions(table: OpenTable) -> int:
    sitting = table.served.server.tables._live[table.id].sitting
    assert sitting is not None
    return len(sitting.made)


def wait_for(table: OpenTable, most: int) -> None:
    until = time.monotonic() + PATIENCE
    while decisions(table) < most and time.monotonic() < until:
        time.sleep(0.05)
    assert decisions(table) >= most


@pytest.mark.parametrize("per", ["decision", "seat"])
@pytest.mark.parametrize("then", ["bot", "pass"])
def test_the_table_decides_when_the_time_has_run_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, per: str, then: str
) -> None:
    """In Pig, to pass is to hold, which is not possible before the first throw."""
    monkeypatch.setitem(LENGTHS, "short", SHORT)
    monkeypatch.setattr("houserule.ui.web.clock.LEAST", 0.1)
    with served(tmp_path) as tables:
        table = open_table(tables, "pig", ["Ann", "Bob"])
        seat = table.asked
        assert "data-left" not in table.part(seat)
        set_clock(table, per=per, seconds=str(SHORT), then=then)
        page = table.part(seat)
        assert "data-left" in page
        assert "ran out" not in page
        wait_for(table, 2)
        assert "ran out" in table.part(seat)
        set_clock(table, per="", seconds="60", then="bot")
        assert "data-left" not in table.part(seat)


def test_a_clock_is_only_what_the_host_may_choose(tmp_path: Path) -> None:
    with served(tmp_path) as tables:
        table = open_table(tables, "pig", ["Ann", "Bob"])
        for wrong in ("7", "-60", "60 60", ""):
            set_clock(table, per="decision", seconds=wrong, then="bot")
            assert tables.store.table(table.id).clock == ""
        set_clock(table, per="seat", seconds="900", then="pass")
        assert tables.store.table(table.id).clock == "seat 900 pass"


def test_the_time_of_a_seat_is_for_all_of_its_decisions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    times, clock = RunningClock(), Clock("seat", 60, "bot")
    assert times.due(clock) is None
    for decision, seconds in enumerate((20.0, 30.0)):
        times.ask(0, decision)
        now += seconds
        times.ask(None, decision)
        now += 1000.0
    times.ask(0, 2)
    assert times.due(clock) == now + 10.0
    assert times.due(Clock("decision", 60, "bot")) == now + 60.0
