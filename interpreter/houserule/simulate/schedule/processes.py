"""Workers that are processes of this machine, and are ended whatever they are at."""

from __future__ import annotations

import os
import pickle
import signal
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from threading import Thread
from traceback import format_exc
from typing import TYPE_CHECKING, TypeAlias

from houserule.simulate.schedule.batch import (
    Order,
    Played,
    joined,
    play_span,
)
from houserule.simulate.schedule.batch_size import Pace
from houserule.simulate.schedule.cancellation import uninterrupted

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Answer: TypeAlias = Played | Exception


class Processes:
    """Plays in processes, each of which is given the programs once.

    For each there is a thread here that asks it and waits. An endless decision cannot
    be told to stop, and a process can: it is ended with the games that it is in.
    """

    def __init__(self, order: Order, number: int) -> None:
        self._order, self._number = order, number
        self.ahead = number * 3
        self._pace = Pace(order.span(number))
        self._text = pickle.dumps(order)
        self._halted = False
        self._begin()

    @property
    def span(self) -> int:
        """How many games are handed out next."""
        return self._pace.games

    def _begin(self) -> None:
        with uninterrupted():
            self._all = [_Process(self._text) for _ in range(self._number)]
        self._free = SimpleQueue[_Process]()
        for each in self._all:
            self._free.put(each)
        self._threads = ThreadPoolExecutor(self._number)

    def __enter__(self) -> Processes:
        """Return the workers; they end when they are left."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes, amid the games that each is in."""
        self.halt()
        self._end()

    def play(self, numbers: range) -> Future[Played]:
        """Begin to play the games with these numbers."""
        return self._threads.submit(self._ask, numbers)

    def _ask(self, numbers: range) -> Played:
        process = self._free.get()
        try:
            with self._pace.noting(len(numbers)):
                answer = process.ask(numbers)
        except (EOFError, OSError):
            if self._halted:
                return joined(len(self._order.programs), [])
            raise BrokenExecutor("a process was lost") from None
        finally:
            self._free.put(process)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def halt(self) -> None:
        """End every process, amid a decision if need be."""
        self._halted = True
        for each in self._all:
            each.end()

    def renew(self) -> None:
        """Start new processes, where one was lost."""
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
    """A process that plays, and the way to it."""

    def __init__(self, text: bytes) -> None:
        context = get_context()
        self._way, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(text, theirs), daemon=True)
        self._process.start()
        theirs.close()  # when the process is gone nobody holds this end

    def ask(self, numbers: range) -> Answer:
        """Let it play, and return what it says.

        Raises:
            EOFError, OSError: it is gone.
        """
        self._way.send(numbers)
        answer: Answer = self._way.recv()
        return answer

    def end(self) -> None:
        """End it at once, if it is there."""
        self._process.kill()

    def close(self) -> None:
        """Forget it, once it is gone."""
        self._process.join()
        self._process.close()
        self._way.close()


# ---- in the process


def _serve(text: bytes, way: Connection) -> None:
    """Play what is asked for until this process is ended from outside."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asked
    Thread(target=_end_with_parent, daemon=True).start()
    order: Order = pickle.loads(text)
    with suppress(EOFError, OSError):  # nobody asks any more
        while True:
            way.send(_answer(order, way.recv()))


def _answer(order: Order, numbers: range) -> Answer:
    try:
        return play_span(order, numbers)
    except Exception as error:
        error.add_note(f"in a process that played:\n{format_exc()}")
        return error


def _end_with_parent() -> None:
    """End this process, amid a decision if need be, once nobody asks any more."""
    parent = parent_process()
    assert parent is not None, "this process was started by another"
    parent.join()
    os._exit(1)
