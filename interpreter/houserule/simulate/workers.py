"""Workers on this machine: this thread, several threads, or several processes."""

from __future__ import annotations

import os
import pickle
import signal
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING

from houserule.simulate.batch import Order, Played, Workers, play_span
from houserule.simulate.engines import AT_ONCE, COMPILED
from houserule.simulate.halt import Halt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.synchronize import Event

LEAST_EACH = 4


@contextmanager
def local_workers(order: Order, jobs: int) -> Iterator[Workers]:
    """Give workers for an order: `jobs` of them, 0 for one a processor.

    They are threads for the compiled engine, which runs free of Python's lock, and
    processes for the reference engine. There are fewer where the games are too few to
    be worth it. Where one would do, the reference engine plays in this thread; the
    compiled one does not, so that this thread can hear of an interruption.
    """
    wanted = jobs or os.cpu_count() or 1
    number = max(1, min(wanted, order.games // LEAST_EACH))
    if number == 1 and order.engine != COMPILED:
        yield Here(order)
        return
    pool = Threads if order.engine == COMPILED else Processes
    with pool(order, number) as workers:
        yield workers


class Here:
    """Plays in this process, as soon as it is asked to."""

    ahead = 1

    def __init__(self, order: Order) -> None:
        self._order = order
        self.span = AT_ONCE[order.engine]

    def play(self, numbers: range) -> Future[Played]:
        """Play, and return what is done already."""
        future: Future[Played] = Future()
        future.set_result(play_span(self._order, numbers))
        return future

    def halt(self) -> None:
        """Do nothing: nothing is under way."""

    def renew(self) -> None:
        """Do nothing: this process is there."""


class Threads:
    """Plays in threads of this process, which share what was compiled."""

    def __init__(self, order: Order, number: int) -> None:
        self._order = order
        self.ahead = number * 3
        self.span = order.span(number)
        self._halt = Halt()
        self._pool = ThreadPoolExecutor(number)

    def __enter__(self) -> Threads:
        """Return the workers; they end when they are left."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the threads, amid the games that each is in."""
        self.halt()
        self._pool.shutdown(cancel_futures=True)

    def play(self, numbers: range) -> Future[Played]:
        """Begin to play the games with these numbers."""
        halt = self._halt
        return self._pool.submit(play_span, self._order, numbers, halt.is_set, halt)

    def halt(self) -> None:
        """Let every thread stop, amid a decision if need be."""
        self._halt.set()

    def renew(self) -> None:
        """Do nothing: threads are not lost."""


class Processes:
    """Plays in a pool of processes, each of which is given the programs once."""

    def __init__(self, order: Order, number: int) -> None:
        self._order, self._number = order, number
        self.ahead = number * 3
        self.span = order.span(number)
        self._text = pickle.dumps(order)
        self._begin()

    def _begin(self) -> None:
        context = get_context()
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(
            self._number,
            mp_context=context,
            initializer=_begin,
            initargs=(self._text, self._stop),
        )

    def __enter__(self) -> Processes:
        """Return the workers; they end when they are left."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes, after the game that each is in."""
        self.halt()
        self._pool.shutdown(cancel_futures=True)

    def play(self, numbers: range) -> Future[Played]:
        """Begin to play the games with these numbers."""
        return self._pool.submit(_play, numbers)

    def halt(self) -> None:
        """Let every process stop after its game."""
        self._stop.set()

    def renew(self) -> None:
        """Start new processes, where one was lost."""
        self._pool.shutdown(cancel_futures=True)
        self._begin()


# What a process of the pool knows, told once when it starts.
_mine: tuple[Order, Event] | None = None


def _begin(text: bytes, stop: Event) -> None:
    global _mine
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asked
    _mine = pickle.loads(text), stop


def _play(numbers: range) -> Played:
    assert _mine is not None, "the process was begun"
    order, stop = _mine
    return play_span(order, numbers, stop.is_set)
