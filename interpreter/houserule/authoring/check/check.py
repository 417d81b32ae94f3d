"""Checks of a game: files, product line, tables, examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from houserule.authoring.check.at_tables import at_tables, in_words, warned
from houserule.authoring.check.checked import Checked
from houserule.authoring.check.first_games import (
    AT_OPTIONS,
    UNDER_WAY,
    choices_at,
    first_games,
)
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
from houserule.base.files import UnreadableError, find, read_source
from houserule.base.resources import ruleset_around
from houserule.base.source import Span, name_of, real
from houserule.compiler.family.check import check_family
from houserule.compiler.family.escapes import escapes
from houserule.compiler.family.idle import idle_parts
from houserule.compiler.items.items import origin_of, placed_items
from houserule.compiler.lower.analysis.ranges import unproved_ranges
from houserule.compiler.merge.messages import titled
from houserule.compiler.prepare import (
    Prepared,
    Programs,
    TableChoice,
    playable,
    prepare,
)
from houserule.compiler.tables.sample import AT_ENDS, Choice
from houserule.engine.cancellation import OutOfTime
from houserule.language.manifest.declared_names import addressed
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.kinds.kinds import PLACES, is_table
from houserule.language.manifest.kinds.validated_files import (
    ValidatedFiles,
    validate_file,
    validate_folder,
)
from houserule.language.manifest.load import BESIDE, load_ruleset, sources_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.read import read_document
from houserule.language.syntax import tree
from houserule.language.syntax.read.scan import E040

# ---- files outside a ruleset

NOT_LOOKED_AT = "not looked at"


def is_other(path: Path) -> bool:
    """Return whether a file outside a ruleset is neither rules nor scenarios.

    A YAML file with the keys of a table, and no others, is a table file.
    """
    if path.suffix != ".yaml":
        return path.suffix != RULES
    document, _ = read_document(read_source(path))
    return is_table(document.data)


def not_looked_at(path: Path) -> Diagnostic:
    """Return E040, with the command that checks such a file."""
    message = "`check` does not look at this file: no ruleset reads it."
    if path.suffix == ".jsonl":
        fixes = [f"play a record again:  houserule replay {path}"]
    elif path.suffix == ".yaml":
        fixes = [f"check a table:  houserule check --table {path}"]
    else:
        fixes = ["name rules `*.rules`, and let `rules:` in ruleset.yaml list them"]
    return fault(E040, message, Span.at(name_of(path)), fixes=fixes)


# ---- missing translations

MOST_NAMED = 6
# These differ by language: a unit's own words, optional words a player may type, and
# which variables need names.
NOT_WANTED = ("also", "names", "notes")


W039 = MessageCode("W039", "missing translation")
"""A caption, a title or another word is missing in a language that `ruleset.yaml`
declares.

**Why.** Players in that language would see single words in another one. Everything that
has words in the rules or in the file of the first language must have words in the
others. A rule that is not part of the game may omit a language altogether.

**For example**

```text
captions:
  hold.bank: Der Topf gehört dir
  # and nothing for hold.win
```

**Fix.** Add the words to the file of the language. Or remove the language from
`languages` and delete its file, as in a [copy](../commands.md#copy) of a game that is
only played in one.
"""


def untranslated(
    ruleset: LoadedRuleset, *, beside: bool = False
) -> Iterator[Diagnostic]:
    """Report texts that are missing in a declared language (W039).

    Required are a caption or title for each one in the rules, and every text of the
    first language's file. Rules `beside` the game are reported instead of its own, and
    only in languages in which they have texts.
    """
    said = said_by(ruleset)
    for language in ruleset.manifest.languages[1:]:
        words = {_entry(key) for key in ruleset.texts.get(language, ())}
        for unit in ruleset.units:
            missing = [
                key
                for key in said[unit.id]
                if not (key in words or ("/" not in key and f"titles/{key}" in words))
            ]
            unasked = is_beside(unit, ruleset) != beside or (
                beside and len(missing) == len(said[unit.id])
            )
            if missing and not unasked:
                sections: dict[str, list[str]] = defaultdict(list)
                for key in missing[:MOST_NAMED]:
                    section, _, address = key.rpartition("/")
                    sections[section.partition("/")[0] or "captions"].append(address)
                some = "; ".join(f"{s}: {', '.join(n)}" for s, n in sections.items())
                if len(missing) > MOST_NAMED:
                    some += f" and {len(missing) - MOST_NAMED} more"
                who = sentence(titled(origin_of(unit)))
                file = f"text/{language}.yaml"
                without = (
                    f"To drop {language}, remove it from `languages` in "
                    f"ruleset.yaml, and delete {file}."
                )
                yield fault(
                    W039,
                    f"{who} has no words in {language} for {some}.",
                    unit.names[0].span,
                    fixes=(
                        "Write them under `texts` beneath the rule."
                        if beside
                        else f"Write them into {file}.",
                        *(() if beside else (without,)),
                    ),
                )


def is_beside(unit: tree.Unit, ruleset: LoadedRuleset) -> bool:
    """Return whether a unit is in a file beside the game's folder."""
    names = {ruleset.files[f"{BESIDE}{each.name}"].name for each in ruleset.beside}
    return unit.span.file in names


def _entry(key: str) -> str:
    """Return the entry of a text file without the forms of a name, or its values."""
    section, _, rest = key.partition("/")
    if section == "readings":
        return f"{section}/{rest.partition('/')[0]}"
    return key.partition(":")[0]


def said_by(ruleset: LoadedRuleset) -> dict[str, list[str]]:
    """Return the texts in the rules or in the first language's file, by unit."""
    first = ruleset.manifest.languages[0]
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


# ---- codes

# Two conflicting edits, however they meet.
CONFLICTS = frozenset({"E201", "E202", "E203", "E204", "E205", "E206", "E207", "E209"})
SPEAKS_OF_NOTHING = "E036"
TOO_LARGE = "E050"
# Codes that are not reported beside another one that probably causes them: a ruling
# unused because of a misspelt name, a cyclic release, a preset without players.
LEFT_BEHIND = {"W037": "E044", "E208": "E204", "E308": "E020"}

Tick: TypeAlias = Callable[[], None]
Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Tick]]


Further: TypeAlias = Callable[[Checked, Path, Sequence[Path]], None]


def nothing_further(one: Checked, folder: Path, rules: Sequence[Path]) -> None:
    """Add nothing."""


def no_progress(label: str, steps: int) -> AbstractContextManager[Tick]:
    return nullcontext(lambda: None)


def check_path(
    path: Path,
    rules: Sequence[Path] = (),
    *,
    pairs: bool = False,
    ranges: bool = False,
    progress: Progress = no_progress,
    further: Further = nothing_further,
) -> Checked:
    """Check a ruleset's folder, or one file: of a ruleset, or with external rules.

    Args:
        path: a folder with a `ruleset.yaml`, a file in one, or any rules file, which is
            checked with its game if the game is known. Any other file is not checked,
            and E040 reports this.
        pairs: check the types and effects of every pair of variants as well.
        ranges: report each unproved range (N501).
        progress: a factory of progress bars: takes a label and a number of steps, and
            yields a function to call at each step.
        further: adds what else is to be checked in a whole game.

    Raises:
        OSError: the file cannot be read.
    """

    def whole(folder: Path, rules: Sequence[Path]) -> Checked:
        one = check_game(folder, rules, pairs=pairs, ranges=ranges, progress=progress)
        further(one, folder, rules)
        return one

    try:
        return _checked(path, rules, whole)
    except UnreadableError as error:
        one = Checked(str(path), "it cannot be read", sources=error.sources)
        one.add(error.diagnostics)
        return one


def _checked(
    path: Path, rules: Sequence[Path], whole: Callable[[Path, Sequence[Path]], Checked]
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
        one.add_files(validate_file("scenarios", scenario_source(path)))
        return one
    if folder is None:
        try:
            folder, rules = folder_for(path), (*rules, path)
        except DiagnosticsError:
            # Its game is unknown: check the syntax, and report that this was all.
            from houserule.language.syntax.read.parser import parse_unit_file

            source = read_source(path, name_of(path))
            one = Checked(
                str(path), "only how it is written: its game is not known here"
            )
            one.sources[source.name] = source
            units, found = parse_unit_file(source)
            one.add(found)
            if units and not has_errors(found):
                more = "Only the syntax was checked."
                one.add([without_game(units[0]).with_details(more)])
            return one
    # Check the whole game, and keep the results for this file.
    game, here = whole(folder, rules), name_of(path)
    one = Checked(str(path), game.summary, sources=game.sources, unseen=game.unseen)
    one.held = tuple(each for each in game.held if each.file == here)
    touching = [
        each
        for each in game.diagnostics
        if any(label.span.file == here for label in each.labels)
    ]
    # An error elsewhere may have stopped the check before this file.
    errors = [each for each in game.diagnostics if each.severity is Severity.ERROR]
    one.add((*touching, *errors))
    if not errors and here not in game.sources:
        one.summary = NOT_LOOKED_AT
        one.add([not_looked_at(path)])
    return one


def check_table(
    folder: Path,
    choice: TableChoice,
    rules: Sequence[Path] = (),
    *,
    ranges: bool = False,
) -> Checked:
    """Check one table of a game; add the warnings of its rules.

    With `ranges`, report each unproved range (N501).
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
            one.add(warnings or first_games(prepared.program))
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
    """Check a ruleset with external rules: files, product line, tables, examples.

    Texts without a subject and unused parts often result from a misspelt name
    elsewhere, so they are reported only if the rules have no errors.
    """
    one, ruleset = _loaded(folder, rules)
    one.unseen = "all tables, the examples"
    held: ValidatedFiles | None = None
    try:
        held = _check_loaded(one, ruleset, pairs, ranges, progress)
        one.unseen = ""
    except OutOfTime:
        one.summary = "time is up"
    # Last, since nothing depends on errors in examples.
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
    """Check a loaded ruleset; set `unseen` of the result if it stops early.

    Return the validated files if it gets that far.
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
        if not has_errors(one.diagnostics):
            one.add(unspoken)
        if not has_errors(one.diagnostics):
            one.add([*idle_parts(ruleset), *untranslated(ruleset)])
            check.examples(example_files(ruleset))
            check.positions()
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
    if family.tables_checked > family.valid_tables:  # random sample
        tables = "more valid tables than I can count"
    one.summary = (
        f"{counted(len(family.switches), 'variant')}, {tables}, {in_conflict}, "
        f"{composed} composed"
    )
    return held


def _causes(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    codes = {each.code for each in found}
    return [each for each in found if LEFT_BEHIND.get(each.code) not in codes]


def _loaded(
    folder: Path, rules: Sequence[Path]
) -> tuple[Checked, LoadedRuleset | None]:
    """Read a ruleset with external rules; record the errors in its files."""
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
    """The check of one ruleset in progress; reuses earlier results."""

    def __init__(
        self, one: Checked, ruleset: LoadedRuleset, *, ranges: bool = False
    ) -> None:
        self.one, self.ruleset, self.ranges = one, ruleset, ranges
        self.results = Results(ruleset)
        self.too_much = False
        self._files: dict[Path, Examples] = {}

    @cached_property
    def programs(self) -> Programs:
        """The programs of the ruleset; not needed if every result is cached."""
        return Programs(self.ruleset, named=False)

    def tables(self, pairs: bool, progress: Progress) -> int:
        """Check the sampled tables; return their number."""
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
                if choice.why != AT_ENDS:  # rules may well warn at boundary values
                    one.add(warned(result, in_words(choice), one.diagnostics))
                tick()
        one.unseen = "the examples"
        one.add(by_name(at_tables(found, lambda at: self._at(at).diagnostics)))
        if self.ranges:
            one.add(
                by_name(
                    at_tables(
                        unproved,
                        lambda at: [note for note, _ in self._at(at).ranges],
                        beyond,
                    )
                )
            )
        if base.sound:
            one.add(self.results.boards(self._board_faults))
        return len(sampled)

    def _at(self, choice: Choice) -> TableResult:
        return self._table(choice_of(choice))

    def _table(self, choice: TableChoice) -> TableResult:
        return self.results.table(
            choice, lambda: self._worked_out(choice), ranges=self.ranges
        )

    def _worked_out(self, choice: TableChoice) -> tuple[TableResult, bool]:
        """Check one table; return whether it composed without a diagnostic."""
        prepared = self.programs.prepare(choice)
        program, table = prepared.program, prepared.table
        found = prepared.diagnostics
        # If one table takes too long, skip the others.
        left_out = self.too_much
        warnings: tuple[Diagnostic, ...] = ()
        # Without warnings and assertions, do not load the engine.
        if program and not left_out and (program.warns or program.asserts):
            from houserule.engine.reference.play.warnings import before_play

            warnings = tuple(before_play(program))
        if program and not left_out and not warnings:
            most = AT_OPTIONS if choice.settings else UNDER_WAY
            if choice.players and not choice.settings:
                most = choices_at(self.ruleset, {*choice.with_})
            found += tuple(first_games(program, most))
        ranges = tuple(unproved_ranges(program)) if program and self.ranges else ()
        too_much = any(each.code == "F11" for each in warnings)
        self.too_much |= too_much
        on = tuple(sorted(table.variants)) if table else ()
        seats = table.players if table else 0
        sound = program is not None
        result = TableResult(found, warnings, ranges, on, seats, sound)
        # Do not cache it, or a later check would time out at another table.
        return result, not (prepared.before_lowering or left_out or too_much)

    def _board_faults(self) -> Iterator[Diagnostic]:
        from houserule.play.narration.boards.validate import board_faults
        from houserule.play.seat.looks import look_faults

        base = self.programs.prepare(TableChoice()).program
        if base is not None:
            yield from board_faults(self.ruleset, base)
            yield from look_faults(self.ruleset, base)

    def positions(self) -> None:
        """Check that games can begin at the positions in the ruleset's folder."""
        from houserule.play.positions.files import read_position

        for each in find(self.ruleset.folder, PLACES["position"]):
            try:
                stored = read_position(self.ruleset.folder / each)
            except DiagnosticsError:
                continue  # its form is validated with that of the other files
            self.one.sources[stored.source.name] = stored.source
            prepared = self.programs.prepare(stored.choice)
            try:
                _, program = playable(prepared, self.ruleset, stored.choice)
                stored.start(program, self.ruleset)
            except DiagnosticsError as error:
                self.one.add(error.diagnostics)
                self.one.sources.update(error.sources)

    def examples(self, files: Iterable[Path]) -> None:
        """Check that every example is valid; whether it passes is for `test`."""
        for file in files:
            try:
                source = scenario_source(file)
            except UnreadableError as error:
                self.one.add(error.diagnostics)
                self.one.sources.update(error.sources)
                continue
            self.one.sources[source.name] = source
            plan = self.results.file_plan(source)
            if plan is not None and all(map(self.results.was_read, plan)):
                continue
            if file not in self._files:
                self._files[file] = read_examples(file, self.ruleset)
            examples = self._files[file]
            found = [
                (each, key_of(each)) for each in trials(examples) if not each.number
            ]
            if examples.form is not None and not examples.faults:
                self.results.keep_plan(examples.source, [key for _, key in found])
            self.one.add(examples.faults)
            for trial, key in found:
                if not self.results.was_read(key):
                    self._read(trial, key)

    def _read(self, trial: Trial, key: ExampleKey) -> None:
        """Read one example, and record its other tables."""
        from houserule.authoring.scenarios.run import read_trial

        asked: list[TableChoice] = []

        def prepare(choice: TableChoice) -> Prepared:
            asked.append(choice)
            return self.programs.prepare(choice)

        def misfits(choice: TableChoice) -> tuple[Diagnostic, ...]:
            asked.append(choice)
            return self.programs.misfits(choice)

        found = read_trial(trial, prepare, misfits, self.ruleset)
        self.one.add(found)
        if not found:
            self.results.keep_read(key, asked[1:])


def choice_of(choice: Choice) -> TableChoice:
    return TableChoice(
        with_=tuple(sorted(choice.variants)),
        settings=choice.settings,
        players=choice.players,
    )
