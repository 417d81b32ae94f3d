"""Processes that play: started in any way, lost, ended amid a decision."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.simulate.jobs import job, play_all, play_here
from tests.support.endless import program

from houserule.base.limits import LIMITS, limited
from houserule.study.simulate.schedule.batch import Job, Limits
from houserule.study.simulate.schedule.workers import ProcessWorkers

TABLE = "a count over many"


@pytest.fixture(autouse=True)
def _without_a_limit_of_work() -> Iterator[None]:
    with limited(work=LIMITS["work"].most):
        yield


def endless() -> Job:
    return Job((program(TABLE),), 1, 1000, ("random",))


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_may_be_started_in_any_way(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "houserule.study.simulate.schedule.workers.get_context",
        lambda: multiprocessing.get_context(method),
    )
    wanted = job("market", 40)
    with ProcessWorkers(wanted, 2) as workers:
        assert play_all(wanted, workers) == (play_here(wanted), "games")
    with ProcessWorkers(endless(), 2) as workers:
        played, ended = play_all(endless(), workers, Limits(seconds=0.5))
    assert (played.games, ended) == (0, "time")
    assert not multiprocessing.active_children()


def test_where_one_is_lost_the_others_are_not_waited_for() -> None:
    with ProcessWorkers(endless(), 2) as workers:
        games = [workers.play(range(n, n + 1)) for n in range(2)]
        multiprocessing.active_children()[0].kill()
        workers.restart()
        assert not any(each.running() for each in games)
        assert len(multiprocessing.active_children()) == 2
    assert not multiprocessing.active_children()


def test_a_fault_of_ours_comes_with_its_place() -> None:
    wanted = replace(job("market", 4), bots=("nobody",))
    with ProcessWorkers(wanted, 1) as workers:
        error = workers.play(range(4)).exception()
    assert isinstance(error, KeyError)
    assert "seat_bots" in "".join(error.__notes__)
