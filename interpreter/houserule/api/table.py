"""A table: the agreed variants, options and seats, and how to play it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, Unpack

from houserule.api.composed_rules import ComposedRules
from houserule.api.game import Game, restore, start
from houserule.api.state import Tell, with_rules
from houserule.base.diagnostics.render import RulesetError, TableError
from houserule.base.resources import find_ruleset, nothing_called
from houserule.compiler.prepare import TableChoice, playable, prepare
from houserule.compiler.table_files.reading import read_table_file
from houserule.engine.bots.bot import bot_names
from houserule.engine.reference.play.machine import Forced
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.play.positions.files import read_position, start_from
from houserule.play.records.records import seat_names
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting

if TYPE_CHECKING:  # to import them takes a while
    from houserule.study.simulate.experiments import Experiment
    from houserule.study.simulate.results import Finished


def begin(
    rules: TableRules,
    seats: Sequence[str],
    file: str | Path | None,
    seed: int,
    number: int,
    languages: Sequence[str],
) -> Sitting:
    """Begin a game and let leading bots act: `Table.sit`."""
    where = Path(file) if file is not None else None
    sitting = Sitting.begin(rules, seats, seed, where, languages, number=number)
    sitting.advance()
    return sitting


def resume(
    path: str | Path, game: str | Path | None = None, *, anyway: bool = False
) -> Sitting:
    """Go on with a game from its file.

    Args:
        path: the record of the game.
        game: a ruleset by name or folder to go on by, instead of the one that the
            record names or brings.
        anyway: if changed rules alter the game, go on from the last choice that still
            fits.

    Raises:
        RecordError: not a record, the game now differs from it, another program has the
            file, or its table is invalid.
        RulesetError: the ruleset is missing or unreadable.
        OSError: the file cannot be read or written.

    Example:
        >>> table = houserule.load("pig").table()
        >>> with table.sit("ann,random", "evening.jsonl", seed=3) as sitting:
        ...     sitting.choose(0, sitting.hint(0))
        >>> with houserule.resume("evening.jsonl") as sitting:
        ...     sitting.seated.names, len(sitting.made)
        (('ann', 'random'), 1)
    """
    folder = None if game is None else find_ruleset(game)
    if game is not None and folder is None:
        raise RulesetError((), message=nothing_called(str(game)))
    return Sitting.resume(Path(path), folder=folder, anyway=anyway)


# ---- arguments

Names: TypeAlias = str | Iterable[str]
"""Names of variants, or a text with commas between them."""

EngineName: TypeAlias = Literal["compiled", "reference"]


class Playing(TypedDict, total=False):
    """How many games are played: arguments of `simulate`, `compare`, `compare_each`.

    Attributes:
        seed: the seed of random numbers; 1 by default.
        bots: by seat, "random", "greedy", "fair"…; a shorter list repeats. Normally
            all are random.
        engine: "compiled" or "reference"; by default the compiled one, if it supports
            these rules.
        jobs: parallel jobs; 0 for one per core, 1 by default. More than one on the
            reference engine, and a time limit there, start processes: a script then
            needs its `if __name__ == "__main__":`.
        cluster: the address of a Dask scheduler that plays instead.
        time_limit: seconds, more than 0, after which the work ends.
        csv: a file with one row per game.
        plot: a file for plots: .png, .svg or .pdf.

    Example:
        >>> playing: houserule.Playing = {"bots": "greedy,random", "seed": 3}
        >>> result = houserule.load("pig").table().simulate(games=40, **playing)
        >>> result.bots, result.seed
        (['greedy', 'random'], 3)
    """

    seed: int
    bots: Names
    engine: EngineName | None
    jobs: int
    cluster: str | None
    time_limit: float | None
    csv: str | Path | None
    plot: str | Path | None


def choice_of(
    preset: str | None,
    with_: Names,
    without: Names,
    settings: Mapping[str, Plain] | None,
    players: int | None,
    file: str | Path | None,
) -> TableChoice:
    """Return the choice of a table; other arguments override a table file.

    Raises:
        TableError: not a table file.
        OSError: it cannot be read.
    """
    choice = TableChoice(
        preset=preset,
        with_=names_of(with_),
        without=names_of(without),
        settings=dict(settings or {}),
        players=players,
    )
    if file is None:
        return choice
    below, found, source = read_table_file(Path(file))
    if below is None:
        raise TableError(found, {source.name: source})
    return choice.over(below)


def names_of(said: Names) -> tuple[str, ...]:
    """Return names, given as a sequence or as comma-separated text."""
    words = re.split(r"[,\s]+", said) if isinstance(said, str) else said
    return tuple(word for word in words if word)


def experiment_of(games: int, playing: Playing) -> Experiment:
    """Return an experiment with validated arguments.

    Raises:
        ValueError: an argument is out of range.
        OSError: the folder of a file is missing. RuntimeError: the plotting library is
            missing.
    """
    from houserule.study.simulate.experiments import Experiment

    jobs, time_limit = playing.get("jobs", 1), playing.get("time_limit")
    if games < 1 or jobs < 0 or (time_limit is not None and time_limit <= 0):
        raise ValueError("games and a time limit are more than 0, jobs not less")
    csv, plot, engine = playing.get("csv"), playing.get("plot"), playing.get("engine")
    if engine is not None:
        _check_engine(engine)
    experiment = Experiment(
        games=games,
        seed=playing.get("seed", 1),
        bots=bot_names(playing.get("bots", "random")),
        engine=engine,
        jobs=jobs,
        cluster=playing.get("cluster"),
        time_limit=time_limit,
        csv_file=None if csv is None else Path(csv),
        plot_file=None if plot is None else Path(plot),
    )
    experiment.check_files()
    return experiment


def play_numbers(
    program: Program, numbers: Iterable[int], seed: int, bots: Names, engine: str
) -> list[Finished]:
    """Play the games with these numbers and return them in order.

    Raises:
        ValueError: unknown bot or engine.
        Unsupported: the compiler does not support these rules yet.
    """
    from houserule.study.simulate.play import play_games

    _check_engine(engine)
    found: list[Finished] = []
    names = bot_names(bots)
    if isinstance(numbers, range) and numbers.step == 1:
        runs = [numbers]
    else:
        runs = [range(number, number + 1) for number in numbers]
    for run in runs:
        found += play_games(program, seed, run, names, engine)
    return found


def _check_engine(engine: str) -> None:
    from houserule.study.simulate.engines import AT_ONCE

    if engine not in AT_ONCE:
        known = ", ".join(AT_ONCE)
        raise ValueError(f"There is no engine `{engine}`. Engines: {known}.")


def difference(one: Table, other: Table) -> str:
    """Return how another table differs, as `compare` words it."""
    from houserule.compiler.options.scales import setting_words

    on = [each for each in other.variants if each not in one.variants]
    off = [f"without {each}" for each in one.variants if each not in other.variants]
    settings = {
        name: value
        for name, value in other.options.items()
        if name in one.options and one.options[name] != value
    }
    return ", ".join([*on, *off, *setting_words(settings)]) or "the same"


# ---- tables

if TYPE_CHECKING:
    from houserule.study.simulate.comparison import Comparison
    from houserule.study.simulate.results import Finished
    from houserule.study.simulate.statistics.summary import Simulation


class Table(ComposedRules):
    """A game as some people agreed to play it: variants, options, seats.

    `Ruleset.table` chooses one. It never changes; `change` returns another.

    Example:
        >>> table = houserule.load("pig").table(players=3, settings={"target": 50})
        >>> table.game, table.players, table.options["target"]
        ('pig', 3, 50)
    """

    def __init__(self, rules: TableRules, choice: TableChoice) -> None:
        super().__init__(rules)
        self._choice = choice

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._rules.chosen.game

    @property
    def players(self) -> int:
        """How many play."""
        return self._rules.chosen.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        return seat_names(self.program)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that are on, by name."""
        return tuple(sorted(self._rules.chosen.variants))

    @property
    def implied(self) -> tuple[str, ...]:
        """The variants that other variants switched on."""
        return tuple(sorted(self._rules.chosen.implied))

    @property
    def options(self) -> Mapping[str, Plain]:
        """The value of every option, by name."""
        return self._rules.chosen.options

    @property
    def clauses(self) -> tuple[str, ...]:
        """The addresses of all clauses; `explain` explains each."""
        return tuple(self.program.clauses)

    def __repr__(self) -> str:
        on = ", ".join((*self.variants, f"{self.players} players"))
        return f"<Table of {self.game}: {on}>"

    def change(
        self,
        *,
        with_: Names = (),
        without: Names = (),
        settings: Mapping[str, Plain] | None = None,
        players: int | None = None,
        preset: str | None = None,
    ) -> Table:
        """Return the same table with a change; it keeps its number of players.

        Args:
            with_: more variants to switch on.
            without: variants to switch off.
            settings: options to change, by name.
            players: another number of seats.
            preset: another preset to start from.

        Raises:
            TableError: the choice is invalid.

        Example:
            >>> table = houserule.load("pig").table(players=4)
            >>> table.change(with_="no_early_hold")
            <Table of pig: no_early_hold, 4 players>
        """
        seats = self.players if players is None else players
        change = choice_of(preset, with_, without, settings, seats, None)
        return choose(self._rules.ruleset, change.over(self._choice))

    # ---- playing

    def start(
        self,
        seed: int = 1,
        number: int = 0,
        *,
        faces: Iterable[int] = (),
        draws: Iterable[int] = (),
        shuffles: Iterable[Iterable[int | str]] = (),
        given: Mapping[str, object] | None = None,
        tell: Tell | None = None,
        language: str = "en",
        boards: bool = True,
    ) -> Game:
        """Start a game on the reference engine and play to its first decision.

        Fixed chance results are used up in order, then the seed decides.

        Args:
            seed: of random numbers; the same seed and choices give the same game.
            number: the number of the game among those of this seed, from 0.
            faces: the faces that the next dice show.
            draws: the next numbers drawn, from 0; each modulo how many there are.
            shuffles: the next orders of shuffled piles, from the bottom up, by name.
            given: the position to start from; see `starting`.
            tell: called with each line of the log, such as `print`.
            language: of the log.
            boards: whether the log shows boards.

        Raises:
            RuleFault: a runtime error in the rules.
            TableError: the rules have no such position.
            ValueError: a shuffle is not a permutation of its pile.

        Example:
            >>> game = houserule.load("pig").table().start(faces=[6, 5])
            >>> game.choose("throw")
            >>> game.choose("throw")
            >>> game.state("pot")
            11
        """
        rules = self._rules if given is None else self.starting(given)._rules
        orders = [list(order) for order in shuffles]
        forced = Forced(list(faces), list(draws), orders)
        return start(rules, seed, number, forced, tell, language, boards=boards)

    def starting(self, given: Mapping[str, object] | str | Path) -> Table:
        """Return the same table with games that begin at a position.

        Args:
            given: the position in the words of scenarios, such as `{"at": "throwing",
                "turn": "p2", "pot": 7}`; `True` is yes, `None` is none. Or the path of
                a position file, of which only the position counts.

        Raises:
            TableError: the rules have no such position, or it is not a position file.
            OSError: the file cannot be read.

        Example:
            >>> table = houserule.load("pig").table()
            >>> game = table.starting({"at": "deciding", "turn": "p2"}).start()
            >>> game.decision.seat
            1
        """
        rules = self._rules
        if isinstance(given, str | Path):
            begins = read_position(Path(given)).start(rules.program, rules.ruleset)
        else:
            begins = start_from(rules.program, rules.ruleset, given)
        return Table(TableRules(rules.ruleset, rules.chosen, begins), self._choice)

    def sit(
        self,
        seats: Names,
        file: str | Path | None = None,
        *,
        seed: int = 1,
        number: int = 0,
        languages: Names = "en",
    ) -> Sitting:
        """Begin a game with people and bots; leading bots act.

        Args:
            seats: a name of a person or a kind of bot for each seat.
            file: stores the game; each choice is on disk before it is shown.
                `houserule.resume` goes on from it.
            seed: of the random numbers.
            number: the number of the game among those of this seed, from 0.
            languages: by seat; a shorter list repeats.

        Raises:
            ValueError: there are more or fewer seats, or two people have one name.
            RuleFault: a runtime error in the rules.
            OSError: the file exists, or cannot be written.

        Example:
            >>> sitting = houserule.load("pig").table().sit("ann,greedy", seed=3)
            >>> sitting.choose(0, houserule.Act("throw"))
            >>> sitting.decision.seat, len(sitting.made)
            (0, 1)
        """
        return begin(
            self._rules, names_of(seats), file, seed, number, names_of(languages)
        )

    def restore(self, saved: Mapping[str, object]) -> Game:
        """Return a game as `Game.save` gave it.

        Args:
            saved: plain data, as it was saved or as JSON brings it back.

        Raises:
            ValueError: not a saved game, or saved under other rules.
            RuleFault: the saved state is not one that the rules allow.

        Example:
            >>> table = houserule.load("pig").table()
            >>> saved = table.start(seed=3).save()
            >>> table.restore(saved).seed
            3
        """
        return restore(self._rules, saved)

    def games(
        self,
        numbers: Iterable[int],
        *,
        seed: int = 1,
        bots: Names = "random",
        engine: EngineName = "reference",
    ) -> list[Finished]:
        """Let bots play whole games; return their results in order.

        Args:
            numbers: of the games among those of the seed, such as `range(10)`.
            seed: of the random numbers.
            bots: by seat, "random", "greedy", "fair"…; a shorter list repeats.
            engine: which engine plays.

        Raises:
            ValueError: unknown bot or engine.
            Unsupported: the compiler does not support these rules yet.

        Example:
            >>> table = houserule.load("pig").table()
            >>> one, other = (
            ...     table.games(range(3), engine=engine)
            ...     for engine in ("reference", "compiled")
            ... )
            >>> [game.outcome for game in one] == [game.outcome for game in other]
            True
        """
        return play_numbers(self.program, numbers, seed, bots, engine)

    # ---- many games

    def simulate(
        self,
        games: int = 100,
        *,
        until_width: float | None = None,
        **playing: Unpack[Playing],
    ) -> Simulation:
        """Let bots play many games and count: the object of `simulate --json`.

        The games depend on the seed alone. An interruption ends the work early, like a
        time limit.

        Args:
            games: how many, at least 1.
            until_width: stop when the confidence interval of the mean rounds is this
                narrow.
            playing: seed, bots, engine and more, as in `Playing`.

        Raises:
            ValueError: unknown bot or engine, or a number out of range.
            OSError: a file cannot be written.
            RuntimeError: a library for the plot or the cluster is missing.

        Example:
            >>> result = houserule.load("pig").table().simulate(games=50, seed=2)
            >>> result.games, sum(result.wins)
            (50, 50)
        """
        experiment = experiment_of(games, playing)
        chosen = self._rules.chosen
        found, draw = experiment.simulate(chosen, self.program, until_width)
        draw()
        return found

    def compare(
        self,
        others: Table | Mapping[str, Table] | Sequence[Table],
        games: int = 100,
        *,
        until_width: float | None = None,
        **playing: Unpack[Playing],
    ) -> Comparison:
        """Play the same games at this table and at others: `compare --json`.

        A game has the same seed at all tables. Bots move one seat on in each game.

        Args:
            others: tables of the same game and number of players; without names they
                are named after their differences.
            games: how many at each table, at least 1.
            until_width: stop when the confidence interval of the difference in rounds
                is this narrow.
            playing: seed, bots, engine and more, as in `Playing`.

        Raises:
            ValueError: a table is of another game or has other seats; or as `simulate`.
            OSError: a file cannot be written.
            RuntimeError: a library for the plot or the cluster is missing.

        Example:
            >>> table = houserule.load("pig").table()
            >>> quick = table.change(settings={"target": 50})
            >>> found = table.compare({"quick": quick}, games=50)
            >>> found.changes[0].differences[0].verdict[:7]
            'shorter'
        """
        from houserule.study.simulate.comparison import Plan

        if isinstance(others, Table):
            others = [others]
        if not isinstance(others, Mapping):
            others = {difference(self, each): each for each in others}
        for each in others.values():
            if (each.game, each.players) != (self.game, self.players):
                raise ValueError(f"{each!r} has other seats, or is of another game")
        tables = [self, *others.values()]
        plan = Plan(("base", *others), tuple(each._rules.chosen for each in tables), {})
        found, draw = experiment_of(games, playing).compare(
            plan, tuple(each.program for each in tables), until_width
        )
        draw()
        return found

    def compare_each(
        self,
        changes: Names,
        games: int = 100,
        *,
        pairs: bool = False,
        until_width: float | None = None,
        **playing: Unpack[Playing],
    ) -> Comparison:
        """Compare this table with each of some changes: variants, or a preset.

        Changes that are impossible at this table are skipped; the result says why.

        Args:
            changes: names of variants or presets.
            games: how many at each table, at least 1.
            pairs: whether to play each compatible pair as well.
            until_width: as in `compare`.
            playing: seed, bots, engine and more, as in `Playing`.

        Raises:
            ValueError: unknown change, or none is playable; or as `simulate`.
            OSError: a file cannot be written.
            RuntimeError: a library for the plot or the cluster is missing.

        Example:
            >>> table = houserule.load("nim").table()
            >>> found = table.compare_each("misere,one_pass", games=20, pairs=True)
            >>> [change.name for change in found.changes], len(found.interactions)
            (['misere', 'one_pass'], 1)
        """
        from houserule.study.simulate.compared_tables import ComparedTables

        tables = ComparedTables.begin(self._rules.ruleset, self._choice, "base")
        tables.add_each(names_of(changes), pairs=pairs)
        found, draw = experiment_of(games, playing).compare(
            tables.plan, tuple(tables.programs), until_width
        )
        draw()
        return found


def choose(ruleset: LoadedRuleset, choice: TableChoice) -> Table:
    """Return the table of a choice, with the rules that its table file names.

    Raises:
        TableError: the choice is invalid, or its rules have errors.
        RulesetError: these rules cannot be read.
    """
    ruleset = with_rules(ruleset, choice.rules)
    prepared = prepare(ruleset, choice, for_play=True)
    chosen, program = playable(prepared, ruleset, choice)
    return Table(TableRules(ruleset, chosen, program), choice)
