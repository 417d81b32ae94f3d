"""A sampling profile of playouts on the reference engine.

Usage: `python -m tools.bench.where [GAME …] [--seconds S] [--json] [--write PAGE]`,
from the root of the checkout.

A timer samples the running function and its purpose every two milliseconds of CPU time.
Nothing is instrumented, so frequent calls do not look expensive. Needs the timers of
Unix, and one thread.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from tools.bench.contestants import SEED, reference
from tools.bench.pages import tell
from tools.bench.tables import tables

from houserule import Table

INTERVAL = 0.002
OTHER = "everything else"

# Purposes by function: the innermost one on the stack counts.
PURPOSES = {
    ("engine/reference/options/options.py", "count"): "counting options",
    ("engine/reference/options/options.py", "__getitem__"): "finding the chosen option",
    ("engine/reference/options/options.py", "refusals"): "checking the choice",
    (
        "engine/reference/options/options.py",
        "any_action",
    ): "asking whether anything can be done",
    ("engine/bots/random_choice.py", "sensible"): "asking for advice",
    ("engine/reference/play/machine.py", "execute"): "carrying out statements",
    ("engine/reference/play/turns.py", "advance"): "following the flow",
    ("engine/state/state_model.py", "validate_store"): "checking the whole state",
    ("engine/bots/random_choice.py", "random_option"): "drawing for the bots",
    ("play/records/hashes.py", "state_hash"): "hashing the last state",
}
EVALUATION = "evaluate"  # the folder of the evaluator of expressions


class Samples:
    """The running functions and their purposes, one for each sample."""

    def __init__(self) -> None:
        self.purposes: Counter[str] = Counter()
        self.evaluating: Counter[str] = Counter()

    def look(self, _: int, frame: FrameType | None) -> None:
        """Take a sample."""
        purpose, evaluating = OTHER, False
        while frame is not None:
            module = Path(frame.f_code.co_filename)
            place = module.as_posix().rpartition("/houserule/")[2]
            name = PURPOSES.get((place, frame.f_code.co_name))
            if name is not None:
                purpose = name
                break
            evaluating = evaluating or module.parent.name == EVALUATION
            frame = frame.f_back
        self.purposes[purpose] += 1
        self.evaluating[purpose] += evaluating


def sample(table: Table, seconds: float) -> Samples:
    """Play random games for some time, and take samples."""
    found = Samples()
    before = signal.signal(signal.SIGPROF, found.look)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    end, number = time.process_time() + seconds, 0
    try:
        while time.process_time() < end:
            reference(table, SEED, number, 1)
            number += 1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return found


def shares(samples: Samples) -> list[tuple[str, float, float]]:
    """Return the share of each purpose, and its part spent in expressions."""
    every = max(samples.purposes.total(), 1)
    found = [
        (name, count / every, samples.evaluating[name] / every)
        for name, count in samples.purposes.most_common()
    ]
    found.sort(key=lambda each: each[0] == OTHER)
    return found


Shares = dict[str, list[tuple[str, float, float]]]


def columns_of(found: Shares) -> tuple[list[str], list[list[str]]]:
    """Return a table with a column for each game."""
    most = {
        name: max(share for line in found.values() for n, share, _ in line if n == name)
        for line in found.values()
        for name, _, _ in line
    }
    names = sorted(most, key=lambda name: (name == OTHER, -most[name]))
    lines = [[name, *(_cell(line, name) for line in found.values())] for name in names]
    inside = [
        f"{sum(evaluating for _, _, evaluating in line):.0%}" for line in found.values()
    ]
    lines.append(["in all, working out expressions", *inside])
    return ["what for", *found], lines


def _cell(line: Sequence[tuple[str, float, float]], name: str) -> str:
    return "".join(f"{share:.1%}" for found, share, _ in line if found == name)


def main(words: list[str]) -> None:
    """Sample, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["pachisi", "x_pasch"])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    found: Shares = {
        f"{game}, {table.players} players": shares(sample(table, chosen.seconds))
        for game, table in tables(chosen.games)
    }
    tell("where", *columns_of(found), found, chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
