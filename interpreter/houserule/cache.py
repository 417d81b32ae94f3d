"""Disk caches: what can always be computed again, kept in one folder per kind.

A `DiskStore` keeps results under keys of content. A key holds everything that a result
depends on: the input, Python's version, and the source text of the code that made it.
So a file is never out of date; it is only never asked for again.

**What is trusted.** A checksum finds damage, not malice: who can write a file can
write its checksum. A file is therefore read only if it and its folder belong to the
user who runs the program (or to root) and no other user may write to them. That
matters most for two kinds of file: the parser's tables, which are a pickle of lark's,
and machine code of wasmtime's. Reading either can run code. On Windows the user's own
cache folder is private already, and nothing is asked.

Nothing here fails. Without a folder to write to, or with a damaged file, the program
is only slower.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from houserule import __version__

_PACKAGE = Path(__file__).parent
_CHECKSUM = hashlib.sha256().digest_size
_TURNS = 64  # a store counts its files once in so many writes, from the first on


def cache_dir() -> Path:
    """Return the folder for things that can always be computed again.

    The environment variable `HOUSERULE_CACHE` names it, else the platform does.
    The folder need not exist yet.
    """
    chosen = os.environ.get("HOUSERULE_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("houserule", appauthor=False)


@cache
def code_key(*parts: str) -> str:
    """Return a text that changes with parts of this package, and with Python itself.

    `parts` are files and folders of the package (`syntax`, `source.py`); with none it
    is the whole package.
    """
    digest = hashlib.sha256(f"{__version__} {sys.version}".encode())
    for part in parts or ("",):
        path = _PACKAGE / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(f"\n{file.relative_to(_PACKAGE).as_posix()}\n".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


class DiskStore:
    """One kind of result on disk, each in a file of its own.

    `name` is the folder. `made_by` are the parts of the package whose code decides
    what a result is; with none it is the whole package. More than `most` files make
    the older half go.
    """

    def __init__(self, name: str, *, made_by: tuple[str, ...], most: int) -> None:
        self.name = name
        self.made_by = made_by
        self.most = most
        self._writes = 0

    def key(self, *content: str | bytes) -> str:
        """Return the key of what this code makes of some content."""
        digest = hashlib.sha256(code_key(*self.made_by).encode())
        for each in content:
            raw = (
                each.encode("utf-8", "surrogatepass") if isinstance(each, str) else each
            )
            digest.update(b"%d " % len(raw) + raw)
        return digest.hexdigest()[:32]

    def read(self, key: str) -> bytes | None:
        """Return what is kept under a key, or None."""
        return read_file(self._path(key))

    def write(self, key: str, content: bytes) -> None:
        """Keep something under a key."""
        if self._writes % min(_TURNS, self.most) == 0:
            self._make_room()
        self._writes += 1
        write_file(self._path(key), content)

    def load(self, key: str) -> Any:  # noqa: ANN401  # plain values
        """Return the plain value that is kept under a key, or None.

        Numbers, texts, bytes, tuples, lists and dictionaries of such are plain: they
        are kept in the form of `marshal`, and reading them runs no code.
        """
        raw = self.read(key)
        return None if raw is None else marshal.loads(raw)

    def save(self, key: str, value: Any) -> None:  # noqa: ANN401  # plain values
        """Keep a plain value under a key."""
        self.write(key, marshal.dumps(value))

    def _path(self, key: str) -> Path:
        return cache_dir() / self.name / key

    def _make_room(self) -> None:
        with suppress(OSError):
            paths = list((cache_dir() / self.name).iterdir())
            if len(paths) > self.most:
                paths.sort(key=lambda path: path.stat().st_mtime)
                for path in paths[: len(paths) // 2]:
                    path.unlink()


# ---- single files, with a checksum before the content


def read_file(path: Path, *, came_along: bool = False) -> bytes | None:
    """Return what `write_file` kept, or None if it is not there, not whole or not ours.

    A file that `came_along` with the package is trusted like the package itself,
    no matter who owns it.
    """
    try:
        with path.open("rb") as stream:
            if not came_along and not (
                _is_ours(os.fstat(stream.fileno())) and _is_ours(path.parent.stat())
            ):
                return None
            raw = stream.read()
    except OSError:
        return None
    content = raw[_CHECKSUM:]
    return content if hashlib.sha256(content).digest() == raw[:_CHECKSUM] else None


def write_file(path: Path, content: bytes) -> None:
    """Keep something in a file: whole or not at all."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(hashlib.sha256(content).digest() + content)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


def _is_ours(found: os.stat_result) -> bool:
    """Say whether only the user who runs the program, or root, could have written."""
    if sys.platform == "win32":
        return True
    others = stat.S_IWGRP | stat.S_IWOTH
    return found.st_uid in {os.geteuid(), 0} and not found.st_mode & others
