"""Playouts per second of every ruleset and engine, beside programs written by hand.

Usage: `python -m tools.bench.compare [GAME …] [--rounds N] [--seconds S] [--json]
[--write PAGE]`, from the root of the checkout.

Everybody plays the same games with the same random numbers, and must come to the same
results; then rounds are measured in which all take turns. A ratio is worked out within
each round, so that what slows the machine down slows all of them.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias, TypeVar

from tools.bench.contestants import COMPILED, PLAIN_PYTHON, Contestant, contestants
from tools.bench.pages import aligned, markdown, rewrite
from tools.bench.tables import tables

from houserule import Table


@dataclass(frozen=True, slots=True)
class Row:
    """How fast somebody plays a table.

    Attributes:
        base: whom `median`, `least` and `most` compare with: they say how many times
            as long one playout takes here as there, over the rounds.
        games: how many different games were played.
        choices: how many are made in a game, in the mean.
        rate: playouts in a second of CPU time, the median of the rounds.
    """

    game: str
    players: int
    name: str
    base: str
    games: int
    choices: float
    rate: float
    median: float
    least: float
    most: float


CHOICES, A_SECOND = "choices a game", "compiled, choices a second"

T = TypeVar("T")
Round: TypeAlias = dict[tuple[str, int], float]
"""What one playout took, by who played and how many different games."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is played: rounds, and the time one should take for the slowest."""

    rounds: int
    seconds: float

    def games_for(self, slowest: Contestant) -> int:
        """Return how many games fill the time, two at least."""
        once = max(slowest.seconds(2, 1) / 2, 1e-6)
        return min(max(2, math.ceil(self.seconds / once)), 5000)

    def repeats_for(self, contestant: Contestant, games: int) -> int:
        """Return how often somebody plays the games to fill half the time."""
        once = max(contestant.seconds(games, 1), 1e-6)
        return max(1, math.ceil(self.seconds / 2 / once))


def measure(
    game: str, table: Table, everybody: Sequence[Contestant], plan: Plan
) -> list[Row]:
    """Check that all play alike, then measure them in turns.

    All agree on a few games, as many as the slowest can play. Who is quicker is then
    measured over as many as the program in plain Python can play, and that over both.

    Raises:
        SystemExit: somebody's games go another way.
    """
    few = plan.games_for(everybody[0])
    agree(game, everybody, few)
    names = {each.name: each for each in everybody}
    base = names.get(PLAIN_PYTHON, everybody[0])
    many = {each.name: few for each in everybody[:1]}
    for each in everybody[1:]:
        many[each.name] = plan.games_for(each if base is everybody[0] else base)
    tasks = [(each, many[each.name]) for each in everybody]
    if many[base.name] != few:
        tasks.append((base, few))
    rounds = _rounds(tasks, plan)
    found = [
        _row(game, table.players, (each.name, base.name), many[each.name], rounds)
        for each in everybody
    ]
    choices = statistics.mean(each[1] for each in everybody[-1].results(few))
    return [replace(row, choices=choices) for row in found]


def _rounds(tasks: Sequence[tuple[Contestant, int]], plan: Plan) -> list[Round]:
    """Let all play in turns; who begins changes."""
    repeats = [plan.repeats_for(*task) for task in tasks]
    rounds: list[Round] = []
    for number in range(plan.rounds):
        turn, spent = number % len(tasks), dict[tuple[str, int], float]()
        for (each, games), times in _turned(
            list(zip(tasks, repeats, strict=True)), turn
        ):
            spent[each.name, games] = each.seconds(games, times) / times / games
        rounds.append(spent)
    return rounds


def _turned(items: list[T], by: int) -> list[T]:
    return [*items[by:], *items[:by]]


def agree(game: str, everybody: Sequence[Contestant], games: int) -> None:
    """See that all come to the same results.

    Raises:
        SystemExit: somebody does not.
    """
    wanted = everybody[0].results(games)
    for each in everybody[1:]:
        for number, (right, found) in enumerate(
            zip(wanted, each.results(games), strict=True)
        ):
            if right != found:
                raise SystemExit(
                    f"{game}, game {number}: {each.name} comes to {found}, "
                    f"{everybody[0].name} to {right}"
                )


def _row(
    game: str,
    players: int,
    names: tuple[str, str],
    games: int,
    rounds: Sequence[Round],
) -> Row:
    name, base = names
    spent = [each[name, games] for each in rounds]
    same = all((base, games) in each for each in rounds)
    fewest = min(many for each in rounds for other, many in each if other == base)
    bases = [each[base, games if same else fewest] for each in rounds]
    ratios = [one / other for one, other in zip(spent, bases, strict=True)]
    return Row(
        game,
        players,
        name,
        base,
        games,
        0,
        statistics.median(1 / each for each in spent),
        statistics.median(ratios),
        min(ratios),
        max(ratios),
    )


# ---- showing


def ratio_words(ratio: float) -> str:
    """Return a ratio as people read it: `19.3`, `1/390`."""
    if ratio >= 1:
        return number_words(ratio)
    return f"1/{number_words(1 / ratio)}"


def number_words(number: float) -> str:
    """Return a number with three figures that count."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def ratios(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the table of those games that somebody wrote by hand."""
    head = ["game", "players", "played by", "ratio", "from", "to"]
    lines = [
        [
            row.game,
            str(row.players),
            row.name,
            *(ratio_words(each) for each in (row.median, row.least, row.most)),
        ]
        for row in rows
        if row.base == PLAIN_PYTHON
    ]
    return head, lines


def rates(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the table of playouts per second, a column for each contestant.

    The last column is how many choices a second the compiled engine makes.
    """
    names = list(dict.fromkeys(row.name for row in rows))
    found: dict[tuple[str, int], dict[str, str]] = {}
    for row in rows:
        line = found.setdefault((row.game, row.players), {})
        line[row.name] = number_words(row.rate)
        line[CHOICES] = number_words(row.choices)
        if row.name == COMPILED:
            line[A_SECOND] = number_words(row.choices * row.rate)
    columns = [*names, CHOICES, A_SECOND]
    lines = [
        [game, str(players), *(line.get(name, "") for name in columns)]
        for (game, players), line in found.items()
    ]
    return ["game", "players", *columns], lines


def page_text(rows: Sequence[Row], plan: Plan) -> str:
    """Return what stands on the page: where it was measured, and both tables."""
    where = (
        f"Measured with {platform.python_implementation()} "
        f"{platform.python_version()} on {platform.system()} "
        f"({platform.machine()}), {plan.rounds} rounds."
    )
    return "\n".join(
        [
            where,
            "",
            "How long one playout takes, plain Python being 1:",
            "",
            markdown(*ratios(rows)),
            "",
            "Playouts in a second of CPU time:",
            "",
            markdown(*rates(rows)),
        ]
    )


def measure_all(games: Sequence[str], plan: Plan) -> list[Row]:
    """Measure the tables of some games, or of all."""
    found: list[Row] = []
    with TemporaryDirectory() as folder:
        for game, table in tables(games):
            everybody = contestants(game, table, Path(folder))
            found += measure(game, table, everybody, plan)
    return found


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of rulesets; all if none")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its tables")
    chosen = parser.parse_args(words)
    plan = Plan(chosen.rounds, chosen.seconds)
    rows = measure_all(chosen.games, plan)
    if chosen.write:
        rewrite(chosen.write, "compare", page_text(rows, plan))
    if chosen.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    head, lines = ratios(rows)
    if lines:
        print(aligned(head, lines), end="\n\n")
    print(aligned(*rates(rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
