"""What belongs to a seat has its colour on a terminal, and nowhere else."""

from __future__ import annotations

import sys

import pytest

from houserule.ui.cli.output import paint_of_seats


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.usefixtures("terminal")
def test_seats_have_colours_of_their_own() -> None:
    paint = paint_of_seats()
    painted = [paint("A1", seat) for seat in range(6)]
    assert len(set(painted)) == 6
    assert all("A1" in each and each.startswith("\x1b[") for each in painted)
    assert all(each.endswith("\x1b[0m") for each in painted)


@pytest.mark.usefixtures("terminal")
def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint_of_seats()("A1", 0) == "A1"


def test_no_colour_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert paint_of_seats()("A1", 0) == "A1"
