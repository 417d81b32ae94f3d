"""`houserule check`: all errors of rules and their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from houserule.authoring.check.at_tables import W301
from houserule.authoring.check.check import check_path, check_table, nothing_further
from houserule.authoring.check.checked import Checked
from houserule.authoring.check.fixes import game_fixes
from houserule.authoring.check.sentences import add_wordless
from houserule.authoring.scenarios.files import rules_by_game
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Severity,
    foremost,
    has_errors,
    in_reading_order,
)
from houserule.base.diagnostics.render import on_one_line, tally
from houserule.base.diagnostics.report import for_github, for_sarif, report
from houserule.base.files import is_there
from houserule.base.resources import ruleset_around, shipped_rulesets
from houserule.base.source import Span
from houserule.compiler.prepare import TableChoice
from houserule.engine.cancellation import OutOfTime, deadline
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import load_ruleset
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    TableFlags,
    game_of,
    table_flags,
)
from houserule.ui.cli.output import progress, say, say_json, show, tell
from houserule.ui.cli.timing import time_limit_flag
from houserule.ui.cli.verbs.authoring.books import source_flag, tell_books, texts_of

if TYPE_CHECKING:
    from houserule.authoring.coverage.coverage_model import CoveredBooks


EVERYTHING = "everything"
MOST_TRIED = 20  # messages whose suggestions are tried as edits, which takes a while
EPILOG = """\b
Examples:
  houserule check                        every built-in game
  houserule check pig
  houserule check my-game/variants/slow.rules
  houserule check pig --short            one line for each message, for editors
  houserule check --format github        marks lines in a pull request
  houserule check pig --pairs            also compose every pair of variants
  houserule check pig --ranges           ranges that a game might leave
  houserule check pig --texts            missing words for players
  houserule check pig --set target=50    only this table, with its warnings
  houserule check ./my-game --source rules.txt   and its citations

\b
`check` looks for conflicts in all combinations of variants. It composes some tables to
check types, order and endings: the base game, each variant alone, every preset, and the
least and greatest value of every option. If flags choose a table, it checks only that
table. It validates every YAML file against its schema. Exit status 1 means that there
are errors, that time ran out, or that no clause implements some rule of a rulebook.
"""


@click.command(epilog=EPILOG)
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...")
@click.option(
    "--pairs",
    is_flag=True,
    help="Also compose every pair of variants, with options at both ends; slower.",
)
@click.option(
    "--ranges",
    is_flag=True,
    help=("List each range for which no proof shows that a game stays inside (N501)."),
)
@click.option(
    "--texts",
    is_flag=True,
    help=(
        "Report missing words for players, outdated sentences, and identifiers that"
        " players see (W040, W042, W043)."
    ),
)
@click.option(
    "--strict",
    is_flag=True,
    help="Treat warnings as errors, except those from `warn` in the rules.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["full", "short", "json", "github", "sarif"]),
    default="full",
    help=(
        "Print messages for people, editors, programs, GitHub, or code scanners "
        "(SARIF 2.1.0)."
    ),
)
@click.option(
    "--short",
    "form",
    flag_value="short",
    help="Print one line for each message, as --format short does.",
)
@click.option(
    "--json",
    "form",
    flag_value="json",
    help="Print one JSON object, as --format json does.",
)
@source_flag("The text of a rulebook: check citations against it, as `coverage` does.")
@time_limit_flag("Stop after this time, and list what was not checked.")
@table_flags
def command(
    what: tuple[str, ...],
    pairs: bool,
    ranges: bool,
    texts: bool,
    strict: bool,
    form: str,
    books: tuple[str, ...],
    time_limit: float | None,
    flags: TableFlags,
) -> None:
    """Check games, or single files of them."""
    held_to = texts_of(_with_books(what), books) if books else {}
    checked: list[Checked] = []
    looked_at: list[tuple[Path, tuple[Path, ...]]] = []
    try:
        with deadline(time_limit):
            if flags.choice != TableChoice() or flags.file is not None:
                if what and (len(what) != 1 or is_there(Path(what[0]))):
                    message = "A table is chosen for one game: houserule check GAME …"
                    raise click.UsageError(message)
                game = GAME.convert(what[0], None, None) if what else None
                asked = flags.asked(game)
                table = asked.folder, asked.choice, asked.rules
                looked_at.append((asked.folder, asked.rules))
                checked.append(check_table(*table, ranges=ranges))
            else:
                check = partial(
                    check_path,
                    pairs=pairs,
                    ranges=ranges,
                    progress=progress,
                    further=add_wordless if texts else nothing_further,
                )
                for path, rules in _asked(what, flags):
                    looked_at.append((path, rules))
                    checked.append(Checked(path.name, unseen=EVERYTHING))
                    checked[-1] = one = check(path, rules)
                    if one.unseen:
                        raise OutOfTime
    except OutOfTime:
        tell("Time is up.")
        if not checked:
            checked.append(Checked(", ".join(what) or "rulesets", unseen=EVERYTHING))
    found = [each for one in checked for each in in_reading_order(one.diagnostics)]
    held: CoveredBooks | None = None
    if held_to:
        from houserule.authoring.coverage.collect import books_of

        folder = _with_books(what)
        ruleset, _ = load_ruleset(folder, rules_beside(flags.rules))
        if ruleset is not None:
            own = ruleset.registers
            for name in sorted(held_to.keys() - own.keys()):
                tell(
                    f"note: the book `{name}` has no register yet, "
                    "and is not looked at:"
                )
                here = quote(str(folder))
                tell(f"  houserule coverage {here} --source FILE --register")
            known = {name: text for name, text in held_to.items() if name in own}
            held = books_of(ruleset, known) if known else None
    if form == "sarif":
        say_json(for_sarif(found))
    elif form == "json":
        said = {"books": held.model_dump()} if held else {}
        printed = [foremost(one.diagnostics) for one in checked]
        say_json(
            {
                "checked": [
                    {"name": one.name, "summary": one.summary, **one.numbers}
                    | {
                        "files": [
                            {
                                "file": each.file,
                                "schema": each.schema,
                                "named": each.named,
                                "fits": not each.faults,
                            }
                            for each in one.held
                        ]
                    }
                    | ({"not_looked_at": one.unseen} if one.unseen else {})
                    for one in checked
                ],
                "errors": sum(each.severity is Severity.ERROR for each in found),
                "warnings": sum(each.severity is Severity.WARNING for each in found),
                "diagnostics": [
                    report(each, edits).model_dump()
                    for one, (some, _), place in zip(
                        checked, printed, looked_at, strict=False
                    )
                    for each, edits in _with_edits(one, some, *place)
                ],
                "more": sum(more for _, more in printed),
            }
            | said
        )
    else:
        for one in checked:
            if form == "github":
                for each in in_reading_order(one.diagnostics):
                    say(for_github(each))
            else:
                show(one.diagnostics, one.sources, short=form == "short")
            about = f" ({one.summary})" if one.summary else ""
            name = on_one_line(one.name)
            if one.unseen != EVERYTHING:
                say(f"{name}: {tally(one.diagnostics)}{about}")
            if one.unseen:
                say(f"{name}: not looked at: {one.unseen}")
        if held is not None:
            tell_books(held)
    faulty = has_errors(found) or (
        strict
        and any(
            each.severity is not Severity.NOTE and each.code != W301 for each in found
        )
    )
    short_of = held is not None and not held.complete
    if faulty or short_of or any(one.unseen for one in checked):
        raise click.exceptions.Exit(FINDINGS)


def _with_edits(
    one: Checked, found: Sequence[Diagnostic], path: Path, rules: tuple[Path, ...]
) -> Iterator[tuple[Diagnostic, list[tuple[Span, str]]]]:
    """Yield messages; the first `MOST_TRIED` with the edits that remove them."""
    folder = path if path.is_dir() else ruleset_around(path)
    for number, each in enumerate(found):
        edits: list[tuple[Span, str]] = []
        source = one.sources.get(each.span.file) if each.span else None
        if source and number < MOST_TRIED and Path(source.name).is_file():
            edits = [
                (fix.span, fix.new)
                for fix in game_fixes(each, source, Path(source.name), folder, rules)
                if fix.span is not None
            ]
        yield each, edits


def _with_books(what: Sequence[str]) -> Path:
    """Return the only requested game, because books belong to a single game."""
    if len(what) != 1 or is_there(Path(what[0])):
        wanted = "houserule check GAME --source FILE"
        raise click.UsageError(f"Compare a book with one game at a time: {wanted}")
    return GAME.convert(what[0], None, None)


def _asked(
    what: Sequence[str], flags: TableFlags
) -> Iterator[tuple[Path, tuple[Path, ...]]]:
    """Yield each requested file or game, with the rules beside it.

    Rules of the default table are beside its game; all tables of the game are checked.
    """
    default = flags.by_default(None) if not what else None
    if default is not None:
        yield game_of(default), (*default.rules, *flags.rules)
        return
    for each in what or shipped_rulesets():
        path = Path(each)
        if is_there(path):
            yield path, flags.rules
            continue
        if by_game := rules_by_game(path):
            for folder, files in by_game.items():
                for file in files if folder is None else ():
                    yield file, flags.rules
                if folder is not None:
                    yield folder, (path, *flags.rules)
            continue
        game = GAME.convert(each, None, None)
        below = flags.by_default(game) if what else None
        yield game, (*(below.rules if below else ()), *flags.rules)
