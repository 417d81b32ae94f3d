"""Workers on this machine: this thread, several threads, or processes.

Each batch of a worker takes only a fraction of a second.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from traceback import format_exc
from typing import TypeAlias

from houserule.base.executors import HAS_THREADS, thread_pool
from houserule.engine.cancellation import Cancellation, uninterrupted
from houserule.study.simulate.engines import AT_ONCE, COMPILED
from houserule.study.simulate.schedule.batch import (
    Job,
    Played,
    Workers,
    no_games,
    play_span,
)

Answer: TypeAlias = Played | Exception

LEAST_EACH = 4
QUICK, SLOW = 0.02, 0.1  # seconds


def most_jobs() -> int:
    """Return the maximum number of workers: four per processor, at least eight.

    More are not faster, and each needs memory.
    """
    return max(8, 4 * (os.cpu_count() or 1))


@contextmanager
def local_workers(job: Job, jobs: int, *, limited: bool = False) -> Iterator[Workers]:
    """Provide workers for a job: `jobs` of them, 0 for one per processor.

    The compiled engine uses threads, since it releases Python's lock; the reference
    engine uses processes. Small jobs get fewer workers. If one is enough, the reference
    engine plays in this thread, where an interruption ends it even inside a decision;
    not if time is `limited`, since this thread then watches the clock. A web page has
    only this thread. The compiled engine never plays in this thread, because an
    interruption would have to wait for it.
    """
    wanted = jobs or os.cpu_count() or 1
    number = max(1, min(wanted, job.games // LEAST_EACH))
    alone = not HAS_THREADS or (number == 1 and not limited)
    if alone and job.engine != COMPILED:
        yield ThisThread(job)
        return
    pool = ThreadWorkers if job.engine == COMPILED else ProcessWorkers
    with pool(job, number) as workers:
        yield workers


class ThisThread:
    """A worker in this thread: it plays when called."""

    ahead = 1

    def __init__(self, job: Job) -> None:
        self._job = job
        self.span = AT_ONCE[job.engine]

    def play(self, numbers: range) -> Future[Played]:
        future: Future[Played] = Future()
        future.set_result(play_span(self._job, numbers))
        return future

    def cancel(self) -> None:
        """Do nothing: no games are running."""

    def restart(self) -> None:
        """Do nothing: this thread cannot be lost."""


class ThreadWorkers:
    """Workers that are threads of this process and share its compiled modules."""

    def __init__(self, job: Job, number: int) -> None:
        self._job = job
        self.ahead = number * 3
        self._batch_size = BatchSize(job.span(number))
        self._cancellation = Cancellation()
        self._pool = thread_pool(number)

    @property
    def span(self) -> int:
        """How many games the next batch has."""
        return self._batch_size.games

    def __enter__(self) -> ThreadWorkers:
        """Return the workers; they end with the context."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the threads, even inside a decision."""
        self.cancel()
        self._pool.shutdown(cancel_futures=True)

    def play(self, numbers: range) -> Future[Played]:
        """Start playing the games with these numbers."""

        def play() -> Played:
            with self._batch_size.noting(len(numbers)):
                return play_span(self._job, numbers, self._cancellation)

        return self._pool.submit(play)

    def cancel(self) -> None:
        """Stop every thread, even inside a decision."""
        self._cancellation.set()

    def restart(self) -> None:
        """Do nothing: threads cannot be lost."""


class BatchSize:
    """The batch size of a worker, adapted to how fast it plays.

    A cancelled batch loses all its games, so that clauses are counted only for whole
    games. The size begins at one, doubles while a batch takes less than `QUICK`
    seconds, and is halved when one took more than `SLOW`.

    Attributes:
        games: how many games of each table.
    """

    def __init__(self, most: int) -> None:
        self.games, self._most = 1, most

    @contextmanager
    def noting(self, games: int) -> Iterator[None]:
        """Measure how long a batch takes; ignore blocks that raise."""
        began = perf_counter()
        yield
        seconds = perf_counter() - began
        if seconds < QUICK and games >= self.games:
            self.games = min(2 * self.games, self._most)
        elif seconds > SLOW:
            self.games = max(min(games // 2, self.games), 1)


# ---- processes


class ProcessWorkers:
    """Workers in processes, each of which receives the programs once.

    A thread of this process serves each of them. The reference engine cannot be stopped
    inside a decision, but a process can be killed, with its current games.
    """

    def __init__(self, job: Job, number: int) -> None:
        self._job, self._number = job, number
        self.ahead = number * 3
        self._batch_size = BatchSize(job.span(number))
        self._text = pickle.dumps(job)
        self._cancelled = False
        self._begin()

    @property
    def span(self) -> int:
        """How many games the next batch has."""
        return self._batch_size.games

    def _begin(self) -> None:
        with uninterrupted():
            self._all = [_Process(self._text) for _ in range(self._number)]
        self._free = SimpleQueue[_Process]()
        for each in self._all:
            self._free.put(each)
        self._threads = thread_pool(self._number)

    def __enter__(self) -> ProcessWorkers:
        """Return the workers; they end with the context."""
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._end()

    def play(self, numbers: range) -> Future[Played]:
        """Start playing the games with these numbers."""
        return self._threads.submit(self._ask, numbers)

    def _ask(self, numbers: range) -> Played:
        process = self._free.get()
        try:
            with self._batch_size.noting(len(numbers)):
                answer = process.ask(numbers)
        except (EOFError, OSError):
            if self._cancelled:
                return no_games(self._job)
            raise BrokenExecutor("a process was lost") from None
        finally:
            self._free.put(process)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def cancel(self) -> None:
        """End every process, even inside a decision."""
        self._cancelled = True
        for each in self._all:
            each.end()

    def restart(self) -> None:
        """Replace lost processes."""
        self._end()
        self._begin()

    def _end(self) -> None:
        with uninterrupted():
            for each in self._all:
                each.end()
            self._threads.shutdown(cancel_futures=True)
            for each in self._all:
                each.close()
            self._all = []


class _Process:
    """A worker process, and the pipe to it."""

    def __init__(self, text: bytes) -> None:
        context = get_context()
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(text, theirs), daemon=True)
        self._process.start()
        theirs.close()  # only the process keeps it, so the pipe ends with it

    def ask(self, numbers: range) -> Answer:
        """Let it play, and return its answer.

        Raises:
            EOFError, OSError: the process is gone.
        """
        self._pipe.send(numbers)
        answer: Answer = self._pipe.recv()
        return answer

    def end(self) -> None:
        """Kill the process, if it exists."""
        self._process.kill()

    def close(self) -> None:
        """Forget the process, once it is gone."""
        self._process.join()
        self._process.close()
        self._pipe.close()


# ---- in the process


def _serve(text: bytes, pipe: Connection) -> None:
    """Play what the parent requests, until this process is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    parent = parent_process()
    assert parent is not None, "this process was started by another"

    def end_with_parent() -> None:
        """End this process, even inside a decision, when its parent is gone."""
        parent.join()
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
    job: Job = pickle.loads(text)
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            numbers = pipe.recv()
            try:
                answer: Answer = play_span(job, numbers)
            except Exception as error:
                error.add_note(f"in a process that played:\n{format_exc()}")
                answer = error
            pipe.send(answer)
