"""Decisions per second of searches, compared with random games.

Usage: `python -m tools.bench.thinking [GAME …] [--rounds N] [--seconds S] [--json]
[--write PAGE]`, from the root of the checkout; all games take about three minutes.

In each round the compiled engine plays random games, and then searches at decisions of
such games, each part in CPU time of one core. Each ratio is of one round. A search also
determinizes games, keeps its tree and values positions; a random game also counts for
its results. A search that ends early, because a move is proved or forced, does not
count; so Nim has twice as many heaps.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from tools.bench.compare import number_words
from tools.bench.contestants import SEED
from tools.bench.pages import tell
from tools.bench.tables import tables

# Inside: a machine's searches are timed without their overhead in Python.
from houserule import Table, load
from houserule.engine.bots.effort import Effort
from houserule.engine.compiled.available import module_of
from houserule.engine.compiled.machine import CompiledMachine, Faulted

EFFORT = Effort(decisions=2_000)
LARGER = {"nim": {"heaps": 6}}  # smaller games are proved too soon
APART = 7  # decisions of a random game from one search to the next
HEAD = ("game", "players", "random", "search", "ratio", "from", "to")


@dataclass(frozen=True, slots=True)
class Row:
    """The speed of searches at decisions of a table.

    Attributes:
        random: decisions of random games per second of CPU time, the median.
        search: the same for searches.
        ratio: of search to random: the median, least and greatest of the rounds.
    """

    game: str
    players: int
    random: float
    search: float
    ratio: tuple[float, float, float]


class Thinker:
    """A table on the compiled engine: plays at random, and thinks."""

    def __init__(self, table: Table) -> None:
        self._machine = CompiledMachine(module_of(table.program))
        self._number = 0

    def playing(self, seconds: float) -> float:
        """Return the decisions per second of random games."""
        made, spent = 0, 0.0
        while spent < seconds:
            begun = time.process_time()
            rows = self._machine.batch(SEED, self._number, 20)
            spent += time.process_time() - begun
            made += sum(row.decisions for row in rows)
            self._number += 20
        return made / spent

    def thinking(self, seconds: float) -> float:
        """Return the decisions per second of searches."""
        looked_at, spent = 0, 0.0
        while spent < seconds:
            self._machine.reset(SEED, self._number)
            self._number += 1
            try:
                looked_at, spent = self._game(looked_at, spent, seconds)
            except Faulted as error:
                raise SystemExit(f"a game fails: {error}") from None
        return looked_at / spent

    def _game(self, looked_at: int, spent: float, seconds: float) -> tuple[int, float]:
        """Play one random game, and search now and then."""
        machine, made = self._machine, 0
        machine.seat_searches([])
        machine.call("advance")
        while machine.header("decision") and spent < seconds:
            made += 1
            if made % APART == 0:
                begun = time.process_time()
                machine.search(EFFORT)
                took = time.process_time() - begun
                found = machine.number(machine.module.looked_at)
                if found >= EFFORT.decisions:
                    looked_at, spent = looked_at + found, spent + took
                machine.call("take_best")
            else:
                machine.decide(0)
            machine.call("advance")
        return looked_at, spent


def _larger(game: str, table: Table) -> Table:
    settings = LARGER.get(game)
    return load(game).table(settings=settings) if settings else table


def measure(game: str, table: Table, rounds: int, seconds: float) -> Row:
    """Measure both in turns, after one round to warm up."""
    thinker = Thinker(table)
    found: list[tuple[float, float]] = []
    for number in range(rounds + 1):
        each = thinker.playing(seconds), thinker.thinking(seconds)
        if number:
            found.append(each)
    ratios = [search / random for random, search in found]
    return Row(
        game,
        table.players,
        median(random for random, _ in found),
        median(search for _, search in found),
        (median(ratios), min(ratios), max(ratios)),
    )


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines to print."""
    return [
        [
            row.game,
            str(row.players),
            *map(number_words, (row.random, row.search)),
            *(f"{each:.2f}" for each in row.ratio),
        ]
        for row in rows
    ]


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of rulesets; all if none")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    rows = [
        measure(game, _larger(game, table), chosen.rounds, chosen.seconds)
        for game, table in tables(chosen.games)
    ]
    tell("thinking", HEAD, lines(rows), [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
