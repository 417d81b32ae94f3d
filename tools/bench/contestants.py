"""The contestants: the engines, and handwritten programs for two games.

To add an engine, add a line to `ENGINES`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from tools.bench.yardsticks import pachisi, x_pasch
from tools.bench.yardsticks.c_program import CProgram, compiler
from tools.bench.yardsticks.result import Result

from houserule import Finished, Table

SEED = 1
PLAIN_PYTHON = "plain Python"
PLAIN_C = "C"
COMPILED = "compiled"

PlayMany: TypeAlias = Callable[[Table, int, int, int], Sequence[Finished]]


def reference(table: Table, seed: int, first: int, games: int) -> list[Finished]:
    """Play consecutive random games with the reference engine."""
    return table.games(range(first, first + games), seed=seed)


def compiled(table: Table, seed: int, first: int, games: int) -> list[Finished]:
    """Play consecutive random games with the compiled engine."""
    return table.games(range(first, first + games), seed=seed, engine="compiled")


ENGINES: Mapping[str, PlayMany] = {"reference": reference, COMPILED: compiled}
"""The engines by name: each plays `games` games of a seed, from number `first`."""

YARDSTICKS: Mapping[str, Callable[[int, int, int], Result]] = {
    "pachisi": pachisi.play,
    "x_pasch": x_pasch.play,
}
"""The handwritten programs, by game."""


class Played(Protocol):
    """The result of a game, as every contestant reports it."""

    @property
    def outcome(self) -> str:
        """The outcome in a word."""

    @property
    def decisions(self) -> int:
        """The number of choices."""

    @property
    def rounds(self) -> int:
        """The number of rounds with a choice."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat."""


Summary: TypeAlias = tuple[str, int, int, tuple[int, ...]]


def summary(played: Played) -> Summary:
    """Return everything that must be equal for all contestants."""
    return played.outcome, played.decisions, played.rounds, played.scores


class Contestant(ABC):
    """A contestant plays the games number 0 and on of a seed at one table."""

    name: str

    @abstractmethod
    def results(self, games: int) -> list[Summary]:
        """Play some games, and return the result of each."""

    @abstractmethod
    def seconds(self, games: int, repeats: int) -> float:
        """Return the CPU time of some games, repeated some times."""


@dataclass(frozen=True, slots=True)
class InProcess(Contestant):
    """An engine, or a yardstick in Python."""

    name: str
    play: Callable[[int], Sequence[Played]]

    def results(self, games: int) -> list[Summary]:
        """Play some games, and return the result of each."""
        return [summary(each) for each in self.play(games)]

    def seconds(self, games: int, repeats: int) -> float:
        """Return the CPU time of this process."""
        start = time.process_time()
        for _ in range(repeats):
            self.play(games)
        return time.process_time() - start


@dataclass(frozen=True, slots=True)
class InC(Contestant):
    """A yardstick in C, which measures its own time."""

    name: str
    program: CProgram
    players: int

    def results(self, games: int) -> list[Summary]:
        """Play some games, and return the result of each."""
        played = self.program.play(SEED, 0, games, self.players)
        return [summary(each) for each in played]

    def seconds(self, games: int, repeats: int) -> float:
        """Return the CPU time inside the program, without its start."""
        found = self.program.measure(SEED, 0, games, self.players, repeats)
        return found.seconds


def contestants(game: str, table: Table, folder: Path) -> list[Contestant]:
    """Return the contestants for a table; C programs are compiled into a folder."""
    found: list[Contestant] = [
        InProcess(name, _engine(play, table)) for name, play in ENGINES.items()
    ]
    if game in YARDSTICKS:
        found.append(InProcess(PLAIN_PYTHON, _by_hand(game, table.players)))
        if compiler() is not None:
            by_hand = CProgram.compile(game, folder)
            found.append(InC(PLAIN_C, by_hand, table.players))
    return found


def _engine(play: PlayMany, table: Table) -> Callable[[int], Sequence[Played]]:
    return lambda games: play(table, SEED, 0, games)


def _by_hand(game: str, players: int) -> Callable[[int], Sequence[Played]]:
    play = YARDSTICKS[game]
    return lambda games: [play(SEED, number, players) for number in range(games)]
