"""Playouts per second of every ruleset and engine, and of handwritten programs.

Usage: `python -m tools.bench.compare [GAME …] [--rounds N] [--seconds S] [--json]
[--write PAGE]`, from the root of the checkout.

All contestants play the same games with the same random numbers, and must get the same
results. Then they are measured in interleaved rounds. Each ratio is of one round, so
that other load on the machine slows all of them.
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
    """The speed of a contestant at a table.

    Attributes:
        base: the contestant of comparison: `median`, `least` and `most` are the ratios
            of the times of a playout, over the rounds.
        games: the number of different games.
        choices: the mean number of choices in a game.
        rate: playouts per second of CPU time, the median of the rounds.
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
"""The times of a playout, by contestant and number of different games."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The number of rounds, and the seconds of a round for the slowest."""

    rounds: int
    seconds: float

    def games_for(self, slowest: Contestant) -> int:
        """Return the number of games that fill the time, at least two."""
        once = max(slowest.seconds(2, 1) / 2, 1e-6)
        return min(max(2, math.ceil(self.seconds / once)), 5000)

    def repeats_for(self, contestant: Contestant, games: int) -> int:
        """Return the number of repetitions of the games that fill half the time."""
        once = max(contestant.seconds(games, 1), 1e-6)
        return max(1, math.ceil(self.seconds / 2 / once))


def measure(
    game: str, table: Table, everybody: Sequence[Contestant], plan: Plan
) -> list[Row]:
    """Check that all contestants agree, then measure them in turns.

    They must agree on as many games as the slowest can play. The faster ones are then
    measured over as many as the program in plain Python can play; that one over both.

    Raises:
        SystemExit: the games of a contestant differ.
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
    """Let all play in turns; the first one changes."""
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
    """Check that all contestants get the same results.

    Raises:
        SystemExit: the results differ.
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


# ---- output


def ratio_words(ratio: float) -> str:
    """Return a ratio in readable form: `19.3`, `1/390`."""
    if ratio >= 1:
        return number_words(ratio)
    return f"1/{number_words(1 / ratio)}"


def number_words(number: float) -> str:
    """Return a number with three significant digits."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def ratios(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the table of the games with a handwritten program."""
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

    The last column is the number of choices per second of the compiled engine.
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
    """Return the content of the page: the machine, and both tables."""
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
