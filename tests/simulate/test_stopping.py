"""Ctrl-C and a time limit end the verbs, also amid a decision that takes for ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path

import pytest
from tests.simulate.under_way import wait_for_games

from houserule.base.limits import LIMITS, limited
from houserule.ui.cli.main import run

MANIFEST = """id: t
version: "1.0"
title: T
summary: A table where somebody thinks for long.
languages: [en]
rules: [game.rules]
"""
SLOW_LATER = """game t
players 2..2
option slow: yes or no normally yes
state n: 0..99 starts as 0
dice Die: die showing 1..{one_in}
winners: players
phase round until n at least 4, at most 50 times
  phase turn for me in players
    step rolling: roll Die
    step go: must act once, if possible
action a during go
  needs first: die.face is not 1 or n less than 3 or not slow or long
  does it: n gains 1
value long: yes or no = some a, b, c, d, e in 1..99 has a * b + c * d + e + n is 0
"""
MANY = 1_000_000
SOON, LATE = 6, 250
"""One game in so many has a decision without end: it comes among the first, or when
some hundreds of games were played."""
AMID = 0.3  # seconds, in which games that are under way come to such a decision
WAYS = list(product(("simulate", "compare"), ("compiled", "reference"), ("1", "2")))
EACH = (0, 7)  # every verb, engine and number of processes


def ways(*usual: int) -> pytest.MarkDecorator:
    """Return a mark that tries all ways, some of them in the usual run."""
    every = [
        pytest.param(*way, marks=() if number in usual else pytest.mark.slow)
        for number, way in enumerate(WAYS)
    ]
    return pytest.mark.parametrize(("name", "engine", "jobs"), every)


@pytest.fixture(autouse=True)
def much_work() -> Iterator[None]:
    """Let a decision take as long as it likes: no ceiling ends it before we do."""
    with limited(work=LIMITS["work"].most):
        yield


def game(folder: Path, one_in: int) -> str:
    """Write the rules of a game some of whose decisions never end."""
    rules = SLOW_LATER.replace("{one_in}", str(one_in))
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    return str(folder)


@contextmanager
def playing(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Let a verb play; whatever is left of it at the end is killed."""
    with subprocess.Popen(
        [sys.executable, "-m", "houserule", *words, "--games", str(MANY), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def said(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return what was said once all are gone that could say more."""
    return process.communicate(timeout=30)


def let_play(process: subprocess.Popen[str], rows: Path) -> None:
    """Wait until it is amid a decision without end."""
    wait_for_games(rows, process)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(AMID)


def verb(name: str, game: str, engine: str, jobs: str) -> list[str]:
    """Return the words of a verb; the table that is compared is the slow one."""
    change = {"simulate": (), "compare": ("--base-set", "slow=no", "--set", "slow=yes")}
    return [name, game, "--engine", engine, "--jobs", jobs, *change[name]]


@ways(*EACH)
def test_an_interruption_ends_a_long_decision(
    name: str,
    engine: str,
    jobs: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words, rows = verb(name, game(tmp_path, LATE), engine, jobs), tmp_path / "rows"
    with playing(*words, "--csv", str(rows)) as process:
        let_play(process, rows)
        os.killpg(process.pid, signal.SIGINT)
        out, err = said(process)
    assert process.returncode == 130
    result = json.loads(out)
    assert (result["engine"], result["ended"]) == (engine, "interrupt")
    assert f"Interrupted after {result['games']} of {MANY} games" in err
    assert "Traceback" not in err
    same_without_a_stop(words, result, capsys)


@ways(*EACH)
def test_a_time_limit_ends_a_long_decision(
    name: str,
    engine: str,
    jobs: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = verb(name, game(tmp_path, SOON), engine, jobs)
    with playing(*words, "--time-limit", "5") as process:
        out, err = said(process)
    assert process.returncode == 0
    result = json.loads(out)
    assert (result["engine"], result["ended"]) == (engine, "time")
    assert f"Time is up after {result['games']} of {MANY} games" in err
    same_without_a_stop(words, result, capsys)


def same_without_a_stop(
    words: list[str], result: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    """Hold what was stopped to a run that was asked for so many games."""
    games = result["games"]
    assert isinstance(games, int)
    assert games
    assert run([*words, "--games", str(games), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    varying = {"ended": "", "seconds": 0}
    assert {**whole, **varying} == {**result, **varying}


def test_processes_end_with_the_one_that_asked(tmp_path: Path) -> None:
    words = verb("simulate", game(tmp_path, LATE), "reference", "2")
    rows = tmp_path / "rows"
    with playing(*words, "--csv", str(rows)) as process:
        let_play(process, rows)
        process.kill()
        said(process)
