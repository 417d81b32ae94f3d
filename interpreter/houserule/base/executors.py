"""Work beside this thread; in a page, which has no threads, it runs here."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
RESULT = TypeVar("RESULT")

HAS_THREADS = sys.platform != "emscripten"
"""Whether this Python can start threads and processes."""


class InThisThread(Executor):
    """An executor without threads: each call is complete when it is submitted."""

    def submit(
        self, fn: Callable[P, RESULT], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[RESULT]:
        """Call the function, and return its result as a future."""
        future: Future[RESULT] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def thread_pool(number: int, name: str = "") -> Executor:
    """Return an executor with at most `number` threads, called after `name`."""
    return ThreadPoolExecutor(number, name) if HAS_THREADS else InThisThread()


async def in_thread(
    function: Callable[P, RESULT], /, *args: P.args, **kwargs: P.kwargs
) -> RESULT:
    """Call a function in a thread, so that the event loop goes on meanwhile."""
    if HAS_THREADS:
        return await asyncio.to_thread(function, *args, **kwargs)
    return function(*args, **kwargs)
