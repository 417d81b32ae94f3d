"""Whose work is next: few things are done at once, at a table one, the urgent first.

Threads share one interpreter, so more of them at work do not get more done: they only
keep each other, and the event loop, from going on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count

AT_ONCE = 4  # one works while others wait for the disk


class Turns:
    """Who may work at which table; for the event loop.

    Args:
        at_once: at so many tables.
        clock: tells seconds.
    """

    def __init__(
        self, at_once: int = AT_ONCE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._clock, self._numbers = at_once, clock, count()
        self._waiting: list[tuple[float, int, int, asyncio.Future[None]]] = []
        self._taken: set[int] = set()

    @asynccontextmanager
    async def at(self, table: int, patience: float = 0.0) -> AsyncIterator[None]:
        """Wait until a table and a thread are free; they are taken within the block.

        What came first is first. With `patience` it is as if this came so many seconds
        later, so that it waits for others, but not for ever.
        """
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        due = self._clock() + patience
        heappush(self._waiting, (due, next(self._numbers), table, called))
        self._call()
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave(table)
            raise
        try:
            yield
        finally:
            self._leave(table)

    def wanted(self, table: int) -> bool:
        """Say whether somebody works at a table, or waits for it."""
        return table in self._taken or any(each[2] == table for each in self._waiting)

    def _leave(self, table: int) -> None:
        self._taken.discard(table)
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Call those that wait, as long as there is a thread for one of them."""
        passed = []
        while self._free and self._waiting:
            waiting = heappop(self._waiting)
            _, _, table, called = waiting
            if called.done():
                continue  # whoever waited has gone
            if table in self._taken:
                passed.append(waiting)
                continue
            self._taken.add(table)
            self._free -= 1
            called.set_result(None)
        for waiting in passed:
            heappush(self._waiting, waiting)
