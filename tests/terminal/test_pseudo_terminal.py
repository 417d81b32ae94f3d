"""The command in a pseudo-terminal: keys go in, killed at any time, it goes on."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path
from random import Random

import pyte
import pytest
from tests.terminal.test_whole_games import (
    GAMES,
    NAMES,
    SIZES,
    assert_whole,
    sitting_of,
)

from houserule.record.reading import read_record
from houserule.source import read_source

QUIET = 0.15  # seconds without output after which a screen is complete
PATIENCE = 60.0
CHOOSE = {"en": "Enter choose", "de": "Enter wählen"}
GO_ON = {"en": "Enter go on", "de": "Enter weiter"}
END = {"en": "r play again", "de": "r noch einmal spielen"}
ALONE = {"en": "when only you look", "de": "wenn nur du hersiehst"}


class Terminal:
    """The command in a terminal of a size, with what it shows."""

    def __init__(self, arguments: list[str], size: tuple[int, int]) -> None:
        width, height = size
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "PYTHONWARNINGS": "ignore"})
            command = [sys.executable, "-m", "houserule", "play", *arguments]
            os.execv(sys.executable, command)
        fcntl.ioctl(
            self.end, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0)
        )

    def shown(self) -> str:
        """Return the screen when nothing more comes, or the program has ended."""
        latest, start = None, time.monotonic()
        while time.monotonic() - start < PATIENCE:
            ready, _, _ = select.select([self.end], [], [], 0.02)
            now = time.monotonic()
            if ready:
                try:
                    found = os.read(self.end, 65536)
                except OSError:  # it has ended
                    break
                if not found:
                    break
                self.stream.feed(found)
                latest = now
            elif latest is not None and now - latest > QUIET and self.text().strip():
                break
        return self.text()

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self.end, keys.encode())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)

    def leave(self) -> int:
        self.press("q")
        self.shown()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


def choices_in(file: Path) -> int:
    record, faults = read_record(read_source(file))
    assert record is not None, faults
    return len(record.stood)


def played(file: Path, size: tuple[int, int], language: str, most: int) -> str:
    """Play on in a file, killed now and then, until it ends; return the last screen."""
    random, before, shown = Random(11), 0, ""
    terminal = Terminal([str(file), "--lang", language], size)
    for _ in range(most):
        shown = terminal.shown()
        assert "Traceback" not in shown
        if END[language] in shown:
            break
        if random.random() < 0.08:
            terminal.kill()
            assert choices_in(file) >= before, "what was decided is kept"
            before = choices_in(file)
            terminal = Terminal([str(file), "--lang", language], size)
            continue
        if CHOOSE[language] in shown:
            terminal.press("\x1b[B" * random.randrange(4))
        terminal.press("\r")
    assert terminal.leave() == 0
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig", "liars_dice"])
def test_a_game_survives_kills(game: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    sitting_of(game, file).close()
    played(file, (80, 24), "en", 40)
    assert choices_in(file) > 3
    assert_whole(file)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_in_a_terminal(
    game: str, size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    file = tmp_path / "evening.jsonl"
    sitting_of(game, file, language).close()
    shown = played(file, size, language, 20_000)
    assert END[language] in shown
    assert_whole(file)


def test_the_first_screens_of_an_evening(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    seats = ",".join(NAMES[:2])
    arguments = ["pig", "--seats", seats, "--seed", "4", "--record", str(file)]
    terminal = Terminal(arguments, (80, 24))
    assert CHOOSE["en"] in terminal.shown()
    terminal.press("?")
    assert "Esc close" in terminal.shown()
    terminal.press("\x1b")
    assert CHOOSE["en"] in terminal.shown()
    terminal.press("1")
    terminal.shown()
    assert choices_in(file) == 1
    assert terminal.leave() == 0
    assert str(file) in terminal.text().replace("\n", "")
