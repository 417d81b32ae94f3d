"""What is written besides: a row a game, and pictures."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.play import prepared
from tests.simulate.orders import order, play_here, rotated

from houserule.prepare import TableChoice
from houserule.simulate import plot
from houserule.simulate.comparison import Plan, compare
from houserule.simulate.games_csv import write_games
from houserule.simulate.statistics import summarise

SEATS = ("p1", "p2")
STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def test_a_row_tells_each_game(tmp_path: Path) -> None:
    wanted = rotated(order("market", 4, bots=("greedy", "random")))
    games = play_here(wanted).rows[0]
    write_games(tmp_path / "games.csv", wanted, SEATS, {"": games})
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
    wanted = order("market", 2, tables=2)
    one, other = play_here(wanted).rows
    write_games(tmp_path / "g.csv", wanted, SEATS, {"base": one, "short": other})
    rows = rows_of(tmp_path / "g.csv")
    assert [row["table"] for row in rows] == ["base", "base", "short", "short"]


def test_a_failed_game_has_empty_cells(tmp_path: Path) -> None:
    wanted = order("overflow", 1)
    write_games(tmp_path / "g.csv", wanted, SEATS, {"": play_here(wanted).rows[0]})
    (row,) = rows_of(tmp_path / "g.csv")
    assert row["outcome"] == "fault:F01"
    assert row["score_p1"] == row["lead_changes"] == row["winners"] == ""


@pytest.mark.parametrize("suffix", plot.SUFFIXES)
def test_a_picture_is_drawn_the_same_again(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    wanted = order("market", 10)
    played, (table, _) = play_here(wanted), prepared("market")
    result = summarise(
        wanted, table, played.rows[0], played.ran[0], seconds=0, ended="games"
    )
    files = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for file in files:
        plot.plot_simulation(file, result, played.rows[0], SEATS)
    one, two = (file.read_bytes() for file in files)
    assert one.startswith(STARTS[suffix])
    assert one == two


@pytest.mark.parametrize("games", [0, 1, 12])
def test_a_comparison_is_drawn_with_its_tables(tmp_path: Path, games: int) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    wanted = order("market", games, tables=2)
    choices = (TableChoice(), TableChoice(settings={"goal": 6}))
    tables = tuple(prepared("market", each)[0] for each in choices)
    plan = Plan(("the base", "goal=6"), tables, {})
    played = play_here(wanted)
    result = compare(wanted, plan, played, "games")
    file = tmp_path / "both.svg"
    plot.plot_comparison(file, result, dict(zip(plan.names, played.rows, strict=True)))
    assert "<!-- goal=6 -->" in file.read_text(encoding="utf-8")


def test_pictures_of_no_games_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    wanted = order("market", 0)
    result = summarise(wanted, prepared("market")[0], [], {}, seconds=0, ended="time")
    plot.plot_simulation(tmp_path / "none.svg", result, [], SEATS)
    assert (tmp_path / "none.svg").exists()


def test_without_matplotlib_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plot, "find_spec", lambda _: None)
    with pytest.raises(plot.NoPicture, match=r"houserule\[plot\]"):
        plot.check_plot(Path("games.svg"))


def test_other_files_are_no_pictures() -> None:
    with pytest.raises(plot.NoPicture, match=r"\.png, \.svg, \.pdf"):
        plot.check_plot(Path("games.txt"))
