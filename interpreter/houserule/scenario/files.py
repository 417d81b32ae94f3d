"""Scenario files: which there are, and what they say before the game is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic, fault, has_errors
from houserule.manifest.yaml.read import read_document
from houserule.prepare import TableChoice
from houserule.source import Source, Span, read_source

if TYPE_CHECKING:
    from houserule.manifest.yaml.document import Document, KeyPath
    from houserule.scenario.model import Case, Scenario, ScenarioFile, TableWords

FOLDER = "scenarios"


@dataclass(frozen=True, slots=True)
class Examples:
    """A scenario file that was read.

    `form` is None where the file does not have the form of one; `faults` says why.
    """

    path: Path
    source: Source
    document: Document
    form: ScenarioFile | None
    faults: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """One example at one table: what is to be run.

    `number` counts the cases of `under` from 1; 0 is the example itself. The paths
    say where in the file `given`, the moves and `expect` stand.
    """

    examples: Examples
    scenario: Scenario
    index: int
    number: int
    choice: TableChoice
    seats: tuple[str, ...]

    @property
    def title(self) -> str:
        """The example's name, and the table where it is not its own."""
        return self.scenario.name + (f" ({self.table})" if self.number else "")

    @property
    def table(self) -> str:
        """The table in a few words."""
        return describe(self.choice)

    @property
    def case(self) -> Case | None:
        """The case of `under`, if it is one."""
        return self.scenario.under[self.number - 1] if self.number else None

    @property
    def path(self) -> KeyPath:
        """Where the example or case stands."""
        here: KeyPath = ("scenarios", self.index)
        return (*here, "under", self.number - 1) if self.number else here

    @property
    def span(self) -> Span:
        """The line to point at for the whole example."""
        document = self.examples.document
        if self.number:
            return document.head(*self.path)
        return document.span(*self.path, "name")


def scenario_files(folder: Path) -> list[Path]:
    """Return the scenario files of a ruleset's folder, by name."""
    return sorted((folder / FOLDER).glob("**/*.yaml"))


def ruleset_folder(file: Path) -> Path | None:
    """Return the ruleset that a file belongs to: the nearest one around it."""
    for folder in file.resolve().parents:
        if (folder / "ruleset.yaml").is_file():
            return folder
    return None


def scenario_source(path: Path) -> Source:
    """Read a scenario file, named from where the reader stands if it can be.

    Raises:
        OSError: the file cannot be read.
    """
    full, here = path.resolve(), Path.cwd()
    name = full.relative_to(here) if full.is_relative_to(here) else path
    return read_source(path, name.as_posix())


def read_examples(path: Path, game: str = "") -> Examples:
    """Read a scenario file; what is wrong with its form is in `faults`.

    `game` is that of the ruleset in whose folder it lies: of a file that says another
    one nothing more is read.

    Raises:
        OSError: the file cannot be read.
    """
    # Imported here: finding scenario files needs no model of them.
    from houserule.manifest.yaml.validate import validate
    from houserule.scenario.model import ScenarioFile

    source = scenario_source(path)
    document, faults = read_document(source)
    if has_errors(faults):
        return Examples(path, source, document, None, tuple(faults))
    form, misfits = validate(document, ScenarioFile)
    found = [*faults, *misfits]
    if form is not None and game not in {"", form.game}:
        wrong = _of_another_game(form.game, game, document)
        return Examples(path, source, document, None, (*found, wrong))
    if form is not None:
        found += _without_expectation(form, document)
    return Examples(path, source, document, form, tuple(found))


def _of_another_game(said: str, game: str, document: Document) -> Diagnostic:
    message = f"These examples are of {said}, but lie in the folder of {game}."
    fixes = ("put the file into the folder of its game", f"let it say:  game: {game}")
    return fault("E039", message, document.span("game"), fixes=fixes)


def _without_expectation(
    form: ScenarioFile, document: Document
) -> Iterator[Diagnostic]:
    for index, scenario in enumerate(form.scenarios):
        if not scenario.expect and not scenario.under and not scenario.do:
            yield fault(
                "E075",
                "This example does and expects nothing.",
                document.span("scenarios", index, "name"),
            )


def cases_of(trial: Trial) -> Iterator[Trial]:
    """Yield an example's other tables."""
    for other in trials(trial.examples):
        if other.index == trial.index and other.number:
            yield other


def trials(examples: Examples) -> Iterator[Trial]:
    """Yield every example of a file, at its own table and at those of `under`."""
    form = examples.form
    if form is None:
        return
    for index, scenario in enumerate(form.scenarios):
        words = _seated(scenario.table or form.table, form.table)
        base, seats = choice_of_words(words)
        yield Trial(examples, scenario, index, 0, base, seats)
        for number, case in enumerate(scenario.under, 1):
            over, named = choice_of_words(case)
            yield Trial(
                examples, scenario, index, number, over.over(base), named or seats
            )


def _seated(words: TableWords, fallback: TableWords) -> TableWords:
    """Let an example's own table keep the file's players if it names none."""
    if words.players is None:
        return words.model_copy(update={"players": fallback.players})
    return words


def choice_of_words(words: TableWords | Case) -> tuple[TableChoice, tuple[str, ...]]:
    """Return the table that was said, and the players' names if they have some."""
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
    """Return a table in a few words, such as "long_game, 3 players"."""
    parts = [f"preset {choice.preset}"] if choice.preset else []
    parts += choice.with_
    parts += [f"without {name}" for name in choice.without]
    parts += [f"{name} = {value}" for name, value in choice.settings.items()]
    if choice.players is not None:
        parts.append(f"{choice.players} players")
    return ", ".join(parts) or "the base game"
