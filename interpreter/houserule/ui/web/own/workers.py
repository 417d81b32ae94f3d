"""Processes that play users' own rules: their number, lifetime and limits.

A process serves all tables and menus with the same rules. If it exceeds a limit, it is
ended and restarts with the next request: nothing is lost, because every decision is in
the database. Rules that end their process repeatedly are suspended.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from houserule.base.executors import thread_pool
from houserule.base.frozen import frozen
from houserule.base.isolation import Answering, EndedError
from houserule.base.limits import limit

MOST = 6  # processes at once
LIMITS = {"memory": 500_000_000, "seconds": 10}  # unless configured lower
QUEUE = 24  # questions that wait for one process
IDLE = 900.0  # seconds without a question after which a process is ended
DEATHS = 3  # within this many seconds, and the rules are suspended for as long:
DEATHS_IN = 600.0
REMEMBERED = 1_000  # rules whose deaths are counted

Question: TypeAlias = Mapping[str, object]


@frozen
class OwnGame:
    """A game with users' own rules.

    Attributes:
        game: the game's name.
        own: the digests of the texts.
        apart: whether it needs a separate process, which may be ended at any time.
    """

    game: str
    own: tuple[str, ...]
    apart: bool = False


class OwnRulesError(Exception):
    """Users' own rules are suspended.

    Attributes:
        why: `memory`, `time` or `killed` if they ended their process; `often` if they
            did so repeatedly; `busy` if the server is full.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(eq=False)
class _Worker:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    used: float = 0.0
    dismissed: bool = False
    process: Answering | None = None

    def ask(self, first: bytes, question: bytes) -> bytes:
        if self.process is None:
            limits = {name: min(most, limit(name)) for name, most in LIMITS.items()}
            self.process = Answering("houserule.ui.web.own.worker", first, limits)
        if self.dismissed:
            self.process.end()
        return self.process.ask(question)

    def end(self) -> None:
        self.dismissed = True
        if self.process is not None:
            self.process.end()


class OwnProcesses:
    """The processes of one server; for its event loop.

    Args:
        clock: returns seconds.
    """

    def __init__(
        self, first: Question, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._first, self._clock = json.dumps(first).encode(), clock
        self._workers: OrderedDict[OwnGame, _Worker] = OrderedDict()
        self._deaths: OrderedDict[OwnGame, list[float]] = OrderedDict()
        # A separate pool, so that other requests are answered while all of these wait.
        self._threads = thread_pool(MOST, "own-rules")

    async def ask(self, game: OwnGame, question: Question) -> dict[str, Any]:
        """Return the answer of a game's process.

        Raises:
            OwnRulesError: the process does not answer.
        """
        now = self._clock()
        recent = [at for at in self._deaths.get(game, ()) if at > now - DEATHS_IN]
        if len(recent) >= DEATHS:
            raise OwnRulesError("often")
        for other, each in [*self._workers.items()]:
            if not each.waiting and each.used < now - IDLE:
                self.end(other)
        if game not in self._workers:
            if len(self._workers) >= MOST:  # end the least recently used process
                idle = (game for game, own in self._workers.items() if not own.waiting)
                unused = next(idle, None)
                if unused is None:
                    raise OwnRulesError("busy")
                self.end(unused)
            self._workers[game] = _Worker(used=now)
        self._workers.move_to_end(game)
        worker = self._workers[game]
        if worker.waiting >= QUEUE:
            raise OwnRulesError("busy")
        worker.waiting += 1
        try:
            async with worker.lock:
                answer = await asyncio.get_running_loop().run_in_executor(
                    self._threads,
                    worker.ask,
                    self._first,
                    json.dumps(question).encode(),
                )
        except EndedError as error:
            if not worker.dismissed:
                worker.dismissed = True
                deaths = self._deaths.setdefault(game, [])
                deaths[:] = [*deaths, self._clock()][-DEATHS:]
                self._deaths.move_to_end(game)
                if len(self._deaths) > REMEMBERED:
                    self._deaths.popitem(last=False)
            if self._workers.get(game) is worker:
                del self._workers[game]
            raise OwnRulesError(error.ended) from None
        finally:
            worker.waiting -= 1
            worker.used = self._clock()
        found: dict[str, Any] = json.loads(answer)
        return found

    def end(self, game: OwnGame) -> None:
        """End the process of a game at once."""
        worker = self._workers.pop(game, None)
        if worker is not None:
            worker.end()

    def close(self) -> None:
        for game in [*self._workers]:
            self.end(game)
        self._threads.shutdown(wait=False, cancel_futures=True)
