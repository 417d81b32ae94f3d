"""Appending to a record: each line is on disk before the game continues.

If a program is killed while it writes, it leaves an incomplete line, which the next
append removes. Two programs never append to one file.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from houserule.base.diagnostics.diagnostic import MessageCode, fault
from houserule.base.diagnostics.render import RecordError
from houserule.base.files import named, open_to_append, write_all, write_whole
from houserule.base.source import Span


class Appender:
    """Appends lines to a file, one at a time.

    The file is locked until `close`, or until the program ends in any way.

    Raises:
        RecordError: E083, another program appends to the file.
        FileExistsError: the file should be new, but it exists.
        OSError: the file cannot be opened or written.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self.path = path
        self._file = open_to_append(path, new=new)
        self._end: int | None = None  # computed when it is needed
        try:
            if not locked(self._file):
                raise _in_use(path)
        except BaseException:
            os.close(self._file)
            raise
        if new:
            _sync_folder(path.resolve().parent)

    def _cut(self, end: int) -> None:
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)

    def append(self, line: str) -> None:
        """Write a line, and return when it is on disk.

        Raises:
            OSError: it cannot be written; the file is unchanged.
        """
        raw = line.encode() + b"\n"
        try:
            if self._end is None:
                text = b"".join(iter(lambda: os.read(self._file, 1 << 20), b""))
                self._end = text.rfind(b"\n") + 1
                # Keep a last line that only lacks its end; remove an incomplete one.
                with suppress(ValueError):
                    json.loads(text[self._end :])
                    write_all(self._file, b"\n")
                    self._end = len(text) + 1
            end = self._end
            self._cut(end)  # remains of a failed write
            try:
                write_all(self._file, raw)
                os.fsync(self._file)
            except OSError:
                with suppress(OSError):
                    self._cut(end)
                raise
        except OSError as error:
            raise named(error, self.path) from None
        self._end = end + len(raw)

    def close(self) -> None:
        """Release the file for other programs."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def discard(self) -> None:
        """Close a new file and delete it."""
        self.close()
        with suppress(OSError):
            os.unlink(self.path)

    def __enter__(self) -> Appender:
        """Return the appender; it is closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


PART = 1 << 16  # bytes


def write_record(path: Path, text: str, *, sparing: bool = False) -> None:
    """Write a record to a file atomically; replace nothing but a record.

    Args:
        sparing: replace no record of a game that is not over.

    Raises:
        RecordError: E083, another program appends to the file.
        FileExistsError: the file has something else, which stays.
        UnreadableError, OSError: as for `write_whole`.
    """
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        pass  # a file that cannot be opened belongs to no running game
    else:
        try:
            if not locked(file):
                raise _in_use(path)
            found = os.fstat(file)
            if stat.S_ISREG(found.st_mode) and found.st_size:
                # A line of a record is shorter than these parts of it.
                with os.fdopen(os.dup(file), "rb") as stream:
                    head = stream.read(PART)
                    stream.seek(max(0, found.st_size - PART))
                    last = stream.read().splitlines()[-1]
                if b'"houserule record"' not in head:
                    why = "the file is not a record"
                    raise FileExistsError(errno.EEXIST, why, str(path))
                if sparing and not last.startswith(b'{"end"'):
                    why = "the game in the file is not over"
                    raise FileExistsError(errno.EEXIST, why, str(path))
        finally:
            os.close(file)
    write_whole(path, text)


E083 = MessageCode("E083", "game file in use")
"""A game cannot be continued from its file, because another program has the file open.

**Why.** Each decision is appended to the file. Two programs that append to one file
would mix two games into one that no one played.

**For example**

```console
houserule play evening.jsonl      # in one window
houserule play evening.jsonl      # in another one: E083
```

**Fix.** Continue in the other window, or end the program there. A program that has
ended in any way no longer has the file open. To view the game, use
`houserule replay evening.jsonl --tell`, which works in any case.
"""


def _in_use(path: Path) -> RecordError:
    message = f"Another program is playing the game in {path}."
    fixes = ("go on there, or end that program first",)
    return RecordError([fault(E083, message, Span.at(str(path)), fixes=fixes)])


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40  # after all lines, so that readers can read

    def locked(file: int) -> bool:
        """Lock an open file for this process; return False if another has it."""
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True

    def _sync_folder(folder: Path) -> None:
        """Do nothing: this system cannot open folders."""

else:
    import fcntl

    def locked(file: int) -> bool:
        """Lock an open file for this process; return False if another has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _sync_folder(folder: Path) -> None:
        """Make sure that a new file is in its folder after a crash."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
