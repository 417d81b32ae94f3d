"""The cost of `after ACTION`, compared with the same condition written by hand.

Usage: `python -m tools.bench.imagined [--rounds N] [--json] [--write PAGE]`, from the
root of the checkout. Backgammon is played with the built-in rules, with equivalent
rules without `after` (`yardsticks/both_numbers.rules`), and without the condition. The
first two play identical games. The cost of the condition is the additional time of a
choice; each ratio is of one round.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

from tools.bench.compare import Plan, agree, number_words
from tools.bench.contestants import Contestant
from tools.bench.pages import tell
from tools.bench.presets import engine

import houserule

GAME = "backgammon"
RULES = Path(__file__).parent / "yardsticks" / "both_numbers.rules"
HEAD = ("compared", "ratio", "from", "to")


@dataclass(frozen=True, slots=True)
class Row:
    """The ratio of a time with `after` to the time by hand."""

    compared: str
    median: float
    least: float
    most: float


def contestants() -> dict[str, Contestant]:
    """Return the contestants: with `after`, by hand, and without the condition.

    Raises:
        SystemExit: the rules by hand play other games.
    """
    ruleset = houserule.load(GAME, rules=[RULES])
    found = {
        "after": engine(ruleset.table()),
        "by hand": engine(ruleset.table(with_=["both_numbers_by_hand"])),
        "without": engine(ruleset.table(with_=["any_numbers"])),
    }
    agree(GAME, [found["after"], found["by hand"]], 50)
    return found


def measure(everybody: Mapping[str, Contestant], plan: Plan) -> list[Row]:
    """Let all play in turns; compare a choice, then the condition alone."""
    games = {name: plan.games_for(each) for name, each in everybody.items()}
    choices = {
        name: mean(result[1] for result in each.results(games[name]))
        for name, each in everybody.items()
    }
    rounds = [
        {
            name: each.seconds(games[name], 1) / games[name] / choices[name]
            for name, each in everybody.items()
        }
        for _ in range(plan.rounds)
    ]
    whole = [took["after"] / took["by hand"] for took in rounds]
    # A difference of two times is noisy, so take the least.
    least = {name: min(took[name] for took in rounds) for name in everybody}
    alone = (least["after"] - least["without"]) / (least["by hand"] - least["without"])
    return [_row("a whole choice", whole), _row("the condition alone", [alone])]


def _row(compared: str, ratios: Sequence[float]) -> Row:
    return Row(compared, median(ratios), min(ratios), max(ratios))


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=0.5, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    rows = measure(contestants(), Plan(chosen.rounds, chosen.seconds))
    lines = [
        [row.compared, *map(number_words, (row.median, row.least, row.most))]
        for row in rows
    ]
    tell("imagined", HEAD, lines, [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
