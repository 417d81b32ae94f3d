"""The pytest plugin: files are collected, failures are texts without a traceback."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.small_games import PLAY

PACKAGE = PLAY.parents[2] / "interpreter"


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder of its own, with the plugin and nothing of ours."""
    code = (
        f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import pytest;"
        "from houserule.authoring.scenarios import plugin;"
        "sys.exit(pytest.main(sys.argv[1:], plugins=[plugin]))"
    )
    command = [sys.executable, "-c", code, "-p", "no:cacheprovider", *arguments]
    # The plugin may be installed as well; it is to be there once.
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": ""}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )


def test_what_is_collected_says_the_line_that_is_not_met(tmp_path: Path) -> None:
    shutil.copytree(PLAY / "market", tmp_path / "market")
    file = tmp_path / "market" / "scenarios" / "turns.yaml"
    text = file.read_text("utf-8").replace("score: {ann: 3}\n", "score: {ann: 4}\n")
    file.write_text(text, "utf-8")
    done = pytest_in(tmp_path, "-v")
    assert "market/scenarios/turns.yaml::a third sale is refused" in done.stdout
    assert "(dear_cards, 2 players)" in done.stdout
    assert "market/playthroughs/evening.jsonl::replay" in done.stdout
    assert done.returncode == 1
    assert "`score(ann)` should be 4, but is 3." in done.stdout
    assert "1 failed" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    shutil.copytree(PLAY / "market", tmp_path / "market")
    file = tmp_path / "market" / "scenarios" / "turns.yaml"
    file.write_text("game: market\nscenarois: []\n", "utf-8")
    done = pytest_in(tmp_path, "-q")
    assert "there is no key `scenarois` here" in done.stdout
    assert "Traceback" not in done.stdout


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "other.yaml").write_text("a: 1\n", "utf-8")
    (tmp_path / "plain.rules").write_text("variant x for pig\n---\n", "utf-8")
    assert "no tests ran" in pytest_in(tmp_path, "-q").stdout


def test_examples_of_rules_of_ones_own_are_collected(tmp_path: Path) -> None:
    for name in ("market", "ours"):
        shutil.copytree(PLAY / name, tmp_path / name)
    done = pytest_in(tmp_path, "-q", "ours")
    assert "2 passed" in done.stdout
    shutil.rmtree(tmp_path / "market")
    assert "There is no game `market`." in pytest_in(tmp_path, "ours").stdout
