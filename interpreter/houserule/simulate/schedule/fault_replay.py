"""Fault replay: games that faults ended are played again, for messages with values."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from houserule.simulate.engines import REFERENCE
from houserule.simulate.schedule.batch import Job, finished_by
from houserule.simulate.schedule.workers import ProcessWorkers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.simulate.statistics.tally import Tally


def replay_faults(job: Job, tallies: Sequence[Tally], seconds: float) -> None:
    """Play the games that faults ended on the compiled engine again, by table.

    The compiled engine's messages lack the values of the game; the reference engine has
    them. The first game that each fault ended is played once more. Messages that are
    not replaced after so many seconds stay as they were.
    """
    if job.engine == REFERENCE:
        return
    ends = monotonic() + seconds
    for program, tally in zip(job.programs, tallies, strict=True):
        if tally.failures:
            alone = replace(job, programs=(program,), engine=REFERENCE)
            _replay(alone, tally, ends)


def _replay(job: Job, tally: Tally, ends: float) -> None:
    with ProcessWorkers(job, 1) as workers:
        for message, number in list(tally.failures.items()):
            game = workers.play(range(number, number + 1))
            while not finished_by(game, ends):
                if monotonic() >= ends:
                    return
            try:
                (row,) = game.result().rows[0]
            except BrokenExecutor:
                return
            tally.replayed[message] = row.message or message
