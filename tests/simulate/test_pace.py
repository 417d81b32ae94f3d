"""How many games are handed out at once follows from how long they take."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from tests.simulate.jobs import job
from tests.support.endless import program

from houserule.engine.cancellation import Cancellation
from houserule.study.simulate.schedule import workers
from houserule.study.simulate.schedule.batch import Job, play_span
from houserule.study.simulate.schedule.workers import QUICK, SLOW, BatchSize

MIDDLE = (QUICK + SLOW) / 2


@pytest.fixture
def take(monkeypatch: pytest.MonkeyPatch) -> Callable[[BatchSize, int, float], int]:
    """Return what lets games take so long, and says how many are next."""
    now = 0.0
    monkeypatch.setattr(workers, "perf_counter", lambda: now)

    def taken(each: BatchSize, games: int, seconds: float) -> int:
        nonlocal now
        with each.noting(games):
            now += seconds
        return each.games

    return taken


def test_quick_games_become_more_and_slow_ones_fewer(
    take: Callable[[BatchSize, int, float], int],
) -> None:
    found = BatchSize(most=10)
    assert found.games == 1
    quick = [take(found, found.games, QUICK / 2) for _ in range(5)]
    assert quick == [2, 4, 8, 10, 10]
    assert take(found, 10, MIDDLE) == 10
    slow = [take(found, found.games, 2 * SLOW) for _ in range(4)]
    assert slow == [5, 2, 1, 1]


def test_games_that_were_handed_out_before_do_not_count_twice(
    take: Callable[[BatchSize, int, float], int],
) -> None:
    found = BatchSize(most=100)
    assert [take(found, 1, QUICK / 2) for _ in range(3)] == [2, 2, 2]
    found = BatchSize(most=100)
    while found.games < 64:
        take(found, found.games, QUICK / 2)
    assert [take(found, 64, 2 * SLOW) for _ in range(3)] == [32, 32, 32]


def test_games_that_are_halted_at_one_table_count_at_none() -> None:
    quick = job("market", 4).programs[0]
    wanted = Job((quick, program("a count over many")), 1, 4, ("random",), "compiled")
    cancellation = Cancellation()
    stop = threading.Timer(0.3, cancellation.set)
    stop.start()
    played = play_span(wanted, range(4), cancellation)
    stop.join()
    assert played.rows == ([], [])
    assert not any(played.ran)
