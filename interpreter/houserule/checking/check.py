"""What is checked of a game: files, the family of its variants, tables, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from houserule.checking.results import ExampleKey, Results, TableResult
from houserule.compose.family.check import check_family
from houserule.compose.tables.sample import sample_tables
from houserule.diagnostics.diagnostic import Diagnostic, has_errors
from houserule.diagnostics.wording import counted
from houserule.manifest.load import load_ruleset
from houserule.prepare import Programs, TableChoice, prepare
from houserule.scenario.files import (
    read_examples,
    ruleset_folder,
    scenario_files,
    scenario_source,
    trials,
)
from houserule.source import read_source

if TYPE_CHECKING:
    from houserule.compose.tables.sample import Choice
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.prepare import Prepared
    from houserule.scenario.files import Examples, Trial
    from houserule.source import Source

# Two edits that cannot both hold, however they meet.
CONFLICTS = frozenset({"E201", "E202", "E203", "E204", "E205", "E206", "E207", "E209"})
ANOTHER_TABLE = "Ask for another one with --preset, --with, --set or --players."
W301 = "W301"

Tick: TypeAlias = Callable[[], None]
Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Tick]]


def no_progress(label: str, steps: int) -> AbstractContextManager[Tick]:
    """Show no progress."""
    return nullcontext(lambda: None)


@dataclass
class Checked:
    """What the check of one game or file found.

    Attributes:
        name: of the game, or the path of the file.
        summary: how much was checked, in a few words; '' if not even the files.
        numbers: the same as numbers: `variants`, `valid_tables`, `conflicts` and
            `composed`, for a whole game whose files are in order.
        diagnostics: each once, in the order of the search.
        sources: the texts that diagnostics point into, by name.
    """

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


# ---- what to check


def check_path(
    path: Path, *, pairs: bool = False, progress: Progress = no_progress
) -> Checked:
    """Check a ruleset's folder, or one file: of a ruleset, or a rules file by itself.

    Args:
        path: a folder with a `ruleset.yaml`, a file in one, or any rules file.
        pairs: check the types and effects of every pair of variants as well.
        progress: is asked how far it is to be shown; it gets a label and a number of
            steps, and gives a function to call at each step.

    Raises:
        OSError: the file cannot be read.
    """
    if path.is_dir():
        return check_game(path, pairs=pairs, progress=progress)
    folder = ruleset_folder(path)
    if folder is None:
        return _rules_file(path)
    if path.name == "ruleset.yaml":
        return check_game(path.parent, pairs=pairs, progress=progress)
    if path.parent.name == "scenarios" and path.suffix == ".yaml":
        return _scenario_file(path, folder)
    whole = check_game(folder, pairs=pairs, progress=progress)
    inside = path.resolve().relative_to(folder).as_posix()
    one = Checked(str(path), sources=whole.sources)
    one.add(
        each
        for each in whole.diagnostics
        if any(label.span.file.endswith(inside) for label in each.labels)
    )
    return one


def _rules_file(path: Path) -> Checked:
    """Check a rules file that belongs to no ruleset: only how it is written."""
    from houserule.syntax.read.parser import parse_unit_file

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
    check = _Check(one, ruleset)
    check.examples([path])
    check.results.save()
    return one


def check_table(folder: Path, choice: TableChoice) -> Checked:
    """Check one table of a game, and tell what its rules warn of."""
    from houserule.engine.play.warnings import before_play

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


def check_game(
    folder: Path, *, pairs: bool = False, progress: Progress = no_progress
) -> Checked:
    """Check a ruleset: files, family, tables, examples."""
    one, ruleset = _loaded(folder)
    if ruleset is None or has_errors(one.diagnostics):
        return one
    family = check_family(ruleset)
    one.add(family.diagnostics)
    check = _Check(one, ruleset)
    composed = 0
    if not has_errors(one.diagnostics):
        composed = check.tables(pairs, progress)
    if not has_errors(one.diagnostics):
        check.examples(scenario_files(folder))
    check.results.save()
    conflicts = sum(each.code in CONFLICTS for each in one.diagnostics)
    one.numbers = {
        "variants": len(family.switches),
        "valid_tables": family.valid_tables,
        "conflicts": conflicts,
        "composed": composed,
    }
    in_conflict = counted(conflicts, "conflict") if conflicts else "no conflict"
    tables = counted(family.valid_tables, "valid table")
    if family.tables_checked > family.valid_tables:  # drawn at random
        tables = "more valid tables than I can count"
    one.summary = (
        f"{counted(len(family.switches), 'variant')}, {tables}, {in_conflict}, "
        f"{composed} composed"
    )
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


# ---- tables and examples


class _Check:
    """The check of one ruleset under way; what was found before is not done again."""

    def __init__(self, one: Checked, ruleset: LoadedRuleset) -> None:
        self.one, self.ruleset = one, ruleset
        self.results = Results(ruleset)

    @cached_property
    def programs(self) -> Programs:
        """The programs of the ruleset: not needed where every result is on disk."""
        return Programs(self.ruleset)

    def tables(self, pairs: bool, progress: Progress) -> int:
        """Check tables that stand for all of them; return how many."""
        one, ruleset = self.one, self.ruleset
        sampled = [
            each
            for each in sample_tables(ruleset, pairs=pairs)
            if pairs or not each.why.startswith("all but")
        ]
        base = self._table(TableChoice())
        if base.sound:
            on = (*base.variants, counted(base.seats, "player"))
            one.add(_warned(base, ", ".join(on), ()))
        with progress(f"checking {ruleset.id}", len(sampled)) as tick:
            for choice in sampled:
                result = self._table(choice_of(choice))
                one.add(_with_table(result.diagnostics, choice))
                one.add(_warned(result, _in_words(choice), one.diagnostics))
                tick()
        if base.sound:
            one.add(self.results.boards(self._board_faults))
        return len(sampled)

    def _table(self, choice: TableChoice) -> TableResult:
        return self.results.table(choice, lambda: self._worked_out(choice))

    def _worked_out(self, choice: TableChoice) -> tuple[TableResult, bool]:
        """Check one table; say whether it was composed without a word."""
        from houserule.engine.play.warnings import before_play

        prepared = self.programs.prepare(choice)
        program, table = prepared.program, prepared.table
        warnings = tuple(before_play(program)) if program else ()
        on = tuple(sorted(table.variants)) if table else ()
        seats = table.players if table else 0
        found = prepared.diagnostics
        sound = program is not None
        result = TableResult(found, warnings, on, seats, sound)
        return result, not prepared.before_lowering

    def _board_faults(self) -> Iterator[Diagnostic]:
        from houserule.narrate.boards.validate import board_faults

        base = self.programs.prepare(TableChoice()).program
        if base is not None:
            yield from board_faults(self.ruleset, base)

    def examples(self, files: Iterable[Path]) -> None:
        """Check that every example can be read; whether it is met is for `test`."""
        for file in files:
            source = scenario_source(file)
            self.one.sources[source.name] = source
            plan = self.results.file_plan(source)
            if plan is None or not all(map(self.results.was_read, plan)):
                self._examples(read_examples(file, self.ruleset.id))

    def _examples(self, examples: Examples) -> None:
        self.one.add(examples.faults)
        plan = []
        for trial in trials(examples):
            if not trial.number:
                plan.append(_key_of(trial))
                if not self.results.was_read(plan[-1]):
                    self._read(trial, plan[-1])
        if examples.form is not None and not examples.faults:
            self.results.keep_plan(examples.source, plan)

    def _read(self, trial: Trial, key: ExampleKey) -> None:
        """Read one example, and note at which tables besides its own."""
        from houserule.scenario.run import read_trial

        asked: list[tuple[TableChoice, Prepared]] = []

        def prepare(choice: TableChoice) -> Prepared:
            asked.append((choice, self.programs.prepare(choice)))
            return asked[-1][1]

        found = read_trial(trial, prepare)
        self.one.add(found)
        if not found and all(prepared.program for _, prepared in asked):
            self.results.keep_read(key, [choice for choice, _ in asked[1:]])


def _key_of(trial: Trial) -> ExampleKey:
    said = trial.examples.document.at("scenarios", trial.index)
    content = repr(said).encode("utf-8", "surrogatepass")
    return ExampleKey(trial.choice, trial.seats, sha256(content).hexdigest())


def choice_of(choice: Choice) -> TableChoice:
    """Return the choice that makes a sampled table."""
    return TableChoice(
        with_=tuple(sorted(choice.variants)),
        settings=choice.settings,
        players=choice.players,
    )


def _warned(
    result: TableResult, at: str, known: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield what is reported before play, each warning for the first table alone."""
    warned = {each.span for each in known if each.code == W301}
    for each in result.warnings:
        if each.code != W301 or each.span not in warned:
            yield each.with_details(f"At this table: {at}.", ANOTHER_TABLE)


def _in_words(choice: Choice) -> str:
    """Return a table in words: its variants, its seats, an option that was set."""
    setting = [choice.why] if " = " in choice.why else []
    seats = counted(choice.players, "player")
    return ", ".join([*sorted(choice.variants), seats, *setting])


def _with_table(found: Iterable[Diagnostic], choice: Choice) -> Iterator[Diagnostic]:
    on = " + ".join(sorted(choice.variants))
    for each in found:
        yield each.with_details(f"At this table: {on}.") if on else each
