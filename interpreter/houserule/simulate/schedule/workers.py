"""Workers on this machine: this thread, several threads, or several processes."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from houserule.simulate.engines import AT_ONCE, COMPILED
from houserule.simulate.schedule.batch import (
    Order,
    Played,
    Workers,
    play_span,
)
from houserule.simulate.schedule.batch_size import Pace
from houserule.simulate.schedule.cancellation import Halt
from houserule.simulate.schedule.processes import Processes

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_EACH = 4


@contextmanager
def local_workers(
    order: Order, jobs: int, *, limited: bool = False
) -> Iterator[Workers]:
    """Give workers for an order: `jobs` of them, 0 for one a processor.

    They are threads for the compiled engine, which runs free of Python's lock, and
    processes for the reference engine. There are fewer where the games are too few to
    be worth it. Where one would do, the reference engine plays in this thread, which an
    interruption reaches amid a decision; but not where time is `limited`, so that this
    thread can look at the clock. The compiled one never does: nothing would reach it.
    """
    wanted = jobs or os.cpu_count() or 1
    number = max(1, min(wanted, order.games // LEAST_EACH))
    if number == 1 and order.engine != COMPILED and not limited:
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
        self._pace = Pace(order.span(number))
        self._halt = Halt()
        self._pool = ThreadPoolExecutor(number)

    @property
    def span(self) -> int:
        """How many games are handed out next."""
        return self._pace.games

    def __enter__(self) -> Threads:
        """Return the workers; they end when they are left."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the threads, amid the games that each is in."""
        self.halt()
        self._pool.shutdown(cancel_futures=True)

    def play(self, numbers: range) -> Future[Played]:
        """Begin to play the games with these numbers."""
        return self._pool.submit(self._play, numbers)

    def _play(self, numbers: range) -> Played:
        with self._pace.noting(len(numbers)):
            return play_span(self._order, numbers, self._halt)

    def halt(self) -> None:
        """Let every thread stop, amid a decision if need be."""
        self._halt.set()

    def renew(self) -> None:
        """Do nothing: threads are not lost."""
