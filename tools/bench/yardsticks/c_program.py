"""The yardsticks in C: compiled with gcc, and run."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tools.bench.yardsticks.result import Result

FOLDER = Path(__file__).parent
FLAGS = ("-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", "-Wall", "-Wextra", "-Werror")


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of a program over many games, and its CPU time."""

    games: int
    decisions: int
    rounds: int
    scores: int
    seconds: float


def compiler() -> str | None:
    """Return the path of gcc, or None."""
    return shutil.which("gcc")


@dataclass(frozen=True, slots=True)
class CProgram:
    """A compiled yardstick."""

    path: Path

    @classmethod
    def compile(cls, game: str, folder: Path) -> CProgram:
        """Compile the yardstick of a game into a folder.

        Raises:
            FileNotFoundError: gcc is missing.
            subprocess.CalledProcessError: compilation fails.
        """
        gcc = compiler()
        if gcc is None:
            raise FileNotFoundError("gcc is not on the path")
        path = folder / game
        source = FOLDER / f"{game}.c"
        subprocess.run([gcc, *FLAGS, "-o", str(path), str(source)], check=True)
        return cls(path)

    def play(self, seed: int, first: int, games: int, players: int) -> list[Result]:
        """Play consecutive games, and return the result of each."""
        lines = self._run(seed, first, games, players).splitlines()
        return [_result(line) for line in lines]

    def measure(
        self, seed: int, first: int, games: int, players: int, repeats: int
    ) -> Totals:
        """Play the same games repeatedly; the program measures the time."""
        quiet = ("--quiet", str(repeats))
        words = self._run(seed, first, games, players, *quiet).split()
        played, decisions, rounds, scores = (int(word) for word in words[:4])
        return Totals(played, decisions, rounds, scores, float(words[4]))

    def _run(self, *words: int | str) -> str:
        command = [str(self.path), *(str(word) for word in words)]
        return subprocess.run(
            command, check=True, capture_output=True, text=True
        ).stdout


def _result(line: str) -> Result:
    _, outcome, decisions, rounds, scores, position = line.split(" ")
    winners = outcome.removeprefix("won:") if outcome.startswith("won:") else ""
    return Result(
        outcome,
        _numbers(winners),
        int(decisions),
        int(rounds),
        _numbers(scores),
        _numbers(position),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)
