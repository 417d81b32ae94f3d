"""A comparison that grows while a user watches: repeated with ever more games.

Games are kept between steps: a thousand games after two hundred cost eight hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait

from houserule.ir import Program
from houserule.study.simulate.comparison import Comparison, Plan, compare
from houserule.study.simulate.engines import serving
from houserule.study.simulate.schedule.batch import Job
from houserule.study.simulate.schedule.workers import local_workers
from houserule.study.simulate.statistics.measures import Counted

HEARD = 0.05  # seconds between calls of `stop`


def growing(
    plan: Plan,
    programs: tuple[Program, ...],
    sizes: Sequence[int],
    stop: Callable[[], bool],
    *,
    bots: tuple[str, ...] = ("random",),
    seed: int = 1,
    jobs: int = 1,
) -> Iterator[Comparison]:
    """Yield the comparison of a plan's tables after each of these numbers of games.

    Args:
        plan: the tables.
        programs: their rules, in the same order.
        sizes: increasing numbers of games at each table.
        stop: called continually; once it returns true, nothing more is yielded, and
            running games end, even inside a decision.
        bots: by seat; each game moves them one seat on.
        seed: the seed.
        jobs: how many workers play.
    """
    engine, _ = serving(None, programs, bots)
    job = Job(programs, seed, max(sizes), bots, engine, rotate=True)
    counted = Counted(job, plan.pairs)
    with local_workers(job, jobs, limited=True) as workers:
        for size in sorted(sizes):
            while counted.games < size:
                at = counted.games
                future = workers.play(range(at, min(at + workers.span, size)))
                while not wait([future], HEARD).done:
                    if stop():
                        return
                counted.add(future.result())
                if stop():
                    return
            yield compare(job, plan, counted, "games")
