"""Work that ends early, or whose workers are lost: what is there is right."""

from __future__ import annotations

import signal
from concurrent.futures import BrokenExecutor, Future
from itertools import pairwise
from math import inf
from multiprocessing import active_children
from multiprocessing.process import BaseProcess

import pytest
from tests.simulate.jobs import job, play_all, play_here

from houserule.study.simulate.schedule.batch import (
    Job,
    Limits,
    Played,
    finished_by,
)
from houserule.study.simulate.schedule.workers import (
    ProcessWorkers,
    ThisThread,
    local_workers,
)


class Unlucky(ThisThread):
    """Workers in this process to whom something happens at some span.

    It comes out of the span's future, or with `at_once` when the span is handed out.
    """

    def __init__(
        self,
        wanted: Job,
        at: int,
        what: type[BaseException],
        *,
        at_once: bool = False,
    ) -> None:
        super().__init__(wanted)
        self.at, self.what, self.at_once, self.renewed = at, what, at_once, 0

    def play(self, numbers: range) -> Future[Played]:
        if numbers.start != self.at:
            return super().play(numbers)
        self.at = -1
        if self.at_once:
            raise self.what
        future: Future[Played] = Future()
        future.set_exception(self.what())
        return future

    def restart(self) -> None:
        self.renewed += 1


@pytest.mark.parametrize("at_once", [False, True])
def test_an_interruption_leaves_what_was_played(at_once: bool) -> None:
    wanted = job("market", 12)
    workers = Unlucky(wanted, 5, KeyboardInterrupt, at_once=at_once)
    played, ended = play_all(wanted, workers)
    assert ended == "interrupt"
    assert played == play_here(job("market", 5))


def test_an_interrupted_pool_leaves_the_first_games_without_a_gap() -> None:
    wanted = job("market", 400)

    def interrupt(_: int) -> None:
        signal.raise_signal(signal.SIGINT)

    with ProcessWorkers(wanted, 2) as workers:
        played, ended = play_all(wanted, workers, tick=interrupt)
    assert ended == "interrupt"
    assert 0 < played.games < 400
    assert played == play_here(job("market", played.games))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_leaves_the_first_games_without_a_gap(jobs: int) -> None:
    wanted = job("market", 100_000)
    with local_workers(wanted, jobs) as workers:
        played, ended = play_all(wanted, workers, Limits(seconds=1.0))
    assert ended == "time"
    assert played.games < 100_000
    assert [row.number for row in played.rows[0]] == list(range(played.games))


def test_it_is_asked_at_the_same_games_for_any_number_of_processes() -> None:
    asked: list[int] = []
    done: list[int] = []

    def enough() -> bool:
        asked.append(sum(done))
        return sum(done) >= 200

    results = []
    for jobs in (1, 2):
        wanted = job("stairs", 1000)
        with local_workers(wanted, jobs) as workers:
            done.clear()
            limits = Limits(enough=enough)
            results.append(play_all(wanted, workers, limits, done.append))
    assert asked == [100, 200, 100, 200]
    assert results[0] == results[1]
    played, ended = results[0]
    assert (ended, played.games) == ("width", 200)
    assert played == play_here(job("stairs", 200))


def test_looks_become_rarer_and_end_with_all_games() -> None:
    looks = list(Limits(enough=lambda: False).looks(5000))
    assert looks[:5] == [100, 200, 300, 400, 500]
    assert looks[-1] == 5000
    assert all(b - a <= max(100, a // 4) for a, b in pairwise(looks))
    assert list(Limits().looks(5000)) == [5000]


def test_a_lost_process_loses_no_game() -> None:
    wanted = job("market", 80)
    with ProcessWorkers(wanted, 2) as workers:
        lost: list[BaseProcess] = []

        def kill_once(_: int) -> None:
            if not lost:
                lost.append(active_children()[0])
                lost[0].kill()

        played, ended = play_all(wanted, workers, tick=kill_once)
    assert ended == "games"
    assert lost
    assert played == play_here(wanted)


def test_workers_that_are_lost_again_and_again_are_given_up() -> None:
    class Never(ThisThread):
        def play(self, numbers: range) -> Future[Played]:
            future: Future[Played] = Future()
            future.set_exception(BrokenExecutor())
            return future

    wanted = job("market", 3)
    with pytest.raises(BrokenExecutor):
        play_all(wanted, Never(wanted))


@pytest.mark.parametrize("at_once", [False, True])
def test_what_was_lost_is_handed_out_again(at_once: bool) -> None:
    wanted = job("market", 6)
    workers = Unlucky(wanted, 2, BrokenExecutor, at_once=at_once)
    assert play_all(wanted, workers)[0] == play_here(wanted)
    assert workers.renewed == 1


def test_a_fault_of_ours_is_not_taken_for_a_time_limit() -> None:
    wanted = job("market", 6)
    with pytest.raises(TimeoutError):
        play_all(wanted, Unlucky(wanted, 2, TimeoutError), Limits(seconds=600))


def test_a_wait_without_end_is_cut_so_that_an_interruption_is_heard() -> None:
    future: Future[Played] = Future()
    assert not finished_by(future, inf)
    future.set_exception(TimeoutError())
    assert finished_by(future, inf)
