"""Disk caches: recomputable results, in one folder per kind.

A `DiskStore` keeps results under content keys. A key holds everything that a result
depends on: the input, changed limits, the version of Python, and the source text of the
code that made it. So no file is ever out of date; it is just no longer read.

**Trust.** A checksum finds damage, not malice: anyone who can write a file can write
its checksum. A file is therefore read only if it, its folder and every folder above
belong to the current user (or to root), and no other user may change them. Paths
relative to the working folder are not used, so a downloaded folder cannot bring a
cache. This matters because reading pickles, or wasmtime's machine code, can run code.
On Windows only a cache below the user's own folder is read.

Nothing here fails. Without a writable folder, or with a damaged file, the program is
only slower.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from pickle import dumps, loads
from typing import Any, TypeVar

from houserule import __version__
from houserule.base.limits import changed

_PACKAGE = Path(__file__).parents[1]
_CHECKSUM = hashlib.sha256().digest_size
_TURNS = 64  # a store counts its files at the first and then at every 64th write
_LARGEST = 64 << 20  # bytes of one file
_ROOM = 256 << 20  # bytes of one store; beyond it the older half is deleted
_LINKS = 20  # on the way to a folder

READ = TypeVar("READ")


def cache_dir() -> Path | None:
    """Return the folder for recomputable data, or None.

    The environment variable `HOUSERULE_CACHE` names it; the platform has a default. The
    folder need not exist yet. If the path is not absolute, as without a home folder,
    nothing is cached.
    """
    chosen = os.environ.get("HOUSERULE_CACHE")
    if chosen:
        found = Path(chosen)
    else:
        from platformdirs import user_cache_path

        try:
            found = user_cache_path("houserule", appauthor=False)
        except RuntimeError:  # no home folder
            return None
    return found if found.is_absolute() else None


def data_dir() -> Path | None:
    """Return the folder for data that must not be lost, or None.

    The environment variable `HOUSERULE_DATA` names it; the platform has a default. It
    is None if the path is not absolute, as without a home folder.
    """
    chosen = os.environ.get("HOUSERULE_DATA")
    if chosen:
        return Path(chosen).absolute()
    from platformdirs import user_data_path

    try:
        found = user_data_path("houserule", appauthor=False)
    except RuntimeError:  # no home folder
        return None
    return found if found.is_absolute() else None


@cache
def code_key(*parts: str) -> str:
    """Return a key that changes with parts of this package and with Python.

    `parts` are files and folders of the package (`language/syntax`, `base/source.py`);
    by default, the whole package. In a page, whose cache comes with its code and ends
    with it, there are no such files.
    """
    digest = hashlib.sha256(f"{__version__} {sys.version}".encode())
    if sys.platform == "emscripten":
        return digest.hexdigest()
    for part in parts or ("",):
        place = _PACKAGE / part
        for path in sorted(place.rglob("[!.]*.py")) if place.is_dir() else [place]:
            name = path.relative_to(_PACKAGE).as_posix()
            digest.update(f"\n{name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


class DiskStore:
    """A folder of one kind of result, one file each.

    `name` is the folder. `made_by` are the parts of the package whose code determines a
    result; by default, the whole package. With more than `most` files, or too many
    bytes, the older half is deleted.
    """

    def __init__(self, name: str, *, made_by: tuple[str, ...], most: int) -> None:
        self.name = name
        self.made_by = made_by
        self.most = most
        self._writes = self._written = 0

    def key(self, *content: str | bytes) -> str:
        """Return the key of some content for this code."""
        digest = hashlib.sha256(
            f"{self.name} {code_key(*self.made_by)} {changed()}".encode()
        )
        for each in content:
            raw = (
                each.encode("utf-8", "surrogatepass") if isinstance(each, str) else each
            )
            digest.update(b"%d " % len(raw) + raw)
        return digest.hexdigest()[:32]

    def read(self, key: str) -> bytes | None:
        """Return the content of a key, or None."""
        path = self._path(key)
        return None if path is None else read_file(path)

    def write(self, key: str, content: bytes) -> None:
        """Store something under a key, unless it is too large."""
        path = self._path(key)
        if path is None or len(content) > _LARGEST:
            return
        if self._writes % min(_TURNS, self.most) == 0 or self._written > _ROOM // 4:
            self._written = 0
            with suppress(OSError), os.scandir(path.parent) as entries:
                kept = [(e.stat(follow_symlinks=False), e.path) for e in entries]
                whole = sum(found.st_size for found, _ in kept)
                if len(kept) > self.most or whole > _ROOM:
                    kept.sort(key=lambda each: each[0].st_mtime)
                    for _, old in kept[: (len(kept) + 1) // 2]:
                        Path(old).unlink(missing_ok=True)
        self._writes += 1
        self._written += len(content)
        write_file(path, content)

    def load(self, key: str, read: Callable[[Any], READ]) -> READ | None:
        """Return what `read` makes of the value of a key, or None.

        `read` may raise any exception if the value is malformed.
        """
        raw = self.read(key)
        return None if raw is None else understood(raw, lambda _: read(loads(raw)))

    def save(self, key: str, value: object) -> None:
        """Store a value that can be pickled under a key."""
        self.write(key, dumps(value, protocol=5))

    def _path(self, key: str) -> Path | None:
        folder = cache_dir()
        return None if folder is None else folder / self.name / key


def understood(kept: object, read: Callable[[Any], READ]) -> READ | None:
    """Return the result of `read`, or None if the content is malformed."""
    try:
        return None if kept is None else read(kept)
    except Exception:  # another program may have written the file
        return None


# ---- single files, with a checksum before the content


def read_file(path: Path, *, came_along: bool = False) -> bytes | None:
    """Return the content that `write_file` stored, or None.

    It is None if the file is missing, damaged or not trusted. A file that `came_along`
    with the package is trusted like the package, whoever owns it.
    """
    try:
        if came_along:
            raw = path.read_bytes()
        else:
            # Do not follow a link or wait for a pipe.
            flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | flags)
            with os.fdopen(handle, "rb") as stream:
                found, folder = os.fstat(handle), path.parent.lstat()
                if not (
                    stat.S_ISREG(found.st_mode)
                    and found.st_size <= _LARGEST + _CHECKSUM
                    and _is_ours(found)
                    and stat.S_ISDIR(folder.st_mode)
                    and _is_ours(folder)
                    and _is_private(path.parent.parent)
                ):
                    return None
                raw = stream.read()
    except OSError:
        return None
    content = raw[_CHECKSUM:]
    return content if _checksum(path, content) == raw[:_CHECKSUM] else None


def write_file(path: Path, content: bytes) -> None:
    folder = path.parent
    with suppress(OSError):
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
        for private in (folder.parent, folder):
            private.mkdir(exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(_checksum(path, content) + content)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


def _checksum(path: Path, content: bytes) -> bytes:
    """Return a checksum of content and name, so a renamed file is not read."""
    return hashlib.sha256(f"{path.name}\0".encode() + content).digest()


def _is_ours(found: os.stat_result) -> bool:
    """Return whether only the current user or root could have written a file."""
    if sys.platform in ("win32", "emscripten"):  # emscripten: a page's own memory
        return True
    others = stat.S_IWGRP | stat.S_IWOTH
    return found.st_uid in {os.geteuid(), 0} and not found.st_mode & others


@lru_cache(maxsize=32)
def _is_private(folder: Path) -> bool:
    if sys.platform == "emscripten":
        return True
    if sys.platform == "win32":
        with suppress(OSError, RuntimeError):
            return folder.resolve().is_relative_to(Path.home().resolve())
        return False
    reached, links = Path(folder.anchor), 0
    ahead = list(reversed(folder.parts[1:]))
    with suppress(OSError):
        while ahead:
            each = ahead.pop()
            reached = reached.parent if each == ".." else reached / each
            found = reached.lstat()
            if found.st_uid not in {os.geteuid(), 0}:
                return False
            if stat.S_ISLNK(found.st_mode):
                links += 1
                if links > _LINKS:
                    return False
                to = reached.readlink()
                reached = Path(to.anchor) if to.is_absolute() else reached.parent
                ahead += reversed(to.parts[1:] if to.is_absolute() else to.parts)
                continue
            # May another user move our entries out of this folder?
            mode = found.st_mode
            private_group = found.st_gid == found.st_uid  # by convention
            is_open = mode & stat.S_IWOTH or (mode & stat.S_IWGRP and not private_group)
            if is_open and not mode & stat.S_ISVTX:
                return False
        return True
    return False
