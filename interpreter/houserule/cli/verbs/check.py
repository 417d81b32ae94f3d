"""`houserule check`: everything that can be wrong with rules and their files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli.arguments import GAME, table_flags
from houserule.cli.output import (
    counted,
    progress,
    say,
    say_json,
    show,
)
from houserule.compose.family.check import check_family
from houserule.compose.tables.sample import sample_tables
from houserule.diagnostics.diagnostic import (
    Diagnostic,
    Severity,
    has_errors,
    in_reading_order,
)
from houserule.diagnostics.render import tally
from houserule.diagnostics.report import report
from houserule.engine.play.warnings import W301, before_play
from houserule.manifest.load import load_ruleset
from houserule.narrate.boards.validate import board_faults
from houserule.prepare import Programs, TableChoice, prepare
from houserule.resources import shipped_rulesets
from houserule.scenario.files import (
    read_examples,
    ruleset_folder,
    scenario_files,
    trials,
)
from houserule.scenario.run import read_trial
from houserule.source import read_source
from houserule.syntax.read.parser import parse_unit_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from houserule.compose.tables.sample import Choice
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.source import Source

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

# Two edits that cannot both hold, however they meet.
CONFLICTS = frozenset({"E201", "E202", "E203", "E204", "E205", "E206", "E207", "E209"})
ANOTHER_TABLE = "Ask for another one with --preset, --with, --set or --players."


@dataclass
class Checked:
    """What the check of one game or file found."""

    name: str
    summary: str = ""
    numbers: dict[str, int] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)

    def add(self, found: Iterable[Diagnostic]) -> None:
        """Keep diagnostics, each once."""
        known = {_identity(each) for each in self.diagnostics}
        for each in found:
            if _identity(each) not in known:
                known.add(_identity(each))
                self.diagnostics.append(each)


def _identity(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.code, diagnostic.message, str(diagnostic.span)


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
        checked = [_check(each, pairs) for each in _asked(what)]
    else:
        checked = [_at_table(_one_game(what), choice)]
    found = [each for one in checked for each in in_reading_order(one.diagnostics)]
    if as_json:
        say_json(_object(checked, found))
    else:
        for one in checked:
            show(one.diagnostics, one.sources, short=short)
            about = f" ({one.summary})" if one.summary else ""
            say(f"{one.name}: {tally(one.diagnostics)}{about}")
    if has_errors(found) or (strict and any(_is_fault(each) for each in found)):
        raise click.exceptions.Exit(1)


def _is_fault(diagnostic: Diagnostic) -> bool:
    """Say whether this is for authors to mend: what rules warn of is for players."""
    return diagnostic.severity is not Severity.NOTE and diagnostic.code != W301


def _one_game(what: Sequence[str]) -> Path:
    """Return the only game that was asked for; a table is one of a single game."""
    if len(what) != 1 or Path(what[0]).is_file():
        raise click.UsageError("A table is chosen for one game: houserule check GAME …")
    return GAME.convert(what[0], None, None)


def _at_table(folder: Path, choice: TableChoice) -> Checked:
    """Check one table of a game, and tell what its rules warn of."""
    one, ruleset = _loaded(folder)
    if ruleset is None:
        return one
    one.sources.update(choice.sources)
    if not has_errors(one.diagnostics):
        prepared = prepare(ruleset, choice)
        one.add(prepared.diagnostics)
        if prepared.program is not None:
            one.add(before_play(prepared.program))
    one.summary = "one table"
    return one


def _loaded(folder: Path) -> tuple[Checked, LoadedRuleset | None]:
    """Read a ruleset; what is wrong with its files is noted."""
    one = Checked(folder.name)
    ruleset, found = load_ruleset(folder)
    one.add(found)
    if ruleset is not None:
        one.name = ruleset.id
        one.sources.update(ruleset.sources)
    return one, ruleset


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


def _check(path: Path, pairs: bool) -> Checked:
    if path.is_dir():
        return check_folder(path, pairs)
    folder = ruleset_folder(path)
    if folder is None or path.name == "ruleset.yaml":
        return check_folder(path.parent, pairs) if folder else _alone(path)
    if path.parent.name == "scenarios" and path.suffix == ".yaml":
        return _scenario_file(path, folder)
    whole = check_folder(folder, pairs)
    inside = path.resolve().relative_to(folder).as_posix()
    one = Checked(str(path), sources=whole.sources)
    one.add(
        each
        for each in whole.diagnostics
        if any(label.span.file.endswith(inside) for label in each.labels)
    )
    return one


def _alone(path: Path) -> Checked:
    """Check a rules file that belongs to no ruleset: only how it is written."""
    source = read_source(path)
    one = Checked(str(path), "only how it is written: it stands in no ruleset")
    one.sources[source.name] = source
    one.add(parse_unit_file(source)[1])
    return one


def _scenario_file(path: Path, folder: Path) -> Checked:
    one = Checked(str(path))
    ruleset, found = load_ruleset(folder)
    if ruleset is None:
        one.add(found)
        return one
    one.sources.update(ruleset.sources)
    _examples(one, Programs(ruleset), [path])
    return one


def check_folder(folder: Path, pairs: bool) -> Checked:
    """Check a ruleset: files, family, tables, scenarios."""
    one, ruleset = _loaded(folder)
    if ruleset is None or has_errors(one.diagnostics):
        return one
    family = check_family(ruleset)
    one.add(family.diagnostics)
    tables = Programs(ruleset)
    composed = 0
    if not has_errors(one.diagnostics):
        composed = _sampled(one, ruleset, tables, pairs)
    if not has_errors(one.diagnostics):
        _examples(one, tables, scenario_files(folder))
    conflicts = sum(each.code in CONFLICTS for each in one.diagnostics)
    one.numbers = {
        "variants": len(family.switches),
        "valid_tables": family.valid_tables,
        "conflicts": conflicts,
        "composed": composed,
    }
    told = counted(conflicts, "conflict") if conflicts else "no conflict"
    one.summary = (
        f"{counted(len(family.switches), 'variant')}, "
        f"{counted(family.valid_tables, 'valid table')}, {told}, {composed} composed"
    )
    return one


def _sampled(
    one: Checked, ruleset: LoadedRuleset, tables: Programs, pairs: bool
) -> int:
    sampled = [
        each
        for each in sample_tables(ruleset, pairs=pairs)
        if pairs or not each.why.startswith("all but")
    ]
    base = tables.prepare(TableChoice()).program
    if base is not None:
        on = (*base.variants, counted(base.seats, "player"))
        one.add(_warned(base, ", ".join(on), ()))
    with progress(f"checking {ruleset.id}", len(sampled)) as tick:
        for choice in sampled:
            prepared = tables.prepare(choice_of(choice))
            one.add(_with_table(prepared.diagnostics, choice))
            one.add(_warned(prepared.program, _told(choice), one.diagnostics))
            tick()
    if base is not None:
        one.add(board_faults(ruleset, base))
    return len(sampled)


def choice_of(choice: Choice) -> TableChoice:
    """Return a sampled table as somebody would choose it."""
    return TableChoice(
        with_=tuple(sorted(choice.variants)),
        settings=choice.settings,
        players=choice.players,
    )


def _warned(
    program: Program | None, at: str, known: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield what is told before play, each warning for the first table alone."""
    told = {each.span for each in known if each.code == W301}
    for each in before_play(program) if program else ():
        if each.code != W301 or each.span not in told:
            yield each.with_details(f"At this table: {at}.", ANOTHER_TABLE)


def _told(choice: Choice) -> str:
    """Return a table in words: its variants, its seats, an option that was set."""
    setting = [choice.why] if " = " in choice.why else []
    seats = counted(choice.players, "player")
    return ", ".join([*sorted(choice.variants), seats, *setting])


def _with_table(found: Iterable[Diagnostic], choice: Choice) -> Iterator[Diagnostic]:
    on = " + ".join(sorted(choice.variants))
    for each in found:
        yield each.with_details(f"At this table: {on}.") if on else each


def _examples(one: Checked, tables: Programs, files: list[Path]) -> None:
    """Check that every example can be read; whether it is met is for `test`."""
    for file in files:
        examples = read_examples(file)
        one.sources[examples.source.name] = examples.source
        one.add(examples.faults)
        for trial in trials(examples):
            if not trial.number:
                one.add(read_trial(trial, tables))
