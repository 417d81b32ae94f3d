"""A verb in a process of its own: what it may take, and how its end is told."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from houserule.base import isolation
from houserule.base.isolation import Answering, EndedError, isolated
from houserule.base.limits import LIMITS, WITHIN
from houserule.ui.cli.main import houserule as command

HOSTILE = Path(__file__).parent / "hostile"
GAME = {
    f"pig/{name}": (HOSTILE / name).read_text("utf-8")
    for name in ("game.rules", "ruleset.yaml")
}
TEMPORARY = """
import os, tempfile
def put():
    assert os.path.basename(tempfile.gettempdir()).startswith("houserule-")
    os.makedirs(os.path.join(tempfile.mkdtemp(), "a", "b"))
    os.close(tempfile.mkstemp()[0])
"""
FAR = {n: LIMITS[n].most for n in ("members", "cells", "work", "steps", "options")}

has_limits = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the system heeds no such limits"
)


def beside(lines: str = "") -> dict[str, str]:
    """Return the game with lines added to its rules."""
    return {**GAME, "pig/game.rules": GAME["pig/game.rules"] + lines}


def test_what_a_verb_wrote_comes_back_as_data() -> None:
    done = isolated("check", "pig", "--json", files=beside(lines="value v: 0..9 = w\n"))
    assert (done.ended, done.status, done.message) == ("finished", 1, "")
    assert done.result is not None
    assert done.result["errors"] == 1
    assert isolated("list", "pig", files=beside()).result is None


# With the ceilings of the program far up, the process itself has to hold.
@has_limits
@pytest.mark.parametrize(
    ("lines", "ended", "name", "number"),
    [
        (
            "component C for each x: 1..999, y: 1..999, z: 1..999\n",
            *("memory", "memory", 100_000_000),
        ),
        (
            "type N = 1..99999\n"
            'warn w "W": (count of a in N and b in N where a is b) is 3\n',
            *("time", "seconds", 1),
        ),
    ],
    ids=["a product of 999 times 999 times 999", "what a warning counts"],
)
def test_what_explodes_explodes_inside(
    lines: str, ended: str, name: str, number: int
) -> None:
    limits = {**FAR, name: number}
    done = isolated("check", "pig", files=beside(lines=lines), limits=limits)
    assert (done.ended, done.status) == (ended, 1)
    assert f"The limit `{name}` is {number:,}." in done.message


@has_limits
def test_what_a_process_has_started_ends_with_it(tmp_path: Path) -> None:
    arguments = ["simulate", "pig", "--games", "100000000", "--jobs", "2"]
    done = isolated(*arguments, folder=tmp_path, limits={"seconds": 1})
    assert (done.ended, done.status) == ("time", 1)
    assert tmp_path not in map(_place, Path("/proc").glob("[0-9]*/cwd"))


def _place(link: Path) -> Path | None:
    try:
        return link.readlink()
    except OSError:  # it has just ended, or is not ours
        return None


def test_threads_may_call_it_at_once() -> None:
    found = []

    def explain() -> None:
        found.append(isolated("--version").output)

    threads = [threading.Thread(target=explain) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert len(set(found)) == 1
    assert found[0].startswith("houserule ")


@pytest.mark.parametrize(
    ("program", "ended", "output"),
    [
        ("import os; os.abort()", "killed", ""),
        ("print('x' * 10_000_000)", "finished", "x" * 50),
        ("import os; print('SECRET' in os.environ)", "finished", "False\n"),
        ("import sys; print(len(sys.stdin.read()))", "finished", "0\n"),
        (f"{TEMPORARY}put()", "finished", ""),
        (f"{TEMPORARY}put(); os.kill(os.getpid(), 9)", "killed", ""),
        (f"{TEMPORARY}put(); os.chmod(tempfile.gettempdir(), 0)", "finished", ""),
    ],
    ids=[
        *("a crash", "much output", "the environment", "no input"),
        *("temporary files", "those of what is killed", "those of a closed folder"),
    ],
)
def test_the_process_is_shut_off(
    program: str,
    ended: str,
    output: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(isolation, "START", program)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("SECRET", "word")
    done = isolated(limits={"output": 50})
    assert (done.ended, done.output) == (ended, output)
    assert done.is_cut == (len(output) == 50)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "name", ["../a", "/a", "a/../../b", "", "c:/a", "..\\a", "\\\\host\\a", "a\0"]
)
def test_no_file_is_written_outside(name: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a file in the folder"):
        isolated("list", files={name: "text"})


def test_a_limit_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="There is no limit `minutes`"):
        isolated("list", limits={"minutes": 1})
    with pytest.raises(ValueError, match="either files or a folder"):
        isolated("list", files={}, folder=".")


def test_the_flag_ends_with_the_status_of_the_verb() -> None:
    done = CliRunner().invoke(command, ["--isolated", "explain", "E999"])
    alone = isolated("explain", "E999")
    assert done.exit_code == alone.status != 0
    assert alone.errors.strip() in done.output


@pytest.mark.parametrize("arguments", [["play", "pig"], ["fmt", "-"]], ids=" ".join)
def test_what_needs_somebody_at_a_keyboard_is_refused(arguments: list[str]) -> None:
    done = isolated("--isolated", *arguments)
    assert (done.ended, done.status) == ("finished", 2)
    assert "reads from standard input, and an isolated process has none" in done.errors


def test_an_isolated_process_is_not_isolated_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(WITHIN, "1")
    monkeypatch.setattr(isolation, "isolated", None)
    done = CliRunner().invoke(command, ["--isolated", "explain", "E050"])
    assert done.exit_code == 0


# ---- one question after the other


ANSWERING = """
import itertools, os, signal, sys, threading, time
from houserule.base.limits import is_isolated
def answering(first):
    def look():
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        with open(__file__ + ".new", "w") as file: file.write(str(left))
        os.rename(__file__ + ".new", __file__ + ".left")
    if sys.platform != "win32": threading.Timer(0.3, look).start()
    def answer(question):
        match question:
            case b"memory": return bytes(1 << 40)
            case b"time":
                for _ in itertools.count(): pass
            case b"sleep": time.sleep(60)
            case b"crash": os.abort()
            case b"work":
                until = time.process_time() + 0.3
                while time.process_time() < until: pass
            case b"print": print("no answer")
            case b"within": return str(is_isolated()).encode()
        return first + question
    return answer
"""


@pytest.fixture
def answering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answering]:
    (tmp_path / "what_answers.py").write_text(ANSWERING, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Answering("what_answers", b"first ", {"seconds": 1, "memory": 200_000_000})
    yield made
    made.end()


def test_questions_are_answered_one_after_the_other(answering: Answering) -> None:
    assert answering.ask(b"second") == b"first second"
    assert answering.ask(b"print") == b"first print"
    assert answering.ask(b"within") == b"True"


@has_limits
def test_while_nobody_asks_no_time_is_counted(
    answering: Answering, tmp_path: Path
) -> None:
    """Also before the first question: a process may be made ready ahead."""
    told, until = tmp_path / "what_answers.py.left", time.monotonic() + 20
    while not told.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert told.read_text() == "0.0"
    assert answering.ask(b"second") == b"first second"


@has_limits
def test_time_is_counted_for_each_question(answering: Answering) -> None:
    for _ in range(5):  # together these take more than one may
        assert answering.ask(b"work") == b"first work"


@has_limits
@pytest.mark.parametrize(
    ("question", "ended"),
    [
        (b"memory", "memory"),
        (b"time", "time"),
        (b"sleep", "time"),
        (b"crash", "killed"),
    ],
)
def test_a_question_ends_only_the_process(
    question: bytes, ended: str, answering: Answering
) -> None:
    assert answering.ask(b"") == b"first "
    for each in (question, b"once more"):
        with pytest.raises(EndedError) as told:
            answering.ask(each)
        assert told.value.ended == ended


def test_a_process_ends_silently_with_the_one_that_asked(
    capfd: pytest.CaptureFixture[str], answering: Answering
) -> None:
    assert answering.ask(b"second") == b"first second"
    answering._send(b"work")
    assert answering._process.stdout is not None
    answering._process.stdout.close()
    assert answering._process.wait(20) == 0
    assert capfd.readouterr().err == ""
