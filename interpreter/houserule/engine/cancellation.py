"""Cancellation: ending work from another thread, even inside a decision."""

from __future__ import annotations

import signal
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Timer, current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING

from houserule.engine.compiled.machines import every_machine

if TYPE_CHECKING:
    from houserule.engine.compiled.machine import CompiledMachine


class OutOfTime(BaseException):
    """The time for a block is over; no guard for faults is to take it for one."""


class Cancellation:
    """A request that games end; machines that play under it stop once it is set."""

    def __init__(self) -> None:
        self._event, self._lock = Event(), Lock()
        self._playing: set[CompiledMachine] = set()

    def is_set(self) -> bool:
        """Return whether games should stop."""
        return self._event.is_set()

    def set(self) -> None:
        """Request the end, and stop every machine that plays."""
        with self._lock:
            self._event.set()
            for machine in self._playing:
                machine.stop()

    @contextmanager
    def stopping(self, machine: CompiledMachine) -> Iterator[None]:
        """Let a machine be stopped in the block; afterwards it can play again."""
        with self._lock:
            self._playing.add(machine)
            if self._event.is_set():
                machine.stop()
        try:
            yield
        finally:
            with self._lock:
                self._playing.discard(machine)
                machine.go_on()


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Let a block of the main thread take so long at most; None for any time.

    Raises:
        OutOfTime: it takes longer. Where Python waits for a library, this waits too.
    """
    before = signal.getsignal(signal.SIGINT)
    here = current_thread() is main_thread() and callable(before)
    if seconds is None or not here:
        yield
        return
    lock, over, left = Lock(), Event(), Event()

    def end() -> None:
        with lock:
            if not left.is_set():
                over.set()
                interrupt_main()
                _stop_machines()

    def heard(number: int, frame: FrameType | None) -> None:
        if not over.is_set():
            assert callable(before)
            before(number, frame)
        elif not left.is_set():
            raise OutOfTime

    timer = Timer(seconds, end)
    timer.daemon = True
    signal.signal(signal.SIGINT, heard)
    timer.start()
    try:
        yield
    finally:
        with lock:
            left.set()
        timer.cancel()
        if over.is_set():
            _stop_machines(go_on=True)
        signal.signal(signal.SIGINT, before)


def _stop_machines(*, go_on: bool = False) -> None:
    """Stop every machine that plays: Python hears nothing while the main thread waits.

    With `go_on`, let them play again.
    """
    for machine in every_machine():
        machine.go_on() if go_on else machine.stop()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay an interruption (Ctrl-C) until the block is done."""
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        before(heard[0], None)
