"""Times of each stage of each ruleset, as ratios to a yardstick.

Usage: `python tools/bench/measure.py [GAME …] [--rounds N] [--json]`

Machines are shared and noisy, so seconds mean little from one run to the next. Every
round measures the yardstick (a loop in plain Python) beside each stage, in CPU time of
this process; a row gives the median of the ratios of its rounds and how far they
spread. Compare ratios of one run only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from houserule.base.resources import find_ruleset, shipped_rulesets

# Inside: each stage between a file and a game is measured alone.
from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table
from houserule.engine.reference.play.engine import Engine
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

YARDSTICK = 200_000


@dataclass(frozen=True, slots=True)
class Row:
    """One stage of one ruleset: ratios to the yardstick, and milliseconds."""

    game: str
    stage: str
    median: float
    least: float
    most: float
    milliseconds: float


def yardstick() -> int:
    """Run the loop that everything is measured against."""
    total = 0
    for number in range(YARDSTICK):
        total += number & 7
    return total


def cpu_time(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process for some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def stages(name: str) -> dict[str, Callable[[], object]]:
    """Return the stages of a ruleset, from its files to a whole random game.

    Raises:
        SystemExit: an unknown ruleset, or one with errors.
    """
    folder = find_ruleset(name)
    ruleset, faults = load_ruleset(folder) if folder else (None, [])
    if folder is None or ruleset is None:
        raise SystemExit(f"{name}: no ruleset, or one with {len(faults)} faults")
    program = composed(ruleset)
    game = ReferenceGame.start(program, 1)
    saved = game.save()
    return {
        "load": lambda: load_ruleset(folder),
        "compose and check": lambda: composed(ruleset),
        "make the engine": lambda: Engine(program),
        "copy a game": lambda: [game.clone() for _ in range(100)],
        "save and restore": lambda: ReferenceGame.restore(program, saved).save(),
        "a random game": lambda: playout(program),
    }


def composed(ruleset: LoadedRuleset) -> Program:
    """Return the base game's program at its smallest table."""
    table, _ = choose_table(ruleset)
    rules, _ = compose(ruleset, table) if table else (None, [])
    program, faults = check_rules(rules) if rules else (None, [])
    if program is None:
        raise SystemExit(f"{ruleset.id}: {len(faults)} faults")
    return program


def playout(program: Program) -> ReferenceGame:
    """Play one random game to its end."""
    luck, game = Random(1), ReferenceGame.start(program, 1)
    while (decision := game.decision) is not None:
        game.choose(decision.options[luck.randrange(decision.options.count())])
    return game


def measure(name: str, rounds: int) -> list[Row]:
    """Measure all stages of a ruleset, interleaved, after one round to warm up."""
    works = stages(name)
    ratios: dict[str, list[float]] = {stage: [] for stage in works}
    seconds: dict[str, list[float]] = {stage: [] for stage in works}
    for number in range(rounds + 1):
        for stage, work in works.items():
            base = cpu_time(yardstick)
            spent = cpu_time(work)
            if number:
                ratios[stage].append(spent / base)
                seconds[stage].append(spent)
    return [
        Row(
            name,
            stage,
            statistics.median(found),
            min(found),
            max(found),
            1000 * statistics.median(seconds[stage]),
        )
        for stage, found in ratios.items()
    ]


def shown(rows: list[Row]) -> str:
    """Return the rows as a readable table."""
    head = f"{'game':<12} {'stage':<20} {'ratio':>8} {'from':>8} {'to':>8} {'ms':>9}"
    lines = [
        f"{row.game:<12} {row.stage:<20} {row.median:8.2f} {row.least:8.2f} "
        f"{row.most:8.2f} {row.milliseconds:9.2f}"
        for row in rows
    ]
    return "\n".join([head, *lines])


def main(arguments: list[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args(arguments)
    names = wanted.games or list(shipped_rulesets())
    rows = [row for name in names for row in measure(name, wanted.rounds)]
    if wanted.json:
        fields = Row.__slots__
        print(json.dumps([{f: getattr(row, f) for f in fields} for row in rows]))
    else:
        print(shown(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
