"""`houserule check`: everything that can be wrong with rules and their files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.checking.check import W301, check_path, check_table
from houserule.cli import FINDINGS
from houserule.cli.arguments import GAME, table_flags
from houserule.cli.output import progress, say, say_json, show
from houserule.diagnostics.diagnostic import (
    Diagnostic,
    Severity,
    has_errors,
    in_reading_order,
)
from houserule.diagnostics.render import tally
from houserule.diagnostics.report import report
from houserule.prepare import TableChoice
from houserule.resources import shipped_rulesets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.checking.check import Checked

EPILOG = """\b
Examples:
  houserule check                        every shipped game
  houserule check pig
  houserule check my-game/variants/slow.rules
  houserule check pig --short            one line a message, as editors like it
  houserule check pig --pairs            compose every pair of variants as well
  houserule check pig --set target=50    one table, and what the rules warn of there

\b
A ruleset is checked in all its combinations of variants. Types, order and endings are
checked in the base game, with each variant alone, with all of them, in every preset and
for the ends of every option; with --pairs also in tables that hold every pair of
settings. Flags that choose a table check this table alone. Exit status 1 means that
there are errors.
"""


@click.command(epilog=EPILOG)
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...")
@click.option("--pairs", is_flag=True, help="Compose every pair of variants.")
@click.option("--strict", is_flag=True, help="Warnings are errors.")
@click.option("--short", is_flag=True, help="One line a message.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@table_flags
def command(
    what: tuple[str, ...],
    pairs: bool,
    strict: bool,
    short: bool,
    as_json: bool,
    choice: TableChoice,
) -> None:
    """Check games, or single files of them."""
    if choice == TableChoice():
        checked = [
            check_path(each, pairs=pairs, progress=progress) for each in _asked(what)
        ]
    else:
        checked = [check_table(_one_game(what), choice)]
    found = [each for one in checked for each in in_reading_order(one.diagnostics)]
    if as_json:
        say_json(_object(checked, found))
    else:
        for one in checked:
            show(one.diagnostics, one.sources, short=short)
            about = f" ({one.summary})" if one.summary else ""
            say(f"{one.name}: {tally(one.diagnostics)}{about}")
    if has_errors(found) or (strict and any(_is_fault(each) for each in found)):
        raise click.exceptions.Exit(FINDINGS)


def _is_fault(diagnostic: Diagnostic) -> bool:
    """Say whether this is for authors to mend: what rules warn of is for players."""
    return diagnostic.severity is not Severity.NOTE and diagnostic.code != W301


def _one_game(what: Sequence[str]) -> Path:
    """Return the only game that was asked for; a table is one of a single game."""
    if len(what) != 1 or Path(what[0]).is_file():
        raise click.UsageError("A table is chosen for one game: houserule check GAME …")
    return GAME.convert(what[0], None, None)


def _asked(what: Sequence[str]) -> list[Path]:
    if not what:
        return list(shipped_rulesets().values())
    return [
        Path(each) if Path(each).is_file() else GAME.convert(each, None, None)
        for each in what
    ]


def _object(checked: list[Checked], found: list[Diagnostic]) -> dict[str, object]:
    return {
        "checked": [
            {"name": one.name, "summary": one.summary, **one.numbers} for one in checked
        ],
        "errors": sum(each.severity is Severity.ERROR for each in found),
        "warnings": sum(each.severity is Severity.WARNING for each in found),
        "diagnostics": [report(each).model_dump() for each in found],
    }
