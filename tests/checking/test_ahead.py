"""Working ahead: helpers change nothing but the time, and none is left behind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houserule.resources import shipped_rulesets

ROOT = Path(__file__).parents[2]
GAME = "takeover"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    to = tmp_path / GAME
    shutil.copytree(shipped_rulesets()[GAME], to)
    shutil.rmtree(to / "playthroughs", ignore_errors=True)
    return to


def helped(how: str, folder: Path) -> dict[str, Any]:
    """Return what came of a check alone and one with helpers, as `helped` says it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.helped", how, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def spoil_an_example(folder: Path) -> None:
    """Let an example expect something that the game does not have."""
    example = folder / "scenarios" / "ending.yaml"
    text = example.read_text("utf-8")
    spoilt = text.replace("passes: 1, ended: no", "passes: 1, nonsense: 1", 1)
    assert spoilt != text
    example.write_text(spoilt, "utf-8")


pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="no process is copied elsewhere"
)


def test_what_helpers_found_is_not_done_again(folder: Path) -> None:
    found = helped("waited", folder)
    assert found["same"]
    assert found["helpers"] == 2
    assert found["learnt"] > 0
    alone = helped("threaded", folder)
    assert alone["helpers"] == 0
    assert alone["same"]
    assert found["done"] < alone["done"] / 2


@pytest.mark.parametrize("how", ["raced", "waited", "dying", "broken", "refused"])
def test_faults_are_the_same_whatever_becomes_of_helpers(
    how: str, folder: Path
) -> None:
    variant = min((folder / "variants").glob("*.rules"))
    text = variant.read_text("utf-8")
    variant.write_text(f"{text}\nvalue of_nothing: 0..9 = nowhere\n", "utf-8")
    spoil_an_example(folder)
    found = helped(how, folder)
    assert found["same"]
    assert found["helpers"] == (1 if how == "refused" else 2)
    assert "E010" in found["codes"]
    assert found["left"] == 0


@pytest.mark.parametrize("how", ["raced", "waited"])
def test_a_fault_of_an_example_is_found_by_the_check_itself(
    how: str, folder: Path
) -> None:
    spoil_an_example(folder)
    found = helped(how, folder)
    assert found["same"]
    assert "E071" in found["codes"]


def test_an_interrupted_check_leaves_no_helper(folder: Path) -> None:
    found = helped("interrupted", folder)
    assert found["helpers"] == 2
    assert found["left"] == 0
    assert not found["same"], "it was interrupted"
