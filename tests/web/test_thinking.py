"""While a bot thinks its table serves others; what is found too late is lost."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import pytest
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.engine.compiled.bots.compiled_bots import CompiledThinker
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import F01, RuleFault
from houserule.play.seat.seated import Seated, SittingBots
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import Decided
from houserule.ui.web.live import LiveTable

PATIENCE = 30.0


@dataclass
class SlowBots:
    """Bots that begin to think, and choose when they are told to.

    Attributes:
        begun: one thinks. go_on: they choose. stepped: what one found was followed, or
            thrown away.
    """

    thinker: CompiledThinker | None = None
    begun: Event = field(default_factory=Event)
    go_on: Event = field(default_factory=Event)
    stepped: Event = field(default_factory=Event)
    fault: RuleFault | None = None

    def wait_for(self, event: Event) -> None:
        assert event.wait(PATIENCE)
        event.clear()


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowBots]:
    slow, choice_by, follow = SlowBots(), SittingBots.choice_by, LiveTable.follow

    def slowly(
        self: SittingBots,
        thinker: CompiledThinker,
        game: ReferenceGame,
        seated: Seated,
        decided: Decided,
    ) -> Choice:
        slow.thinker = thinker
        slow.begun.set()
        assert slow.go_on.wait(PATIENCE)
        if slow.fault is not None:
            raise slow.fault
        return choice_by(self, thinker, game, seated, decided)

    def followed(self: LiveTable, thought: object) -> None:
        try:
            follow(self, thought)  # type: ignore[arg-type]  # what it was given
        finally:
            slow.stepped.set()

    monkeypatch.setattr(SittingBots, "choice_by", slowly)
    monkeypatch.setattr(LiveTable, "follow", followed)
    yield slow
    slow.go_on.set()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as found:
        yield found


def decide(table: OpenTable, seat: int = 0) -> None:
    assert table.post(seat, "choose", table.a_move()).status_code == 200


def decisions(table: OpenTable) -> list[str]:
    """Return who has decided, in order, what was taken back included."""
    lines = map(json.loads, table.kept[1].splitlines())
    return [line["seat"] for line in lines if "do" in line]


def test_others_are_served_while_a_bot_thinks(tables: Served, bots: SlowBots) -> None:
    table = open_table(tables, "nim", ["Ann"])
    decide(table)
    bots.wait_for(bots.begun)
    assert table.part(0)
    page = table.guests[0].get(table.seats[0], params={"log": "1"})
    assert page.status_code == 200
    assert tables.guest().get(table.watcher).status_code == 200
    assert table.post(0, "choose", ["1"]).status_code == 409
    assert decisions(table) == ["p1"]
    bots.go_on.set()
    bots.wait_for(bots.stepped)
    assert decisions(table) == ["p1", "p2"]
    assert "data-turn" in table.part(0)


def test_what_a_bot_found_too_late_is_thrown_away(
    tables: Served, bots: SlowBots
) -> None:
    """A person takes back what it thinks of, and gets a hint meanwhile, too."""
    table = open_table(tables, "nim", ["Ann"])
    decide(table)
    bots.wait_for(bots.begun)
    assert table.post(0, "undo").status_code == 200
    assert "data-turn" in table.part(0)
    live = tables.server.tables._live[table.id].sitting
    assert live is not None
    with live._bots.thinker() as other:
        assert other is not bots.thinker
    hinted = table.guests[0].get(f"{table.seats[0]}/part", params={"hint": "1"})
    assert hinted.status_code == 200
    assert hinted.text != table.part(0)
    kept = table.kept
    bots.go_on.set()
    bots.wait_for(bots.stepped)
    assert table.kept == kept
    decide(table)
    bots.wait_for(bots.stepped)
    assert decisions(table) == ["p1", "p1", "p2"]
    alone = Sitting.begin(live.rules, live.seated.names, live.seed, number=live.number)
    alone.choose(0, live.made[0].choice)
    assert alone.made == live.made[:2]


def test_whoever_takes_the_place_of_a_bot_that_thinks_decides(
    tables: Served, bots: SlowBots
) -> None:
    table = open_table(tables, "nim", ["Ann"])
    decide(table)
    bots.wait_for(bots.begun)
    assert table.host_browser.post(f"{table.host}/free", data={"seat": "1"})
    kept = table.kept
    bots.go_on.set()
    bots.wait_for(bots.stepped)
    assert table.kept == kept
    assert decisions(table) == ["p1"]


def test_a_server_ends_while_a_bot_thinks_and_it_thinks_anew(
    tmp_path: Path, bots: SlowBots, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), served(tmp_path) as first:
        table = open_table(first, "nim", ["Ann"])
        decide(table)
        bots.wait_for(bots.begun)
        kept = table.kept
    assert not bots.go_on.is_set()
    bots.go_on.set()
    with served(tmp_path) as second:
        bots.wait_for(bots.stepped)
        table.served = second
        assert table.kept[1].startswith(kept[1])
        assert decisions(table) == ["p1", "p2"]
    assert not caplog.records


def test_a_fault_of_rules_that_nobody_awaits_is_none(
    tables: Served, bots: SlowBots, caplog: pytest.LogCaptureFixture
) -> None:
    table = open_table(tables, "nim", ["Ann"])
    decide(table)
    bots.wait_for(bots.begun)
    assert table.post(0, "undo").status_code == 200
    bots.fault = RuleFault(F01, "It is out of range.")
    bots.go_on.set()
    with caplog.at_level(logging.WARNING):
        bots.wait_for(bots.stepped)
        bots.fault = None
        decide(table)
        bots.wait_for(bots.stepped)
    assert decisions(table) == ["p1", "p1", "p2"]
    assert not caplog.records


def test_a_long_search_that_nobody_awaits_ends_at_once(
    tmp_path: Path, bots: SlowBots
) -> None:
    """Whether it has begun by then or not."""
    bots.go_on.set()
    endless = f"search:{10**9 - 1}"
    with served(tmp_path, bots=[endless]) as tables:
        table = open_table(tables, "hex_board", ["Ann"], bot=endless)
        for _ in range(3):
            decide(table)
            bots.wait_for(bots.begun)
            assert table.post(0, "undo").status_code == 200
            bots.wait_for(bots.stepped)
            assert "data-turn" in table.part(0)
