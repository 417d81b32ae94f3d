"""Calls of the system that change files, counted, and one of them made to fail.

The calls are those of `os` that files are written with, in one folder; the standard
streams are left alone.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

KILLED = "killed"
BY_PATH = ("open", "mkdir", "rename", "replace", "chmod", "chown")
BY_HANDLE = ("write", "fsync", "ftruncate")


class Faults:
    """Counts calls that change files in a folder; the one of a number fails.

    `reason` is the name of an error such as `ENOSPC`, or `KILLED`.
    """

    def __init__(self, folder: Path, number: int, reason: str) -> None:
        self.folder, self.number, self.reason = str(folder), number, reason
        self.count = 0
        self._handles: set[int] = set()
        for name in BY_PATH:
            setattr(os, name, self._by_path(name, getattr(os, name)))
        for name in BY_HANDLE:
            setattr(os, name, self._by_handle(getattr(os, name)))
        close = os.close

        def closed(fd: int) -> None:
            self._handles.discard(fd)
            close(fd)

        os.close = closed

    def _by_path(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *more: Any, **named: Any) -> Any:  # noqa: ANN401
            reads = name == "open" and not more[0] & (os.O_WRONLY | os.O_RDWR)
            where = os.path.abspath(os.fspath(path))
            if reads or not where.startswith(self.folder):
                return real(path, *more, **named)
            self._next(where)
            found = real(path, *more, **named)
            if name == "open":
                self._handles.add(found)
            return found

        return call

    def _by_handle(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(handle: int, *more: Any) -> Any:  # noqa: ANN401
            if handle in self._handles:
                self._next("")
            return real(handle, *more)

        return call

    def _next(self, where: str) -> None:
        self.count += 1
        if self.count != self.number:
            return
        if self.reason == KILLED:
            os.kill(os.getpid(), signal.SIGKILL)
        code = getattr(errno, self.reason)
        raise OSError(code, os.strerror(code), where or None)
