"""Files of a simulation: one row for each game, and pictures."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.simulate.jobs import counted, job, play_here, rotated
from tests.support.small_games import prepared

from houserule.compiler.prepare import TableChoice
from houserule.study.simulate import output
from houserule.study.simulate.comparison import Plan, compare
from houserule.study.simulate.output import GamesFile
from houserule.study.simulate.schedule.batch import Job, play_span
from houserule.study.simulate.statistics.summary import Tally, summarise

SEATS = ("p1", "p2")
STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def write(file: Path, wanted: Job, *names: str) -> None:
    """Write the games of a job, a few at a time."""
    games = GamesFile(file, wanted, SEATS, names)
    for first in range(0, wanted.games, 2):
        numbers = range(first, min(first + 2, wanted.games))
        games.add(play_span(wanted, numbers).rows)
    games.close()


def test_a_row_tells_each_game(tmp_path: Path) -> None:
    wanted = rotated(job("market", 4, bots=("greedy", "random")))
    games = play_here(wanted).rows[0]
    write(tmp_path / "games.csv", wanted, "")
    rows = rows_of(tmp_path / "games.csv")
    assert [row["game"] for row in rows] == ["0", "1", "2", "3"]
    assert [row["bot_p1"] for row in rows] == ["greedy", "random"] * 2
    for row, game in zip(rows, games, strict=True):
        assert row["winners"] == " ".join(SEATS[seat] for seat in game.winners)
        assert int(row["rounds"]) == game.rounds
        assert int(row["choices"]) == game.decisions
        assert (int(row["score_p1"]), int(row["score_p2"])) == game.scores
        assert row["state"] == game.state
        assert int(row["lead_changes"]) == game.lead_changes


def test_of_several_tables_each_row_names_its_own(tmp_path: Path) -> None:
    wanted = job("market", 3, tables=2)
    write(tmp_path / "g.csv", wanted, "base", "short")
    rows = rows_of(tmp_path / "g.csv")
    assert [row["table"] for row in rows] == ["base"] * 3 + ["short"] * 3
    assert [row["game"] for row in rows] == ["0", "1", "2"] * 2


def test_a_failed_game_has_empty_cells(tmp_path: Path) -> None:
    wanted = job("overflow", 1)
    write(tmp_path / "g.csv", wanted, "")
    (row,) = rows_of(tmp_path / "g.csv")
    assert row["outcome"] == "fault:F01"
    assert row["score_p1"] == row["lead_changes"] == row["winners"] == ""


@pytest.mark.parametrize("suffix", output.SUFFIXES)
def test_a_picture_is_drawn_the_same_again(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    wanted = job("market", 10)
    (tally,) = counted(wanted, play_here(wanted)).tallies
    table = prepared("market")[0]
    result = summarise(wanted, table, tally, seconds=0, ended="games")
    files = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for file in files:
        output.plot_simulation(file, result, tally, SEATS)
    one, two = (file.read_bytes() for file in files)
    assert one.startswith(STARTS[suffix])
    assert one == two


@pytest.mark.parametrize("games", [0, 1, 12])
def test_a_comparison_is_drawn_with_its_tables(tmp_path: Path, games: int) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    wanted = job("market", games, tables=2)
    choices = (TableChoice(), TableChoice(settings={"goal": 6}))
    tables = tuple(prepared("market", each)[0] for each in choices)
    plan = Plan(("the base", "goal=6"), tables, {})
    found = counted(wanted, play_here(wanted))
    result = compare(wanted, plan, found, "games")
    file = tmp_path / "both.svg"
    tallies = dict(zip(plan.names, found.tallies, strict=True))
    output.plot_comparison(file, result, tallies)
    assert "<!-- goal=6 -->" in file.read_text(encoding="utf-8")


def test_pictures_of_no_games_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    wanted = job("market", 0)
    tally, table = Tally(), prepared("market")[0]
    result = summarise(wanted, table, tally, seconds=0, ended="time")
    output.plot_simulation(tmp_path / "none.svg", result, tally, SEATS)
    assert (tmp_path / "none.svg").exists()


def test_without_matplotlib_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "find_spec", lambda _: None)
    with pytest.raises(output.NoPicture, match=r"houserule\[plot\]"):
        output.check_plot(Path("games.svg"))


def test_other_files_are_no_pictures() -> None:
    with pytest.raises(output.NoPicture, match=r"\.png, \.svg, \.pdf"):
        output.check_plot(Path("games.txt"))
