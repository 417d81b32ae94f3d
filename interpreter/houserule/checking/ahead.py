"""Working ahead: other processes find results before the check gets to them.

The work is a row of pieces. The check goes over it from the front, one piece after the
other, as it does alone. Each helper has a part of the row and goes over it from the
back; each result that would be kept on disk it hands over at once, so the check meets
it as one of an earlier run. What nobody keeps, such as a fault of an example, the check
finds by itself. So what it says, and in which order, does not depend on helpers.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

    from houserule.checking.results import Results

Piece: TypeAlias = Callable[[], Iterator[None]]  # yields where something was found

MOST_HELPERS = 7


def processes() -> int:
    """Return how many processes this machine gives us something for."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every platform
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@contextmanager
def helped(
    results: Results, row: Callable[[], Sequence[Piece]], number: int
) -> Iterator[None]:
    """Let helpers work ahead on a row of pieces while the block goes over it.

    Args:
        results: of the check; a piece of work puts what it finds there.
        row: gives the pieces of work, in the order in which the block gets to them.
        number: how many helpers there may be.

    Helpers are copies of this process, so there are none where it cannot be copied, or
    not safely, since it has threads.
    """
    if number < 1 or not _can_be_copied():
        yield
        return
    number = min(number, MOST_HELPERS)
    helpers: list[_Helper] = []
    with suppress(OSError):  # no more processes are allowed, or there is no room
        for each in range(number):
            helpers.append(_Helper(results, row, (each, number)))
    results.refreshed_by = lambda: _gather(results, helpers)
    try:
        yield
    finally:
        results.refreshed_by = None
        for helper in helpers:
            helper.end()


def _can_be_copied() -> bool:
    """Say whether a copy of this process can go on working.

    macOS has `fork`, and says itself that its own libraries do not bear it.
    """
    return sys.platform == "linux" and threading.active_count() == 1


def _gather(results: Results, helpers: Sequence[_Helper]) -> None:
    for each in helpers:
        for found in each.found():
            results.learn(found)


class _Helper:
    """A process that works through a part of the row, and the pipe to it."""

    def __init__(
        self,
        results: Results,
        row: Callable[[], Sequence[Piece]],
        place: tuple[int, int],
    ) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        self._pipe, theirs = context.Pipe(duplex=False)
        self._process: ForkProcess = context.Process(
            target=_work, args=(results, row, place, theirs, self._pipe), daemon=True
        )
        try:
            self._process.start()
        except OSError:
            self._pipe.close()
            raise
        finally:
            theirs.close()  # the process alone holds it, so the pipe ends with it

    def found(self) -> Iterator[dict[str, object]]:
        """Yield what it has handed over since it was asked last."""
        with suppress(EOFError, OSError):  # it is done, or gone: all is found here too
            while self._pipe.poll():
                yield self._pipe.recv()

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _work(
    results: Results,
    row: Callable[[], Sequence[Piece]],
    place: tuple[int, int],
    pipe: Connection,
    other_end: Connection,
) -> None:
    """Do a part of the row from its end, and hand over what each piece finds.

    `place` is the number of the helper, from 0, and how many there are. The first part
    of the row is the parent's.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    other_end.close()  # so that this process ends once the parent is gone
    results.taken()
    with suppress(Exception):  # the parent does what is left, and meets it as well
        pieces, (number, helpers) = row(), place
        first, last = (
            len(pieces) * each // (helpers + 1) for each in (number + 1, number + 2)
        )
        for piece in reversed(pieces[first:last]):
            for _ in piece():
                pipe.send(results.taken())
