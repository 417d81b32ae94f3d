"""The machines of this process, which any thread may stop.

This does not import the engine: another thread may be importing it at that moment.
"""

from __future__ import annotations

from threading import Lock
from typing import Protocol
from weakref import WeakSet


class Stoppable(Protocol):
    """A machine, as far as other threads use it."""

    def stop(self) -> None:
        """Let the running batch end without results."""

    def go_on(self) -> None:
        """Let it play again."""

    def end_search(self) -> None:
        """Let the running search use its result so far."""


_machines: WeakSet[Stoppable] = WeakSet()
_changing = Lock()


def add_machine(machine: Stoppable) -> None:
    with _changing:
        _machines.add(machine)


def every_machine() -> list[Stoppable]:
    with _changing:
        return list(_machines)
