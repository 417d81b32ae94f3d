"""Runs the console lines of a page and holds their output against what stands there.

A line `$ command` is run in the page's folder; the lines below it are what it writes,
where `...` stands for anything, or, alone in a line, for any number of lines. The last
command of a block ends with `status=N`, or with 0.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from houserule.ui.cli.main import run as run_houserule

if TYPE_CHECKING:
    from tests.docs.fences import Fence

ROOT = Path(__file__).parents[2]
COMMANDS = ("houserule", "cp", "cat", "ls", "mkdir", "rm")


@dataclass(frozen=True)
class Line:
    """A command of a console block, with what it is expected to write."""

    command: str
    output: str
    status: int


def commands_of(fence: Fence) -> list[Line]:
    """Return the commands of a console block; a line that ends with `\\` goes on."""
    found: list[tuple[str, list[str]]] = []
    for line in fence.text.replace("\\\n", " ").split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    last = int(fence.settings.get("status", "0"))
    return [
        Line(command, "\n".join(output), last if place == len(found) else 0)
        for place, (command, output) in enumerate(found, 1)
    ]


def run(line: Line, folder: Path, cache: Path) -> str:
    """Run a command; return what is not as the page says, or ''."""
    first, *rest = shlex.split(line.command)
    if first not in COMMANDS:
        return f"`{first}` is none of {', '.join(COMMANDS)}"
    if first == "houserule":
        if rest[:1] in (["simulate"], ["compare"]) and "--jobs" not in rest:
            rest += [
                "--jobs",
                "1",
            ]  # for any number of processes the output is the same
        status, text = _here(rest, folder, cache)
    else:
        status, text = _apart([first, *rest], folder, cache)
    problems: list[str] = []
    if status != line.status:
        problems.append(f"it ended with {status}, not {line.status}")
    if not fits(line.output, text):
        problems.append("it wrote something else")
    if not problems:
        return ""
    return f"{line.command}\n{'; '.join(problems)}:\n{text}"


@contextmanager
def heard(folder: Path, cache: Path) -> Iterator[Callable[[], str]]:
    """Do the block in a folder, in this process; what is given tells what was written.

    That saves the time to start a process.
    """
    written = io.TextIOWrapper(io.BytesIO(), "utf-8")

    def text() -> str:
        written.flush()
        return written.buffer.getvalue().decode()

    with (
        patch.dict(os.environ, settings(cache)),
        chdir(folder),
        redirect_stdout(written),
        redirect_stderr(written),
    ):
        yield text


def _here(arguments: list[str], folder: Path, cache: Path) -> tuple[int, str]:
    with heard(folder, cache) as text:
        return run_houserule(arguments), text()


def _apart(words: list[str], folder: Path, cache: Path) -> tuple[int, str]:
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **settings(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def settings(cache: Path) -> dict[str, str]:
    """Return what of the environment a command must not be left to find out."""
    return {
        "PYTHONPATH": str(ROOT / "interpreter"),
        "PYTHONIOENCODING": "utf-8",
        "HOUSERULE_CACHE": str(cache),
        "COLUMNS": "90",
        "NO_COLOR": "1",
        "HOUSERULE_DEBUG": "1",
    }


def fits(expected: str, found: str) -> bool:
    """Say whether an output is the expected one.

    In a line `...` stands for anything; alone in a line, for any number of lines.
    """
    pattern = "".join(
        r"(?:[^\n]*\n)*?"
        if line == "..."
        else re.escape(line).replace(r"\.\.\.", r"[^\n]*?") + r"\n"
        for line in _trimmed(expected).split("\n")
    )
    return re.fullmatch(pattern, _trimmed(found) + "\n") is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
