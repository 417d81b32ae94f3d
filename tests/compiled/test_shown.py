"""`show --wat` prints the text that is compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.small_games import PLAY

from houserule.ui.cli.main import run

GAME = str(PLAY / "market")
MANIFEST = """id: t
version: "1.0"
title: T
summary: A table of numbers.
languages: [en]
rules: [game.rules]
"""
# What is refused is told by `test_limits`; here it is a game that a person may ask for.
REFUSED = """game t "T"
players 2..2
type Hour = 0..59
state n(a: 0..399, b: 0..399): set of Hour starts as {}
winners: players
phase turn for me in players
  step go: at most once
action a during go
  does it: n(1, 2) becomes {9}
"""


def test_it_is_written_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", GAME, "--wat"]) == 0
    said = capsys.readouterr().out
    assert "(func $action." in said
    file = tmp_path / "market.wat"
    assert run(["show", GAME, "--output", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert file.read_text(encoding="utf-8") == said


@pytest.mark.parametrize(
    "more", [["-o", "x.svg"], ["--phase", "turn"], ["--json"]], ids=" ".join
)
def test_flags_of_drawings_are_wrong_usage(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", GAME, "--wat", *more]) == 2
    assert "`--wat`" in capsys.readouterr().err


def test_what_cannot_be_compiled_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.rules").write_text(REFUSED, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    assert run(["show", str(tmp_path), "--wat"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "cannot be compiled" in err
    assert "Traceback" not in err
