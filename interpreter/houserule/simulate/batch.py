"""Many games in several processes; the result does not depend on how many."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from houserule.manifest.load import load_ruleset
from houserule.prepare import prepare_table
from houserule.simulate.play import Finished, play_game
from houserule.simulate.statistics import Simulation, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from houserule.compose.rules import Table
    from houserule.ir.nodes import Program

GAMES_PER_JOB = 4


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be simulated."""

    folder: Path
    table: Table
    seed: int
    games: int
    bots: tuple[str, ...]
    jobs: int = 0  # 0: as many as there are processors

    @property
    def processes(self) -> int:
        """How many processes it is worth starting."""
        wanted = self.jobs or os.cpu_count() or 1
        return max(1, min(wanted, self.games // GAMES_PER_JOB))


def simulate(
    order: Order, program: Program, tick: Callable[[int], None] | None = None
) -> Simulation:
    """Play the games and count them; `tick` is told how many more are done."""
    began = perf_counter()
    finished: list[Finished] = []
    for some in _batches(order, program):
        finished += some
        if tick is not None:
            tick(len(some))
    return summarise(
        program,
        order.table,
        finished,
        bots=order.bots,
        seed=order.seed,
        seconds=perf_counter() - began,
        engine="reference",
    )


def _batches(order: Order, program: Program) -> Iterator[list[Finished]]:
    if order.processes == 1:
        for number in range(order.games):
            yield [play_game(program, order.seed, number, order.bots)]
        return
    size = max(1, min(50, order.games // (order.processes * 4)))
    starts = range(0, order.games, size)
    spans = [range(start, min(start + size, order.games)) for start in starts]
    with ProcessPoolExecutor(
        order.processes, initializer=_begin, initargs=(order,)
    ) as pool:
        yield from pool.map(_play_some, spans)


# What a process of the pool knows, prepared once when it starts.
_mine: tuple[Order, Program] | None = None


def _begin(order: Order) -> None:
    global _mine
    ruleset, _ = load_ruleset(order.folder)
    assert ruleset is not None, "the ruleset was loaded before"
    program = prepare_table(ruleset, order.table).program
    assert program is not None, "the table was prepared before"
    _mine = order, program


def _play_some(numbers: Sequence[int]) -> list[Finished]:
    assert _mine is not None, "the process was begun"
    order, program = _mine
    return [play_game(program, order.seed, each, order.bots) for each in numbers]
