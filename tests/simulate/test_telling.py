"""Faults are told with values: by the first game that each ended, on any engine."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf

import pytest
from tests.simulate.jobs import counted, play_all
from tests.support.endless import HEAD, TAIL
from tests.support.rules_cases import program_of
from tests.support.small_games import PLAY

from houserule.study.simulate.experiments import replay_faults
from houserule.study.simulate.schedule.batch import Job
from houserule.study.simulate.schedule.workers import local_workers
from houserule.study.simulate.statistics.measures import Counted
from houserule.ui.cli.main import run

# Whichever number comes first by chance is in the words.
RULES = """state n: 0..9 starts as 0
dice Die: die showing 1..6"""
FAILING = """
  step rolling: roll Die
  order rolling then go
action a during go
  does it: n gains die.face + 9
action b during go
  does it: n gains die.face + 20
"""


def wanted(games: int = 60) -> Job:
    program = program_of(HEAD + RULES + TAIL + FAILING)
    return Job((program,), 1, games, ("random",))


def played(job: Job, jobs: int) -> Counted:
    with local_workers(job, jobs) as workers:
        return counted(job, play_all(job, workers)[0])


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_game_of_each_fault_tells_it(jobs: int) -> None:
    (reference,) = played(wanted(), 1).tallies
    first = [next(x for x in reference.messages if f"({at}.it)" in x) for at in "ba"]
    job = replace(wanted(), engine="compiled")
    found = played(job, jobs)
    (tally,) = found.tallies
    without = tally.messages
    assert len(without) == 2
    assert not set(without) & set(reference.messages)
    replay_faults(job, found.tallies, seconds=0)
    assert tally.messages == without
    replay_faults(job, found.tallies, seconds=inf)
    assert tally.messages == first


def test_the_reference_engine_told_them_already() -> None:
    found = played(wanted(), 1)
    before = found.tallies[0].messages
    replay_faults(wanted(), found.tallies, seconds=inf)
    assert found.tallies[0].messages == before


def test_an_interruption_meanwhile_leaves_what_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("houserule.study.simulate.experiments.replay_faults", interrupt)
    words = ["simulate", str(PLAY / "overflow"), "--games", "7", "--engine", "compiled"]
    assert run([*words, "--json"]) == 130
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert (result["games"], result["faults"], result["ended"]) == (7, 7, "interrupt")
    assert "Interrupted after 7 of 7 games" in err
    assert "F01: `pot` would be outside 0..20" in err
