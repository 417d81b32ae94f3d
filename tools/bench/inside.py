"""A profile of playouts inside the compiled engine: samples by `perf`.

Usage: `python -m tools.bench.inside [GAME …] [--seconds S] [--json] [--write PAGE]`,
from the root of the checkout. Needs `perf` of Linux.

Games are played in a subprocess, whose modules give `perf` the names of their
functions. Nothing is instrumented, but calls are not inlined then, so small functions
get a larger share. Time outside the modules, in Python and at the start, does not
count. Functions are grouped by purpose, the prefix of their names.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.bench.contestants import SEED, compiled
from tools.bench.pages import tell
from tools.bench.tables import SEATS, table_of

PERF_MAP = "HOUSERULE_PERF_MAP"
"""The variable that makes compiled modules give `perf` the names of their functions."""

OTHER = "everything else inside"
PURPOSES = {
    "counting options": ("walk", "nth", "part", "count", "next_places", "gather"),
    "asking whether anything can be done": ("can", "any"),
    "asking for advice": ("filter", "wise", "advise"),
    "finding the chosen option": ("seek", "pick", "bind", "chosen", "decide", "choose"),
    "working out values": ("value", "query", "index"),
    "following the flow": (
        *("phase", "next", "flow", "onward", "advance", "honour", "cut", "outermost"),
        *("depth_of", "acting", "first_values", "reopen", "run", "together", "say"),
        *("top", "flags", "at_depth", "act_of", "item_of", "step_", "end_decision"),
    ),
    "carrying out statements": (
        *("action", "effect", "step", "reaction", "before", "after", "place", "lift"),
        *("out_of", "shuffle", "forget", "lying", "take", "lie"),
    ),
    "looking for reactions": ("watch", "queue", "settle", "look~", "fire", "run_re"),
    "chance": ("below", "next_word", "draw", "begin_stream", "mix~"),
    "telling of the game": ("hash", "mixed", "scores", "look_", "lay_down", "winners"),
    "copying memory": ("wasmtime_builtin",),
}
"""Purposes by prefix of function names; `~` marks a whole name."""


def purpose(function: str) -> str:
    """Return the purpose of a function of a module: the longest prefix decides."""
    best, found = -1, OTHER
    for name, beginnings in PURPOSES.items():
        for each in beginnings:
            if f"{function}~".startswith(each) and len(each) > best:
                best, found = len(each), name
    return found


def sample(game: str, players: int | None, seconds: float) -> Counter[str]:
    """Play in a profiled process; return the samples of each purpose.

    Raises:
        SystemExit: `perf` is missing or not permitted.
    """
    perf = shutil.which("perf")
    if perf is None:
        raise SystemExit("perf is not installed: nothing was measured")
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "samples")
        child = [sys.executable, "-m", "tools.bench.inside", "--play", game]
        child += ["--seconds", str(seconds)]
        child += ["--players", str(players)] if players else []
        record = [perf, "record", "-q", "-F", "2000", "-e", "cpu-clock", "-o", file]
        done = subprocess.run(
            [*record, *child],
            env={**os.environ, PERF_MAP: "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"perf may not look here: {done.stderr.strip()}")
        script = [perf, "script", "-i", file, "-F", "ip,sym,dso"]
        told = subprocess.run(script, capture_output=True, text=True, check=True)
    return counted(told.stdout)


LINE = re.compile(r"\s*[0-9a-f]+ (?P<name>\S+) \((?P<where>.*)\)")


def counted(samples: str) -> Counter[str]:
    """Return the samples of each purpose in the output of `perf script`."""
    found: Counter[str] = Counter()
    for line in samples.splitlines():
        match = LINE.match(line)
        if match is None:
            continue
        builtin = match["name"].startswith("wasmtime_builtin")
        if builtin or "perf-" in match["where"] or "JIT" in match["where"]:
            found[purpose(match["name"])] += 1
    return found


def play(game: str, players: int | None, seconds: float) -> None:
    """Play random games for some time."""
    table = table_of(game, players)
    end, first = time.process_time() + seconds, 0
    while time.process_time() < end:
        compiled(table, SEED, first, 1000)
        first += 1000


def columns_of(found: dict[str, Counter[str]]) -> tuple[list[str], list[list[str]]]:
    """Return a table with a column for each game."""
    names = {name for counts in found.values() for name in counts}
    most = {
        name: max(counts[name] / counts.total() for counts in found.values())
        for name in names
    }
    ordered = sorted(names, key=lambda name: (name == OTHER, -most[name]))
    lines = [
        [name, *(f"{c[name] / c.total():.1%}" for c in found.values())]
        for name in ordered
    ]
    return ["what for", *found], lines


def measured(games: Sequence[str], seconds: float) -> dict[str, Counter[str]]:
    """Profile some games, each with few and many players if this is of interest."""
    return {
        game + (f", {players} players" if players else ""): sample(
            game, players, seconds
        )
        for game in games
        for players in SEATS.get(game, (None,))
    }


def main(words: list[str]) -> None:
    """Sample, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["pachisi", "x_pasch", "takeover"])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    parser.add_argument("--play", metavar="GAME", help=argparse.SUPPRESS)
    parser.add_argument("--players", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    if chosen.play:
        play(chosen.play, chosen.players, chosen.seconds)
        return
    found = measured(chosen.games, chosen.seconds)
    tell("inside", *columns_of(found), found, chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
