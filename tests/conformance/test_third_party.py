"""Strangers' variants beside X-Pasch that clash: refused, and settled by a bridge."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.support.shipped import ROOT

from houserule.ui.cli.main import run

FILES = Path(__file__).parents[1] / "cases" / "third_party"
VARIANTS = ("firm_footing", "strangers_welcome")
BRIDGE = "firm_footing-strangers_welcome"
GAME = ("x_pasch", "--rules", "theirs")


class Command:
    """The command, and what it said last."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        """Run the command; return its exit status."""
        status = run(arguments)
        self.out, self.err = self._capture.readouterr()
        return status


@pytest.fixture
def houserule(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the two variants."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name in VARIANTS:
        shutil.copy(FILES / f"{name}.rules", theirs)
    return theirs


def test_both_lines_the_smallest_table_and_three_ways_out(
    folder: Path, houserule: Command
) -> None:
    assert houserule("check", *GAME) == 1
    told = houserule.err
    share = re.search(r"happens in ([\d,]+) of ([\d,]+) valid", told)
    base = re.search(r"game\.rules:(\d+)", told)
    assert share is not None
    assert base is not None
    part, whole = (int(number.replace(",", "")) for number in share.groups())
    assert 4 * part == whole, "both are on in a quarter of all tables"
    wanted = (FILES / "E201.txt").read_text()
    for word, found in (("LINE", base[1]), ("QUARTER", share[1]), ("ALL", share[2])):
        wanted = wanted.replace(word, found)
    told = told.replace(f"{ROOT.as_posix()}/", "")
    assert _squeezed(wanted) in _squeezed(told)


def test_each_alone_can_be_played_and_both_cannot(
    folder: Path, houserule: Command
) -> None:
    for name in VARIANTS:
        assert houserule("run", *GAME, "--with", name, "--quiet") == 0
    assert houserule("run", *GAME, "--with", ",".join(VARIANTS), "--quiet") == 1
    assert "E306" in houserule.err
    assert all(title in houserule.err for title in ("Firm footing", "Strangers welc"))
    assert f"bridge {', '.join(VARIANTS)} for x_pasch" in houserule.err


def test_a_bridge_settles_it(folder: Path, houserule: Command) -> None:
    shutil.copy(FILES / f"{BRIDGE}.rules", folder)
    assert houserule("run", *GAME, "--with", ",".join(VARIANTS), "--quiet") == 0


@pytest.mark.slow
def test_nothing_is_to_be_said_of_any_table_then(
    folder: Path, houserule: Command
) -> None:
    shutil.copy(FILES / f"{BRIDGE}.rules", folder)
    assert houserule("check", *GAME, "--json") == 0
    assert not json.loads(houserule.out)["diagnostics"]


def _squeezed(text: str) -> str:
    """Return a text without what depends on the width of numbers and paths."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(re.sub(r"\s+", " ", line) for line in lines if line)
