"""Games do not fill the memory: what was counted of them is let go."""

from __future__ import annotations

import gc
import sys
from collections import Counter

import pytest
from tests.simulate.jobs import job, play_here

from houserule.study.simulate.results import Finished
from houserule.study.simulate.schedule.batch import Job, Played, play_through
from houserule.study.simulate.schedule.workers import local_workers
from houserule.study.simulate.statistics.measures import Counted
from houserule.study.simulate.statistics.summary import Ordered, Tally


def set_aside() -> None:
    """Let the collector look no more at what is there: `living` counts what is new.

    Other tests leave millions of objects behind, and a look at them takes seconds.
    """
    gc.freeze()


def living() -> int:
    gc.collect()
    return sum(type(each) is Finished for each in gc.get_objects())


@pytest.mark.parametrize(("engine", "games"), [("reference", 200), ("compiled", 2000)])
def test_only_games_under_way_are_there(engine: str, games: int) -> None:
    programs = job("market", games).programs
    wanted = Job(programs, 3, games, ("random",), engine)
    found, most, pieces = Counted(wanted, {}), 0, 0
    set_aside()

    def take(played: Played) -> None:
        nonlocal most, pieces
        found.add(played)
        pieces += 1
        if found.games > games // 2 and pieces % 10 == 0:
            most = max(most, living())

    with local_workers(wanted, 1) as workers:
        assert play_through(wanted, workers, take) == "games"
    assert found.games == games
    assert 0 < most <= 5 * workers.span < games


def size_of(tally: Tally) -> int:
    counts = (tally.rounds, tally.lengths, tally.lead_changes, *tally.scores)
    return sum(sys.getsizeof(each) for each in counts)


def test_a_tally_grows_with_numbers_not_with_games() -> None:
    wanted = job("market", 60)
    games = play_here(wanted).rows[0]
    once, often = Tally(), Tally()
    once.add(games, {})
    for _ in range(50):
        often.add(games, {})
    assert often.games == 3000
    assert size_of(often) == size_of(once)
    assert str(once.digest) != str(often.digest)


def test_numbers_in_order_are_those_that_were_counted() -> None:
    numbers = [5, 3, 3, 9, 5, 5, -2]
    ordered = Ordered(Counter(numbers))
    assert list(ordered) == sorted(numbers) == ordered[:]
    assert [ordered[at] for at in range(len(numbers))] == sorted(numbers)
    assert (ordered[0], ordered[-1], ordered[-2]) == (-2, 9, 5)
    for outside in (7, -8):
        with pytest.raises(IndexError):
            ordered[outside]
    assert not Ordered({})
