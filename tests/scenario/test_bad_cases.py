"""Faults of scenario files, by cases: each is told with its code and its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.support.shipped import ruleset_of

from houserule.authoring.scenarios.files import read_examples, trials
from houserule.authoring.scenarios.run import read_trial, run_trial
from houserule.base.resources import data_root
from houserule.compiler.prepare import Programs
from houserule.language.manifest.load import load_ruleset

CASES = Path(__file__).parents[1] / "cases" / "scenarios" / "bad.yaml"
PLAYED = {"E073", "E074", "E075"}  # some of them only a game finds
DATA = YAML(typ="safe").load(CASES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", DATA, ids=lambda case: case["say"]["name"])
def test_fault(case: dict[str, Any], tmp_path: Path) -> None:
    game = case.get("game", "pig")
    ruleset, _ = load_ruleset(data_root() / "rulesets" / game)
    assert ruleset is not None
    file = tmp_path / "bad.yaml"
    with file.open("w", encoding="utf-8") as stream:
        YAML().dump({"game": game, "scenarios": [case["say"]]}, stream)
    examples = read_examples(file)
    found = [each.code for each in examples.faults]
    programs = Programs(ruleset)
    for trial in trials(examples):
        if case["code"] not in PLAYED and not trial.number:
            read = read_trial(trial, programs.prepare, programs.misfits, ruleset)
            assert case["code"] in [each.code for each in read]
        result = run_trial(trial, programs)
        found += [each.code for each in result.faults if each.code.startswith("E07")]
        assert all(each.span for each in result.faults if each.code == case["code"])
        if "says" in case and not trial.number:
            messages = [each.message for each in read]  # once, with the reason
            assert sum(case["says"] in each for each in messages) == 1, messages
        if "label" in case:
            assert case["label"] in {x.text for each in read for x in each.labels}
    assert case["code"] in found


def test_two_cases_a_code() -> None:
    codes = [case["code"] for case in DATA]
    assert not {code for code in codes if codes.count(code) < 2}


def test_a_file_of_another_game_is_one_fault(tmp_path: Path) -> None:
    """Its words are not looked at: they mean something else, or nothing."""
    file = tmp_path / "other.yaml"
    say = {"name": "a heap is taken", "do": [{"take": 3}], "expect": {"legal": True}}
    with file.open("w", encoding="utf-8") as stream:
        YAML().dump({"game": "nim", "scenarios": [say]}, stream)
    examples = read_examples(file, ruleset_of("pig"))
    assert [each.code for each in examples.faults] == ["E039"]
    assert not list(trials(examples))
    assert not read_examples(file, ruleset_of("nim")).faults
