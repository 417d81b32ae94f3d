"""Experiments: many games by bots at one table, or at several on the same seeds.

An experiment sets how many games to play, the bots, the engine and the workers. It
plays, counts, writes the requested files, and returns the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic, perf_counter

from houserule.base.frozen import frozen
from houserule.compiler.rules import ChosenTable
from houserule.ir import Program
from houserule.play.records.records import seat_names
from houserule.study.simulate.comparison import Comparison, Plan, compare, narrow_enough
from houserule.study.simulate.engines import REFERENCE, serving
from houserule.study.simulate.output import (
    GamesFile,
    check_plot,
    plot_comparison,
    plot_simulation,
)
from houserule.study.simulate.schedule.batch import (
    Ended,
    Job,
    Limits,
    Played,
    Workers,
    finished_by,
    play_through,
)
from houserule.study.simulate.schedule.cluster import cluster_workers
from houserule.study.simulate.schedule.workers import (
    ProcessWorkers,
    local_workers,
    most_jobs,
)
from houserule.study.simulate.statistics.measures import Counted
from houserule.study.simulate.statistics.summary import (
    Simulation,
    Tally,
    spread,
    summarise,
)

HEARD = 0.05  # seconds between calls of `stop` in a growing comparison
REPLAY_SECONDS = 1.0  # for better messages of rule faults, once the run has ended


class UnwritableFileError(OSError):
    """A requested file cannot be written; the message names it."""


class NoFolderError(UnwritableFileError):
    """The folder of a requested file does not exist."""


@frozen
class Watcher:
    """Callbacks while games are played.

    Attributes:
        note: called with a sentence if another engine is used than wanted, and if a
            time limit or an interruption ended the run.
        tick: called with the number of games newly played at each table.
    """

    note: Callable[[str], None] = lambda _: None
    tick: Callable[[int], None] = lambda _: None


SILENT = Watcher()


@frozen
class Experiment:
    """How many games to play, how, and which files to write.

    Attributes:
        games: games at each table, at least 1.
        bots: names of bots by seat; repeated if there are fewer than seats.
        engine: "compiled" or "reference"; None for the compiled one if possible.
        jobs: threads or processes; 0 for one per core.
        cluster: the address of a Dask scheduler to use instead.
        time_limit: seconds after which to stop and return what was played.
        csv_file: a file with one row per game.
        plot_file: a file for plots: .png, .svg or .pdf.
    """

    games: int = 100
    seed: int = 1
    bots: tuple[str, ...] = ("random",)
    engine: str | None = None
    jobs: int = 0
    cluster: str | None = None
    time_limit: float | None = None
    csv_file: Path | None = None
    plot_file: Path | None = None

    def check_files(self) -> None:
        """Check, before any game is played, that files can be written.

        Raises:
            NoFolderError: the folder of a file does not exist.
            NoPicture: plots of this kind are not available here.
        """
        for file in (self.csv_file, self.plot_file):
            if file is not None and not file.absolute().parent.is_dir():
                raise NoFolderError(f"There is no folder for `{file}`.")
        if self.plot_file is not None:
            check_plot(self.plot_file)

    def prepare(self, programs: Sequence[Program]) -> None:
        """Prepare the workers for these programs; they are reused."""
        serving(self.engine, programs, self.bots)

    def simulate(
        self,
        table: ChosenTable,
        program: Program,
        width: float | None = None,
        watcher: Watcher = SILENT,
    ) -> tuple[Simulation, Callable[[], None]]:
        """Play games at one table; return the result, and a function that plots it.

        With `width`, stop when the interval of the mean of rounds is narrow enough. An
        interruption (`KeyboardInterrupt`) ends the run like a time limit.

        Raises:
            NoCluster: there is no such cluster, or it cannot be used.
            LostCluster: the cluster was lost during the run.
            BrokenExecutor: the worker processes were killed from outside.
            UnwritableFileError: the file of games cannot be written.
        """
        job = self._job((program,), watcher, rotate=False)
        began = perf_counter()

        def rounds_known(counted: Counted) -> bool:
            """Return whether the interval of the mean of rounds is narrow enough."""
            rounds = spread(counted.tallies[0].rounds)
            return width is not None and rounds.high - rounds.low <= width

        enough = None if width is None else rounds_known
        counted, ended = self._play(job, {}, [""], enough, watcher)
        seconds = perf_counter() - began
        (tally,) = counted.tallies
        result = summarise(job, table, tally, seconds=seconds, ended=ended)

        def draw() -> None:
            if self.plot_file is not None:
                with _written(self.plot_file):
                    seats = seat_names(program)
                    plot_simulation(self.plot_file, result, tally, seats)

        return result, draw

    def compare(
        self,
        plan: Plan,
        programs: tuple[Program, ...],
        width: float | None = None,
        watcher: Watcher = SILENT,
    ) -> tuple[Comparison, Callable[[], None]]:
        """Play the same games at all tables of a plan, and compare them.

        With `width`, stop when the interval of the difference in rounds is narrow
        enough. Each game moves the bots one seat on. Returns a comparison and a
        function that plots it. Raises the same errors as `simulate`.
        """
        job = self._job(programs, watcher, rotate=True)
        enough: Callable[[Counted], bool] | None = None
        if width is not None:
            enough = partial(narrow_enough, plan=plan, width=width)
        counted, ended = self._play(job, plan.pairs, plan.names, enough, watcher)
        result = compare(job, plan, counted, ended)
        tallies = dict(zip(plan.names, counted.tallies, strict=True))

        def draw() -> None:
            if self.plot_file is not None:
                with _written(self.plot_file):
                    plot_comparison(self.plot_file, result, tallies)

        return result, draw

    def _job(
        self, programs: tuple[Program, ...], watcher: Watcher, *, rotate: bool
    ) -> Job:
        engine, why = serving(self.engine, programs, self.bots)
        if why:
            watcher.note(f"{why[0].upper()}{why[1:]}")
        return Job(programs, self.seed, self.games, self.bots, engine, rotate=rotate)

    def _play(
        self,
        job: Job,
        pairs: Mapping[int, tuple[int, int]],
        names: Sequence[str],
        enough: Callable[[Counted], bool] | None,
        watcher: Watcher,
    ) -> tuple[Counted, Ended]:
        """Play a job; return what ended it.

        `pairs` come from the plan, and `names` name its tables in the file of games,
        which is written during the run.
        """
        counted, began = Counted(job, pairs), monotonic()
        seconds = inf if self.time_limit is None else self.time_limit
        limits = Limits(seconds, None if enough is None else lambda: enough(counted))
        with self._writing(job, names) as write, self._workers(job, watcher) as workers:

            def take(played: Played) -> None:
                counted.add(played)
                write(played)
                watcher.tick(played.games)

            ended = play_through(job, workers, take, limits)
        # Improve messages of rule faults if time is left.
        left = max(REPLAY_SECONDS, began + seconds - monotonic())
        stopped = ended in ("time", "interrupt")
        try:
            replay_faults(job, counted.tallies, REPLAY_SECONDS if stopped else left)
        except KeyboardInterrupt:
            ended = "interrupt"
        played = f"{counted.games} of {job.games} game{'s' * (job.games != 1)}"
        if ended == "time":
            watcher.note(f"Time is up after {played}.")
        elif ended == "interrupt":
            watcher.note(f"Interrupted after {played}.")
        return counted, ended

    @contextmanager
    def _workers(self, job: Job, watcher: Watcher) -> Iterator[Workers]:
        if self.cluster is None:
            limited, jobs = self.time_limit is not None, min(self.jobs, most_jobs())
            if jobs < self.jobs:
                watcher.note(f"{self.jobs} jobs are too many here, so {jobs} play.")
            with local_workers(job, jobs, limited=limited) as workers:
                yield workers
        else:
            with cluster_workers(job, self.cluster, watcher.note) as workers:
                yield workers

    @contextmanager
    def _writing(
        self, job: Job, names: Sequence[str]
    ) -> Iterator[Callable[[Played], None]]:
        """Provide the writer of the requested file of games, if any."""
        if self.csv_file is None:
            yield lambda _: None
            return
        path = self.csv_file
        with _written(path):
            file = GamesFile(path, job, seat_names(job.programs[0]), names)

        def write(played: Played) -> None:
            with _written(path):
                file.add(played.rows)

        try:
            yield write
        except UnwritableFileError as error:
            file.discard(error)
            raise
        finally:
            with _written(path):
                file.close()


@contextmanager
def _written(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise UnwritableFileError(f"`{file}` cannot be written: {reason}") from None


# ---- rule faults with their values: replay the games that they ended


def replay_faults(job: Job, tallies: Sequence[Tally], seconds: float) -> None:
    """Replay the games that rule faults ended on the compiled engine, by table.

    The compiled engine's messages lack the values of the game; the reference engine has
    them. Only the first game ended by each fault is replayed. Messages that are not
    replaced within `seconds` stay as they are.
    """
    if job.engine == REFERENCE:
        return
    ends = monotonic() + seconds
    for program, tally in zip(job.programs, tallies, strict=True):
        if not tally.failures:
            continue
        alone = replace(job, programs=(program,), engine=REFERENCE)
        with ProcessWorkers(alone, 1) as workers:
            for message, number in list(tally.failures.items()):
                game = workers.play(range(number, number + 1))
                while not finished_by(game, ends):
                    if monotonic() >= ends:
                        return
                try:
                    (row,) = game.result().rows[0]
                except BrokenExecutor:
                    break
                tally.replayed[message] = row.message or message


# ---- a comparison that grows while a user watches


def growing(
    plan: Plan,
    programs: tuple[Program, ...],
    sizes: Sequence[int],
    stop: Callable[[], bool],
    *,
    bots: tuple[str, ...] = ("random",),
    seed: int = 1,
    jobs: int = 1,
) -> Iterator[Comparison]:
    """Yield the comparison of a plan's tables after each of these numbers of games.

    Games are kept between steps: a thousand after two hundred cost eight hundred.

    Args:
        stop: called continually; once it returns true, nothing more is yielded, and
            running games end, even inside a decision.
        bots: by seat; each game moves them one seat on.
        jobs: how many workers play.
    """
    engine, _ = serving(None, programs, bots)
    job = Job(programs, seed, max(sizes), bots, engine, rotate=True)
    counted = Counted(job, plan.pairs)
    with local_workers(job, jobs, limited=True) as workers:
        for size in sorted(sizes):
            while counted.games < size:
                at = counted.games
                future = workers.play(range(at, min(at + workers.span, size)))
                while not wait([future], HEARD).done:
                    if stop():
                        return
                counted.add(future.result())
                if stop():
                    return
            yield compare(job, plan, counted, "games")
