"""Keys and their rights: stored in the database, and cached."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from threading import Lock
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen

Role: TypeAlias = Literal["host", "join", "seat", "watch", "deputy", "heir"]
"""The right of a key: the host's page, a free chair, a seat, a watcher's view; acting
for a seat's person (`deputy`), or taking over a seat (`heir`)."""
MOST = 20_000  # keys in the cache


@frozen
class Pass:
    """The rights of a key."""

    table: int
    role: Role
    seat: int | None


def hashed(key: str) -> str:
    """Return the stored form of a key."""
    return sha256(key.encode()).hexdigest()


def invitation_key(host: str, role: Literal["join", "watch"]) -> str:
    """Return a key for guests that follows from the host's key, and reveals none of it.

    So the host's page can always show the links, although only hashes are stored.
    """
    digest = sha256(f"{role} {host}".encode()).digest()
    return urlsafe_b64encode(digest[:24]).decode()


class RememberedPasses:
    """A cache of the rights of keys; safe to use from several threads.

    Every request needs one, and keys rarely expire. Keys are stored only as hashes.
    """

    def __init__(self) -> None:
        self._passes: dict[str, Pass] = {}
        self._at: dict[int, list[str]] = {}
        self._lock = Lock()
        self.forgotten = 0
        """A counter of deletions: data read before one may be outdated."""

    def get(self, digest: str) -> Pass | None:
        """Return the cached rights of a key."""
        return self._passes.get(digest)

    def add(self, digest: str, found: Pass, forgotten: int) -> None:
        """Cache the rights of a key, unless a deletion made them outdated."""
        with self._lock:
            if forgotten != self.forgotten:
                return
            if len(self._passes) >= MOST:
                self._passes.clear()
                self._at.clear()
            self._passes[digest] = found
            self._at.setdefault(found.table, []).append(digest)

    def forget(self, table: int) -> None:
        """Forget the keys of a table, because they may have changed."""
        with self._lock:
            self.forgotten += 1
            for digest in self._at.pop(table, ()):
                self._passes.pop(digest, None)
