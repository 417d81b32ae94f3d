"""Work that takes minutes within one decision ends when it is told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.conformance import tables
from tests.engine.test_flow_cases import program_of

from houserule.compiled.machine import Machine
from houserule.compiled.module import emit
from houserule.compiled.shortcuts.stopping import LOOK
from houserule.ir.nodes import Program

MANIFEST = """id: t
version: "1.0"
title: T
summary: A table where somebody thinks for long.
languages: [en]
rules: [game.rules]
"""
HEAD = "game t\nplayers 2..2\n"
TAIL = """
winners: players
phase turn for me in players
  step go: at most once
"""
# Each takes minutes at a decision of some game, by another kind of work.
ENDLESS = {
    "options with a test that reads all factors": (
        "state n: 0..9 starts as 0",
        "action a(a, b, c, d, e, f, g in 1..40) at go\n"
        "  needs odd: a * b + c * d + e * f + g + n is 9999\n  does it: n gains 1",
    ),
    "a count over many": (
        "state n: 0..9 starts as 0\nvalue v: yes or no ="
        " some a, b, c, d, e, f in 1..99 has a * b + c * d + e * f + n is 0",
        "action a at go\n  needs v: v\n  does it: n gains 1",
    ),
    "parts of many cards": (
        "component Card for each nr: 1..60\nstate n: 0..9 starts as 0",
        "action a(s any part of Card) at go\n"
        "  needs n: size(s) + n is 99\n  does it: n gains 1",
    ),
    "values that call one another": (
        "state n: 0..9 starts as 0\n"
        + "value v0(k: 0..3): 0..3 = (n + k) mod 4\n"
        + "".join(
            f"value v{i}(k: 0..3): 0..3 ="
            f" (v{i - 1}((k + n) mod 4) + v{i - 1}((k + n + 1) mod 4)"
            f" + v{i - 1}((k * n) mod 4)) mod 4\n"
            for i in range(1, 25)
        ),
        "action a at go\n  needs v: v24(n mod 4) at least 4\n  does it: n gains 1",
    ),
    "effects that call one another": (
        "state n: 0..9 starts as 0\neffect e0\n  does it: n becomes (n + 1) mod 10\n"
        + "".join(
            f"effect e{i}\n  does it:\n    e{i - 1}\n    e{i - 1}\n"
            for i in range(1, 45)
        ),
        "action a at go\n  does it: e44",
    ),
    "loops in loops": (
        "state n: 0..9 starts as 0",
        "action a at go\n  does it:\n"
        + "".join(
            f"{'  ' * (i + 2)}for {name} in 1..99:\n" for i, name in enumerate("abcdef")
        )
        + f"{'  ' * 8}n becomes (a + b + c + d + e + f) mod 10",
    ),
}


def program(name: str) -> Program:
    before, after = ENDLESS[name]
    found = program_of(HEAD + before + TAIL + after)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ENDLESS)
def test_a_machine_that_is_stopped_ends_amid_a_decision(name: str) -> None:
    machine = Machine(emit(program(name)))
    stop = threading.Timer(0.3, machine.stop)
    stop.start()
    began = time.monotonic()
    assert machine.batch(1, 0, 5) == []
    taken = time.monotonic() - began
    stop.join()
    assert 0.25 < taken < 1.5


def test_it_plays_on_afterwards() -> None:
    machine = Machine(emit(tables.program_of("pig", tables.sampled("pig")[0])))
    wanted = machine.batch(1, 0, 5)
    machine.stop()
    assert machine.batch(1, 0, 5) == []
    machine.go_on()
    assert machine.batch(1, 0, 5) == wanted


@pytest.mark.parametrize("name", ["pig", "nim", "hex_5x5"])
def test_what_is_quick_does_not_look(name: str) -> None:
    """No value and no walk over options looks, where no loop can be long."""
    text = emit(tables.program_of(name, tables.sampled(name)[0])).text
    looking = {each.split()[0] for each in text.split("(func ")[1:] if LOOK in each}
    kinds = {each.partition(".")[0] for each in looking}
    assert "$phase" in kinds
    assert not kinds & {"$value", "$query", "$walk", "$wise", "$filter", "$pick"}


# ---- the verb

SLOW_LATER = """game t
players 2..2
state n: 0..99 starts as 0
dice Die: die showing 1..6
winners: players
phase round until n at least 4, at most 50 times
  phase turn for me in players
    step rolling: roll Die
    step go: exactly once
action a at go
  needs first: die.face is not 1 or n less than 3 or long
  does it: n gains 1
value long: yes or no = some a, b, c, d, e in 1..99 has a * b + c * d + e + n is 0
"""


def folder(tmp_path: Path, text: str) -> str:
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    return str(tmp_path)


def play(path: str, *more: str) -> subprocess.Popen[str]:
    words = ["simulate", path, "--games", "1000000", "--json", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "houserule", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_ends_a_long_decision(jobs: str, tmp_path: Path) -> None:
    process = play(folder(tmp_path, SLOW_LATER), "--jobs", jobs)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(4)
    os.killpg(process.pid, signal.SIGINT)
    asked = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - asked < 2
    assert process.returncode == 130
    result = json.loads(out)
    assert (result["engine"], result["ended"]) == ("compiled", "interrupt")
    assert f"Interrupted after {result['games']} of 1000000 games" in err
    assert "Traceback" not in err
    same_without_a_stop(tmp_path, result)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_time_limit_ends_a_long_decision(jobs: str, tmp_path: Path) -> None:
    began = time.monotonic()
    path = folder(tmp_path, SLOW_LATER)
    process = play(path, "--jobs", jobs, "--time-limit", "1.5")
    out, _ = process.communicate(timeout=30)
    assert time.monotonic() - began < 6  # of these, Python takes some to begin
    assert process.returncode == 0
    result = json.loads(out)
    assert result["ended"] == "time"
    same_without_a_stop(tmp_path, result)


def same_without_a_stop(tmp_path: Path, result: dict[str, object]) -> None:
    """Hold what was stopped to a run that was asked for so many games."""
    games = result["games"]
    assert isinstance(games, int)
    assert games
    whole = play(str(tmp_path), "--games", str(games), "--jobs", "1")
    out, _ = whole.communicate(timeout=30)
    wanted = {**json.loads(out), "seconds": result["seconds"], "ended": result["ended"]}
    assert wanted == result
