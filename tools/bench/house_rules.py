"""Measure the effect of each house rule, and write it beside the rules.

Usage: `python -m tools.bench.house_rules [GAME …] [--games N] [--check]`, from the root
of the checkout. All games take about half an hour of one core.

Greedy bots play the base game and the base game with one house rule, on the same random
numbers. `rulesets/GAME/measured.json` gets the differences that are clear: the interval
excludes zero, and the difference is at least a twentieth of the mean, or 5 of 100
games. A README with the marks of this tool gets a table of them. `--check` plays
nothing: it reports house rules without an entry, and tables that differ from the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.bench.pages import rewrite

# Inside: the same two tables and words as in the configurator.
from houserule.compiler.prepare import TableChoice
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.study.simulate.comparison import MeasureDifference
from houserule.study.simulate.experiments import growing
from houserule.ui.configurator.effect import both_tables
from houserule.ui.configurator.measured import (
    MEASURED,
    TOLD,
    MeasuredRule,
    differences,
    measured_rules,
)

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
TOOL = "house_rules"
MARK = f"<!-- written by tools/bench/{TOOL}.py: begin -->"
PLAYERS = (None, 2, 3, 4, 5, 6, 7)
LEAST_SHARE, LEAST_PART = 0.05, 0.05


def measure(ruleset: LoadedRuleset, name: str, games: int) -> MeasuredRule | None:
    """Return what a house rule changes, at the first table that can have it."""
    for players in PLAYERS:
        both = both_tables(ruleset, TableChoice(players=players), name, "en")
        if both is None:
            continue
        plan, programs, _ = both
        bots = ("greedy",)
        (found,) = growing(plan, programs, (games,), lambda: False, bots=bots)
        (change,) = found.changes
        changes = {
            each.measure: (round(each.base, 4), round(each.changed, 4))
            for each in change.differences
            if each.measure in TOLD and is_clear(each)
        }
        return MeasuredRule(players=found.players, games=found.games, changes=changes)
    return None


def is_clear(found: MeasureDifference) -> bool:
    """Return whether a difference is seen, and large enough for players to notice."""
    size = abs(found.difference)
    if found.kind == "share":
        return found.seen and size >= LEAST_SHARE
    return found.seen and size >= LEAST_PART * max(abs(found.base), abs(found.changed))


def table(rules: Mapping[str, MeasuredRule | None]) -> str:
    """Return the table of a README."""
    found = {name: rule for name, rule in rules.items() if rule is not None}
    games = max(rule.games for rule in found.values())
    rows = (f"| `{name}` | {differences(found[name], 'en')} |" for name in found)
    head = (
        f"Between bots of the level `greedy`, in {games:,} games with each house rule",
        f"and the rules that it needs, and in {games:,} games without:",
        "",
        "| house rule | what changes |",
        "|---|---|",
    )
    return "\n".join((*head, *rows))


def stale(game: str) -> Iterator[str]:
    """Yield what is out of date in the file and the README of a game."""
    ruleset = open_ruleset(RULESETS / game)
    known = ruleset.derived(measured_rules)
    missing = set(ruleset.variant_titles) ^ set(known)
    if missing:
        yield f"{game}/{MEASURED} is out of date about {', '.join(sorted(missing))}"
    readme = (RULESETS / game / "README.md").read_text(encoding="utf-8")
    if MARK in readme and table(known) not in readme:
        yield f"{game}/README.md differs from {MEASURED}"


def main(words: list[str]) -> int:
    """Measure some games, or all; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args(words)
    every = sorted(each.name for each in RULESETS.iterdir() if each.is_dir())
    names = chosen.names or every
    if chosen.check:
        found = [line for game in names for line in stale(game)]
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    for game in names:
        ruleset = open_ruleset(RULESETS / game)
        rules: dict[str, MeasuredRule | None] = {}
        for name in sorted(ruleset.variant_titles):
            rules[name] = measure(ruleset, name, chosen.games)
            print(f"{game} {name}: {rules[name]}", file=sys.stderr, flush=True)
        plain = {name: rule and rule.model_dump() for name, rule in rules.items()}
        lines = (f" {json.dumps(name)}: {json.dumps(plain[name])}" for name in plain)
        text = "{{\n{}\n}}\n".format(",\n".join(lines))
        (RULESETS / game / MEASURED).write_text(text, encoding="utf-8")
        readme = RULESETS / game / "README.md"
        if MARK in readme.read_text(encoding="utf-8"):
            rewrite(readme, TOOL, table(rules))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
