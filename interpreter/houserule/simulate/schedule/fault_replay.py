"""How faults of the rules are told: with the values of the game that each ended."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from houserule.simulate.engines import REFERENCE
from houserule.simulate.schedule.batch import Order, is_there
from houserule.simulate.schedule.processes import Processes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.simulate.statistics.tally import Tally


def tell_by_values(order: Order, tallies: Sequence[Tally], seconds: float) -> None:
    """Let the reference engine tell the faults that another engine met, by table.

    The first game that each ended is played once more. What is not told after so many
    seconds stays as it was, without values.
    """
    if order.engine == REFERENCE:
        return
    ends = monotonic() + seconds
    for program, tally in zip(order.programs, tallies, strict=True):
        if tally.failures:
            alone = replace(order, programs=(program,), engine=REFERENCE)
            _tell(alone, tally, ends)


def _tell(order: Order, tally: Tally, ends: float) -> None:
    with Processes(order, 1) as workers:
        for message, number in list(tally.failures.items()):
            game = workers.play(range(number, number + 1))
            while not is_there(game, ends):
                if monotonic() >= ends:
                    return
            try:
                (row,) = game.result().rows[0]
            except BrokenExecutor:
                return
            tally.told[message] = row.message or message
