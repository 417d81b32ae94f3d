"""The speed-up of two threads, compared with two processes.

Usage: `python -m tools.bench.threads [GAME …] [--rounds N] [--seconds S]`

Threads on the compiled engine release Python's lock, so two threads should gain as much
as two processes. The processes are the control: two cores may share a cache, a clock,
or other work. Run it on a machine with two free cores. All three play the same games,
in wall-clock time, round by round.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from threading import local

from tools.bench.tables import table_of

# Inside: a machine is measured alone, without its results in Python.
from houserule.engine.compiled.machine import CompiledMachine, code_of
from houserule.engine.compiled.module import RESULTS_AT_MOST, Module, emit

GAMES = ("pig", "pachisi")
SEED = 1


@dataclass(frozen=True, slots=True)
class Gain:
    """The speed-up of two workers over one, by round."""

    threads: list[float]
    processes: list[float]


@cache
def module_of(game: str) -> Module:
    """Return the compiled rules of a game's base table.

    Raises:
        SystemExit: an unknown game.
    """
    module = emit(table_of(game).program)
    code_of(module)
    return module


_mine = local()


def play(game: str, batches: int) -> int:
    """Play some batches on this thread's own machine."""
    machines: dict[str, CompiledMachine] = _mine.__dict__.setdefault("machines", {})
    if game not in machines:
        machines[game] = CompiledMachine(module_of(game))
    for number in range(batches):
        machines[game].call("batch", SEED, number, RESULTS_AT_MOST // 8, 200_000, 0, 0)
    return batches


def seconds(work: Callable[[], object]) -> float:
    """Return the wall-clock time of some work."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def together(pool: Executor, game: str, batches: int) -> float:
    """Return the time of two workers with some batches each."""
    return seconds(lambda: list(pool.map(play, [game] * 2, [batches] * 2)))


def enough(game: str, wanted: float) -> int:
    """Return the number of batches that take about a number of seconds."""
    batches = 1
    while (taken := seconds(partial(play, game, batches))) < wanted / 4:
        batches *= 2
    return max(1, round(batches * wanted / taken))


def measure(game: str, rounds: int, wanted: float) -> Gain:
    """Return the speed-up of two threads and of two processes."""
    batches, found = enough(game, wanted), Gain([], [])
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for pool in (threads, processes):  # machines are made before the measurement
            together(pool, game, max(1, batches // 4))
        for _ in range(rounds):
            one = seconds(partial(play, game, batches))
            found.threads.append(2 * one / together(threads, game, batches))
            found.processes.append(2 * one / together(processes, game, batches))
    return found


def shown(ratios: list[float]) -> str:
    """Return the median, the least and the greatest of some ratios."""
    middle = statistics.median(ratios)
    return f"{middle:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main() -> None:
    """Measure, and print a line a game."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args()
    print("| game | two threads | two processes |\n| --- | ---: | ---: |")
    for game in given.games:
        gain = measure(game, given.rounds, given.seconds)
        print(f"| {game} | {shown(gain.threads)} | {shown(gain.processes)} |")


if __name__ == "__main__":
    main()
