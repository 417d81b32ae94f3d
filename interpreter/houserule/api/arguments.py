"""Convert arguments about tables and playing to internal types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from houserule.base.diagnostics.render import TableError
from houserule.compiler.prepare import TableChoice
from houserule.compiler.table_files.reading import read_table_file
from houserule.engine.bots.bot import bot_names

# A table has arguments: a circle of types alone.
from houserule.ir import Program

if TYPE_CHECKING:
    from houserule.api.table import Table
    from houserule.language.manifest.ruleset import Plain
    from houserule.study.simulate.experiments import Experiment
    from houserule.study.simulate.results import Finished

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
    for run in _runs(numbers):
        found += play_games(program, seed, run, names, engine)
    return found


def _check_engine(engine: str) -> None:
    from houserule.study.simulate.engines import AT_ONCE

    if engine not in AT_ONCE:
        known = ", ".join(AT_ONCE)
        raise ValueError(f"There is no engine `{engine}`. Engines: {known}.")


def _runs(numbers: Iterable[int]) -> Iterable[range]:
    """Return numbers as ranges of consecutive ones."""
    if isinstance(numbers, range) and numbers.step == 1:
        return [numbers]
    return [range(number, number + 1) for number in numbers]


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
