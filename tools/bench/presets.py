"""The cost of more rules: a preset and its base game, both on the compiled engine.

Usage: `python -m tools.bench.presets [GAME:PRESET …] [--rounds N] [--json] [--write
PAGE]`, from the root of the checkout. Both are played in turns; each ratio is of one
round. Other rules change the length of games, so single choices are compared as well as
playouts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

from tools.bench.compare import Plan, number_words
from tools.bench.contestants import SEED, Contestant, InProcess, compiled
from tools.bench.pages import tell
from tools.bench.tables import SEATS, table_of

from houserule import Table

PRESETS = ("x_pasch:official_deluxe",)
HEAD = (
    *("preset", "players", "choices a game", "in the base game"),
    *("a choice takes", "from", "to", "a game takes", "from", "to"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """The ratio of a preset's times to its base game's.

    Attributes:
        choices: the mean number in a game, and in the base game.
        choice: the ratio for one choice: the median, the least and the greatest.
        game: the same for a whole game.
    """

    preset: str
    players: int
    choices: tuple[float, float]
    choice: tuple[float, float, float]
    game: tuple[float, float, float]


def engine(table: Table) -> Contestant:
    """Return the compiled engine at a table."""
    return InProcess("compiled", lambda games: compiled(table, SEED, 0, games))


def measure(
    preset: str, players: int, both: tuple[Contestant, Contestant], plan: Plan
) -> Row:
    """Measure a preset and its base game in turns, over equally many games."""
    many, base = both
    many.results(2)  # compile it before the measurement
    games = plan.games_for(many)
    choices = [mean(each[1] for each in some.results(games)) for some in both]
    repeats = [plan.repeats_for(each, games) for each in both]
    times = [
        many.seconds(games, repeats[0])
        / repeats[0]
        / (base.seconds(games, repeats[1]) / repeats[1])
        for _ in range(plan.rounds)
    ]
    more = choices[0] / choices[1]
    return Row(
        preset,
        players,
        (choices[0], choices[1]),
        (median(times) / more, min(times) / more, max(times) / more),
        (median(times), min(times), max(times)),
    )


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines to print."""
    return [
        [
            row.preset.replace(":", ", "),
            str(row.players),
            *map(number_words, (*row.choices, *row.choice, *row.game)),
        ]
        for row in rows
    ]


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", default=PRESETS, metavar="GAME:PRESET")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    plan, rows = Plan(chosen.rounds, chosen.seconds), list[Row]()
    for each in chosen.presets:
        game, _, preset = each.partition(":")
        for players in SEATS.get(game, (None,)):
            base = table_of(game, players)
            more = table_of(game, base.players, preset)
            both = engine(more), engine(base)
            rows.append(measure(each, base.players, both, plan))
    tell("presets", HEAD, lines(rows), [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
