"""Files that were made wrong or large end in messages, never in a fault of ours.

The usual suite tries a few, the slow tests thousands. `docs/internals/fuzzing.md`
describes how to try more, and what many runs found.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

import pytest
from ruamel.yaml import YAML
from tests.fuzz.judge import judge, warm_up
from tests.fuzz.mutate import Folder, games, mutant
from tests.fuzz.shrink import case_of, shrink

from houserule.base.source import Source

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "arguments",
    [
        "--count 6",
        "--large --most 50 --count 3",
        pytest.param("--large --most 200 --count 400 --jobs 2", marks=pytest.mark.slow),
        pytest.param("--from 12 --count 4048 --jobs 2", marks=pytest.mark.slow),
    ],
)
def test_no_file_does_harm(arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *arguments.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_number_gives_the_same_mutant_again() -> None:
    assert mutant(3, 7) == mutant(3, 7) != mutant(3, 8)


# ---- what is wrong is found: faults that are planted


def _fails(*_: object, **__: object) -> None:
    raise ZeroDivisionError


def _fills(*_: object, **__: object) -> None:
    bytearray(1 << 30)


def _never_ends(*_: object, **__: object) -> None:
    while True:
        pass


def _aborts(*_: object, **__: object) -> None:
    os.abort()


def _leaves(_: object) -> None:
    Path("left").touch()


def _means_more(source: Source) -> tuple[str, list[object]]:
    return source.text.replace("100", "90"), []


def _grows(source: Source) -> tuple[str, list[object]]:
    return f"#\n{source.text}", []


SMALL = b"game pig\nplayers 2..6\noption target: 20..200 normally 100\n"


def _found(target: str, instead: Callable[..., object]) -> str:
    """Return what is wrong with a right game where a fault is planted."""
    with patch(target, instead):
        return judge(games()[0], seconds=1, memory=1 << 29).wrong


def _cut_down(target: str, instead: Callable[..., object]) -> str:
    """Return a finding as a case."""
    folder = Folder("small", {"game/game.rules": SMALL, "game/ruleset.yaml": b""})
    with patch(target, instead):
        judged = judge(folder)
        return case_of(shrink(folder, judged), judged)


def test_what_is_wrong_is_found_and_cut_down() -> None:
    check, fmt = "houserule.ui.cli.verbs.check", "houserule.ui.cli.verbs.writing.fmt"
    planted = [
        (f"{check}.check_path", _fails, "ZeroDivisionError in"),
        (f"{check}.check_path", _fills, "MemoryError in"),
        (f"{check}.check_path", _never_ends, "ended by SIGXCPU"),
        (f"{check}.check_path", _aborts, "ended by SIGABRT"),
        (f"{check}.say", _leaves, "left behind"),
        (f"{fmt}.format_text", _means_more, "fmt changes the meaning of game/game"),
        (f"{fmt}.format_text", _grows, "fmt of game/game.rules does not rest"),
    ]
    # Processes are forked from there: what runs the tests has threads.
    with ProcessPoolExecutor(1, get_context("spawn"), warm_up, (1,)) as process:
        targets, faults, wrong = zip(*planted, strict=True)
        found = list(process.map(_found, targets, faults))
        text = process.submit(_cut_down, f"{fmt}.format_text", _means_more).result()
    for told, words in zip(found, wrong, strict=True):
        assert told.startswith(words)
    [case] = YAML(typ="safe").load(text)
    assert case["run"] == "fmt ."
    assert case["files"].keys() == {"game.rules"}
    assert len(case["files"]["game.rules"]) < len(SMALL)
