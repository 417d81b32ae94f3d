"""What the verbs that play many games share: their flags, workers, and ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from houserule.cli.bots import BOTS
from houserule.cli.output import counted, progress, tell
from houserule.record.write import seat_names
from houserule.simulate.engines import AT_ONCE, serving
from houserule.simulate.output.games_csv import GamesFile
from houserule.simulate.output.plot import NoPicture, check_plot
from houserule.simulate.schedule.batch import Limits, Order, play_through
from houserule.simulate.schedule.cluster import LostCluster, NoCluster, cluster_workers
from houserule.simulate.schedule.fault_replay import tell_by_values
from houserule.simulate.schedule.workers import local_workers
from houserule.simulate.statistics.pairs import Counted

if TYPE_CHECKING:
    from houserule.ir import Program
    from houserule.simulate.schedule.batch import Ended, Played, Workers

COMMAND = TypeVar("COMMAND", bound=Callable[..., Any])
INTERRUPTED = 130
PATIENCE = 1.0  # seconds that words may take once the work is stopped
FILE = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True)
class Play:
    """How many games are to be played, how, and where they go besides."""

    games: int
    seed: int
    bots: tuple[str, ...]
    engine: str | None
    jobs: int
    cluster: str | None
    time_limit: float | None
    csv_file: Path | None
    plot_file: Path | None

    def order(self, programs: tuple[Program, ...], rotate: bool = False) -> Order:
        """Return the order for these tables."""
        engine, why = serving(self.engine, programs, self.bots)
        if why:
            tell(f"note: {why[0].upper()}{why[1:]}")
        return Order(programs, self.seed, self.games, self.bots, engine, rotate=rotate)


PLAY_FLAGS = (
    click.option(
        "--games",
        type=click.IntRange(1),
        default=100,
        show_default=True,
        help="How many games at each table.",
    ),
    click.option("--seed", type=int, default=1, show_default=True, help="The luck."),
    click.option(
        "--bots", type=BOTS, default="random", show_default=True, help="By seat."
    ),
    click.option(
        "--engine",
        type=click.Choice(list(AT_ONCE)),
        help="Which engine plays; normally the compiled one where it can.",
    ),
    click.option(
        "--jobs", type=click.IntRange(0), default=0, help="Processes; 0: one a core."
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the Dask cluster whose scheduler is there.",
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Stop after so long, with what was played.",
    ),
    click.option(
        "--csv", "csv_file", type=FILE, metavar="FILE", help="Write a row a game."
    ),
    click.option(
        "--plot",
        "plot_file",
        type=FILE,
        metavar="FILE",
        help="Draw pictures: .png, .svg or .pdf.",
    ),
)


def until_width(says: str) -> Callable[[COMMAND], COMMAND]:
    """Give a verb the flag that stops when an interval is narrow enough, as `width`."""
    return click.option(
        "--until-width",
        "width",
        type=click.FloatRange(0, min_open=True),
        metavar="ROUNDS",
        help=says,
    )


def play_flags(command: COMMAND) -> COMMAND:
    """Give a verb the flags of playing; it receives one `play` in their place."""

    @wraps(command)
    def with_play(**given: Any) -> Any:  # noqa: ANN401 - whatever the verb takes
        own = {name: given.pop(name) for name in Play.__dataclass_fields__}
        return command(play=Play(**own), **given)

    for flag in reversed(PLAY_FLAGS):
        with_play = flag(with_play)
    return with_play  # type: ignore[return-value]  # the flags stand for `play`


def check_files(play: Play) -> None:
    """End with wrong usage, before anything is played, if a file cannot be written."""
    for file in (play.csv_file, play.plot_file):
        if file is not None and not file.absolute().parent.is_dir():
            raise click.UsageError(f"There is no folder for `{file}`.")
    if play.plot_file is not None:
        with as_usage():
            check_plot(play.plot_file)


def play_order(
    order: Order,
    play: Play,
    pairs: Mapping[int, tuple[int, int]],
    names: Sequence[str],
    enough: Callable[[Counted], bool] | None = None,
) -> tuple[Counted, Ended]:
    """Play an order with a bar, and tell if something ended it early.

    `pairs` are those of its plan, and `names` those of its tables, for the file of
    games, which is written meanwhile. `enough` is asked whether it is.
    """
    counted, began = Counted(order, pairs), monotonic()
    seconds = inf if play.time_limit is None else play.time_limit
    limits = Limits(seconds, None if enough is None else lambda: enough(counted))
    with (
        as_usage(),
        _writing(order, play, names) as write,
        _workers(order, play) as workers,
        progress("playing", order.games) as tick,
    ):

        def take(played: Played) -> None:
            counted.add(played)
            write(played)
            tick(played.games)

        ended = play_through(order, workers, take, limits)
    ended = _tell_faults(order, counted, ended, began + seconds)
    if ended == "time":
        tell(f"note: Time is up after {_of(counted.games, order.games)}.")
    elif ended == "interrupt":
        tell(f"note: Interrupted after {_of(counted.games, order.games)}.")
    return counted, ended


def _tell_faults(order: Order, counted: Counted, ended: Ended, ends: float) -> Ended:
    """Put faults into better words, if time is left; say what ended the work now."""
    stopped = ended in ("time", "interrupt")
    try:
        left = PATIENCE if stopped else max(PATIENCE, ends - monotonic())
        tell_by_values(order, counted.tallies, left)
    except KeyboardInterrupt:
        return "interrupt"
    return ended


@contextmanager
def _writing(
    order: Order, play: Play, names: Sequence[str]
) -> Iterator[Callable[[Played], None]]:
    """Give what writes games into the file that was asked for, if one was."""
    if play.csv_file is None:
        yield lambda _: None
        return
    written = play.csv_file
    with as_written(written):
        file = GamesFile(written, order, seat_names(order.programs[0]), names)

    def write(played: Played) -> None:
        with as_written(written):
            file.add(played.rows)

    try:
        yield write
    finally:
        with as_written(written):
            file.close()


def _of(games: int, wanted: int) -> str:
    return f"{games} of {counted(wanted, 'game')}"


@contextmanager
def _workers(order: Order, play: Play) -> Iterator[Workers]:
    """Give the workers that were asked for."""
    if play.cluster is None:
        limited = play.time_limit is not None
        with local_workers(order, play.jobs, limited=limited) as workers:
            yield workers
    else:
        with cluster_workers(order, play.cluster) as workers:
            yield workers


@contextmanager
def as_usage() -> Iterator[None]:
    """Tell what an extra cannot do as wrong usage, and workers lost as they are."""
    try:
        yield
    except BrokenExecutor:
        raise click.ClickException(
            "The processes that played were ended again and again from outside. "
            "Is there memory enough? Fewer of them need less: `--jobs 1`."
        ) from None
    except LostCluster as error:
        raise click.ClickException(str(error)) from None
    except (NoCluster, NoPicture) as error:
        raise click.UsageError(str(error)) from None


def end(ended: Ended, faults: int, messages: list[str]) -> None:
    """Tell how rules failed, and end with the status that the games call for."""
    for message in messages:
        tell(message)
    if ended == "interrupt":
        raise click.exceptions.Exit(INTERRUPTED)
    if faults:
        raise click.exceptions.Exit(1)


def draw_picture(play: Play, draw: Callable[[Path], None]) -> None:
    """Draw the picture that was asked for, if one was."""
    if play.plot_file is not None:
        with as_written(play.plot_file):
            draw(play.plot_file)


@contextmanager
def as_written(file: Path) -> Iterator[None]:
    """Let a file that cannot be written end the verb."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            f"`{file}` cannot be written: {error.strerror or error}"
        ) from None
