"""The text that people read says what is compiled, and where it comes from."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from tests.support import shipped
from tests.support.sampling import spread
from tests.support.small_games import PLAY

from houserule.cli.main import run
from houserule.compiled.machine import CompiledMachine
from houserule.compiled.module import Module, emit
from houserule.compiled.readable import readable

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


@lru_cache(maxsize=2)
def module_of(name: str) -> Module:
    return emit(shipped.program_of(name, shipped.sampled(name)[-1]))


@pytest.mark.parametrize("name", spread(shipped.NAMES, 3))
def test_it_plays_the_same_games(name: str) -> None:
    module = module_of(name)
    shown = CompiledMachine(replace(module, text=readable(module)))
    assert shown.batch(3, 0, 5) == CompiledMachine(module).batch(3, 0, 5)


@pytest.mark.parametrize("name", shipped.NAMES)
def test_every_function_of_a_clause_has_its_place(name: str) -> None:
    lines = readable(module_of(name)).splitlines()
    after = lines.index(";; ==== this table's rules")
    found = 0
    for before, line in zip(lines[after:], lines[after + 1 :], strict=False):
        if line.startswith(("(func $action.", "(func $walk.", "(func $value.")):
            found += 1
            assert before.startswith(";; "), line
            assert ".rules:" in before, line
    assert found


def test_a_place_is_where_the_rules_say_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", GAME, "--wat"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, x in enumerate(lines) if x.startswith("(func $action."))
    told = lines[at - 1]
    assert told.startswith(";; does the action `")
    name = told.split("`")[1]
    file, _, rest = told.split(": ")[1].rpartition(":")
    line = Path(file).read_text(encoding="utf-8").splitlines()[int(rest.split()[0]) - 1]
    assert line.startswith(f"action {name}")


def test_lines_are_indented_by_what_they_stand_in() -> None:
    text = readable(module_of("pig")).partition(";; ==== this table's rules")[2]
    depth = 0
    for line in text.partition(";; ==== tables")[0].splitlines():
        if not line.strip() or line.startswith(";;"):
            continue
        inside = bool(depth) and not line.startswith(")")
        assert inside == line.startswith("  "), line
        depth += line.count("(") - line.count(")")
    assert depth == 0


def test_it_is_written_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", GAME, "--wat"]) == 0
    said = capsys.readouterr().out
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
