"""Whose work is next, and how bots pace theirs by what there is to do."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.serving import Served, open_table, served

from houserule.play.narration.boards import grid
from houserule.play.narration.boards.grid import Grid
from houserule.play.seat.moments import SittingMoments
from houserule.play.seat.seat_model import Moment
from houserule.ui.web import tables as pacing
from houserule.ui.web.live import LiveTable
from houserule.ui.web.running import listening_at
from houserule.ui.web.tables import Turns

PATIENCE = 30.0


# ---- turns


def order(wanted: list[tuple[str, int, float]], at_once: int = 1) -> list[str]:
    """Return in which order work is begun: each has a name, a table, its patience."""
    begun: list[str] = []

    async def work(turns: Turns, name: str, table: int, patience: float) -> None:
        async with turns.at(table, patience):
            begun.append(name)
            await asyncio.sleep(0)

    async def all_of_it() -> None:
        turns = Turns(at_once, clock=lambda: 0.0)
        await asyncio.gather(*(work(turns, *each) for each in wanted))
        assert not any(turns.wanted(table) for _, table, _ in wanted)

    asyncio.run(all_of_it())
    return begun


def test_what_came_first_is_first_and_the_patient_wait() -> None:
    wanted = [("first", 1, 0.0), ("bot", 2, 0.5), ("Ann", 3, 0.0), ("Bob", 4, 0.0)]
    assert order(wanted) == ["first", "Ann", "Bob", "bot"]


def test_who_waits_for_a_table_keeps_no_other_table_waiting() -> None:
    wanted = [("a", 1, 0.0), ("b", 1, 0.0), ("c", 2, 0.0)]
    assert order(wanted, at_once=2) == ["a", "c", "b"]


def test_the_patient_do_not_wait_for_ever() -> None:
    now = [0.0]
    begun: list[str] = []

    async def work(turns: Turns, name: str, table: int, patience: float) -> None:
        async with turns.at(table, patience):
            begun.append(name)
            await asyncio.sleep(0)

    async def all_of_it() -> None:
        turns = Turns(1, clock=lambda: now[0])
        tasks = [asyncio.create_task(work(turns, "first", 1, 0.0))]
        tasks.append(asyncio.create_task(work(turns, "bot", 2, 0.5)))
        await asyncio.sleep(0)
        now[0] = 1.0
        tasks.append(asyncio.create_task(work(turns, "Ann", 3, 0.0)))
        await asyncio.gather(*tasks)

    asyncio.run(all_of_it())
    assert begun == ["first", "bot", "Ann"]


def test_who_gives_up_waiting_keeps_nobody() -> None:
    async def all_of_it() -> None:
        turns = Turns(1)
        async with turns.at(1):
            gone = asyncio.create_task(turns.at(2).__aenter__())
            await asyncio.sleep(0)
            assert turns.wanted(2)
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        async with asyncio.timeout(PATIENCE), turns.at(2):
            pass

    asyncio.run(all_of_it())


# ---- bots


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as found:
        yield found


def bots_decide(tables: Served, choice: str = "pig?players=3") -> tuple[int, int]:
    """Let bots play a game; return how often they decide, and in how many versions."""
    table = open_table(tables, choice, [])
    until = time.monotonic() + PATIENCE
    while table.id in tables.server.tables._bots:
        assert time.monotonic() < until, "the bots do not come to an end"
        time.sleep(0.01)
    record = tables.store.record(table.id, 1)
    seated = 3 + 2  # versions of an empty table, with bots in its seats, and a game
    return record.count('"do"'), tables.store.table(table.id).version - seated


def test_bots_decide_one_by_one_while_there_is_time(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "BUSY", 1e9)
    decided, versions = bots_decide(tables)
    assert decided > 10
    assert versions == decided


def test_bots_of_a_busy_server_decide_many_at_once(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "BUSY", -1.0)
    monkeypatch.setattr(pacing, "TOGETHER", 60.0)
    decided, versions = bots_decide(tables)
    assert decided > 10
    assert versions == 1


def test_bots_that_think_ahead_choose_the_same(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "TOGETHER", 60.0)
    monkeypatch.setattr("houserule.ui.web.live.secrets.randbelow", lambda _: 5)
    played: list[str] = []
    for busy in (1e9, -1.0):
        monkeypatch.setattr(pacing, "BUSY", busy)
        bots_decide(tables, "guild_street?players=3")
        number = len(played) + 1
        played.append(tables.store.record(number, 1))
    assert played[0].count('"do"') > 50
    assert played[0] == played[1]


def test_a_server_is_busy_where_bots_begin_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    table, thought = LiveTable.__new__(LiveTable), object()
    monkeypatch.setattr(LiveTable, "think", lambda _: thought)
    for late in (0.0, pacing.BUSY + 1.0):
        asked.append(pacing._step(None, time.monotonic() - late, table))
    assert asked == [(thought, False), (thought, True)]


def test_a_person_never_waits_for_more_than_the_bots_before_him(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that decide at once stop where a person is asked."""
    monkeypatch.setattr(pacing, "BUSY", -1.0)
    monkeypatch.setattr(pacing, "TOGETHER", 60.0)
    table = open_table(tables, "liars_dice?players=3", ["Ann"])
    until = time.monotonic() + PATIENCE
    while table.part(0) and not table.over and table.asked != 0:
        assert time.monotonic() < until, "the bots do not play"
        time.sleep(0.01)
    assert table.over or table.post(0, "choose", table.a_move()).status_code == 200


def test_a_click_waits_once_to_be_made_and_shown(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, waited = open_table(tables, "hex_board", ["Ann", "Bob"]), list[int]()
    path, version = table.a_move(), str(table.version(table.asked))
    at = Turns.at

    def noted(self: Turns, number: int, patience: float = 0.0) -> object:
        waited.append(number)
        return at(self, number, patience)

    monkeypatch.setattr(Turns, "at", noted)
    answer = table.post(table.asked, "choose", path, version=version)
    assert answer.status_code == 200
    assert waited == [table.id]


# ---- what is asked again


def test_what_a_seat_sees_is_worked_out_once_for_a_version(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[int | None] = []
    of = SittingMoments.of

    def noted(
        self: SittingMoments, viewer: int | None, language: str, choice: bool
    ) -> Moment:
        worked_out.append(viewer)
        return of(self, viewer, language, choice)

    table = open_table(tables, "hex_board", ["Ann", "Bob"])
    monkeypatch.setattr(SittingMoments, "of", noted)
    seen = [table.part(0) for _ in range(3)]
    assert seen[0] == seen[1] == seen[2]
    assert table.part(1)
    assert worked_out == [0, 1]
    assert table.post(table.asked, "choose", table.a_move()).status_code == 200
    assert table.part(0) != seen[0]
    assert worked_out[2:].count(0) == 1


@pytest.mark.parametrize(
    ("game", "times"),
    [("hex_board", 1), ("takeover?players=2", 2)],
    ids=["open", "not"],
)
def test_a_board_is_laid_out_once_for_all_who_see_the_same(
    tables: Served, monkeypatch: pytest.MonkeyPatch, game: str, times: int
) -> None:
    """Where rules hide something, each has a board of his own."""
    laid_out: list[Grid] = []
    of = grid.grid_of

    def noted(*given: Any) -> Grid:  # noqa: ANN401  # whatever the board is made of
        laid_out.append(of(*given))
        return laid_out[-1]

    table = open_table(tables, game, ["Ann", "Bob"])
    monkeypatch.setattr(grid, "grid_of", noted)
    for _ in range(2):
        before = [table.part(0), table.part(1)]
        laid_out.clear()
        assert table.post(table.asked, "choose", table.a_move()).status_code == 200
        assert [table.part(0), table.part(1)] != before
        assert len(laid_out) == times


# ---- on the way


def test_no_half_of_an_answer_is_held_back() -> None:
    """Else the system keeps the second part until the first is acknowledged."""
    kept_back: list[int] = []

    async def all_of_it() -> None:
        async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            sock = writer.get_extra_info("socket")
            option = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            kept_back.append(option)
            writer.close()

        listening = listening_at("127.0.0.1", 0)
        async with await asyncio.start_server(serve, sock=listening):
            address = listening.getsockname()
            reader, writer = await asyncio.open_connection(*address)
            await reader.read()
            writer.close()

    asyncio.run(all_of_it())
    assert kept_back == [1]


def test_hosts_seat_only_the_bots_that_are_offered(tmp_path: Path) -> None:
    with served(tmp_path, bots=["easy", "search:90"]) as tables:
        table = open_table(tables, "nim", ["Ann"], bot="search:90")
        host = table.host_browser.get(table.host).text
        assert "A bot (search 90)" in host
        assert ">easy</option>" in host
        assert "random" not in host
        data = {"seat": "1", "kind": "strong"}
        told = table.host_browser.post(f"{table.host}/bot", data=data).text
        assert "No bot has this name." in told
