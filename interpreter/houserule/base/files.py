"""Files from outside are read here, and files that people asked for are written here.

**What is read.** Rules, tables and records are passed on, so a name in a folder may
lead anywhere: only plain files are read, no larger than the ceiling `file`, and in a
ruleset's folder none that leads out of it by a link. A person who names a file on the
command line may name a link. What is no UTF-8 is refused, never guessed.

**What is written** is whole or not at all: a new file takes the place of the old one
when all of it is on the disk. A program that is killed meanwhile leaves a file
`.houserule-….new` beside the old one, which may be deleted.

The calls that change files are those of `os`, looked up when they are used: a test
makes each of them fail in turn.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import EACCES
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path, PurePath

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
"""The folder with old and new contents of files that are being replaced together."""
_PIECE = 1 << 20  # bytes that are read at once
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# Bytes that no text has, in any encoding of one byte a letter.
_NO_LETTERS = bytes({*range(32)} - {*b"\t\n\r\f\x1b"})
_OPENED = os.O_RDONLY | sum(
    getattr(os, flag, 0)
    for flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)


class UnreadableError(DiagnosticsError):
    """A file is there, and is none that is read: E030, or E050 where it is too large.

    Its text is the sentence that says why.
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
        path: the file.
        name: what messages call it; normally by its path.
        within: a folder that no link may lead out of. Normally that is the folder of
            the ruleset in which the path lies; elsewhere a link may lead anywhere.
        ceiling: that of its bytes.

    Raises:
        UnreadableError: it is no plain file, leads out of its folder, is larger than
            its ceiling, or has a byte that is no UTF-8.
        OSError: there is no such file, or the system does not let it be read.
    """
    name = name or str(path)
    return source_of(read_bytes(path, name, within, ceiling), name)


def source_of(raw: bytes, name: str) -> Source:
    """Return the text in some bytes, without its mark, its lines ended by newlines.

    Raises:
        UnreadableError: it is no text, or there is a byte that is no UTF-8.
    """
    try:
        text = raw.decode("utf-8")
        if b"\0" not in raw:
            return Source(name, normalised(text))
    except UnicodeDecodeError as error:
        _check_text(raw, name)
        raise _no_utf_8(raw, name, error.start) from None
    _check_text(raw, name)
    return Source(name, normalised(text))


def _check_text(raw: bytes, name: str) -> None:
    """Refuse what is no text at all, so that not each of its bytes is a fault."""
    less, more = sorted((raw[::2].count(0), raw[1::2].count(0)))
    if raw.startswith(_UTF_16) or less * 100 < len(raw) < more * 3:
        message = "This file is written in UTF-16."
        raise _unreadable(name, message, fixes=("save it as UTF-8",))
    if len(raw) - len(raw.translate(None, _NO_LETTERS)) > 2 + len(raw) // 100:
        raise _unreadable(name, "This file is no text.")


E030 = MessageCode("E030", "this cannot be read")
"""A file is no text in UTF-8, is no plain file or leads out of its folder; a YAML file
cannot be read as YAML; or `houserule rename` was interrupted in the folder.

**Why.** Rules are passed on. A byte that is guessed would change words when the file is
next written, and a link could lead to files of the reader that are nobody's business; a
pipe or a device may never end. Links that stay in the folder of the ruleset are read.
Of YAML the subset is small: blocks, lists, plain and quoted texts. Anchors, tags and
second documents are refused.

**For example**

```text
rows:
  - id: six
   income: 6      # one space short of its neighbour
```

**Way out.** After an interrupted `rename`, repeat it: it first puts the old files back.
Save the file as UTF-8; put the file itself where a link is; give a file another name
where its name is no UTF-8. In YAML look at the line and the one above it: a colon, a
quote or the indentation. Between `{` and `}` a comma ends a key, so a key with a comma
stands in quotes: `{"markers(ann, six)": 3}`.
"""


def _no_utf_8(raw: bytes, name: str, at: int) -> UnreadableError:
    """Return the fault of a byte, which shows its line as far as it can be read."""
    said = Source(name, normalised(raw.decode("utf-8", "replace")))
    before = normalised(raw[:at].decode("utf-8"))
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    others = said.text.count("\ufffd") - 1
    more = f"There are {others} more such bytes."
    meant = raw[at : at + 1].decode("cp1252", "replace")
    found = fault(
        E030,
        f"The byte {raw[at]:02X} here is no UTF-8.",
        Span.at(name, line, column),
        f"in Windows-1252 it is {meant}" if meant != "\ufffd" else "",
        details=[more] if others > 1 else (),
        fixes=("save the file as UTF-8",),
    )
    return UnreadableError([found], {name: said})


def read_bytes(
    path: Path,
    name: str | None = None,
    within: Path | None = None,
    ceiling: str = "file",
) -> bytes:
    """Read what is in a file; arguments and errors are those of `read_source`."""
    name = name or str(path)
    with _opened(path, name, within) as handle:
        return _all_of(handle, name, os.fstat(handle).st_size, ceiling)


def read_stream(handle: int, name: str) -> Source:
    """Read a text from a stream that is open, such as standard input.

    Raises:
        UnreadableError: it is larger than the ceiling `file`, or no UTF-8.
        OSError: it cannot be read.
    """
    return source_of(_all_of(handle, name, 0, "file"), name)


def _all_of(handle: int, name: str, size: int, ceiling: str) -> bytes:
    """Return all bytes of a file or stream, of which so many are known of."""
    most, pieces, done = limit(ceiling), [b""], 0
    while max(size, done) <= most and (piece := os.read(handle, _PIECE)):
        pieces.append(piece)
        done += len(piece)
    if (size := max(size, done)) > most:
        message = f"This file has {size:,} bytes, and that is too large."
        raise UnreadableError([too_large(ceiling, message, Span.at(name))])
    return b"".join(pieces)


@contextmanager
def _opened(path: Path, name: str, within: Path | None) -> Iterator[int]:
    """Open a plain file for reading.

    It is looked at before, since opening alone can wait, or do something to a device;
    and after, since it may have become another one meanwhile.
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
    """Return where a path leads, without links; a link that leads out is refused."""
    where = os.path.realpath(path, strict=True)
    home = within or _home(path)
    if home is not None and not _inside(where, home):
        message = "A link leads from here out of the folder, so this is not read."
        fixes = ("put the file itself into the folder",)
        raise _unreadable(name, message, fixes=fixes)
    return where


def _home(path: Path) -> Path | None:
    """Return the folder of the ruleset in which a path lies as it is written."""
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
    """Say whether there is something that is no folder: a file, if reading allows."""
    return path.exists() and not path.is_dir()


def is_hidden(name: str) -> bool:
    """Say whether a file or folder of a name belongs to other tools.

    Editors and systems leave such files beside rules: `.#x.rules`, `._x.rules`.
    """
    return name.startswith(".")


def find(folder: Path, pattern: str) -> list[str]:
    """Return the files below a folder that a pattern names, as paths with `/`, by name.

    `*` stands for anything in a name, `**` for any number of folders. A hidden file or
    folder is found only if its part of the pattern begins with a dot, too. A folder
    that a link leads to is searched only if the pattern names it and it lies in
    `folder`; if it does not, the link is returned in its place. Reading says whether
    something is a plain file. A pattern that is none names nothing.

    Raises:
        UnreadableError: E050, there are more than the ceiling `files`, or more than the
            ceiling `paths` are looked at.
    """
    looked_at = 0
    found: set[str] = set()
    done: set[tuple[str, tuple[str, ...]]] = set()
    parts = PurePath(pattern).parts
    todo = [] if any("**" in each != "**" for each in parts) else [("", parts)]
    while todo:
        here = todo.pop()
        if here in done or not here[1]:
            continue
        done.add(here)
        listed = _listed(folder, here[0], limit("paths") + 1 - looked_at)
        looked_at += len(listed)
        for name, rest in _matching(folder, *here, listed):
            if rest is None:
                found.add(name)
            else:
                todo.append((name, rest))
        for name, many in (("files", len(found)), ("paths", looked_at)):
            if many > limit(name):
                what = "files" if name == "files" else "files and folders"
                message = f"There are more than {limit(name):,} {what} here."
                place = Span.at(name_of(folder))
                raise UnreadableError([too_large(name, message, place)])
    return sorted(found)


def _listed(folder: Path, below: str, most: int) -> list[os.DirEntry[str]]:
    """Return what is in a folder, so many at most."""
    try:
        with os.scandir(folder / below) as entries:
            return [*islice(entries, most)]
    except (OSError, ValueError):  # gone, or not to be looked into: nothing is there
        return []


def _matching(
    folder: Path, below: str, parts: tuple[str, ...], listed: list[os.DirEntry[str]]
) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield what the first part of a pattern names, each with what is left of it."""
    part, rest = parts[0], parts[1:]
    if part == "**":
        yield below, rest
    for entry in listed:
        if is_hidden(entry.name) and not is_hidden(part):
            continue
        name = f"{below}{entry.name}"
        if part == "**":
            if entry.is_dir(follow_symlinks=False):
                yield f"{name}/", parts
        elif not fnmatchcase(entry.name, part):
            continue
        elif not rest:
            if PurePath(name).suffix in TEXTS or not entry.is_dir():
                yield name, None
        elif entry.is_dir(follow_symlinks=False):
            yield f"{name}/", rest
        elif entry.is_dir() and entry.name == part:
            inside = _inside(os.path.realpath(entry.path), folder)
            yield (f"{name}/", rest) if inside else (name, None)


# ---- writing


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, whole or not at all; its mode and owner stay.

    Behind a link it is the file itself that is written anew. What is no plain file,
    such as a terminal or `/dev/null`, is written to as it is.

    Raises:
        UnreadableError: the path lies in a ruleset's folder and a link leads out.
        OSError: it cannot be written; the file is as it was before.
    """
    with new_file(path) as handle:
        write_all(handle, content)


def write_together(folder: Path, texts: Mapping[str, str]) -> None:
    """Replace several files of a folder: all of them, or none.

    The old and new contents of all files are on the disk, in `SWITCH`, before the first
    file is replaced, which then needs no space. `undo_switch` undoes what a program
    did that was killed meanwhile.

    Raises:
        UnreadableError: a link leads out of the folder.
        OSError: a file cannot be written; all are as they were before.
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
    """Put back the files of a folder that were not replaced together to the end.

    Returns:
        Whether there was such a switch.

    Raises:
        OSError: a file cannot be put back; it can be tried again.
    """
    switch = folder / SWITCH
    if not switch.is_dir():
        return False
    for file in find(switch / "old", "**/*"):
        if not (switch / "new" / file).exists():
            os.replace(switch / "old" / file, folder / file)
    _remove(switch)
    return True


def _remove(folder: Path) -> None:
    """Remove a folder; if the program is killed, what is left has another name."""
    gone = _beside(folder)
    os.rename(folder, gone)
    shutil.rmtree(gone, ignore_errors=True)


@contextmanager
def new_file(path: Path, *, seen: bool = False) -> Iterator[int]:
    """Give a file to write to, which takes the place of another one at the end.

    Args:
        path: of the file.
        seen: whether what is written can be read meanwhile, where there was no file.

    Raises:
        UnreadableError, OSError: as for `write_whole`, also from the block.
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
            if home is not None:  # a stranger may have put it there
                _check_plain(before, name)
            with _streamed(where) as handle:
                yield handle
            return
        if before is not None and not os.access(where, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), name)
        new = where if seen and before is None else _beside(where)
        with _replacing(where, new, before) as handle:
            yield handle
    except OSError as error:
        raise named(error, path) from None


@contextmanager
def _streamed(where: Path) -> Iterator[int]:
    handle = os.open(where, os.O_WRONLY | getattr(os, "O_BINARY", 0))
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _replacing(where: Path, new: Path, before: os.stat_result | None) -> Iterator[int]:
    """Give a new file, and put it in the place of the old one."""
    mode = 0o666 if before is None else stat.S_IMODE(before.st_mode)
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(new, flags, mode)
    try:
        try:
            yield handle
            if before is not None:
                os.fsync(handle)  # before the old one goes
        finally:
            os.close(handle)
        if before is not None:
            _take_over(new, before)
        if new != where:
            os.replace(new, where)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def _take_over(new: Path, before: os.stat_result) -> None:
    """Give a new file the owner, as far as that can be, and the mode of an old one."""
    with suppress(OSError, AttributeError):  # not everybody may, not every system can
        os.chown(new, before.st_uid, before.st_gid)
    os.chmod(new, stat.S_IMODE(before.st_mode))


def _beside(path: Path) -> Path:
    return path.with_name(f"{_NEW}{secrets.token_hex(4)}.new")


def write_all(handle: int, content: str | bytes) -> None:
    """Write all of a text, in UTF-8, or of some bytes; half a character is written out.

    Raises:
        OSError: it cannot be written, or only a part of it.
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
        UnreadableError: it is no plain file.
        FileExistsError: a new file is wanted, and there is one.
        OSError: it cannot be opened.
    """
    if not new:
        _check_plain(os.stat(path), str(path))
    flags = os.O_CREAT | os.O_EXCL if new else 0
    flags |= os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.open(path, flags, 0o666)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder to be filled, which has its right name at the end, or is gone.

    Raises:
        OSError: it cannot be made, or is there already; also from the block.
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
    """Copy the files of a ruleset's folder; what it leads to elsewhere is not copied.

    Hidden files are not copied, nor is what Python leaves, such as `__pycache__`.

    Args:
        folder: whose files are copied.
        target: a folder that exists.

    Raises:
        UnreadableError: something in it is no plain file, or a link leads out of it.
        OSError: it cannot be copied.
    """
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not _is_left_out(each))
        into = target / Path(here).relative_to(folder)
        links = [each for each in folders if os.path.islink(os.path.join(here, each))]
        for name in sorted({*links, *files}):
            if not _is_left_out(name):
                _copy(Path(here, name), into / name, folder)
        for name in folders:
            if name not in links:
                os.mkdir(into / name)


def _is_left_out(name: str) -> bool:
    return is_hidden(name) or (name.startswith("__") and name.endswith("__"))


def _copy(path: Path, target: Path, within: Path) -> None:
    name = name_of(path)
    where = _real(path, name, within)
    if os.path.isdir(where):  # a link to another folder in here
        os.symlink(os.readlink(path), target)
        return
    with _opened(path, name, within) as handle, new_file(target) as copied:
        while piece := os.read(handle, _PIECE):
            write_all(copied, piece)


def named(error: OSError, path: Path) -> OSError:
    """Return an error of the system as one of the file that people know."""
    return OSError(error.errno, error.strerror or str(error), str(path))
