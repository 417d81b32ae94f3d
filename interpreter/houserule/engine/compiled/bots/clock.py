"""The clock of searches: it stops the module when time is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_int32
from threading import Event, Thread
from time import monotonic

TICK = 0.002  # seconds between two looks


class SearchClock:
    """Ends the searches of a machine, from outside of it.

    In the machine's memory stand three numbers of 32 bits: that of the search under
    way, that of one that is to end, and how long the search is to think: below 0 it is
    milliseconds.
    """

    def __init__(self, at: int) -> None:
        self._number, self._enough, self._effort = (
            c_int32.from_address(at + 4 * place) for place in range(3)
        )

    def end(self) -> None:
        """Let the running search stop and use its result so far."""
        self._enough.value = self._number.value

    @contextmanager
    def running(self, wanted: bool) -> Iterator[None]:
        """End each search in time, if that is wanted: a thread looks at the clock."""
        if not wanted:
            yield
            return
        done = Event()
        thread = Thread(target=self._run, args=(done,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _run(self, done: Event) -> None:
        seen, begun = 0, 0.0
        while not done.wait(TICK):
            number, effort = self._number.value, self._effort.value
            if number != seen:
                seen, begun = number, monotonic()
            elif effort < 0 and monotonic() - begun >= -effort / 1000:
                self._enough.value = seen
