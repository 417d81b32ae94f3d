"""Judge many mutants, or large inputs: `python -m tests.fuzz --from 0 --count 200`.

Ends with status 1 if there is a finding. A mutant is known by seed and number: the
same numbers do the same again. `--from N --count 1 --shrink` cuts a finding down and
prints it as a case.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.fuzz.judge import Judged, judge_made, warm_up
from tests.fuzz.large import MANY, large
from tests.fuzz.mutate import Folder, mutant
from tests.fuzz.shrink import case_of, shrink

MADE_FOR_EACH = 30
"""One more game is judged beforehand for so many inputs: it pays for many."""


def main() -> int:
    """Judge what the arguments say; return the exit status."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(prefix="fuzz-cache-") as cache:
        os.environ["HOUSERULE_CACHE"] = cache
        found = _judge_all(asked)
    return 1 if found else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="start", type=int, default=0, metavar="N")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="large inputs instead")
    parser.add_argument("--most", type=int, default=MANY[-1], help="size of them")
    parser.add_argument("--show", action="store_true", help="what was done to each")
    parser.add_argument("--shrink", action="store_true", help="cut findings down")
    return parser.parse_args()


def _judge_all(asked: argparse.Namespace) -> int:
    """Judge all, print findings as they come and a table at the end."""
    table, found, start = Table(), 0, time.monotonic()
    make = partial(large, most=asked.most) if asked.large else mutant
    for number, judged in _results(asked, make):
        table.add(number, judged)
        found += bool(judged.wrong)
        if judged.wrong or asked.show:
            folder = make(asked.seed, number)
            print(f"{number}: {folder.name}: {'; '.join(folder.told)}")
        if judged.wrong:
            print(f"{judged.command}: {judged.wrong}\n{judged.detail}", flush=True)
            if asked.shrink:
                print(case_of(shrink(folder, judged), judged))
        elif asked.show:
            print("  ", ", ".join(f"{ran.command} {ran.status}" for ran in judged.ran))
    seconds = time.monotonic() - start
    what = "large inputs" if asked.large else "mutants"
    print(f"{asked.count} {what}, {found} findings, {seconds:.0f} seconds")
    print("\n".join(table.lines()))
    return found


def _results(
    asked: argparse.Namespace, make: Callable[[int, int], Folder]
) -> Iterator[tuple[int, Judged]]:
    every = range(asked.start, asked.start + asked.count)
    context = multiprocessing.get_context("spawn")
    most = 1 + asked.count // MADE_FOR_EACH
    with ProcessPoolExecutor(asked.jobs, context, warm_up, (most,)) as workers:
        do = partial(judge_made, make, asked.seed)
        yield from zip(every, workers.map(do, every, chunksize=4), strict=True)


class Table:
    """Counts by command: how often, with which status, what it took at most."""

    def __init__(self) -> None:
        self._statuses: dict[str, Counter[int | None]] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._slowest: dict[str, tuple[float, int]] = {}
        self._largest: dict[str, tuple[int, int]] = {}

    def add(self, number: int, judged: Judged) -> None:
        """Count the commands of one folder."""
        for ran in judged.ran:
            verb = ran.command.split()[0]
            self._statuses.setdefault(verb, Counter())[ran.status] += 1
            self._seconds[verb] += ran.seconds
            slow, large = (ran.seconds, number), (ran.memory, number)
            self._slowest[verb] = max(self._slowest.get(verb, slow), slow)
            self._largest[verb] = max(self._largest.get(verb, large), large)

    def lines(self) -> Iterator[str]:
        """Yield the rows of the table, as Markdown."""
        heads = "command", "times", "status 0", "1", "2", "CPU s", "slowest", "largest"
        yield _row(heads)
        yield _row(["---"] * len(heads))
        for verb, counts in self._statuses.items():
            (slow, slowest), (large, largest) = self._slowest[verb], self._largest[verb]
            numbers = counts.total(), *(counts[status] for status in (0, 1, 2))
            most = f"{slow:.1f} s ({slowest})", f"{large >> 20} MB ({largest})"
            yield _row((verb, *numbers, f"{self._seconds[verb]:.0f}", *most))


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.exit(main())
