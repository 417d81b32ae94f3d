"""Flags, progress and exit status of the verbs that play many games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from houserule.base.limits import limit
from houserule.engine.bots.bot import Bot
from houserule.engine.reference.play.game import ReferenceGame, endless
from houserule.play.narration.narrator import Narrator
from houserule.play.records.records import Recorder
from houserule.study.simulate.engines import AT_ONCE
from houserule.study.simulate.experiments import (
    Experiment,
    NoFolderError,
    UnwritableFileError,
    Watcher,
)
from houserule.study.simulate.output import NoPicture
from houserule.study.simulate.schedule.batch import Ended
from houserule.study.simulate.schedule.cluster import LostCluster, NoCluster
from houserule.ui.cli import FINDINGS, INTERRUPTED
from houserule.ui.cli.arguments import BOTS_FLAG, SEED
from houserule.ui.cli.output import UnusableFile, progress, tell
from houserule.ui.cli.timing import before_games, jobs_flag, time_limit_flag

COMMAND = TypeVar("COMMAND", bound=Callable[..., Any])
FILE = click.Path(dir_okay=False, path_type=Path)

PLAY_FLAGS = (
    click.option(
        "--games",
        type=click.IntRange(1),
        default=100,
        show_default=True,
        help="The number of games at each table.",
    ),
    click.option(
        "--seed",
        type=SEED,
        default=1,
        show_default=True,
        help="The random seed; the same seed gives the same games.",
    ),
    BOTS_FLAG,
    click.option(
        "--engine",
        type=click.Choice(list(AT_ONCE)),
        help="The engine that plays; normally the compiled one, if it can.",
    ),
    jobs_flag,
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the Dask cluster with this scheduler.",
    ),
    time_limit_flag("Stop after this time, and report the games played."),
    click.option(
        "--csv",
        "csv_file",
        type=FILE,
        metavar="FILE",
        help="Write a row for each game and table.",
    ),
    click.option(
        "--plot",
        "plot_file",
        type=FILE,
        metavar="FILE",
        help="Draw plots: .png, .svg or .pdf; needs the extra `plot`.",
    ),
)


def until_width(says: str) -> Callable[[COMMAND], COMMAND]:
    """Add the flag that stops when an interval is narrow enough, as `width`."""
    return click.option(
        "--until-width",
        "width",
        type=click.FloatRange(0, min_open=True),
        metavar="ROUNDS",
        help=says,
    )


def play_flags(command: COMMAND) -> COMMAND:
    """Add the play flags to a verb; it receives one `experiment` instead."""

    @wraps(command)
    def with_experiment(**given: Any) -> Any:  # noqa: ANN401 - the verb's parameters
        own = {name: given.pop(name) for name in Experiment.__dataclass_fields__}
        return command(experiment=Experiment(**own), **given)

    for flag in reversed(PLAY_FLAGS):
        with_experiment = flag(with_experiment)
    return with_experiment  # type: ignore[return-value]  # the flags replace it


@contextmanager
def as_usage() -> Iterator[None]:
    """Report impossible requests as usage errors, and lost results as failures."""
    try:
        yield
    except BrokenExecutor:
        raise click.ClickException(
            "The processes that played were stopped from outside several times. "
            "Is there enough memory? Fewer of them need less: `--jobs 1`."
        ) from None
    except (NoCluster, NoPicture, NoFolderError) as error:
        raise click.UsageError(str(error)) from None
    except UnwritableFileError as error:
        raise UnusableFile(str(error)) from None
    except LostCluster as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def watching(games: int) -> Iterator[Watcher]:
    """Return a watcher with a progress bar and notes on standard error."""
    with as_usage(), progress("playing", games) as tick:
        yield Watcher(note=lambda text: tell(f"note: {text}"), tick=tick)


@contextmanager
def preparing(experiment: Experiment) -> Iterator[Callable[[], Experiment]]:
    """Apply the experiment's time limit to the work before the games.

    The block gets a function that returns the experiment with the remaining time. If
    none is left, the verb ends with a message.
    """
    with before_games(experiment.time_limit) as left:
        yield lambda: replace(experiment, time_limit=left())


def end(ended: Ended, faults: int, messages: list[str]) -> None:
    """Print how rules failed, and exit with the status of the games."""
    for message in messages:
        tell(message)
    if ended == "interrupt":
        raise click.exceptions.Exit(INTERRUPTED)
    if faults:
        raise click.exceptions.Exit(FINDINGS)


def played(
    game: ReferenceGame,
    players: list[Bot],
    recorder: Recorder,
    narrator: Narrator | None = None,
) -> Iterator[str]:
    """Let bots play a game to its end, and yield the log if there is a narrator."""
    yield from narrator.news(game) if narrator else ()
    most = limit("decisions")
    while game.decision is not None:
        if recorder.choices == most:
            raise endless(game)
        decision = game.decision
        choice = players[decision.seat].choose(game)
        game.choose(choice)
        recorder.note(decision, choice, game)
        if narrator:
            yield from narrator.news(game)
            game.forget_events()
    recorder.finish(game)
