"""Keys and their rights: stored, and cached for the next request."""

from __future__ import annotations

from hashlib import sha256
from threading import Lock
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen

Role: TypeAlias = Literal["host", "join", "seat", "watch", "deputy", "heir"]
"""What a key opens: the host's page, a free chair, a seat, the place of a watcher; a
seat for who acts for its person, and for who is to take it over."""
MOST = 20_000  # keys that are remembered


@frozen
class Pass:
    """The rights of a key."""

    table: int
    role: Role
    seat: int | None


def hashed(key: str) -> str:
    """Return what is kept of a key."""
    return sha256(key.encode()).hexdigest()


class RememberedPasses:
    """What keys open, as far as it was asked before; safe to use from several threads.

    Every request asks, and few keys ever stop to open something. By hash, so that keys
    stand nowhere.
    """

    def __init__(self) -> None:
        self._passes: dict[str, Pass] = {}
        self._at: dict[int, list[str]] = {}
        self._lock = Lock()
        self.forgotten = 0
        """Grows with what is forgotten: what was read before may be out of date."""

    def get(self, digest: str) -> Pass | None:
        """Return what a key opens, if that is remembered."""
        return self._passes.get(digest)

    def add(self, digest: str, found: Pass, forgotten: int) -> None:
        """Remember what was read, unless something was forgotten since then."""
        with self._lock:
            if forgotten != self.forgotten:
                return
            if len(self._passes) >= MOST:
                self._passes.clear()
                self._at.clear()
            self._passes[digest] = found
            self._at.setdefault(found.table, []).append(digest)

    def forget(self, table: int) -> None:
        """Forget the keys of a table, since they may have been changed."""
        with self._lock:
            self.forgotten += 1
            for digest in self._at.pop(table, ()):
                self._passes.pop(digest, None)
