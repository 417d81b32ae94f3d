"""The measurement of a server under load: every click is one, and rows are shown."""

from __future__ import annotations

import asyncio

import pytest
from tools.bench import load


@pytest.mark.slow
def test_every_shipped_game_is_played_by_as_many_as_can() -> None:
    assert {"nim?players=2", "x_pasch?players=6"} <= {*load.choices()}


def test_clicks_come_to_the_other_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "choices", lambda: ["nim?players=2"])
    row = asyncio.run(load.measure(tables=2, seconds=1.0, think=0.02))
    assert row.tables == 2
    assert row.clicks >= 2
    assert 0 < row.other <= row.other_most
    assert 0 < row.own <= row.own_most
    assert len(row.cells()) == len(load.HEAD)
