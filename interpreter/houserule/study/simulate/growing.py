"""A comparison that grows while somebody looks: told again and again, better known.

What was played is kept, so that a thousand games cost eight hundred after two hundred.
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

HEARD = 0.05  # seconds after which it is asked again whether to stop


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
        sizes: how many games at each table, growing.
        stop: asked all the time; once it says yes nothing more is yielded, and what
            plays is ended, even inside a decision.
        bots: by seat; each game seats them one further.
        seed: the luck.
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
