"""Subprocesses with limits, for rules from strangers.

A subprocess runs a verb or answers a series of questions (`Answering`). It is spawned,
since a server has threads and must not be forked. It sets its limits before it loads
anything that reads files. It leads its own process group, so that everything it started
can be ended with it.
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
from errno import ENOMEM
from functools import cached_property
from importlib import import_module
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Literal, TypeAlias

from houserule.base.diagnostics.diagnostic import way_beyond
from houserule.base.files import write_all, write_whole
from houserule.base.limits import ENVIRONMENT, WITHIN, limit, with_numbers

OUT_OF_MEMORY = 99  # exit status of the process; no verb ends with it
BY_THE_CLOCK = 3  # factor from CPU to wall time: other work shares the cores
# Variables that Python, the platform and Houserule read.
KEPT = (
    *("PATH", "HOME", "LANG", "TZ", "XDG_CACHE_HOME", "COLUMNS", "NO_COLOR", "TERM"),
    *("SYSTEMROOT", "LOCALAPPDATA", "USERPROFILE"),
)
TEMPORARY = ("TMPDIR", "TMP", "TEMP")
PATHS = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
"""
START = f"""{PATHS}
from houserule.base.isolation import confine
confine()
from houserule.ui.cli.main import run
try:
    status = run(sys.argv[1:])
except MemoryError:
    status = {OUT_OF_MEMORY}
sys.exit(status)
"""
START_ANSWERING = f"""{PATHS}
from houserule.base.isolation import answer
answer(sys.argv[1])
"""
LENGTH = 8  # bytes of the length prefix of a question or an answer
Ending: TypeAlias = Literal["finished", "memory", "time", "killed"]
BEYOND = {
    "memory": "This needs more memory than its limit.",
    "time": "This takes longer than its limit.",
    "killed": "The process was stopped from outside, or by a crash.",
}


@dataclass(frozen=True)
class Isolated:
    """The result of a verb that ran in its own process.

    Attributes:
        ended: `finished`, out of `memory` or `time`, or `killed`.
        status: the exit status of the command; 1 if it did not finish.
        output: its standard output, up to the limit `output`.
        errors: its standard error, likewise.
        is_cut: whether either was truncated.
        message: why it did not finish, and which limit to raise; else empty.

    Example:
        >>> done = houserule.isolated("check", "pig", "--json")
        >>> done.ended, done.status, done.result["errors"]
        ('finished', 0, 0)
    """

    ended: Ending
    status: int
    output: str
    errors: str
    is_cut: bool
    message: str

    @cached_property
    def result(self) -> dict[str, object] | None:
        """The JSON object that the verb wrote, or None for other output."""
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
    """Run a verb in its own process, with limits of memory, time and open files.

    Safe to call from any thread. Errors in the rules raise nothing here.

    Args:
        arguments: those of the command: a verb and its arguments.
        files: texts or bytes by name (`my-game/game.rules`). They are written to a
            temporary working folder.
        folder: the working folder if no files are given; by default, the current one.
        limits: limits for this call by name, such as `memory`, `seconds`.

    Raises:
        ValueError: an unknown limit, a file name that leads out of the folder, or both
            files and a folder.
        OSError: starting the process or writing a file fails.

    Example:
        >>> houserule.isolated("check", "a", files={"a/b.rules": "game"}).status
        1
    """
    if files is not None and folder is not None:
        raise ValueError("There are either files or a folder.")
    most = _most(limits or {})
    # A killed process cannot remove its temporary files, so we own the folder.
    with _working_folder(files, folder) as place, _temporary_folder() as temporary:
        process = _started(
            START,
            arguments,
            cwd=place,
            environment=_environment(limits or {}, temporary),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        output = _Reader(process.stdout, most["output"])
        errors = _Reader(process.stderr, most["output"])
        readers = (output, errors)
        end = time.monotonic() + BY_THE_CLOCK * most["seconds"]
        try:
            for reader in readers:  # `wait` would poll
                reader.join(max(0.0, end - time.monotonic()))
            is_late = any(reader.is_alive() for reader in readers)
            if not is_late:
                process.wait()  # both streams are closed, so it is ending
        finally:
            _end(process)
            for reader in readers:
                reader.join()
        code = process.returncode
        ended = _ending(code, is_late=is_late)
        if ended == "killed" and code >= 0:
            ended = "finished"
        message = ""
        if ended != "finished":
            code, message = 1, BEYOND[ended]
        if ended in ("memory", "time"):
            name = "seconds" if ended == "time" else "memory"
            message = f"{message} {way_beyond(name, most[name])}"
        is_cut = output.is_cut or errors.is_cut
        return Isolated(ended, code, output.text, errors.text, is_cut, message)


class EndedError(Exception):
    """A process of `Answering` ended before it answered.

    Attributes:
        ended: out of `memory` or `time`, or `killed`.
    """

    def __init__(self, ended: Ending) -> None:
        super().__init__(BEYOND[ended])
        self.ended: Ending = ended


class Answering:
    """A subprocess that answers a series of questions.

    The memory limit is for the process; the time limits are for each answer. Safe to
    use from any thread.

    Args:
        module: its function `answering` is called in the process with `first`, and
            returns a function from bytes to bytes. An exception ends the process.
        first: the data to set the process up.
        limits: limits by name, such as `memory`, `seconds`; `output` limits one answer.

    Raises:
        ValueError: an unknown limit.
        OSError: starting the process fails.
    """

    def __init__(
        self, module: str, first: bytes, limits: Mapping[str, int] | None = None
    ) -> None:
        self._most = _most(limits or {})
        self._asking = threading.Lock()
        self._late = False
        self._temporary = _temporary_folder()
        self._process = _started(
            START_ANSWERING,
            (module,),
            environment=_environment(limits or {}, self._temporary.name),
            stdin=subprocess.PIPE,
            stderr=None,
        )
        with suppress(OSError):  # if it is dead already, the first question reports it
            self._send(first)

    def ask(self, question: bytes) -> bytes:
        """Return the answer to a question.

        Raises:
            EndedError: the process ended.
        """
        with self._asking:
            seconds = BY_THE_CLOCK * self._most["seconds"]
            clock = threading.Timer(seconds, self._too_late)
            clock.start()
            try:
                self._send(question)
                assert self._process.stdout is not None
                return _received(self._process.stdout, self._most["output"])
            except (EOFError, OSError, ValueError):
                self.end()
                code = self._process.returncode
                raise EndedError(_ending(code, is_late=self._late)) from None
            finally:
                clock.cancel()

    def end(self) -> None:
        """End the process and all processes that it started."""
        _end(self._process)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):  # half a question may be left in it
                stream.close()
        self._temporary.cleanup()

    def _send(self, content: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(_framed(content))
        self._process.stdin.flush()

    def _too_late(self) -> None:
        self._late = True
        _end(self._process)


def answer(module: str) -> None:
    """Answer questions in a process of `Answering`, until the one that asks ends."""
    confine(by_question=True)
    heard, told = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # prints must not mix with answers
    try:
        answering = import_module(module).answering(_received(heard))
        while True:
            if sys.platform != "win32":  # wait for a question without a time limit
                signal.alarm(0)
            question = _received(heard)
            if sys.platform != "win32":  # restart the time limits
                import resource

                seconds = limit("seconds")
                _, hard = resource.getrlimit(resource.RLIMIT_CPU)
                until = int(time.process_time()) + 1 + seconds
                if hard != resource.RLIM_INFINITY:
                    until = min(until, hard)
                resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
                signal.alarm(BY_THE_CLOCK * seconds + 1)
            write_all(told, _framed(answering(question)))
    except (EOFError, BrokenPipeError):  # the process that asks has ended
        return
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except OSError as error:
        if error.errno != ENOMEM:
            raise
        os._exit(OUT_OF_MEMORY)


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(LENGTH, "big") + content


def _received(stream: IO[bytes], most: int = 1 << 40) -> bytes:
    """Return the next message.

    Raises:
        EOFError: the stream ended. ValueError: the message is too long.
    """
    length = int.from_bytes(_exactly(stream, LENGTH), "big")
    if length > most:
        raise ValueError(length)
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], length: int) -> bytes:
    found = stream.read(length)
    if len(found) < length:
        raise EOFError
    return found


def confine(*, by_question: bool = False) -> None:
    """Set the limits of this process permanently, from the environment.

    Args:
        by_question: whether the time limits restart for each question.
    """
    if sys.platform == "win32":
        return
    import resource

    seconds = limit("seconds")
    # The system sends a signal at the soft limit and kills at the hard one.
    kills = resource.RLIM_INFINITY if by_question else seconds + 1
    for what, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, seconds, kills),
        (resource.RLIMIT_NOFILE, limit("open_files"), limit("open_files")),
        (resource.RLIMIT_DATA, limit("memory"), limit("memory")),
    ):
        most = resource.getrlimit(what)[1]
        if most != resource.RLIM_INFINITY:
            hard = most if hard == resource.RLIM_INFINITY else min(hard, most)
            soft = min(soft, hard)
        resource.setrlimit(what, (soft, hard))
    # The process ends itself if its parent cannot.
    signal.alarm(BY_THE_CLOCK * seconds + 1)


def _most(limits: Mapping[str, int]) -> dict[str, int]:
    return {n: limits.get(n, limit(n)) for n in ("memory", "seconds", "output")}


def _environment(limits: Mapping[str, int], temporary: str) -> dict[str, str]:
    kept = {
        k: v
        for k, v in os.environ.items()
        if (k.upper() in KEPT or k.startswith(("HOUSERULE_", "LC_")))
    }
    kept |= {ENVIRONMENT: with_numbers(limits), WITHIN: "1"}
    return kept | dict.fromkeys(TEMPORARY, temporary)


@contextmanager
def _working_folder(
    files: Mapping[str, str | bytes] | None, folder: str | Path | None
) -> Iterator[Path]:
    if files is None:
        yield Path(folder or ".")
        return
    for name in files:
        path = PureWindowsPath(name)  # on every system
        rooted = path.drive or path.root or PurePosixPath(name).is_absolute()
        if rooted or not path.parts or ".." in path.parts or "\0" in name:
            raise ValueError(f"{name!r} is not the name of a file in the folder.")
    with _temporary_folder() as place:
        for name, content in files.items():
            file = Path(place, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, content)
        yield Path(place)


def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a new folder; removal errors are ignored."""
    return tempfile.TemporaryDirectory(prefix="houserule-", ignore_cleanup_errors=True)


def _started(
    program: str,
    arguments: tuple[str, ...],
    *,
    environment: Mapping[str, str],
    stdin: int,
    stderr: int | None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    paths = json.dumps([path for path in sys.path if Path(path).is_absolute()])
    return subprocess.Popen(
        [sys.executable, "-I", "-X", "utf8", "-c", program, paths, *arguments],
        cwd=cwd,
        env=environment,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
    )


class _Reader(threading.Thread):
    """Reads a stream to its end, and keeps its beginning."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        super().__init__(daemon=True)
        self._stream, self._most = stream, most
        self.kept = bytearray()
        self.is_cut = False
        self.start()

    def run(self) -> None:
        """Read to the end; drop everything beyond the limit."""
        with self._stream:
            while part := self._stream.read(1 << 16):
                left = self._most - len(self.kept)
                self.kept += part[:left]
                self.is_cut |= len(part) > left

    @property
    def text(self) -> str:
        """The kept bytes as text."""
        return self.kept.decode("utf-8", "replace").replace("\r\n", "\n")


def _end(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _ending(code: int, *, is_late: bool) -> Ending:
    """Return why a process did not finish."""
    if is_late or (sys.platform != "win32" and -code in _TIME):
        return "time"
    return "memory" if code == OUT_OF_MEMORY else "killed"


_TIME = () if sys.platform == "win32" else (signal.SIGXCPU, signal.SIGALRM)
