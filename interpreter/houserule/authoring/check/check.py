"""What is checked of a game: files, the family of its variants, tables, examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import TypeAlias

from houserule.authoring.check.at_tables import at_tables, in_words, warned
from houserule.authoring.check.checked import Checked
from houserule.authoring.check.first_games import first_games
from houserule.authoring.check.results import ExampleKey, Results, TableResult, key_of
from houserule.authoring.check.sampled import tables_to_check
from houserule.authoring.scenarios.files import (
    RULES,
    Examples,
    Trial,
    example_files,
    folder_for,
    read_examples,
    rules_for,
    scenario_source,
    trials,
    without_game,
)
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    Severity,
    by_name,
    fault,
    has_errors,
)
from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.diagnostics.wording import counted, sentence
from houserule.base.files import UnreadableError, read_source
from houserule.base.resources import ruleset_around
from houserule.base.source import Source, Span, name_of, real
from houserule.compiler.family.check import check_family
from houserule.compiler.family.escapes import escapes
from houserule.compiler.family.idle import idle_parts
from houserule.compiler.items.items import origin_of, placed_items
from houserule.compiler.lower.analysis.ranges import unproved_ranges
from houserule.compiler.merge.messages import titled
from houserule.compiler.prepare import Prepared, Programs, TableChoice, prepare
from houserule.compiler.tables.sample import AT_ENDS, Choice
from houserule.engine.cancellation import OutOfTime
from houserule.ir import Program
from houserule.language.manifest.declared_names import addressed
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.kinds.kinds import is_table
from houserule.language.manifest.kinds.validated_files import (
    ValidatedFiles,
    validate_file,
    validate_folder,
)
from houserule.language.manifest.load import BESIDE, load_ruleset, sources_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.read import read_document
from houserule.language.syntax.read.scan import E040

# ---- files of no ruleset

NOT_LOOKED_AT = "not looked at"


def is_other(path: Path) -> bool:
    """Say whether a file in no ruleset is neither rules nor scenarios.

    A YAML file that has the keys of a table, and no others, is one.
    """
    if path.suffix != ".yaml":
        return path.suffix != RULES
    document, _ = read_document(read_source(path))
    return is_table(document.data)


def not_looked_at(path: Path) -> Diagnostic:
    """Return E040, with the command that looks at such a file."""
    message = "`check` does not look at this file: no ruleset reads it."
    if path.suffix == ".jsonl":
        fixes = [f"play a record again:  houserule replay {path}"]
    elif path.suffix == ".yaml":
        fixes = [f"check a table:  houserule check --table {path}"]
    else:
        fixes = ["name rules `*.rules`, and let `rules:` in ruleset.yaml list them"]
    return fault(E040, message, Span.at(name_of(path)), fixes=fixes)


# ---- words in every language

MOST_NAMED = 6
# A unit's own words; what a player may type besides, and which variables need names,
# differs with the language.
NOT_WANTED = ("also", "names", "notes")


W039 = MessageCode("W039", "not in every language")
"""A caption, a title or another word is missing in a language that `ruleset.yaml`
declares.

**Why.** Who plays in that language sees the words of another one in the midst of his
own. Wanted is what has words in the rules or in the file of the first language. A rule
that lies beside the game may do without a language altogether.

**For example**

```text
captions:
  hold.bank: Der Topf gehört dir
  # and nothing for hold.win
```

**Way out.** Add the words to the file of the language, or take the language out of
`languages` and delete its file, as in a [copy](../commands.md#copy) of a game that is
only played in one.
"""


def untranslated(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield W039 for each unit whose words a declared language lacks.

    Wanted is a caption or title for each in the rules, and whatever the file of the
    first language has. Of a unit that lies beside the game nothing is wanted in a
    language in which it has no words at all.
    """
    first, *others = ruleset.manifest.languages
    said = _said(ruleset, first)
    beside = {ruleset.files[f"{BESIDE}{each.name}"].name for each in ruleset.beside}
    for language in others:
        words = {_entry(key) for key in ruleset.texts.get(language, ())}
        for unit in ruleset.units:
            missing = [
                key
                for key in said[unit.id]
                if not (key in words or ("/" not in key and f"titles/{key}" in words))
            ]
            unasked = unit.span.file in beside and len(missing) == len(said[unit.id])
            if missing and not unasked:
                who = sentence(titled(origin_of(unit)))
                yield fault(
                    W039,
                    f"{who} has no words in {language} for {_listed(missing)}.",
                    unit.names[0].span,
                    fixes=(
                        f"Write them into text/{language}.yaml, or under `texts` "
                        "beneath the rule.",
                        f"Do without {language}: take it out of `languages` in "
                        f"ruleset.yaml, and delete text/{language}.yaml.",
                    ),
                )


def _listed(keys: list[str]) -> str:
    """Return the first of some entries by their sections, and how many more."""
    sections: dict[str, list[str]] = defaultdict(list)
    for key in keys[:MOST_NAMED]:
        section, _, address = key.rpartition("/")
        sections[section.partition("/")[0] or "captions"].append(address)
    parts = [f"{name}: {', '.join(each)}" for name, each in sections.items()]
    more = len(keys) - MOST_NAMED
    return "; ".join(parts) + (f" and {more} more" if more > 0 else "")


def _entry(key: str) -> str:
    """Return the entry of a text file: without the forms of a name, or its values."""
    section, _, rest = key.partition("/")
    if section == "readings":
        return f"{section}/{rest.partition('/')[0]}"
    return key.partition(":")[0]


def _said(ruleset: LoadedRuleset, first: str) -> dict[str, list[str]]:
    """Return what has words in the rules or in the first language's file, by unit."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    home = {unit.id: unit.id for unit in ruleset.units}
    for placed in reversed(placed_items(ruleset)):  # the game's own come last, and win
        unit = placed.origin.unit or ruleset.base.id
        home.update((each.address, unit) for each in placed.declares)
    for one in ruleset.units:
        if one.caption is not None:
            found[one.id][f"titles/{one.id}"] = None
        for address, node in addressed(one):
            if getattr(node, "caption", None) is not None:
                found[one.id][address] = None
    for key in map(_entry, ruleset.texts.get(first, ())):
        section, _, address = key.rpartition("/")
        if section.partition("/")[0] in {"changed", "changed_prose"}:
            found[section.partition("/")[2]][key] = None
        elif section not in NOT_WANTED:
            while address not in home and "." in address:
                address = address.rpartition(".")[0]
            found[home.get(address, ruleset.base.id)][key] = None
    return {unit.id: list(found[unit.id]) for unit in ruleset.units}


# ---- what to check

# Two edits that cannot both hold, however they meet.
CONFLICTS = frozenset({"E201", "E202", "E203", "E204", "E205", "E206", "E207", "E209"})
SPEAKS_OF_NOTHING = "E036"
TOO_LARGE = "E050"
# What is not told beside another fault, since that one is likely to leave it behind: a
# ruling unused by one misspelt, a release in a circle, a preset for nobody.
LEFT_BEHIND = {"W037": "E044", "E208": "E204", "E308": "E020"}

Tick: TypeAlias = Callable[[], None]
Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Tick]]


def no_progress(label: str, steps: int) -> AbstractContextManager[Tick]:
    """Show no progress."""
    return nullcontext(lambda: None)


def check_path(
    path: Path,
    rules: Sequence[Path] = (),
    *,
    pairs: bool = False,
    ranges: bool = False,
    progress: Progress = no_progress,
) -> Checked:
    """Check a ruleset's folder, or one file: of a ruleset, or with rules beside one.

    Args:
        path: a folder with a `ruleset.yaml`, a file in one, or any rules file: that is
            checked with its game, if it is one that is known by its name. A file that
            is none of these is not looked at, and that is said (E040).
        rules: files and folders with rules beside the game.
        pairs: check the types and effects of every pair of variants as well.
        ranges: note each range that is not proved (N501).
        progress: is asked how far it is to be shown; it gets a label and a number of
            steps, and gives a function to call at each step.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        whole = partial(check_game, pairs=pairs, ranges=ranges, progress=progress)
        return _checked(path, rules, whole)
    except UnreadableError as error:
        one = Checked(str(path), "it cannot be read", sources=error.sources)
        one.add(error.diagnostics)
        return one


def _checked(
    path: Path,
    rules: Sequence[Path],
    whole: Callable[[Path, Sequence[Path]], Checked],
) -> Checked:
    if path.is_dir():
        return whole(path, rules)
    folder = ruleset_around(path)
    if path.name == "ruleset.yaml":
        return whole(path.parent, rules)
    if folder is None and is_other(path):
        found = [not_looked_at(path)]
        return Checked(str(path), NOT_LOOKED_AT, diagnostics=found)
    if path.suffix == ".yaml" and (folder is None or path.parent.name == "scenarios"):
        return _scenario_file(path, rules)
    if folder is None:
        try:
            folder, rules = folder_for(path), (*rules, path)
        except DiagnosticsError:
            return _rules_file(path)
    return _part(path, whole(folder, rules))


def _part(path: Path, whole: Checked) -> Checked:
    """Return what the check of a whole game found about one file."""
    here = name_of(path)
    one = Checked(str(path), whole.summary, sources=whole.sources, unseen=whole.unseen)
    one.held = tuple(each for each in whole.held if each.file == here)
    touching = [
        each
        for each in whole.diagnostics
        if any(label.span.file == here for label in each.labels)
    ]
    # What is wrong elsewhere may have kept the check from looking at this file.
    errors = [each for each in whole.diagnostics if each.severity is Severity.ERROR]
    one.add((*touching, *errors))
    if not errors and here not in whole.sources:
        one.summary = NOT_LOOKED_AT
        one.add([not_looked_at(path)])
    return one


def _rules_file(path: Path) -> Checked:
    """Check a rules file whose game is not known here: only how it is written.

    That is said, as an error: nothing else of it was looked at.
    """
    from houserule.language.syntax.read.parser import parse_unit_file

    source = read_source(path, name_of(path))
    one = Checked(str(path), "only how it is written: its game is not known here")
    one.sources[source.name] = source
    units, found = parse_unit_file(source)
    one.add(found)
    if units and not has_errors(found):
        more = "Only how this is written was checked."
        one.add([without_game(units[0]).with_details(more)])
    return one


def _scenario_file(path: Path, rules: Sequence[Path]) -> Checked:
    one = Checked(str(path))
    try:
        folder = folder_for(path)
    except UnreadableError:
        raise
    except DiagnosticsError as error:
        one.sources.update(error.sources)
        one.add(error.diagnostics)
        one.add_files(validate_file("scenarios", scenario_source(path)))
        return one
    beside = rules_beside((*rules, *rules_for(path)))
    ruleset, found = load_ruleset(folder, beside)
    if ruleset is None or has_errors(found):
        one.add(found)
        one.sources.update(ruleset.sources if ruleset else sources_of(found))
        one.summary = "not looked at; it is once its game is in order"
    else:
        one.sources.update(ruleset.sources)
        check = _Check(one, ruleset)
        check.examples([path])
        check.results.save()
    if path.suffix == ".yaml":
        one.add_files(validate_file("scenarios", scenario_source(path)))
    return one


def check_table(
    folder: Path,
    choice: TableChoice,
    rules: Sequence[Path] = (),
    *,
    ranges: bool = False,
) -> Checked:
    """Check one table of a game; add the warnings of its rules.

    With `ranges`, note each range that is not proved (N501).
    """
    from houserule.engine.reference.play.warnings import before_play

    one, ruleset = _loaded(folder, rules)
    if ruleset is None:
        return one
    one.sources.update(choice.sources)
    if not has_errors(one.diagnostics):
        prepared = prepare(ruleset, choice)
        one.add(prepared.diagnostics)
        if prepared.program is not None:
            warnings = tuple(before_play(prepared.program))
            one.add(warnings or first_games(prepared.program, whole=True))
            unproved = unproved_ranges(prepared.program) if ranges else ()
            one.add(note for note, _ in unproved)
    one.summary = "one table"
    for source in choice.sources.values():
        one.add_files(validate_file("table", source))
    return one


def check_game(
    folder: Path,
    rules: Sequence[Path] = (),
    *,
    pairs: bool = False,
    ranges: bool = False,
    progress: Progress = no_progress,
) -> Checked:
    """Check a ruleset, with rules beside it: files, family, tables, examples.

    A text that speaks of nothing, or a part that nothing uses, is often what a misspelt
    name elsewhere leaves behind, so it is told only where the rules are in order.
    """
    one, ruleset = _loaded(folder, rules)
    one.unseen = "all tables, the examples"
    held: ValidatedFiles | None = None
    try:
        held = _check_loaded(one, ruleset, pairs, ranges, progress)
        one.unseen = ""
    except OutOfTime:
        one.summary = "time is up"
    # Last, since what is wrong with an example keeps nothing else from being checked.
    if TOO_LARGE not in {each.code for each in one.diagnostics}:
        one.add_files(held or validate_folder(folder, ruleset))
    return one


def _check_loaded(
    one: Checked,
    ruleset: LoadedRuleset | None,
    pairs: bool,
    ranges: bool,
    progress: Progress,
) -> ValidatedFiles | None:
    """Check a ruleset that was read; `unseen` of the result says how far it is.

    Where it goes so far, what came of holding its files to their schemas is returned.
    """
    unspoken = [each for each in one.diagnostics if each.code == SPEAKS_OF_NOTHING]
    one.diagnostics = [each for each in one.diagnostics if each not in unspoken]
    if ruleset is None or has_errors(one.diagnostics):
        one.summary = "its files only; the rest once they are in order"
        return None
    check = _Check(one, ruleset, ranges=ranges)
    composed = 0
    held = validate_folder(ruleset.folder, ruleset)
    family = check_family(ruleset)
    one.add(_causes(family.diagnostics))
    if not has_errors(one.diagnostics):
        composed = check.tables(pairs, progress)
        _check_rest(check, unspoken)
        if pairs:
            one.add(escapes(ruleset))
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
    return held


def _check_rest(check: _Check, unspoken: Sequence[Diagnostic]) -> None:
    """Check what is looked at where the tables are in order."""
    one, ruleset = check.one, check.ruleset
    if not has_errors(one.diagnostics):
        one.add(unspoken)
    if not has_errors(one.diagnostics):
        one.add([*idle_parts(ruleset), *untranslated(ruleset)])
        check.examples(example_files(ruleset))


def _causes(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return faults without those that another one is likely to leave behind."""
    codes = {each.code for each in found}
    return [each for each in found if LEFT_BEHIND.get(each.code) not in codes]


def _loaded(
    folder: Path, rules: Sequence[Path]
) -> tuple[Checked, LoadedRuleset | None]:
    """Read a ruleset, with rules beside it; what is wrong with its files is noted."""
    one = Checked(real(folder).name)
    ruleset, found = load_ruleset(folder, rules_beside(rules))
    one.add(_causes(found))
    if ruleset is not None:
        one.name = ruleset.id
        one.sources.update(ruleset.sources)
        return one, ruleset
    one.sources.update(sources_of(found))
    return one, None


# ---- tables and examples


class _Check:
    """The check of one ruleset under way; what was found before is not done again."""

    def __init__(
        self, one: Checked, ruleset: LoadedRuleset, *, ranges: bool = False
    ) -> None:
        self.one, self.ruleset, self.ranges = one, ruleset, ranges
        self.results = Results(ruleset)
        self.too_much = False
        self._files: dict[Path, Examples] = {}

    @cached_property
    def programs(self) -> Programs:
        """The programs of the ruleset: not needed where every result is on disk."""
        return Programs(self.ruleset, named=False)

    def tables(self, pairs: bool, progress: Progress) -> int:
        """Check tables that stand for all of them; return how many."""
        one, ruleset = self.one, self.ruleset
        sampled, only_some = tables_to_check(ruleset, pairs=pairs)
        one.add(only_some)
        base = self._table(TableChoice())
        if base.sound:
            on = (*base.variants, counted(base.seats, "player"))
            one.add(warned(base, ", ".join(on), ()))
        found, unproved = [], []
        beyond: dict[Diagnostic, int] = {}
        with progress(f"checking {ruleset.id}", len(sampled)) as tick:
            for number, choice in enumerate(sampled):
                left = len(sampled) - number
                one.unseen = f"{left} of {len(sampled)} tables, the examples"
                result = self._at(choice)
                found.append((choice, result.diagnostics))
                unproved.append((choice, [note for note, _ in result.ranges]))
                beyond.update(result.ranges)
                if choice.why != AT_ENDS:  # there, rules may well warn
                    one.add(warned(result, in_words(choice), one.diagnostics))
                tick()
        one.unseen = "the examples"
        one.add(by_name(at_tables(found, lambda at: self._at(at).diagnostics)))
        if self.ranges:
            one.add(by_name(at_tables(unproved, self._ranges_at, beyond)))
        if base.sound:
            one.add(self.results.boards(self._board_faults))
        return len(sampled)

    def _at(self, choice: Choice) -> TableResult:
        """Check one sampled table."""
        return self._table(choice_of(choice))

    def _ranges_at(self, choice: Choice) -> list[Diagnostic]:
        return [note for note, _ in self._at(choice).ranges]

    def _table(self, choice: TableChoice) -> TableResult:
        return self.results.table(choice, lambda: self._worked_out(choice))

    def _worked_out(self, choice: TableChoice) -> tuple[TableResult, bool]:
        """Check one table; say whether it was composed without a word."""
        prepared = self.programs.prepare(choice)
        program, table = prepared.program, prepared.table
        found = prepared.diagnostics
        # If one table takes too long, the others are not waited for.
        left_out = self.too_much
        warnings = _before_play(program) if program and not left_out else ()
        if program and not left_out and not warnings:
            whole = bool(choice.players and not (choice.with_ or choice.settings))
            found += tuple(first_games(program, whole=whole))
        ranges = tuple(unproved_ranges(program)) if program else ()
        too_much = any(each.code == "F11" for each in warnings)
        self.too_much |= too_much
        on = tuple(sorted(table.variants)) if table else ()
        seats = table.players if table else 0
        sound = program is not None
        result = TableResult(found, warnings, ranges, on, seats, sound)
        # Nor is it kept, else a later check would wait at another table for the same.
        return result, not (prepared.before_lowering or left_out or too_much)

    def _board_faults(self) -> Iterator[Diagnostic]:
        from houserule.play.narration.boards.validate import board_faults

        base = self.programs.prepare(TableChoice()).program
        if base is not None:
            yield from board_faults(self.ruleset, base)

    def examples(self, files: Iterable[Path]) -> None:
        """Check that every example can be read; whether it is met is for `test`."""
        for file in files:
            try:
                source = scenario_source(file)
            except UnreadableError as error:
                self.one.add(error.diagnostics)
                self.one.sources.update(error.sources)
                continue
            self.one.sources[source.name] = source
            faults, unread = self._unread(file, source)
            self.one.add(faults)
            for trial, key in unread:
                if not self.results.was_read(key):
                    self._read(trial, key)

    def _unread(
        self, file: Path, source: Source
    ) -> tuple[Sequence[Diagnostic], list[tuple[Trial, ExampleKey]]]:
        """Return the faults of a file, and its examples; none where all were read."""
        plan = self.results.file_plan(source)
        if plan is not None and all(map(self.results.was_read, plan)):
            return (), []
        if file not in self._files:
            self._files[file] = read_examples(file, self.ruleset)
        examples = self._files[file]
        found = [(each, key_of(each)) for each in trials(examples) if not each.number]
        if examples.form is not None and not examples.faults:
            self.results.keep_plan(examples.source, [key for _, key in found])
        return examples.faults, found

    def _read(self, trial: Trial, key: ExampleKey) -> None:
        """Read one example, and note at which tables besides its own."""
        from houserule.authoring.scenarios.run import read_trial

        asked: list[TableChoice] = []

        def prepare(choice: TableChoice) -> Prepared:
            asked.append(choice)
            return self.programs.prepare(choice)

        def misfits(choice: TableChoice) -> tuple[Diagnostic, ...]:
            asked.append(choice)
            return self.programs.misfits(choice)

        found = read_trial(trial, prepare, misfits)
        self.one.add(found)
        if not found:
            self.results.keep_read(key, asked[1:])


def _before_play(program: Program) -> tuple[Diagnostic, ...]:
    """Return what rules warn of and assert; who says nothing waits for no engine."""
    if not (program.warns or program.asserts):
        return ()
    from houserule.engine.reference.play.warnings import before_play

    return tuple(before_play(program))


def choice_of(choice: Choice) -> TableChoice:
    """Return the choice that makes a sampled table."""
    return TableChoice(
        with_=tuple(sorted(choice.variants)),
        settings=choice.settings,
        players=choice.players,
    )
