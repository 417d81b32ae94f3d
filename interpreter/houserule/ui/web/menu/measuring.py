"""Measures effects of house rules in a separate process that can be killed.

Composing a large table and compiling it takes a second or more, and no thread can be
stopped meanwhile. In a separate process, it is ended as soon as the visitor leaves, and
the next process is prepared.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress

from houserule.base.executors import in_thread
from houserule.base.isolation import Answering, EndedError
from houserule.ui.web.menu.pages import effect_answer

LOOK = 0.05  # seconds between checks whether the visitor still waits
IDLE = 300.0  # seconds without a question after which the process is ended


class NotMeasured(Exception):
    """The process has ended: the visitor left, or it exceeded a limit."""


class Measuring:
    """The process that measures for one visitor at a time; for the event loop.

    It starts with the first question.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._process: Answering | None = None
        self._closed = False
        self._idle: asyncio.TimerHandle | None = None

    async def effect(
        self, gone: Callable[[], Awaitable[bool]], game: str, query: str, spoken: str
    ) -> str:
        """Return the fragment with the effect in a built-in game; '' if there is none.

        Args:
            gone: polled; returns whether the visitor has left.
            query: the address's query, as for `effect_answer`.
            spoken: the visitor's language.

        Raises:
            NotMeasured: the visitor left, or the process exceeded a limit.
        """
        question = json.dumps([game, query, spoken]).encode()
        async with self._turn:
            if await gone():
                raise NotMeasured
            process = await in_thread(self._ready)
            asked = asyncio.create_task(in_thread(process.ask, question))
            try:
                while not (await asyncio.wait({asked}, timeout=LOOK))[0]:
                    if await gone():
                        await in_thread(process.end)
                return json.loads(asked.result())  # type: ignore[no-any-return]
            except EndedError:
                self._process = None
                if not self._closed:
                    await in_thread(self._ready)
                raise NotMeasured from None
            except asyncio.CancelledError:
                self._end()
                raise
            finally:
                if self._idle is not None:
                    self._idle.cancel()
                self._idle = asyncio.get_running_loop().call_later(
                    IDLE, self._end_if_idle
                )

    def _ready(self) -> Answering:
        if self._process is None:
            self._process = Answering("houserule.ui.web.menu.measuring", b"")
        return self._process

    def _end_if_idle(self) -> None:
        if not self._turn.locked():
            self._end()

    def close(self) -> None:
        """End the process permanently."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._process is not None:
            self._process.end()
            self._process = None


def answering(_: bytes) -> Callable[[bytes], bytes]:
    """Return the process's question handler, at a lower priority than the server."""
    with suppress(AttributeError, OSError):
        os.nice(5)

    def answer(question: bytes) -> bytes:
        game, query, spoken = json.loads(question)
        found = effect_answer(game, query, spoken, lambda: False)
        return json.dumps(found or "").encode()

    return answer
