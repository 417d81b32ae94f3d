"""Every scenario of the shipped rulesets, and of the games of these tests, is met."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.shipped import NAMES, examples_of, programs_of
from tests.support.small_games import PLAY

from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import (
    Trial,
    read_examples,
    scenario_files,
    trials,
)
from houserule.authoring.scenarios.run import run_trial
from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import Programs
from houserule.language.manifest.load import load_ruleset
from houserule.play.records.records import golden_records

FOLDERS = (*shipped_rulesets().values(), PLAY / "market", PLAY / "stairs")


def programs_in(folder: Path) -> Programs:
    """Return the programs of a ruleset, which other tests ask for too if it ships."""
    if folder.name in NAMES:
        return programs_of(folder.name)
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    return Programs(ruleset)


def trials_in(folder: Path) -> tuple[Trial, ...]:
    """Return the examples of a ruleset; every file of them has some."""
    if folder.name in NAMES:
        found = examples_of(folder.name)
    else:
        files = map(read_examples, scenario_files(folder))
        found = tuple(trial for examples in files for trial in trials(examples))
    assert {each.examples.path for each in found} == {*scenario_files(folder)}
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_every_scenario_is_met(folder: Path) -> None:
    tables, failures = programs_in(folder), []
    for trial in trials_in(folder):
        assert not trial.examples.faults, trial.examples.faults
        result = run_trial(trial, tables)
        if not result.passed:
            failures.append(failure(result, tables.ruleset.sources))
    assert not failures, "\n\n".join(failures)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_every_golden_record_is_played_as_before(folder: Path) -> None:
    records = golden_records(programs_in(folder).ruleset)
    problems = {each.path.name: each.problem for each in records}
    assert not any(problems.values()), problems
