"""The measurement of a player's waiting: every key is one, and rows are shown."""

from __future__ import annotations

import pytest
from tools.bench import keys


def test_every_key_that_chooses_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = iter((2.0, 0.5, 0.25, 0.75))
    monkeypatch.setattr(keys, "first_question", lambda *_: next(starts))
    (preset, table), *_ = keys.tables("nim")
    row = keys.measured("nim", preset, table, 6, (80, 24))
    assert (row.table, row.seats) == ("nim", 2)
    assert 0 < row.median <= row.longest
    assert (row.first, row.again) == (2.0, 0.25)
    assert len(row.cells()) == len(keys.HEAD)


def test_every_preset_is_measured_with_as_many_as_can_play() -> None:
    found = {preset: len(table.seats) for preset, table in keys.tables("x_pasch")}
    assert found[""] == found["official_deluxe"] == 6
