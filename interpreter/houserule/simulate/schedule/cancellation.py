"""Cancellation: ending games from another thread, even inside a decision."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, current_thread, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule.compiled.machine import CompiledMachine


class Cancellation:
    """A request that games end; machines that play under it stop once it is set."""

    def __init__(self) -> None:
        self._event, self._lock = Event(), Lock()
        self._playing: set[CompiledMachine] = set()

    def is_set(self) -> bool:
        """Say whether games are to end."""
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
