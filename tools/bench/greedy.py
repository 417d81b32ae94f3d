"""Games of greedy bots: the speed of the compiled engine over the reference engine.

Usage: `python -m tools.bench.greedy [GAME …] [--rounds N] [--json] [--write PAGE]`,
from the root of the checkout. Both engines play the same games at the smallest table,
in turns; each ratio is of one round.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Literal, TypeAlias

from tools.bench.compare import Plan, agree, number_words
from tools.bench.contestants import SEED, Contestant, InProcess, Played
from tools.bench.pages import tell
from tools.bench.tables import SEATS, table_of

from houserule import Table

Engine: TypeAlias = Literal["reference", "compiled"]
GAMES = ("liars_dice", "pachisi", "x_pasch")
HEAD = ("game", "players", "reference", "compiled", "times as quick", "from", "to")


@dataclass(frozen=True, slots=True)
class Row:
    """The speed of both engines with greedy bots in all seats.

    Attributes:
        reference: games per second of CPU time, the median of the rounds.
        compiled: the same.
        times: the speed of the compiled engine over the reference engine: the median,
            least and greatest of the rounds.
    """

    game: str
    players: int
    reference: float
    compiled: float
    times: tuple[float, float, float]


def engine(table: Table, name: Engine) -> Contestant:
    """Return an engine with greedy bots in all seats."""

    def play(games: int) -> Sequence[Played]:
        return table.games(range(games), seed=SEED, bots="greedy", engine=name)

    return InProcess(name, play)


def measure(
    game: str, players: int, both: tuple[Contestant, Contestant], plan: Plan
) -> Row:
    """Check that both play alike, the slower one first; measure them in turns.

    Raises:
        SystemExit: they do not.
    """
    slow, quick = both
    games = plan.games_for(slow)
    agree(game, both, games)
    repeats = plan.repeats_for(quick, games)
    rounds = [
        (
            slow.seconds(games, 1) / games,
            quick.seconds(games, repeats) / repeats / games,
        )
        for _ in range(plan.rounds)
    ]
    times = [one / other for one, other in rounds]
    return Row(
        game,
        players,
        median(1 / one for one, _ in rounds),
        median(1 / other for _, other in rounds),
        (median(times), min(times), max(times)),
    )


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines to print."""
    return [
        [
            row.game,
            str(row.players),
            *map(number_words, (row.reference, row.compiled, *row.times)),
        ]
        for row in rows
    ]


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    plan = Plan(chosen.rounds, chosen.seconds)
    rows = []
    for game in chosen.games:
        table = table_of(game, SEATS.get(game, (None,))[0])
        both = engine(table, "reference"), engine(table, "compiled")
        rows.append(measure(game, table.players, both, plan))
    tell("greedy", HEAD, lines(rows), [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
