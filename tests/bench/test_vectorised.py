"""Many games beside other libraries: ratios within a round, and the very same games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools.bench import vectorised
from tools.bench.vectorised import BESIDE, Run, lines, main, measure, ours, pairs

PAGE = Path(__file__).parents[2] / "docs" / "internals" / "speed.md"


def given(rates: list[float]) -> Run:
    """Return one who makes so many steps a second, after what is left out."""
    found = iter([0.0, *rates])
    return lambda _: next(found)


def test_a_ratio_is_that_of_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectorised, "ours", lambda _: given([80.0, 8.0, 60.0]))
    monkeypatch.setitem(BESIDE, "nim", {"Others": lambda: given([4.0, 0.4, 2.0])})
    row = measure("nim", "Others", 3, 1.0)
    assert (row.ours, row.theirs) == (60.0, 2.0)
    assert (row.times, row.least, row.most) == (20.0, 20.0, 30.0)
    assert lines([row])[0][:2] == ["nim", "Others"]


def test_every_game_is_played_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    for game in BESIDE:
        assert ours(game)(0.01) > 0
    for game, beside in pairs(["hex_board", "nim", "pig"]):
        assert BESIDE[game][beside]()(0.01) > 0
    main(["hex_board", "--rounds", "1", "--seconds", "0.01", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [row["game"] for row in found] == ["hex_board"] * len(found)


def test_what_nobody_else_has_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["hearts"])
    assert "nobody else has hearts" in capsys.readouterr().err


def test_the_page_has_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    _, _, rest = text.partition("<!-- written by tools/bench/vectorised.py: begin -->")
    for game in BESIDE:
        assert f"| {game} |" in rest
