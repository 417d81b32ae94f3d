"""Reading untrusted files and writing files atomically.

**Reading.** Rules, tables and records are passed on, so a name in a folder may lead
anywhere. Only plain files are read, up to the limit `file`. In a ruleset's folder, no
link may lead out of it; a file named on the command line may be a link. Text that is
not UTF-8 is rejected, never guessed.

In the block of `unsaved`, texts of an editor take the place of files on the disk.

**Writing** is atomic: a new file replaces the old one when all of it is on the disk. A
program that is killed meanwhile leaves a file `.houserule-….new` beside the old one;
you may delete it. A folder of that name is left by `rename`, and the next one removes
it.

The calls that change files are looked up in `os` at each use, so that a test can make
each of them fail in turn.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import EACCES
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path, PurePath
from types import MappingProxyType

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    too_large,
)
from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.limits import limit
from houserule.base.source import Source, Span, name_of, normalised

MANIFEST = "ruleset.yaml"
TEXTS = frozenset({".rules", ".yaml", ".jsonl"})
_NEW = ".houserule-"
SWITCH = f"{_NEW}switch"
"""Folder of the old and new contents of files that are being replaced together."""
_PIECE = 1 << 20  # bytes per read
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# Bytes that occur in no text of a single-byte encoding.
_NO_LETTERS = bytes({*range(32)} - {*b"\t\n\r\f\x1b"})
_OPENED = os.O_RDONLY | sum(
    getattr(os, flag, 0)
    for flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)


_UNSAVED: ContextVar[Mapping[str, bytes]] = ContextVar(
    "unsaved", default=MappingProxyType({})
)


@contextmanager
def unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Read these texts instead of the files at their paths, which must exist.

    Only the thread that enters the block reads them.
    """
    real = {
        os.path.realpath(path): text.encode("utf-8", "surrogatepass")
        for path, text in texts.items()
    }
    token = _UNSAVED.set({**_UNSAVED.get(), **real})
    try:
        yield
    finally:
        _UNSAVED.reset(token)


class UnreadableError(DiagnosticsError):
    """The file exists but is not readable: E030, or E050 if it is too large.

    Its text is the sentence that explains why.
    """

    def __init__(
        self,
        found: Iterable[Diagnostic],
        sources: dict[str, Source] | None = None,
        message: str = "",
    ) -> None:
        found = tuple(found)
        super().__init__(found, sources, message or found[0].message)


# ---- reading


def read_source(
    path: Path,
    name: str | None = None,
    within: Path | None = None,
    ceiling: str = "file",
) -> Source:
    """Read a text in UTF-8.

    Args:
        name: its name in messages; by default, its path.
        within: a folder that no link may lead out of; by default, the ruleset's folder
            that contains the path. Elsewhere a link may lead anywhere.
        ceiling: the name of the limit of its size.

    Raises:
        UnreadableError: not a plain file, outside its folder, larger than the limit, or
            not UTF-8.
        OSError: the file is missing, or reading it is not permitted.
    """
    name = name or str(path)
    return source_of(read_bytes(path, name, within, ceiling), name)


def source_of(raw: bytes, name: str) -> Source:
    """Return the text of some bytes, without byte order mark, with newlines.

    Raises:
        UnreadableError: not a text, or not UTF-8.
    """
    try:
        text = raw.decode("utf-8")
        if b"\0" not in raw:
            return Source(name, normalised(text))
    except UnicodeDecodeError as error:
        _check_text(raw, name)
        said = Source(name, normalised(raw.decode("utf-8", "replace")))
        before = normalised(raw[: error.start].decode("utf-8"))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        others = said.text.count("\ufffd") - 1
        more = f"There are {others} more such bytes."
        meant = raw[error.start : error.start + 1].decode("cp1252", "replace")
        found = fault(
            E030,
            f"The byte {raw[error.start]:02X} here is not valid UTF-8.",
            Span.at(name, line, column),
            f"in Windows-1252 it is {meant}" if meant != "\ufffd" else "",
            details=[more] if others > 1 else (),
            fixes=("save the file as UTF-8",),
        )
        raise UnreadableError([found], {name: said}) from None
    _check_text(raw, name)
    return Source(name, normalised(text))


def _check_text(raw: bytes, name: str) -> None:
    """Reject a binary file with one error instead of one for each byte."""
    less, more = sorted((raw[::2].count(0), raw[1::2].count(0)))
    if raw.startswith(_UTF_16) or less * 100 < len(raw) < more * 3:
        message = "This file is written in UTF-16."
        raise _unreadable(name, message, fixes=("save it as UTF-8",))
    if len(raw) - len(raw.translate(None, _NO_LETTERS)) > 2 + len(raw) // 100:
        raise _unreadable(name, "This file is not text.")


E030 = MessageCode("E030", "unreadable file")
"""A file is not a text in UTF-8, is not a plain file or leads out of its folder; a YAML
file cannot be read as YAML; or `houserule rename` was interrupted in the folder.

**Why.** People share rules, so Houserule does not read such files. If it guessed a
byte, it would change words the next time it writes the file. A link could lead to your
private files. A pipe or a device may never end. Houserule reads links that stay in the
folder of the ruleset. It allows only a small subset of YAML: blocks, lists, plain and
quoted texts, without anchors, tags and second documents.

**For example**

```text
rows:
  - id: six
   income: 6      # one space short of its neighbour
```

**Fix.** After an interrupted `rename`, repeat it: it first restores the old files. Save
the file as UTF-8; replace a link by the file itself; rename a file if its name is not
UTF-8. In YAML, check the line and the one above it: a colon, a quote or the
indentation. Between `{` and `}` a comma ends a key, so put a key with a comma in
quotes: `{"markers(ann, six)": 3}`.
"""


def read_bytes(
    path: Path,
    name: str | None = None,
    within: Path | None = None,
    ceiling: str = "file",
) -> bytes:
    """Read the bytes of a file, with the arguments and errors of `read_source`."""
    name = name or str(path)
    if (text := _unsaved_at(path, name, within, ceiling)) is not None:
        return text
    with _opened(path, name, within) as handle:
        return _all_of(handle, name, os.fstat(handle).st_size, ceiling)


def _unsaved_at(
    path: Path, name: str, within: Path | None, ceiling: str
) -> bytes | None:
    """Return the unsaved text of a file, if there is one, under the same checks."""
    if not (known := _UNSAVED.get()):
        return None
    text = known.get(_real(path, name, within))
    if text is not None and len(text) > limit(ceiling):
        raise _too_long(len(text), name, ceiling)
    return text


def read_stream(handle: int, name: str) -> Source:
    """Read a text from an open stream, such as standard input.

    Raises:
        UnreadableError: larger than the limit `file`, or not UTF-8.
        OSError: reading fails.
    """
    return source_of(_all_of(handle, name, 0, "file"), name)


def _all_of(handle: int, name: str, size: int, ceiling: str) -> bytes:
    """Return all bytes of a file or stream whose expected size is known."""
    most, pieces, done = limit(ceiling), [b""], 0
    while max(size, done) <= most and (piece := os.read(handle, _PIECE)):
        pieces.append(piece)
        done += len(piece)
    if (size := max(size, done)) > most:
        raise _too_long(size, name, ceiling)
    return b"".join(pieces)


def _too_long(size: int, name: str, ceiling: str) -> UnreadableError:
    message = f"This file has {size:,} bytes, and that is too large."
    return UnreadableError([too_large(ceiling, message, Span.at(name))])


@contextmanager
def _opened(path: Path, name: str, within: Path | None) -> Iterator[int]:
    """Open a plain file for reading.

    It is checked before, since opening a device can block or have effects, and after,
    since it may have been replaced meanwhile.
    """
    where = _real(path, name, within)
    _check_plain(os.stat(where), name)
    try:
        handle = os.open(where, _OPENED)
    except OSError as error:
        raise named(error, path) from None
    try:
        _check_plain(os.fstat(handle), name)
        yield handle
    finally:
        os.close(handle)


def _real(path: Path, name: str, within: Path | None) -> str:
    """Return a path without links; reject a link that leads out."""
    where = os.path.realpath(path, strict=True)
    home = within or _home(path)
    if home is not None and not _inside(where, home):
        message = "A link leads from here out of the folder, so this is not read."
        fixes = ("put the file itself into the folder",)
        raise _unreadable(name, message, fixes=fixes)
    return where


def _home(path: Path) -> Path | None:
    """Return the ruleset's folder that contains a path as written."""
    folders = Path(os.path.abspath(path)).parents
    return next((each for each in folders if os.path.lexists(each / MANIFEST)), None)


def _inside(where: str, folder: Path) -> bool:
    return Path(where).is_relative_to(os.path.realpath(folder))


KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def _check_plain(found: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((word for test, word in KINDS if test(found.st_mode)), "a device")
        raise _unreadable(name, f"This is {kind}, not a file with a text.")


def _unreadable(
    name: str, message: str, *, fixes: Iterable[str] = ()
) -> UnreadableError:
    return UnreadableError([fault(E030, message, Span.at(name), fixes=fixes)])


# ---- finding


def is_there(path: Path) -> bool:
    """Return whether a path exists and is not a folder."""
    return path.exists() and not path.is_dir()


def is_hidden(name: str) -> bool:
    """Return whether a file or folder of a name belongs to other tools.

    Editors and systems leave such files beside rules: `.#x.rules`, `._x.rules`.
    """
    return name.startswith(".")


def find(folder: Path, pattern: str) -> list[str]:
    """Return the files below a folder that match a pattern: sorted `/` paths.

    `*` matches anything in a name, `**` any number of folders. A hidden file or folder
    matches only if its part of the pattern also begins with a dot. A folder behind a
    link is searched only if the pattern names it and it is in `folder`; otherwise the
    link itself is returned. Whether a result is a plain file is checked on reading. An
    invalid pattern matches nothing.

    Raises:
        UnreadableError: E050, more matches than the limit `files`, or more paths
            visited than the limit `paths`.
    """
    looked_at = 0
    found: set[str] = set()
    done: set[tuple[str, tuple[str, ...]]] = set()
    parts = PurePath(pattern).parts
    todo = [] if any("**" in each != "**" for each in parts) else [("", parts)]
    while todo:
        here = below, parts = todo.pop()
        if here in done or not parts:
            continue
        done.add(here)
        part, rest = parts[0], parts[1:]
        try:
            with os.scandir(folder / below) as entries:
                listed = [*islice(entries, limit("paths") + 1 - looked_at)]
        except (OSError, ValueError):  # missing or not permitted: treat as empty
            listed = []
        looked_at += len(listed)
        if part == "**":
            todo.append((below, rest))
        for entry in listed:
            if is_hidden(entry.name) and not is_hidden(part):
                continue
            name = f"{below}{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if part == "**":
                if is_folder:
                    todo.append((f"{name}/", parts))
            elif not fnmatchcase(entry.name, part):
                continue
            elif not rest:
                if PurePath(name).suffix in TEXTS or not entry.is_dir():
                    found.add(name)
            elif is_folder:
                todo.append((f"{name}/", rest))
            elif entry.is_dir() and entry.name == part:
                if _inside(os.path.realpath(entry.path), folder):
                    todo.append((f"{name}/", rest))
                else:
                    found.add(name)
        for name, many in (("files", len(found)), ("paths", looked_at)):
            if many > limit(name):
                what = "files" if name == "files" else "files and folders"
                message = f"There are more than {limit(name):,} {what} here."
                place = Span.at(name_of(folder))
                raise UnreadableError([too_large(name, message, place)])
    return sorted(found)


# ---- writing


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file atomically; keep its mode and owner.

    If the path is a link, its target is written. Anything but a plain file, such as a
    terminal or `/dev/null`, is written in place.

    Raises:
        UnreadableError: the path is in a ruleset's folder and a link leads out.
        OSError: writing fails; the file is unchanged.
    """
    with new_file(path) as handle:
        write_all(handle, content)


def write_together(folder: Path, texts: Mapping[str, str]) -> None:
    """Replace several files of a folder: all of them, or none.

    The old and new contents of all files are written to `SWITCH` first; the replacement
    itself then needs no space. `undo_switch` reverts it if the program was killed.

    Raises:
        UnreadableError: a link leads out of the folder.
        OSError: writing fails; all files are unchanged.
    """
    home = Path(os.path.realpath(folder))
    switch, files = home / SWITCH, list[str]()
    with new_folder(switch) as new:
        for file, text in texts.items():
            where = _real(home / file, str(folder / file), home)
            if not os.access(where, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES), str(folder / file))
            before, inside = os.stat(where), os.path.relpath(where, home)
            files.append(inside)
            for part, content in (("old", read_bytes(Path(where))), ("new", text)):
                copy = new / part / inside
                os.makedirs(copy.parent, exist_ok=True)
                try:
                    with _replacing(copy, copy, before) as handle:
                        write_all(handle, content)
                except OSError as error:
                    raise named(error, folder / file) from None
    try:
        for inside in files:
            os.replace(switch / "new" / inside, home / inside)
        _remove(switch)
    except BaseException:
        undo_switch(folder)
        raise


def undo_switch(folder: Path) -> bool:
    """Restore the files of a folder after an interrupted `write_together`.

    Temporary files of `write_together` are removed.

    Returns:
        Whether there was anything to restore.

    Raises:
        OSError: a file cannot be restored; you can try again.
    """
    for left in folder.glob(f"{_NEW}*.new"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
    switch = folder / SWITCH
    if not switch.is_dir():
        return False
    for file in find(switch / "old", "**/*"):
        if not (switch / "new" / file).exists():
            os.replace(switch / "old" / file, folder / file)
    _remove(switch)
    return True


def _remove(folder: Path) -> None:
    """Remove a folder under another name, so an interrupted removal is harmless."""
    gone = _beside(folder)
    os.rename(folder, gone)
    shutil.rmtree(gone, ignore_errors=True)


@contextmanager
def new_file(path: Path, *, seen: bool = False) -> Iterator[int]:
    """Yield a file to write to; it replaces the target at the end.

    Args:
        seen: whether a new file is visible while it is written.

    Raises:
        UnreadableError, OSError: as for `write_whole`, and from the block.
    """
    name = str(path)
    where = Path(os.path.realpath(path))
    home = _home(path)
    if home is not None and not _inside(str(where), home):
        message = "A link leads from here out of the folder, so this is not written."
        raise _unreadable(name, message)
    try:
        before = os.stat(where) if os.path.exists(where) else None
        if before is not None and not stat.S_ISREG(before.st_mode):
            if home is not None:  # another user may have created it
                _check_plain(before, name)
            handle = os.open(where, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            try:
                yield handle
            finally:
                os.close(handle)
            return
        if before is not None and not os.access(where, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), name)
        new = where if seen and before is None else _beside(where)
        with _replacing(where, new, before) as handle:
            yield handle
    except OSError as error:
        raise named(error, path) from None


@contextmanager
def _replacing(where: Path, new: Path, before: os.stat_result | None) -> Iterator[int]:
    """Yield a new file, then replace the old one with it."""
    mode = 0o666 if before is None else stat.S_IMODE(before.st_mode)
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(new, flags, mode)
    try:
        try:
            yield handle
            if before is not None:
                os.fsync(handle)  # before replacing the old one
        finally:
            os.close(handle)
        if before is not None:
            # Not all users may change the owner, and some systems have none.
            with suppress(OSError, AttributeError):
                os.chown(new, before.st_uid, before.st_gid)
            os.chmod(new, stat.S_IMODE(before.st_mode))
        if new != where:
            os.replace(new, where)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def _beside(path: Path) -> Path:
    return path.with_name(f"{_NEW}{secrets.token_hex(4)}.new")


def write_all(handle: int, content: str | bytes) -> None:
    """Write a whole text in UTF-8, or bytes; lone surrogates are escaped.

    Raises:
        OSError: writing fails or is incomplete.
    """
    left = memoryview(
        content.encode("utf-8", "backslashreplace")
        if isinstance(content, str)
        else content
    )
    while left:
        left = left[os.write(handle, left) :]


def open_to_append(path: Path, *, new: bool = False) -> int:
    """Open a plain file for reading and appending.

    Raises:
        UnreadableError: not a plain file.
        FileExistsError: a new file is required, and the file exists.
        OSError: opening fails.
    """
    if not new:
        _check_plain(os.stat(path), str(path))
    flags = os.O_CREAT | os.O_EXCL if new else 0
    flags |= os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.open(path, flags, 0o666)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder to fill; it gets its name at the end, or is removed.

    Raises:
        OSError: the folder exists or creating it fails; and from the block.
    """
    new = _beside(path)
    try:
        os.makedirs(path.parent, exist_ok=True)
        os.mkdir(new)
        try:
            yield new
            os.rename(new, path)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    except OSError as error:
        raise named(error, path) from None


def copy_folder(folder: Path, target: Path) -> None:
    """Copy the files of a ruleset's folder; links that lead elsewhere are skipped.

    Hidden files are not copied, nor are Python's own, such as `__pycache__`.

    Raises:
        UnreadableError: an entry is not a plain file, or a link leads out of it.
        OSError: copying fails.
    """
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not _is_left_out(each))
        into = target / Path(here).relative_to(folder)
        links = [each for each in folders if os.path.islink(os.path.join(here, each))]
        for name in sorted({*links, *files}):
            if not _is_left_out(name):
                path = Path(here, name)
                where = _real(path, name_of(path), folder)
                if os.path.isdir(where):  # a link to another folder inside
                    os.symlink(os.readlink(path), into / name)
                    continue
                with (
                    _opened(path, name_of(path), folder) as handle,
                    new_file(into / name) as copied,
                ):
                    while piece := os.read(handle, _PIECE):
                        write_all(copied, piece)
        for name in folders:
            if name not in links:
                os.mkdir(into / name)


def _is_left_out(name: str) -> bool:
    return is_hidden(name) or (name.startswith("__") and name.endswith("__"))


def named(error: OSError, path: Path) -> OSError:
    """Return an error of the system that names the file the user gave."""
    return OSError(error.errno, error.strerror or str(error), str(path))
