"""The verbs that play many games, as people use them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.simulate.under_way import wait_for_games
from tests.support.sampling import spread
from tests.support.small_games import PLAY

from houserule.ui.cli.main import run

MARKET = str(PLAY / "market")
MANY = 10_000_000
COMPARE = ["compare", MARKET, "--set", "goal=6", "--games", "30"]


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_comparison_is_the_same_twice_and_for_any_number_of_jobs(
    form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    one = said([*COMPARE, *form, "--jobs", "1"], capsys)
    assert one == said([*COMPARE, *form, "--jobs", "1"], capsys)
    assert one == said([*COMPARE, *form, "--jobs", "2"], capsys)
    assert one != said([*COMPARE, *form, "--jobs", "1", "--seed", "2"], capsys)


def test_without_dask_it_is_said_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run([*COMPARE, "--cluster", "tcp://nowhere:1"]) == 2
    assert "pip install 'houserule[cluster]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("engine", "jobs"),
    spread(list(product(("reference", "compiled"), "12")), 3, name="-".join),
)
def test_an_interruption_is_answered_with_what_was_played(
    engine: str, jobs: str, tmp_path: Path
) -> None:
    rows = tmp_path / "games.csv"
    words = ["-m", "houserule", "simulate", MARKET, "--games", str(MANY)]
    more = ["--engine", engine, "--jobs", jobs, "--csv", str(rows), "--json"]
    process = subprocess.Popen(
        [sys.executable, *words, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for_games(rows, process)
    os.killpg(process.pid, signal.SIGINT)  # all of them, as a terminal does
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    result = json.loads(out)
    assert result["ended"] == "interrupt"
    assert 0 < result["games"] < MANY
    assert f"Interrupted after {result['games']} of {MANY} games" in err
    assert "Traceback" not in err
    assert len(rows.read_text(encoding="utf-8").splitlines()) == result["games"] + 1


def test_a_time_limit_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["compare", MARKET, "--set", "goal=6", "--games", str(MANY), "--jobs", "1"]
    assert run([*wanted, "--time-limit", "2", "--json"]) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert result["ended"] == "time"
    assert f"Time is up after {result['games']} of {MANY} games" in err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_simulation_stops_when_rounds_are_known_well_enough(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["simulate", MARKET, "--games", "4000", "--json", "--jobs", jobs]
    result = json.loads(said([*wanted, "--until-width", "0.6"], capsys))
    assert result["ended"] == "width"
    assert result["rounds"]["high"] - result["rounds"]["low"] <= 0.6
    games = str(result["games"])
    whole = json.loads(said([*wanted, "--games", games], capsys))
    assert {**whole, "ended": "width", "seconds": 0} == {**result, "seconds": 0}
    before = ["--games", str(result["games"] - 100)]
    rounds = json.loads(said([*wanted, *before], capsys))["rounds"]
    assert rounds["high"] - rounds["low"] > 0.6


def test_each_table_is_warned_of_by_its_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stairs = str(PLAY / "stairs")
    wanted = ["compare", stairs, "--set", "height=12", "--games", "4", "--jobs", "1"]
    assert run(wanted) == 0
    notes = [x for x in capsys.readouterr().err.splitlines() if x.startswith("note:")]
    assert notes == [
        "note: the base game: Nobody gets to the top from here",
        "note: height=12: Nobody gets to the top from here",
        "note: height=12: A long way up",
    ]
