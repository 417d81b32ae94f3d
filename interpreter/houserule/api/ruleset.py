"""A ruleset: its options, its checks, and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from houserule.api.files import CheckReport, report_of
from houserule.api.state import open_ruleset
from houserule.api.table import Names, Table, choice_of, choose
from houserule.authoring.check.check import check_path
from houserule.authoring.check.check import check_table as check_one_table
from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import example_files, read_examples, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.diagnostics.render import Renderer
from houserule.base.frozen import frozen
from houserule.compiler.choices.offers import Offer, Offers, VariantGroup, offers_of
from houserule.compiler.prepare import Programs
from houserule.compiler.table_files.reading import game_of
from houserule.compiler.tables.sample import sample_tables
from houserule.language.manifest.load import ShippedGame, installed_games, shipped_games
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.manifest.ruleset_models import in_language
from houserule.play.records.records import golden_records
from houserule.rulebook.meanings.game_names import GameNames, game_names


def load(name_or_path: str | Path, *, rules: Sequence[str | Path] = ()) -> Ruleset:
    """Load a ruleset: its rules, house rules, components, texts and rulings.

    Args:
        name_or_path: a shipped game by name, or the path of a ruleset's folder.
        rules: your own files with house rules, or folders of them.

    Raises:
        RulesetError: the ruleset is missing, or its files have errors.

    Example:
        >>> houserule.load("pig").title
        'Pig'
        >>> try:
        ...     houserule.load("pik")
        ... except houserule.RulesetError as error:
        ...     print(str(error).partition(" Shipped")[0])
        There is no game `pik`. Did you mean `pig`?
    """
    return Ruleset(open_ruleset(name_or_path, rules))


def open_table(path: str | Path) -> Table:
    r"""Return the table of a table file, with its game and the rules that it names.

    Args:
        path: of the file.

    Raises:
        TableError: not a table file, its game is missing, or its choice is invalid.
        RulesetError: the game, or rules beside it, cannot be read.
        OSError: the file cannot be read.

    Example:
        >>> import pathlib
        >>> written = pathlib.Path("friday.yaml").write_text("game: pig\nplayers: 3")
        >>> houserule.open_table("friday.yaml")
        <Table of pig: 3 players>
    """
    choice = choice_of(None, (), (), None, None, path)
    return load(game_of(choice), rules=choice.rules).table(file=path)


def shipped(language: str = "en") -> tuple[ShippedGame, ...]:
    """Return the games that come with the package, by name.

    Args:
        language: of titles and summaries, if a game is translated into it.

    Example:
        >>> "pig" in [game.id for game in houserule.shipped()]
        True
    """
    return tuple(shipped_games(language))


def installed(language: str = "en") -> tuple[ShippedGame, ...]:
    """Return the games that other packages bring, by name.

    Args:
        language: of titles and summaries, if a game is translated into it.

    Example:
        >>> houserule.installed()
        ()
    """
    return tuple(installed_games(language))


class TableArguments(TypedDict):
    """Arguments of `Ruleset.table` for a sampled table.

    Example:
        >>> pig = houserule.load("pig")
        >>> arguments: houserule.TableArguments = pig.sample()[0].arguments
        >>> pig.table(**arguments).players
        2
    """

    with_: tuple[str, ...]
    settings: Mapping[str, Plain]
    players: int


@frozen
class SampledTable:
    """A table of a representative sample.

    Attributes:
        why: which part of the sample it belongs to, such as "presets" or "pairs".
        arguments: for `Ruleset.table`.

    Example:
        >>> pig = houserule.load("pig")
        >>> sampled = pig.sample()[5]
        >>> sampled.why, pig.table(**sampled.arguments).variants
        ('only no_early_hold', ('no_early_hold',))
    """

    why: str
    arguments: TableArguments


@frozen
class TestReport:
    """The results of a ruleset's worked examples and recorded games.

    Attributes:
        passed: how many passed.
        failures: the others, each as the command prints it; also files of examples
            that cannot be read.

    Example:
        >>> report = houserule.load("pig").test("hold")
        >>> report.ok, report.passed > 3
        (True, True)
    """

    __test__ = False  # not a test of pytest

    passed: int
    failures: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


@dataclass(frozen=True)
class Ruleset:
    """A game with its house rules, as `load` read it.

    Attributes:
        loaded: its parsed files; internal, may change.

    Example:
        >>> pig = houserule.load("pig")
        >>> pig.id, pig.title, pig.players
        ('pig', 'Pig', (2, 6))
        >>> [variant.id for variant in pig.variants]
        ['no_early_hold']
    """

    loaded: LoadedRuleset = field(repr=False)

    @property
    def id(self) -> str:
        """The game's name."""
        return self.loaded.id

    @property
    def folder(self) -> Path:
        """The folder that it was loaded from."""
        return self.loaded.folder

    @property
    def _rules(self) -> tuple[Path, ...]:
        return tuple(each.path for each in self.loaded.beside)

    @property
    def title(self) -> str:
        """The title, in English if it has one."""
        return in_language(self.loaded.manifest.title, "en")

    @property
    def players(self) -> tuple[int, int]:
        """The lowest and the highest number of players."""
        return self.offers().players

    @property
    def variants(self) -> tuple[Offer, ...]:
        """The variants by name, with titles and with how they relate."""
        return self.offers().variants

    @property
    def groups(self) -> tuple[VariantGroup, ...]:
        """The groups of variants of which exactly or at most one is on."""
        return self.offers().groups

    @property
    def options(self) -> tuple[Offer, ...]:
        """The options: those of the base game, then those of variants."""
        return self.offers().options

    @property
    def presets(self) -> tuple[Offer, ...]:
        """The presets: ready-made choices."""
        return self.offers().presets

    def offers(self, language: str = "en") -> Offers:
        """Return all that the game lets a table choose.

        Args:
            language: of the titles, if the game is translated into it.

        Example:
            >>> houserule.load("pachisi").offers("de").title
            'Pachisi'
        """
        return offers_of(self.loaded, language)

    def names(self, word: str = "", language: str = "en") -> GameNames:
        """Return the addresses that a house rule can edit, in groups.

        Args:
            word: only those with this in them or in their caption.
            language: of captions, where the game has them in it.

        Example:
            >>> groups = houserule.load("pig").names("win").groups
            >>> [name.name for group in groups for name in group.names]
            ['hold.win', 'hold.enough', 'target', 'winners']
        """
        return game_names(self.loaded, word, language)

    def table(
        self,
        *,
        preset: str | None = None,
        with_: Names = (),
        without: Names = (),
        settings: Mapping[str, Plain] | None = None,
        players: int | None = None,
        file: str | Path | None = None,
    ) -> Table:
        """Choose a table; without any argument the base game with its fewest seats.

        Args:
            preset: a ready-made choice to start from.
            with_: variants to switch on: names, or a text with commas between them.
            without: variants of the preset, or of the file, to omit.
            settings: options by name: numbers, yes or no, names, lists of them.
            players: how many play; None for the fewest that the variants allow.
            file: a table file; the other arguments override it.

        Raises:
            TableError: the choice is invalid, or its rules have errors.
            OSError: the file cannot be read.

        Example:
            >>> pig = houserule.load("pig")
            >>> pig.table(with_="no_early_hold", settings={"least_hold": 15}, players=3)
            <Table of pig: no_early_hold, 3 players>
        """
        choice = choice_of(preset, with_, without, settings, players, file)
        return choose(self.loaded, choice)

    def sample(
        self,
        *,
        pairs: bool = True,
        triples: bool = False,
        random: int = 0,
        seed: int = 0,
    ) -> tuple[SampledTable, ...]:
        """Return a small representative set of tables.

        Nothing on, each variant alone, all but one, every preset, interesting values
        of options; the same tables every time.

        Args:
            pairs: every possible pair of switch settings occurs.
            triples: every possible three of them occur.
            random: how many random tables to add, each valid one equally likely.
            seed: breaks ties between equally good tables, and picks random ones.

        Example:
            >>> [table.why for table in houserule.load("pig").sample()][4:7]
            ['nothing on', 'only no_early_hold', 'all but no_early_hold']
        """
        return tuple(
            SampledTable(
                each.why,
                TableArguments(
                    with_=tuple(sorted(each.variants)),
                    settings=each.settings,
                    players=each.players,
                ),
            )
            for each in sample_tables(
                self.loaded, pairs=pairs, triples=triples, random=random, seed=seed
            )
        )

    def check(self, *, pairs: bool = False, ranges: bool = False) -> CheckReport:
        """Return all errors and warnings of the rules and their files.

        All combinations of variants are proved, a sample of tables is composed, every
        worked example is read. The files are read again.

        Args:
            pairs: whether tables with every pair of variants are composed as well.
            ranges: whether each range that is not proved is noted (N501).

        Raises:
            OSError: the folder cannot be read any more.

        Example:
            >>> report = houserule.load("nim").check()
            >>> report.ok, report.numbers["conflicts"]
            (True, 0)
        """
        found = check_path(self.folder, self._rules, pairs=pairs, ranges=ranges)
        return report_of(found)

    def check_table(
        self,
        *,
        preset: str | None = None,
        with_: Names = (),
        without: Names = (),
        settings: Mapping[str, Plain] | None = None,
        players: int | None = None,
        file: str | Path | None = None,
    ) -> CheckReport:
        """Return errors and warnings of one table, for authors.

        `table` rejects such a table with a message for players.

        Args:
            preset: a ready-made choice to start from.
            with_: variants to switch on.
            without: variants to omit.
            settings: options by name.
            players: how many play.
            file: a table file.

        Raises:
            TableError: not a table file.
            OSError: it cannot be read.

        Example:
            >>> houserule.load("pig").check_table(settings={"target": 7}).errors[0].code
            'E304'
        """
        choice = choice_of(preset, with_, without, settings, players, file)
        rules = (*self._rules, *choice.rules)
        return report_of(check_one_table(self.folder, choice, rules))

    def test(self, words: str = "") -> TestReport:
        """Run the worked examples of the game, and replay its recorded games.

        Args:
            words: only examples with these words in their name, and no records.

        Example:
            >>> houserule.load("pig").test().ok
            True
        """
        programs, passed, failures = Programs(self.loaded), 0, list[str]()
        for file in example_files(self.loaded):
            examples = read_examples(file, self.loaded)
            if has_errors(examples.faults):
                texts = {examples.source.name: examples.source}
                failures.append(Renderer(texts).all(examples.faults))
            for trial in trials(examples):
                if words.casefold() in trial.title.casefold():
                    result = run_trial(trial, programs)
                    passed += result.passed
                    if not result.passed:
                        failures.append(failure(result, self.loaded.sources))
        for golden in () if words else golden_records(self.loaded):
            passed += not golden.problem
            if golden.problem:
                failures.append(f"{golden.path}: {golden.problem}")
        return TestReport(passed, tuple(failures))
