"""A verb in a process of its own, under limits: for rules that anybody may have sent.

The process is started anew, since a server has threads and must not be forked. It sets
its limits itself, before it loads anything that reads files, and leads a group of its
own, so that whatever it has started can be ended with it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Literal

from houserule.diagnostics.diagnostic import way_beyond
from houserule.files import write_whole
from houserule.limits import ENVIRONMENT, limit, with_numbers

OUT_OF_MEMORY = 99  # how the process says so to us; no verb ends like this
BY_THE_CLOCK = 3  # a busy server gives a process so much less than all of a core
# What Python, the platform and Houserule look at.
KEPT = (
    *("PATH", "HOME", "LANG", "TZ", "XDG_CACHE_HOME", "COLUMNS", "NO_COLOR", "TERM"),
    *("SYSTEMROOT", "LOCALAPPDATA", "USERPROFILE"),
)
TEMPORARY = ("TMPDIR", "TMP", "TEMP")
WITHIN = "HOUSERULE_WITHIN_ISOLATION"  # set in the process, for what asks whether it is
START = f"""
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from houserule.isolation import confine
confine()
from houserule.cli.main import run
try:
    status = run(sys.argv[1:])
except MemoryError:
    status = {OUT_OF_MEMORY}
sys.exit(status)
"""
BEYOND = {
    "memory": "This needs more memory than it may have.",
    "time": "This takes longer than it may.",
    "killed": "The process was ended from outside, or by a fault.",
}


@dataclass(frozen=True)
class Isolated:
    """What came of a verb that ran in a process of its own.

    Attributes:
        ended: how: `finished` by itself, for want of `memory` or `time`, or `killed`.
        status: the exit status of the command; 1 if it did not finish.
        output: what it wrote to standard output, as far as the limit `output` goes.
        errors: what it wrote to standard error, likewise.
        is_cut: whether some of either was left out.
        message: why it did not finish, and which limit to raise; else empty.

    Example:
        >>> done = houserule.isolated("check", "pig", "--json")
        >>> done.ended, done.status, done.result["errors"]
        ('finished', 0, 0)
    """

    ended: Literal["finished", "memory", "time", "killed"]
    status: int
    output: str
    errors: str
    is_cut: bool
    message: str

    @cached_property
    def result(self) -> dict[str, object] | None:
        """The JSON object that the verb wrote; None where it wrote something else."""
        try:
            found = json.loads(self.output)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


def isolated(
    *arguments: str,
    files: Mapping[str, str | bytes] | None = None,
    folder: str | Path | None = None,
    limits: Mapping[str, int] | None = None,
) -> Isolated:
    """Run a verb in a process of its own, with limits of memory, time and open files.

    Safe to call from any thread. Nothing that the rules hold is raised here.

    Args:
        arguments: those of the command: a verb and what belongs to it.
        files: texts or bytes by name (`my-game/game.rules`). They are written to a new
            folder, which is the working folder and is removed afterwards.
        folder: the working folder, if there are no files; else the current one.
        limits: ceilings for this call by name, such as `memory`, `seconds`.

    Raises:
        ValueError: there is no such limit, the name of a file leads out of the folder,
            or there are both files and a folder.
        OSError: no process can be started, or a file cannot be written.

    Example:
        >>> houserule.isolated("check", "a", files={"a/b.rules": "game"}).status
        1
    """
    if files is not None and folder is not None:
        raise ValueError("There are either files or a folder.")
    environment = {k: v for k, v in os.environ.items() if _is_kept(k)}
    environment |= {ENVIRONMENT: with_numbers(limits or {}), WITHIN: "1"}
    most = {name: limit(name) for name in ("memory", "seconds", "output")}
    most.update(limits or {})
    # What is killed cannot remove its temporary files, so its folder for them is ours.
    with _working_folder(files, folder) as place, _temporary_folder() as temporary:
        environment |= dict.fromkeys(TEMPORARY, temporary)
        return _run(arguments, place, environment, most)


def is_isolated() -> bool:
    """Say whether this process is one that `isolated` has started."""
    return WITHIN in os.environ


def confine() -> None:
    """Set the limits of this process for good, as the environment says them."""
    if sys.platform == "win32":
        return
    import resource

    seconds = limit("seconds")
    for what, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        # The system tells of the time at the first number, and kills at the second.
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_NOFILE, limit("open_files"), limit("open_files")),
        (resource.RLIMIT_DATA, limit("memory"), limit("memory")),
    ):
        most = resource.getrlimit(what)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(what, (soft, hard))
    # Should nobody be left to end this process, it ends itself.
    signal.alarm(BY_THE_CLOCK * seconds + 1)


def _is_kept(name: str) -> bool:
    return name.upper() in KEPT or name.startswith(("HOUSERULE_", "LC_"))


@contextmanager
def _working_folder(
    files: Mapping[str, str | bytes] | None, folder: str | Path | None
) -> Iterator[Path]:
    if files is None:
        yield Path(folder or ".")
        return
    for name in files:
        if not _is_below(name):
            raise ValueError(f"{name!r} is no name of a file below the folder.")
    with _temporary_folder() as place:
        for name, content in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        yield Path(place)


def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a new folder; a file in it that cannot be removed is no fault here."""
    return tempfile.TemporaryDirectory(prefix="houserule-", ignore_cleanup_errors=True)


def _is_below(name: str) -> bool:
    """Say whether a name stays in its folder, on every system."""
    windows = PureWindowsPath(name)
    rooted = bool(windows.drive or windows.root or PurePosixPath(name).is_absolute())
    parts = windows.parts
    return bool(parts) and not rooted and ".." not in parts and "\0" not in name


def _run(
    arguments: tuple[str, ...],
    place: Path,
    environment: Mapping[str, str],
    most: Mapping[str, int],
) -> Isolated:
    paths = json.dumps([path for path in sys.path if Path(path).is_absolute()])
    process = subprocess.Popen(
        [sys.executable, "-I", "-X", "utf8", "-c", START, paths, *arguments],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    readers = [
        _Reader(stream, most["output"]) for stream in (process.stdout, process.stderr)
    ]
    end = time.monotonic() + BY_THE_CLOCK * most["seconds"]
    try:
        for reader in readers:  # `wait` would look only now and then
            reader.join(max(0.0, end - time.monotonic()))
        is_late = any(reader.is_alive() for reader in readers)
        if not is_late:
            process.wait()  # it has closed both: it is ending
    finally:
        _end(process)
        for reader in readers:
            reader.join()
    return _told(process.returncode, is_late, readers, most)


class _Reader(threading.Thread):
    """Reads a stream to its end, and keeps its beginning."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        super().__init__(daemon=True)
        self._stream, self._most = stream, most
        self.kept = bytearray()
        self.is_cut = False
        self.start()

    def run(self) -> None:
        """Read to the end; what is beyond the limit is dropped."""
        with self._stream:
            while part := self._stream.read(1 << 16):
                left = self._most - len(self.kept)
                self.kept += part[:left]
                self.is_cut |= len(part) > left

    @property
    def text(self) -> str:
        """What was kept, as text."""
        return self.kept.decode("utf-8", "replace").replace("\r\n", "\n")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started, if they are still there."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _told(
    code: int, is_late: bool, readers: list[_Reader], most: Mapping[str, int]
) -> Isolated:
    ended: Literal["finished", "memory", "time", "killed"] = "finished"
    if is_late or (sys.platform != "win32" and -code in _TIME):
        ended = "time"
    elif code == OUT_OF_MEMORY:
        ended = "memory"
    elif code < 0:
        ended = "killed"
    message = ""
    if ended != "finished":
        code, message = 1, BEYOND[ended]
    if ended in ("memory", "time"):
        name = "seconds" if ended == "time" else "memory"
        message = f"{message} {way_beyond(name, most[name])}"
    output, errors = readers
    is_cut = output.is_cut or errors.is_cut
    return Isolated(ended, code, output.text, errors.text, is_cut, message)


_TIME = () if sys.platform == "win32" else (signal.SIGXCPU, signal.SIGALRM)
