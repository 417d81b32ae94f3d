"""`houserule test`: the scenarios of rulesets, run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from houserule.cli import FINDINGS
from houserule.cli.arguments import GAME, open_ruleset
from houserule.cli.output import (
    progress,
    say,
    say_json,
    show,
    tell,
)
from houserule.diagnostics.diagnostic import has_errors
from houserule.diagnostics.report import report
from houserule.prepare import Programs
from houserule.record.records import Golden, golden_records
from houserule.resources import shipped_rulesets
from houserule.scenario.failures import failure
from houserule.scenario.files import (
    Trial,
    read_examples,
    ruleset_folder,
    scenario_files,
    trials,
)
from houserule.scenario.run import Result, run_trial

if TYPE_CHECKING:
    from collections.abc import Sequence

Planned: TypeAlias = tuple[Programs, list[Path], bool]
EPILOG = """\b
Examples:
  houserule test                              every shipped game
  houserule test pig                          one game
  houserule test my-game/scenarios/rolls.yaml
  houserule test pig -k hold                  examples with "hold" in their name

pytest collects the same files: `pytest my-game`.
"""


@click.command(epilog=EPILOG)
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...")
@click.option("-k", "words", default="", help="Only names that contain this.")
@click.option("--verbose", "-v", is_flag=True, help="Name every example.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(what: tuple[str, ...], words: str, verbose: bool, as_json: bool) -> None:
    """Run the worked examples of games or of scenario files.

    The records in a game's folder `playthroughs` are replayed as well.
    """
    planned = list(_plan(what))
    plan = [
        (tables, examples)
        for tables, files, _ in planned
        for examples in (read_examples(file, tables.ruleset.id) for file in files)
    ]
    broken = 0
    for _, examples in plan:
        show(examples.faults, {examples.source.name: examples.source})
        broken += has_errors(examples.faults)
    todo = [
        (tables, trial)
        for tables, examples in plan
        for trial in trials(examples)
        if words.casefold() in trial.title.casefold()
    ]
    results = list(_run(todo, verbose and not as_json))
    records = [] if words else list(_records(planned, verbose and not as_json))
    _report(results, records, broken, as_json)


def _plan(what: Sequence[str]) -> Iterator[Planned]:
    """Yield each ruleset that is named, with its files that are named."""
    folders: dict[Path, list[Path] | None] = {}
    for each in what or tuple(str(path) for path in shipped_rulesets().values()):
        path = Path(each)
        if path.is_file() and path.suffix == ".yaml" and path.name != "ruleset.yaml":
            folder = ruleset_folder(path)
            if folder is None:
                raise click.UsageError(f"{path} stands in no ruleset's folder.")
            files = folders.setdefault(folder, [])
            if files is not None:
                files.append(path)
        else:
            folders[GAME.convert(each, None, None)] = None
    for folder, files in folders.items():
        tables = Programs(open_ruleset(folder))
        whole = files is None
        yield tables, scenario_files(folder) if files is None else files, whole


def _run(todo: list[tuple[Programs, Trial]], verbose: bool) -> Iterator[Result]:
    with progress("testing", len(todo)) as tick:
        for tables, trial in todo:
            result = run_trial(trial, tables)
            tick()
            if not result.passed:
                tell(failure(result, tables.ruleset.sources) + "\n")
            if verbose:
                say(f"{'passed' if result.passed else 'FAILED'}  {trial.title}")
            yield result


def _records(planned: list[Planned], verbose: bool) -> Iterator[Golden]:
    """Replay the records of the rulesets that are tested as a whole."""
    for tables, _, whole in planned:
        for golden in golden_records(tables.ruleset) if whole else ():
            name = f"{golden.path.parent.name}/{golden.path.name}"
            if golden.problem:
                tell(f"{golden.path}: {golden.problem}\n")
            if verbose:
                say(f"{'FAILED' if golden.problem else 'passed'}  {name}")
            yield golden


def _report(
    results: list[Result], records: list[Golden], broken: int, as_json: bool
) -> None:
    failed = sum(not result.passed for result in results)
    failed += sum(bool(each.problem) for each in records)
    passed = len(results) + len(records) - failed
    if as_json:
        say_json(
            {
                "passed": passed,
                "failed": failed,
                "unreadable": broken,
                "examples": [_object(result) for result in results],
                "records": [
                    {"file": str(each.path), "problem": each.problem}
                    for each in records
                ],
            }
        )
    else:
        unread = f", not readable: {broken}" if broken else ""
        say(f"{passed} passed, {failed} failed{unread}")
    if failed or broken:
        raise click.exceptions.Exit(FINDINGS)


def _object(result: Result) -> dict[str, object]:
    trial = result.trial
    return {
        "name": trial.scenario.name,
        "table": trial.table,
        "file": trial.examples.source.name,
        "line": trial.span.line,
        "passed": result.passed,
        "problems": [
            {"line": each.span.line, "message": each.message}
            for each in result.problems
        ],
        "diagnostics": [report(each).model_dump() for each in result.faults],
    }
