"""Commands on hostile files, each in a process of its own with limits.

A server of forks has the program loaded, so that a command costs little more than its
own work. A process that takes more memory than a case allows, or never ends, is ended
by the system, and the test fails; the machine does not.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.faults import Faults

MEMORY = 1 << 30  # bytes of data that one command may hold
SECONDS = 120  # of CPU time: against endless work; a slow machine may take its time
BY_THE_CLOCK = 4  # a busy machine gives a process so much less than all of a core
LOADED = (
    "houserule.ui.cli.main",
    "houserule.ui.cli.verbs.check",
    "houserule.ui.cli.verbs.run",
    "houserule.ui.cli.verbs.simulate",
    "houserule.engine.compiled.machine",
    "tests.support.attacks",
    "tests.support.preloaded",
)

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(list(LOADED))


@dataclass(frozen=True)
class Fault:
    """The call with a number, of those that change files, fails for a reason.

    0 is none of them; how many there were is written to `.calls`.
    """

    number: int
    reason: str


@dataclass(frozen=True)
class Outcome:
    """What came of a command: exit status (negative: a signal), and what it wrote."""

    status: int | None
    output: str

    @property
    def is_ours(self) -> bool:
        """Whether the fault is the program's: a traceback, status 3, or no end."""
        return self.status not in {0, 1, 2, 130} or "Traceback" in self.output


def attack(
    folder: Path,
    arguments: Sequence[str],
    environment: Mapping[str, str] | None = None,
    memory: int = MEMORY,
    streams: Mapping[str, str] | None = None,
    fault: Fault | None = None,
) -> Outcome:
    """Run the command in a folder; a status of None means that it had to be ended.

    `streams` says what is wrong with `stdin`, `stdout` and `stderr`, "closed" or
    "full", and which `encoding` they have.
    """
    log = folder / ".output"
    process = _forks.Process(
        target=_command,
        args=(
            folder,
            list(arguments),
            {**os.environ, **(environment or {})},
            memory,
            log,
            dict(streams or {}),
            fault,
        ),
    )
    process.start()
    process.join(BY_THE_CLOCK * SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
        return Outcome(None, log.read_text("utf-8", "replace"))
    return Outcome(process.exitcode, log.read_text("utf-8", "replace"))


def _command(
    folder: Path,
    arguments: list[str],
    environment: dict[str, str],
    memory: int,
    log: Path,
    streams: dict[str, str],
    fault: Fault | None,
) -> None:
    """Run the command under limits, both outputs in one file, and end the process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    # The server of forks has the environment of whichever test was the first to use it.
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    given = folder / ".input"
    os.dup2(os.open(given if given.exists() else os.devnull, os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        _connect(number, name, handle, streams)
    from houserule.ui.cli.main import run

    if fault is not None:
        faults = Faults(folder, fault.number, fault.reason)
    status = run(arguments)
    if fault is not None:
        (folder / ".calls").write_text(str(faults.count), "utf-8")
    sys.stdout.flush()
    os._exit(status)


def _connect(number: int, name: str, log: int, streams: Mapping[str, str]) -> None:
    """Let a standard stream lead where a case wants it; normally to the log."""
    found = streams.get(name)
    if found == "closed":
        os.close(number)
        setattr(sys, name, None)
    elif number:
        os.dup2(os.open("/dev/full", os.O_WRONLY) if found == "full" else log, number)
        encoding = streams.get("encoding", "utf-8")
        setattr(sys, name, os.fdopen(number, "w", encoding=encoding, buffering=1))
