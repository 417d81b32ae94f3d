"""Experiments: many games by bots at one table, or at several on the same luck.

An experiment says how many games, by whom, on which engine and where; it plays, counts,
writes the files that were asked for, and returns the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
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

REPLAY_SECONDS = 1.0  # for the words of faults, once the work is stopped


class UnwritableFileError(OSError):
    """A file that was asked for cannot be written; the message names it."""


class NoFolderError(UnwritableFileError):
    """There is no folder for a file that was asked for."""


@frozen
class Watcher:
    """Callbacks while games are played.

    Attributes:
        note: called with a sentence when another engine plays than was wanted, and
            when time or an interruption ended the work.
        tick: called with the number of games at each table that are newly played.
    """

    note: Callable[[str], None] = lambda _: None
    tick: Callable[[int], None] = lambda _: None


SILENT = Watcher()


@frozen
class Experiment:
    """How many games are played, how, and where they go besides.

    Attributes:
        games: how many games at each table, at least 1.
        seed: the luck.
        bots: names of bots by seat; fewer than seats go round.
        engine: "compiled" or "reference"; None for the compiled one where it can.
        jobs: threads or processes; 0 for one a core.
        cluster: the address of a Dask scheduler that is to play instead.
        time_limit: seconds after which the work ends with what was played.
        csv_file: a file for one row a game.
        plot_file: a file for pictures: .png, .svg or .pdf.
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
        """See, before anything is played, that files can be written.

        Raises:
            NoFolderError: a file's folder is not there.
            NoPicture: no picture of this kind can be drawn here.
        """
        for file in (self.csv_file, self.plot_file):
            if file is not None and not file.absolute().parent.is_dir():
                raise NoFolderError(f"There is no folder for `{file}`.")
        if self.plot_file is not None:
            check_plot(self.plot_file)

    def prepare(self, programs: Sequence[Program]) -> None:
        """Make ready what plays these programs; it is kept, and not made again."""
        serving(self.engine, programs, self.bots)

    def simulate(
        self,
        table: ChosenTable,
        program: Program,
        width: float | None = None,
        watcher: Watcher = SILENT,
    ) -> tuple[Simulation, Callable[[], None]]:
        """Play games at one table; return the result, and what draws its picture.

        With `width`, stop when the mean of rounds is known to so wide an interval. An
        interruption (`KeyboardInterrupt`) ends the work like a time limit.

        Raises:
            NoCluster: there is no such cluster, or it cannot be used.
            LostCluster: it was lost meanwhile.
            BrokenExecutor: the processes that played were ended from outside.
            UnwritableFileError: the file of games cannot be written.
        """
        job = self._job((program,), watcher, rotate=False)
        began = perf_counter()
        enough = None if width is None else partial(_rounds_known, width=width)
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

        With `width`, stop when the difference in rounds is known to so wide an
        interval. Each game seats the bots one further. Returns a comparison and what
        draws its picture. Raises what `simulate` raises.
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
        """Play a job; say what ended it.

        `pairs` are those of its plan, and `names` those of its tables, for the file of
        games, which is written meanwhile.
        """
        counted, began = Counted(job, pairs), monotonic()
        seconds = inf if self.time_limit is None else self.time_limit
        limits = Limits(seconds, None if enough is None else lambda: enough(counted))
        with (
            self._writing(job, names) as write,
            self._workers(job, watcher) as workers,
        ):

            def take(played: Played) -> None:
                counted.add(played)
                write(played)
                watcher.tick(played.games)

            ended = play_through(job, workers, take, limits)
        ended = _with_replayed_faults(job, counted, ended, began + seconds)
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
            with cluster_workers(job, self.cluster) as workers:
                yield workers

    @contextmanager
    def _writing(
        self, job: Job, names: Sequence[str]
    ) -> Iterator[Callable[[Played], None]]:
        """Give what writes games into the file that was asked for, if one was."""
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


def _rounds_known(counted: Counted, width: float) -> bool:
    """Say whether the mean of rounds is known to so wide an interval."""
    rounds = spread(counted.tallies[0].rounds)
    return rounds.high - rounds.low <= width


def _with_replayed_faults(
    job: Job, counted: Counted, ended: Ended, ends: float
) -> Ended:
    """Put faults into better words, if time is left; say what ended the work now."""
    stopped = ended in ("time", "interrupt")
    try:
        left = REPLAY_SECONDS if stopped else max(REPLAY_SECONDS, ends - monotonic())
        replay_faults(job, counted.tallies, left)
    except KeyboardInterrupt:
        return "interrupt"
    return ended


@contextmanager
def _written(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise UnwritableFileError(f"`{file}` cannot be written: {reason}") from None


# ---- faults with their values: the games that they ended are played again


def replay_faults(job: Job, tallies: Sequence[Tally], seconds: float) -> None:
    """Play the games that faults ended on the compiled engine again, by table.

    The compiled engine's messages lack the values of the game; the reference engine has
    them. The first game that each fault ended is played once more. Messages that are
    not replaced after so many seconds stay as they were.
    """
    if job.engine == REFERENCE:
        return
    ends = monotonic() + seconds
    for program, tally in zip(job.programs, tallies, strict=True):
        if tally.failures:
            alone = replace(job, programs=(program,), engine=REFERENCE)
            _replay(alone, tally, ends)


def _replay(job: Job, tally: Tally, ends: float) -> None:
    with ProcessWorkers(job, 1) as workers:
        for message, number in list(tally.failures.items()):
            game = workers.play(range(number, number + 1))
            while not finished_by(game, ends):
                if monotonic() >= ends:
                    return
            try:
                (row,) = game.result().rows[0]
            except BrokenExecutor:
                return
            tally.replayed[message] = row.message or message
