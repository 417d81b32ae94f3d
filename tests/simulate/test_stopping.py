"""Ctrl-C and a time limit end the verbs, also amid a decision that takes for ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

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
dice Die: die showing 1..6
winners: players
phase round until n at least 4, at most 50 times
  phase turn for me in players
    step rolling: roll Die
    step go: exactly once
action a at go
  needs first: die.face is not 1 or n less than 3 or not slow or long
  does it: n gains 1
value long: yes or no = some a, b, c, d, e in 1..99 has a * b + c * d + e + n is 0
"""
MANY = 1_000_000
ENGINES = ("compiled", "reference")
VERBS = ("simulate", "compare")


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "game.rules").write_text(SLOW_LATER, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    return str(tmp_path)


@contextmanager
def playing(*words: str, games: int = MANY) -> Iterator[subprocess.Popen[str]]:
    """Let a verb play; whatever is left of it at the end is killed."""
    with subprocess.Popen(
        [sys.executable, "-m", "houserule", *words, "--games", str(games), "--json"],
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


def let_play(process: subprocess.Popen[str]) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(4)


def verb(name: str, game: str, engine: str, jobs: str) -> list[str]:
    """Return the words of a verb; the table that is compared is the slow one."""
    change = {"simulate": (), "compare": ("--base-set", "slow=no", "--set", "slow=yes")}
    return [name, game, "--engine", engine, "--jobs", jobs, *change[name]]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", VERBS)
def test_an_interruption_ends_a_long_decision(
    name: str, engine: str, jobs: str, game: str
) -> None:
    words = verb(name, game, engine, jobs)
    with playing(*words) as process:
        let_play(process)
        os.killpg(process.pid, signal.SIGINT)
        out, err = said(process)
    assert process.returncode == 130
    result = json.loads(out)
    assert (result["engine"], result["ended"]) == (engine, "interrupt")
    assert f"Interrupted after {result['games']} of {MANY} games" in err
    assert "Traceback" not in err
    same_without_a_stop(words, result)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", VERBS)
def test_a_time_limit_ends_a_long_decision(
    name: str, engine: str, jobs: str, game: str
) -> None:
    words = verb(name, game, engine, jobs)
    with playing(*words, "--time-limit", "1.5") as process:
        out, err = said(process)
    assert process.returncode == 0
    result = json.loads(out)
    assert (result["engine"], result["ended"]) == (engine, "time")
    assert f"Time is up after {result['games']} of {MANY} games" in err
    same_without_a_stop(words, result)


def same_without_a_stop(words: list[str], result: dict[str, object]) -> None:
    """Hold what was stopped to a run that was asked for so many games."""
    games = result["games"]
    assert isinstance(games, int)
    assert games
    with playing(*words, games=games) as process:
        whole = json.loads(said(process)[0])
    varying = {"ended": "", "seconds": 0}
    assert {**whole, **varying} == {**result, **varying}


def test_processes_end_with_the_one_that_asked(game: str) -> None:
    with playing("simulate", game, "--engine", "reference", "--jobs", "2") as process:
        let_play(process)
        process.kill()
        said(process)
