"""Somebody who plays by keys and looks at the screen alone, here or in a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
from pathlib import Path
from random import Random
from typing import Protocol

import pyte
from tests.support.shipped import prepared_at, ruleset_of
from tests.support.terminal_rows import plain_text, width_of

from houserule.base.files import read_source
from houserule.base.resources import Phrases, shipped_rulesets
from houserule.compiler.prepare import TableChoice, playable
from houserule.play.records.reading import read_record
from houserule.play.records.records import recorded_rules, replay
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting
from houserule.ui.terminal.face import Face
from houserule.ui.terminal.keyboard import SharedKeyboard

SIZES = ((80, 24), (200, 60), (50, 20))
GAMES = sorted(shipped_rulesets())
NAMES = ("ann", "bob", "cleo", "dora", "emil", "fay")


# ---- games and their files


def sitting_of(game: str, file: Path | None = None, language: str = "en") -> Sitting:
    """Return a game with people in every seat, as few as the rules allow."""
    ruleset, choice = ruleset_of(game), TableChoice()
    chosen, program = playable(prepared_at(game, choice), ruleset, choice)
    rules = TableRules(ruleset, chosen, program)
    return Sitting.begin(rules, NAMES[: program.seats], 5, file, (language,))


def assert_whole(file: Path) -> None:
    """Hold that a record plays again to the same states."""
    record, faults = read_record(read_source(file))
    assert record is not None, faults
    ruleset = ruleset_of(record.head.game)
    program, faults = recorded_rules(record, ruleset)
    assert program is not None, faults
    _, difference = replay(record, program)
    assert difference is None


# ---- who plays


class Shown(Protocol):
    """A screen with keys, whoever draws it."""

    def shown(self) -> str:
        """Return what stands on the screen now."""

    def press(self, *keys: str) -> None:
        """Press keys one after the other, named as `Face` names them."""


class Player:
    """Picks lines at random, looks around now and then, and takes moves back."""

    def __init__(self, language: str, seed: int = 7) -> None:
        self.words, self.random = Phrases("terminal", language), Random(seed)

    def sees(self, shown: str, phrase: str) -> bool:
        return self.words.say(phrase) in shown

    def keys(self, shown: str) -> tuple[str, ...]:
        """Return what to press on a screen."""
        if self.sees(shown, "keys_close"):
            return ("escape",)
        if not self.sees(shown, "keys_choose"):
            return ("enter",)
        if self.random.random() < 0.1:
            return (self.random.choice("?lpuh"),)
        if self.random.random() < 0.1:
            return "end", "enter"
        down = self.random.randrange(self.random.randrange(1, 8))
        return "home", *("down",) * down, "enter"

    def goes_on(self, screen: Shown) -> str:
        """Press what a screen asks for; return what it was."""
        shown = screen.shown()
        screen.press(*self.keys(shown))
        return shown


class FaceScreen:
    """The face of a sitting drawn in a size."""

    def __init__(self, sitting: Sitting, size: tuple[int, int], language: str) -> None:
        self.face = Face(SharedKeyboard(sitting, language), language)
        self.size = size

    def shown(self) -> str:
        width, height = self.size
        rows = self.face.draw(width, height)
        assert len(rows) == height
        assert {width_of(row) for row in rows} == {width}
        return plain_text(rows)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.face.press(key)
            self.shown()


# ---- the program in a terminal

PATIENCE = 60.0  # seconds until something is drawn after the start
REACTION = 1.0  # after a key; one that changes nothing draws nothing
QUIET = 0.03  # between two writes of one screen there is less
SENT = {
    "up": "\x1b[A", "down": "\x1b[B", "home": "\x1b[H", "end": "\x1b[F",
    "enter": "\r", "escape": "\x1b", "pagedown": "\x1b[6~", "pageup": "\x1b[5~",
}  # fmt: skip


class Terminal:
    """The command in a terminal of a size, with what it shows."""

    def __init__(self, arguments: list[str], size: tuple[int, int]) -> None:
        self.screen = pyte.Screen(*size)
        self.stream = pyte.ByteStream(self.screen)
        self.patience = PATIENCE
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "PYTHONWARNINGS": "ignore"})
            command = [sys.executable, "-m", "houserule", "play", *arguments]
            os.execv(sys.executable, command)
        self.resize(*size)

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        size = struct.pack("HHHH", height, width, 0, 0)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, size)

    def shown(self) -> str:
        """Return the screen when it has come to rest, or the program has ended."""
        wait = self.patience
        while select.select([self.end], [], [], wait)[0]:
            try:
                self.stream.feed(os.read(self.end, 65536))
            except OSError:  # it has ended
                break
            if any(map(str.strip, self.screen.display)):
                wait, self.patience = QUIET, REACTION
        return self.text()

    def text(self) -> str:
        """Return what was drawn until now."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, *keys: str) -> None:
        os.write(self.end, "".join(SENT.get(key, key) for key in keys).encode())

    def place(self, text: str) -> tuple[int, int]:
        """Return the column and row where a text stands first, counted from 1."""
        rows = self.text().split("\n")
        row = next(at for at, line in enumerate(rows) if text in line)
        return rows[row].index(text) + 1, row + 1

    def click(self, column: int, row: int) -> None:
        self.press(f"\x1b[<0;{column};{row}M", f"\x1b[<0;{column};{row}m")

    def wheel(self, column: int, row: int, *, down: bool) -> None:
        self.press(f"\x1b[<{65 if down else 64};{column};{row}M")

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)

    def leave(self) -> int:
        """Leave the game; return the exit code."""
        self.press("q")
        return self.ended()

    def ended(self) -> int:
        """Wait until the program has ended; return its exit code."""
        self.shown()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)
