"""Fuzz a ruleset: random games at many tables, with invariants checked.

Usage: `python tools/play_tables.py GAME [--games N] [--seed N] [--jobs N] [--json]`.

The games rotate through a sample of all tables (no variants, each variant alone, all
but one, presets, every pair of switches, boundary values of options); a quarter of the
games are at random tables. At every decision the engine checks the state's types and
the `always` conditions. Also, nothing on the table may vanish, each decision must have
an option, and every game must end. The report lists each failure with the command that
replays it, and the tables where games stall. Exit status 1 means a failure.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.progress import Progress

import houserule

MOST_DECISIONS = 20_000
RANDOM_SHARE = 4  # one game in four is at its own random table
STALLED_TABLES = 10


@dataclass(frozen=True, slots=True)
class Seating:
    """A table, with the statistics of its games."""

    sampled: houserule.SampledTable
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """One game: its outcome, or its failure.

    Attributes:
        number: its number within the seed.
        table: the flags of its table.
        why: the kind of sample of the table.
        variants: the variants that are on.
        outcome: in one word; empty after a failure.
        decisions: the number of choices.
        problem: the failure, or ''.
    """

    number: int
    table: str
    why: str
    variants: tuple[str, ...]
    outcome: str = ""
    decisions: int = 0
    problem: str = ""

    @property
    def stalled(self) -> bool:
        """Whether the game reached a bound."""
        return self.outcome.startswith("stalled")


class Broken(Exception):
    """A game violated an invariant; the message says which."""


# ---- the tables


def seatings(ruleset: houserule.Ruleset, games: int, seed: int) -> list[Seating]:
    """Return the tables with the numbers of their games, round robin."""
    tables = ruleset.sample(random=games // RANDOM_SHARE, seed=seed)
    return [
        Seating(sampled, tuple(range(place, games, len(tables))))
        for place, sampled in enumerate(tables[:games])
    ]


def flags(sampled: houserule.SampledTable) -> str:
    """Return the command's flags for a table."""
    arguments = sampled.arguments
    words = ["--players", str(arguments["players"])]
    if arguments["with_"]:
        words += ["--with", ",".join(arguments["with_"])]
    for name, value in sorted(arguments["settings"].items()):
        words += ["--set", f"{name}={_shown(value)}"]
    return shlex.join(words)


def _shown(value: object) -> str:
    """Return the value of an option as a flag's argument."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"{{{', '.join(map(_shown, value))}}}"
    return "none" if value is None else str(value)


def kind_of(why: str) -> str:
    """Return the kind of sample of a table, without names."""
    for kind in ("only", "all but", "preset"):
        if why.startswith(f"{kind} "):
            return kind
    return "options" if " = " in why else why


# ---- the games


def play_at(folder: Path, seed: int, seating: Seating) -> list[Played]:
    """Play the games of one table."""
    sampled = seating.sampled
    told = [
        Played(number, flags(sampled), kind_of(sampled.why), sampled.arguments["with_"])
        for number in seating.numbers
    ]
    try:
        table = open_ruleset(folder).table(**sampled.arguments)
    except houserule.TableError as error:
        codes = ", ".join(dict.fromkeys(each.code for each in error.diagnostics))
        return [
            replace(each, problem=f"there is no such table: {codes}") for each in told
        ]
    return [play(table, seed, each) for each in told]


def play(table: houserule.Table, seed: int, told: Played) -> Played:
    """Play one game of random bots and check the invariants."""
    decisions = 0
    try:
        for game in states(table, seed, told.number):
            decisions += game.decision is not None
        outcome = outcome_words(game.outcome)
    except houserule.RuleFault as fault:
        clause = f" ({fault.address})" if fault.address else ""
        problem = f"{fault.span}: {fault.code}: {fault.message}{clause}"
        return replace(told, decisions=decisions, problem=problem)
    except Broken as broken:
        return replace(told, decisions=decisions, problem=str(broken))
    except Exception as error:  # ours: reported with the table like any other
        problem = f"{type(error).__name__}: {error}"
        return replace(told, decisions=decisions, problem=problem)
    return replace(told, outcome=outcome, decisions=decisions)


def outcome_words(outcome: houserule.Outcome | None) -> str:
    """Return an outcome in one word: `won:0,2`, `stalled:round`."""
    if outcome is None or outcome.kind == "stalled":
        return f"stalled:{outcome.stalled_in}" if outcome else "open"
    return f"won:{','.join(map(str, outcome.winners))}"


def states(table: houserule.Table, seed: int, number: int) -> Iterator[houserule.Game]:
    """Yield a game at each of its decisions, and at its end.

    Raises:
        Broken: a thing vanished, a decision has no option, or the game does not end.
        RuleFault: the rules failed.
    """
    game = table.start(seed, number)
    lying = game.lying()
    for decisions, _ in enumerate(game.turns()):
        if decisions == MOST_DECISIONS:
            raise Broken(f"the game goes on after {MOST_DECISIONS} choices")
        lying = hold_things(game, lying)
        yield game
        decision = game.decision
        if decision is not None and decision.options.count() < 1:
            raise Broken(f"nothing is offered at {decision.site}")
    hold_things(game, lying)
    yield game


Lying: TypeAlias = dict[str, frozenset[str]]


def hold_things(game: houserule.Game, before: Lying) -> Lying:
    """Return the things in zones now; check that none vanished.

    Raises:
        Broken: a thing vanished.
    """
    now = game.lying()
    for kind, things in before.items():
        gone = things - now[kind]
        if gone:
            raise Broken(f"{', '.join(sorted(gone))} lies nowhere any more")
    return now


# ---- parallel runs


def play_all(
    folder: Path, seed: int, tables: Sequence[Seating], jobs: int
) -> list[Played]:
    """Play the games of all tables in some processes; return them by number."""
    games = sum(len(each.numbers) for each in tables)
    found: list[Played] = []
    with progress(games) as tick, spread(jobs) as over:
        for played in over(partial(play_at, folder, seed), tables):
            found += played
            tick(len(played))
    return sorted(found, key=lambda each: each.number)


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal; elsewhere show nothing."""
    with Progress(
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task("playing", total=total)
        yield lambda done: bar.advance(task, done)


Spread: TypeAlias = Callable[
    [Callable[[Seating], list[Played]], Sequence[Seating]], Iterable[list[Played]]
]


@contextmanager
def spread(jobs: int) -> Iterator[Spread]:
    """Return a parallel `map` over some processes; with 1, a plain `map`."""
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs or None) as pool:
        yield pool.map


# ---- results


@dataclass(frozen=True, slots=True)
class Stalls:
    """A number of games, and the number of them that stalled."""

    games: int
    stalled: int

    @property
    def share(self) -> float:
        """The share that stalled; 0 without games."""
        return round(self.stalled / self.games, 4) if self.games else 0.0


def stalls(games: Iterable[Played]) -> Stalls:
    """Count the games that ended, and those of them that stalled."""
    ended = [game for game in games if not game.problem]
    return Stalls(len(ended), sum(game.stalled for game in ended))


@dataclass(frozen=True, slots=True)
class Report:
    """The results of many games at many tables.

    Attributes:
        game: the ruleset.
        seed: the seed.
        games: the number of games.
        tables: the number of tables.
        decisions: the number of choices in all games.
        kinds: games for each kind of sample.
        failed: the games that failed.
        all: the stalls of all games.
        variants: for each variant, the games with it and those without it.
        stalling: the tables with the most stalled games, and their stalls.
        longest: the game with the most choices.
    """

    game: str
    seed: int
    games: int
    tables: int
    decisions: int
    kinds: dict[str, int]
    failed: list[Played]
    all: Stalls
    variants: dict[str, tuple[Stalls, Stalls]]
    stalling: list[tuple[str, Stalls]]
    longest: Played


def report_of(
    game: str, variants: Iterable[str], seed: int, played: Sequence[Played]
) -> Report:
    """Return the report of one or more games."""
    by_table: dict[str, list[Played]] = {}
    for each in played:
        by_table.setdefault(each.table, []).append(each)
    tables = [(table, stalls(games)) for table, games in by_table.items()]
    tables.sort(key=lambda row: (-row[1].share, -row[1].stalled, row[0]))
    return Report(
        game=game,
        seed=seed,
        games=len(played),
        tables=len(by_table),
        decisions=sum(each.decisions for each in played),
        kinds=dict(Counter(each.why for each in played)),
        failed=[each for each in played if each.problem],
        all=stalls(played),
        variants={
            name: (
                stalls(each for each in played if name in each.variants),
                stalls(each for each in played if name not in each.variants),
            )
            for name in variants
        },
        stalling=[row for row in tables if row[1].stalled][:STALLED_TABLES],
        longest=max(played, key=lambda each: each.decisions),
    )


def lines_of(report: Report) -> Iterator[str]:
    """Yield the lines of a report for people."""
    kinds = ", ".join(f"{kind} {number}" for kind, number in report.kinds.items())
    yield (
        f"{report.game}, seed {report.seed}: {report.games} games "
        f"at {report.tables} tables, {report.decisions} choices"
    )
    yield f"games by table: {kinds}"
    yield f"stalled: {_words(report.all)}"
    long = report.longest
    yield f"longest: {long.decisions} choices; {again(report, long)}"
    yield from _variant_lines(report)
    if report.stalling:
        yield from ("", "tables that stall most")
        rows = [
            [f"{found.stalled} of {found.games}", t] for t, found in report.stalling
        ]
        yield from aligned(rows, left=(1,), indent="  ")
    yield ""
    yield f"failed: {len(report.failed)}"
    for each in report.failed:
        yield f"  {each.problem}"
        yield f"    {again(report, each)}"


def _variant_lines(report: Report) -> Iterator[str]:
    """Yield a table of the variants, sorted by stalls."""
    if not report.variants:
        return
    rows = sorted(
        report.variants.items(),
        key=lambda row: (row[1][1].share - row[1][0].share, row[0]),
    )
    yield ""
    yield from aligned(
        [
            ["stalled", "with it", "without it"],
            *([name, _words(on), _words(off)] for name, (on, off) in rows),
        ]
    )


def aligned(
    rows: Sequence[Sequence[str]], left: Sequence[int] = (0,), indent: str = ""
) -> Iterator[str]:
    """Yield a line for each row; the columns in `left` are aligned left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield (indent + "  ".join(cells)).rstrip()


def _words(found: Stalls) -> str:
    return f"{100 * found.share:.1f} % of {found.games}"


def again(report: Report, played: Played) -> str:
    """Return the command that replays a game."""
    return (
        f"houserule run {report.game} {played.table} "
        f"--seed {report.seed} --number {played.number}"
    )


def as_data(report: Report) -> dict[str, object]:
    """Return a report as plain data."""
    data = asdict(report)
    data["stalling"] = [
        {"table": table, **asdict(found)} for table, found in report.stalling
    ]
    data["variants"] = {
        name: {"with": asdict(on), "without": asdict(off)}
        for name, (on, off) in report.variants.items()
    }
    return data


# ---- the command


@cache
def open_ruleset(folder: Path) -> houserule.Ruleset:
    """Return the ruleset of a folder; cached in each process."""
    return houserule.load(folder)


def main(words: list[str]) -> int:
    """Play, print the report, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="a shipped game, or a ruleset's folder")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="0: one a processor")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(words)
    if chosen.games < 1 or chosen.jobs < 0:
        parser.error("a game is played at least, and by no negative number of jobs")
    try:
        ruleset = houserule.load(chosen.game)
    except houserule.RulesetError as error:
        parser.error(str(error))
    tables = seatings(ruleset, chosen.games, chosen.seed)
    played = play_all(ruleset.folder, chosen.seed, tables, chosen.jobs)
    variants = [variant.id for variant in ruleset.variants]
    report = report_of(chosen.game, variants, chosen.seed, played)
    if chosen.json:
        print(json.dumps(as_data(report), indent=1))
    else:
        print("\n".join(lines_of(report)))
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
