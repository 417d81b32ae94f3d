"""Scenario files: finding, reading and validating them without the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.authoring.scenarios.messages import E075, E076
from houserule.base.diagnostics.characters import advice_on
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Severity,
    by_name,
    fault,
    has_errors,
)
from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.files import MANIFEST, UnreadableError, find, read_source
from houserule.base.frozen import frozen
from houserule.base.resources import find_ruleset, no_such_ruleset, ruleset_around
from houserule.base.source import Source, Span, name_of, parts_of
from houserule.compiler.prepare import E039, NamedGame, TableChoice
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import BESIDE, EXAMPLES
from houserule.language.manifest.messages import E033, E035
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import Document, KeyPath
from houserule.language.manifest.yaml.read import read_document

if TYPE_CHECKING:
    from houserule.authoring.scenarios.scenario_model import (
        Case,
        Scenario,
        ScenarioFile,
        TableWords,
    )
    from houserule.language.syntax.tree import Unit

RULES = ".rules"


@frozen
class Examples:
    """A scenario file.

    `form` is None if the file is not in the form of one; `faults` explain why.
    """

    path: Path
    source: Source
    document: Document
    form: ScenarioFile | None
    faults: tuple[Diagnostic, ...]


@frozen
class Trial:
    """One example at one table, ready to run.

    `number` counts the cases of `under` from 1; 0 is the example itself. The paths are
    the places of `given`, the moves and `expect` in the file. `at` is a table that
    replaces the whole file's own one.
    """

    examples: Examples
    scenario: Scenario
    index: int
    number: int
    choice: TableChoice
    seats: tuple[str, ...]
    at: TableChoice | None = None

    @property
    def title(self) -> str:
        """The example's name, with the table if it is not its own."""
        return self.scenario.name + (f" ({self.table})" if self.number else "")

    @property
    def table(self) -> str:
        """The table in a few words."""
        return describe(self.choice)

    @property
    def case(self) -> Case | None:
        """The case of `under`, if any."""
        return self.scenario.under[self.number - 1] if self.number else None

    def standing(self, word: str) -> list[tuple[YamlData, KeyPath]]:
        """Return the example's value of a keyword, then its case's.

        The case's `leave_out` is removed from the example's value.
        """
        gone = self.case.leave_out if self.case else ()
        found: list[tuple[YamlData, KeyPath]] = []
        for path in dict.fromkeys((("scenarios", self.index), self.path)):
            try:
                said = self.examples.document.at(*path, word)
            except KeyError:
                continue
            if path != self.path and isinstance(said, dict):
                said = {
                    key: v for key, v in said.items() if f"{word}.{key}" not in gone
                }
            if path == self.path or word not in gone:
                found.append((said, (*path, word)))
        return found

    def said(self, word: str) -> tuple[YamlData, KeyPath]:
        """Return the case's value of a keyword, else the example's."""
        nothing: tuple[YamlData, KeyPath] = (None, (*self.path, word))
        return [nothing, *self.standing(word)][-1]

    def expected(self) -> tuple[Mapping[str, YamlData], KeyPath]:
        """Return the `expect` block and its place."""
        said, path = self.said("expect")
        return (said if isinstance(said, dict) else {}), path

    def parts(self) -> list[str]:
        """Return the parts of the example that a case can leave out."""
        found: list[str] = []
        for word in ("given", "do", "try", "expect"):
            try:
                said = self.examples.document.at("scenarios", self.index, word)
            except KeyError:
                continue
            inside = said if isinstance(said, dict) and word != "try" else ()
            found += [word, *(f"{word}.{key}" for key in inside)]
        return found

    @property
    def any_luck(self) -> bool:
        """Whether it must hold for all random outcomes."""
        form = self.examples.form
        return "any" in (self.scenario.luck, form.luck if form else None)

    @property
    def path(self) -> KeyPath:
        """The place of the example or case."""
        here: KeyPath = ("scenarios", self.index)
        return (*here, "under", self.number - 1) if self.number else here

    @property
    def span(self) -> Span:
        """The line to report for the whole example."""
        document = self.examples.document
        if self.number:
            return document.head(*self.path)
        return document.span(*self.path, "name")


def scenario_files(folder: Path) -> list[Path]:
    """Return the scenario files of a ruleset's folder, by name.

    Raises:
        UnreadableError: E050, too many files.
    """
    return [folder / each for each in find(folder, EXAMPLES)]


def example_files(ruleset: LoadedRuleset) -> list[Path]:
    """Return the files with a ruleset's examples: scenarios and rules files.

    Only rules files with an appendix are included.
    """
    return [*scenario_files(ruleset.folder), *appended_files(ruleset)]


def appended_files(ruleset: LoadedRuleset, *, beside: bool = False) -> list[Path]:
    """Return the rules files with an appendix, of a ruleset or beside it."""
    lies = {f"{BESIDE}{each.name}": each.path for each in ruleset.beside}
    return [
        lies.get(name, ruleset.folder / name)
        for name, source in ruleset.files.items()
        if name.endswith(RULES) and parts_of(source)[1] is not None
        if not beside or name in lies
    ]


def scenario_source(path: Path) -> Source:
    """Read a scenario file, named relative to the working folder if possible.

    Raises:
        OSError: reading fails.
    """
    return read_source(path, name_of(path))


def read_examples(path: Path, ruleset: LoadedRuleset | None = None) -> Examples:
    """Read a file of examples; `faults` has the errors in its format.

    The rest of a file for another game is not read.

    Raises:
        OSError: reading fails.
    """
    # Imported here, since finding scenario files needs no model of them.
    from houserule.authoring.scenarios.scenario_model import ScenarioFile
    from houserule.language.manifest.yaml.validate import validate

    source = scenario_source(path)
    if path.suffix == RULES:
        return _appended(path, source)
    document, faults = read_document(source)
    if has_errors(faults):
        return Examples(path, source, document, None, tuple(faults))
    form, misfits = validate(document, ScenarioFile)
    found = [*faults, *misfits]
    if form is not None and ruleset is not None:
        named = NamedGame(form.game, path.parent, document.span("game"))
        if not named.is_of(ruleset):
            message = (
                f"These examples are of {named.said}, but lie in the folder of "
                f"{ruleset.id}."
            )
            fixes = (
                "put the file into the folder of its game",
                f"let it say:  game: {ruleset.id}",
            )
            found.append(fault(E039, message, named.span, fixes=fixes))
            return Examples(path, source, document, None, tuple(found))
    if form is not None:
        for number, each in enumerate(form.rules):
            if not (path.parent / each).exists():
                message = f"There is neither a file nor a folder `{each}`."
                found.append(fault(E035, message, document.span("rules", number)))
        found += _without_expectation(form, document)
    return Examples(path, source, document, form, tuple(found))


def _appended(path: Path, source: Source) -> Examples:
    """Read the examples in the appendix of a rules file.

    The file's variant is on in each, unless its table leaves it out.
    """
    from houserule.authoring.scenarios.scenario_model import ScenarioFile, WholeAppendix
    from houserule.language.manifest.yaml.validate import validate
    from houserule.language.syntax.read.parser import parse_unit_file

    units, _ = parse_unit_file(source)
    _, below = parts_of(source)
    document, faults = read_document(below or Source(source.name, ""))
    said = document.data
    if said is None or not units:
        return Examples(path, source, document, None, ())
    whole, misfits = validate(document, WholeAppendix)
    if whole is None or has_errors(faults) or not whole.scenarios:
        return Examples(path, source, document, None, (*faults, *misfits))
    form = ScenarioFile(
        game=units[0].game.text,
        table=whole.table,
        luck=whole.luck,
        scenarios=whole.scenarios,
    )
    variants = [unit.id for unit in units if unit.kind == "variant"]
    scenarios = [
        each
        if each.table is None
        else each.model_copy(update={"table": _with(each.table, variants)})
        for each in form.scenarios
    ]
    table = _with(form.table, variants)
    form = form.model_copy(update={"table": table, "scenarios": scenarios})
    found = (*faults, *_without_expectation(form, document))
    return Examples(path, source, document, form, found)


def _with(table: TableWords, variants: Iterable[str]) -> TableWords:
    """Return a table with further variants, unless it mentions them."""
    said = {*table.with_, *table.without}
    more = [each for each in variants if each not in said]
    return table.model_copy(update={"with_": [*table.with_, *more]})


def folder_for(path: Path) -> Path:
    """Return the ruleset's folder for a file: the one around it, else by its game.

    Raises:
        DiagnosticsError: the file is unreadable, or its ruleset is unknown.
        OSError: reading fails.
    """
    folder = ruleset_around(path)
    if folder is not None:
        return folder
    game: Path | None = None
    if path.suffix == RULES:
        from houserule.language.syntax.read.parser import parse_unit_file

        source = scenario_source(path)
        units, found = parse_unit_file(source)
        if units:
            if units[0].kind != "game":
                game = find_ruleset(units[0].game.text)
            found = found if has_errors(found) else [without_game(units[0])]
    else:
        examples = read_examples(path)
        source, found = examples.source, [*examples.faults]
        if examples.form is not None:
            named = examples.form.game
            game = find_ruleset(path.parent / named) or find_ruleset(named)
            missing = (
                f"There is no {MANIFEST} in `{name_of(path.parent.parent)}`, which "
                "would make it a ruleset's folder."
            )
            unknown = fault(
                E039,
                no_such_ruleset(named),
                examples.document.span("game"),
                advice_on(named),
                details=[missing] if path.parent.name == "scenarios" else [],
            )
            found = [*found, unknown]
    if game is None:
        raise DiagnosticsError(found, {source.name: source})
    return game


def rules_by_game(folder: Path) -> dict[Path | None, list[Path]]:
    """Return the rules files outside of rulesets by game folder.

    The key None has the files of unknown games. A ruleset's folder has no such files.
    """
    found: dict[Path | None, list[Path]] = {}
    if folder.is_dir() and not (folder / MANIFEST).is_file():
        for each in rules_beside([folder]):
            try:
                game = folder_for(each.path)
            except UnreadableError:
                raise
            except DiagnosticsError:
                game = None
            found.setdefault(game, []).append(each.path)
    return found


def without_game(unit: Unit) -> Diagnostic:
    """Return E033 or E039 for a rules file whose game is unknown."""
    if unit.kind == "game":
        message = f"There is no {MANIFEST} for {unit.id} in the folder of this file."
        ways = [
            f"rename `{each}` to `{MANIFEST}`"
            for each in find(Path(unit.names[0].span.file).parent, "*")
            if each.casefold() in (MANIFEST, "ruleset.yml")
        ]
        ways.append(f"houserule new game {unit.id}  shows what such a folder holds")
        return fault(E033, message, unit.names[0].span, fixes=ways)
    file = unit.game.span.file
    fixes = (f"name the game's folder:  houserule check FOLDER --rules {file}",)
    message = no_such_ruleset(unit.game.text)
    return fault(E039, message, unit.game.span, fixes=fixes)


def rules_for(path: Path) -> tuple[Path, ...]:
    """Return the external rules that a file of examples needs.

    A rules file needs itself.

    Raises:
        OSError: reading fails.
    """
    if path.suffix == RULES:
        return (path,) if ruleset_around(path) is None else ()
    form = read_examples(path).form
    return tuple(path.parent / each for each in form.rules) if form else ()


def _without_expectation(
    form: ScenarioFile, document: Document
) -> Iterator[Diagnostic]:
    for index, scenario in enumerate(form.scenarios):
        if not (scenario.expect or scenario.under or scenario.do):
            message = "This example expects nothing."
            yield fault(E075, message, document.span("scenarios", index, "name"))
        for path in _empty_blocks(document.at("scenarios", index), "expect"):
            message = "`expect` is empty: write what must hold, or omit it."
            yield fault(E075, message, document.span("scenarios", index, *path))


def _empty_blocks(said: YamlData, key: str) -> Iterator[KeyPath]:
    if not isinstance(said, dict | list):
        return
    for at, each in said.items() if isinstance(said, dict) else enumerate(said):
        if at == key and each == {}:
            yield (at,)
        for path in _empty_blocks(each, key):
            yield (at, *path)


def cases_of(trial: Trial) -> Iterator[Trial]:
    """Yield an example's other tables."""
    own = _trials_of(trial.examples, trial.index, trial.scenario, trial.at)
    yield from (each for each in own if each.number)


def trials(examples: Examples, at: TableChoice | None = None) -> Iterator[Trial]:
    """Yield every example of a file, at its own table and at those of `under`.

    They run at the table `at`, if given, with the entries of their own tables added.
    """
    scenarios = examples.form.scenarios if examples.form else ()
    for index, scenario in enumerate(scenarios):
        yield from _trials_of(examples, index, scenario, at)


def _trials_of(
    examples: Examples, index: int, scenario: Scenario, at: TableChoice | None
) -> Iterator[Trial]:
    """Yield one example, at its own table and at those of `under`."""
    assert examples.form is not None, "there are examples"
    fallback = examples.form.table
    words = scenario.table or fallback
    if words.players is None:
        words = words.model_copy(update={"players": fallback.players})
    base, seats = choice_of_words(words)
    base = base if at is None else base.over(at)
    yield Trial(examples, scenario, index, 0, base, seats, at)
    for number, case in enumerate(scenario.under, 1):
        over, named = choice_of_words(case)
        choice = over.over(base)
        yield Trial(examples, scenario, index, number, choice, named or seats, at)


def choice_of_words(words: TableWords | Case) -> tuple[TableChoice, tuple[str, ...]]:
    """Return the chosen table, and the players' names if given."""
    players = words.players
    seats = tuple(players) if isinstance(players, list) else ()
    choice = TableChoice(
        preset=words.preset,
        with_=tuple(words.with_),
        without=tuple(words.without),
        settings=dict(words.settings),  # type: ignore[arg-type]  # plain YAML values
        players=len(seats) if isinstance(players, list) else players,
    )
    return choice, seats


def describe(choice: TableChoice) -> str:
    """Describe a table in a few words, such as "long_game, 3 players"."""
    parts = [f"preset {choice.preset}"] if choice.preset else []
    parts += choice.with_
    parts += [f"without {name}" for name in choice.without]
    parts += [f"{name} = {value}" for name, value in choice.settings.items()]
    if choice.players is not None:
        parts.append(f"{choice.players} players")
    return ", ".join(parts) or "the base game"


def no_table(trial: Trial, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return E076 with the reasons; those with their own place come last.

    Suggestions for a choice of table are flags, and do not help in a file.
    """
    errors = [each for each in found if each.severity is Severity.ERROR]
    placed = tuple(by_name(each for each in errors if each.span is not None))
    codes = ", ".join(dict.fromkeys(each.code for each in placed))
    message = f"This example cannot be played at its table ({trial.table})"
    message = f"{message}: {codes}." if codes else f"{message}."
    of_table = [each for each in errors if each.span is None]
    why = fault(
        E076,
        " ".join([message, *(each.message for each in of_table)]),
        trial.span,
        details=(line for each in of_table for line in each.details),
    )
    return (why, *placed)
