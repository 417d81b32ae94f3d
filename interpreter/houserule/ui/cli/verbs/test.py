"""`houserule test`: run the scenarios of rulesets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import Literal

import click

from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import (
    Trial,
    appended_files,
    example_files,
    folder_for,
    read_examples,
    rules_by_game,
    rules_for,
    trials,
)
from houserule.authoring.scenarios.run import Result, run_trial
from houserule.base.diagnostics.diagnostic import Diagnostic, foremost, has_errors
from houserule.base.diagnostics.report import report
from houserule.base.diagnostics.wording import listed
from houserule.base.files import is_there
from houserule.base.frozen import frozen, slotted
from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import Programs, TableChoice
from houserule.engine.cancellation import OutOfTime, deadline
from houserule.play.records.records import Golden, golden_records
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    RULES_FLAG,
    TABLE_FLAG,
    TableFlags,
    flags_of,
    game_of,
    open_ruleset,
)
from houserule.ui.cli.output import (
    progress,
    say,
    say_json,
    show,
    tell,
)
from houserule.ui.cli.timing import time_limit_flag


@frozen
class Planned:
    """The tests to run for one ruleset.

    Attributes:
        tables: the ruleset's tables.
        files: the files with the examples.
        records: whether its recorded games are replayed too.
        at: the table for examples that do not name another one.
    """

    tables: Programs
    files: list[Path]
    records: bool
    at: TableChoice | None = None


@slotted
class Found:
    """The results so far.

    Attributes:
        results: the results of the examples.
        records: the recorded games that were replayed.
        broken: how many files cannot be read.
        ended: whether all `examples` were run, or `time` was up.
    """

    results: list[Result] = field(default_factory=list)
    records: list[Golden] = field(default_factory=list)
    broken: int = 0
    ended: Literal["examples", "time"] = "examples"


EPILOG = """\b
Examples:
  houserule test                              every built-in game
  houserule test pig                          one game
  houserule test my-game/scenarios/rolls.yaml
  houserule test pig -k hold                  examples with "hold" in their name
  houserule test our-rules/debts.rules        the examples of a house rule
  houserule test --table ours.yaml            examples of your rules, at your table

pytest collects the same files: `pytest my-game`.
"""


@click.command(epilog=EPILOG)
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...")
@click.option(
    "-k", "words", default="", help="Run only examples with this text in their name."
)
@click.option("--verbose", "-v", is_flag=True, help="Print the name of every example.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@RULES_FLAG
@TABLE_FLAG
@time_limit_flag("Stop after this time, and report the examples run.")
def command(
    what: tuple[str, ...],
    words: str,
    verbose: bool,
    as_json: bool,
    rules: tuple[Path, ...],
    table_file: Path | None,
    time_limit: float | None,
) -> None:
    """Run the worked examples of games or of files.

    The records in a game's folder `playthroughs` are replayed too. With a table file,
    the examples of its own rules and those of FILEs are run at that table.
    """
    found = Found()
    try:
        with deadline(time_limit):
            flags = flags_of(rules=rules, table_file=table_file)
            planned = list(_plan(what, flags))
            plan = [
                (each, read_examples(file, each.tables.ruleset))
                for each in planned
                for file in each.files
            ]
            for _, one in plan:
                show(one.faults, {one.source.name: one.source})
                found.broken += has_errors(one.faults)
            todo = [
                (each.tables, trial)
                for each, one in plan
                for trial in trials(one, each.at)
                if words.casefold() in trial.title.casefold()
            ]
            if words and not todo and not found.broken:
                raise click.UsageError(f"No example has `{words}` in its name.")
            found.results.extend(_run(todo, verbose and not as_json))
            if not words:
                for ruleset in (p.tables.ruleset for p in planned if p.records):
                    for golden in golden_records(ruleset):
                        name = f"{golden.path.parent.name}/{golden.path.name}"
                        if golden.problem:
                            tell(f"{golden.path}: {golden.problem}\n")
                        if verbose and not as_json:
                            say(f"{'FAILED' if golden.problem else 'passed'}  {name}")
                        found.records.append(golden)
    except OutOfTime:
        found.ended = "time"
    if not (found.results or found.records or found.broken or found.ended == "time"):
        raise click.UsageError("There is neither an example nor a recorded game here.")
    results, records, broken = found.results, found.records, found.broken
    failed = sum(not result.passed for result in results)
    failed += sum(bool(each.problem) for each in records)
    passed = len(results) + len(records) - failed
    if as_json:
        examples = []
        for result in results:
            trial = result.trial
            printed, more = foremost(result.faults)
            examples.append(
                {
                    "name": trial.scenario.name,
                    "table": trial.table,
                    "file": trial.examples.source.name,
                    "line": trial.span.line,
                    "passed": result.passed,
                    "problems": [
                        {"line": each.span.line, "message": each.message}
                        for each in result.problems
                    ],
                    "diagnostics": [report(each).model_dump() for each in printed],
                    "more": more,
                }
            )
        say_json(
            {
                "ended": found.ended,
                "passed": passed,
                "failed": failed,
                "unreadable": broken,
                "examples": examples,
                "records": [
                    {"file": str(each.path), "problem": each.problem}
                    for each in records
                ],
            }
        )
    else:
        unread = f", not readable: {broken}" if broken else ""
        say(f"{passed} passed, {failed} failed{unread}")
    if found.ended == "time":
        tell("Time is up before all was run.")
    if failed or broken or found.ended == "time":
        raise click.exceptions.Exit(FINDINGS)


def _plan(what: Sequence[str], flags: TableFlags) -> Iterator[Planned]:
    """Yield the tests of each requested game and file."""
    at = flags.of_file()
    if at is None and not what:
        at = flags.by_default(None)
    games = what or (() if at else tuple(shipped_rulesets()))
    by_rules: dict[tuple[Path, tuple[Path, ...]], list[Path]] = {}
    for each in games:
        path = Path(each)
        in_folder = rules_by_game(path)
        for folder, files in in_folder.items():
            rules = (*(at.rules if at else ()), *flags.rules, path)
            by_rules.setdefault((folder or folder_for(files[0]), rules), []).extend(
                files
            )
        if in_folder:
            continue
        if not is_there(path) or path.name == "ruleset.yaml":
            game = GAME.convert(each, None, None)
            below = None if flags.file else flags.by_default(game)
            rules = (*(below.rules if below else ()), *flags.rules)
            ruleset = open_ruleset(game, rules)
            yield Planned(Programs(ruleset), example_files(ruleset), True)
            continue
        rules = (*(at.rules if at else ()), *flags.rules, *rules_for(path))
        by_rules.setdefault((folder_for(path), rules), []).append(path)
    if at is not None and not what:
        ruleset = open_ruleset(game_of(at), (*at.rules, *flags.rules))
        yield Planned(
            Programs(ruleset), appended_files(ruleset, beside=True), False, at
        )
    for (folder, rules), files in by_rules.items():
        yield Planned(Programs(open_ruleset(folder, rules)), files, False, at)


def _run(todo: list[tuple[Programs, Trial]], verbose: bool) -> Iterator[Result]:
    """Yield the result of each example; print why it failed.

    Errors in the rules are printed with the first example that they stop.
    """
    alike: Counter[tuple[Diagnostic, ...]] = Counter()
    with progress("testing", len(todo)) as tick:
        for tables, trial in todo:
            result = run_trial(trial, tables)
            tick()
            alike[result.of_rules] += bool(result.of_rules)
            if not result.passed and alike[result.of_rules] < 2:
                tell(failure(result, tables.ruleset.sources) + "\n")
            if verbose:
                say(f"{'passed' if result.passed else 'FAILED'}  {trial.title}")
            yield result
    for faults, number in alike.items():
        if number > 1:
            codes = listed(dict.fromkeys(each.code for each in faults))
            tell(f"{codes} stops {number - 1} more of these examples.\n")
