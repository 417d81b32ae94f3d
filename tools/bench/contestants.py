"""Who is compared: the engines, and for two games programs written by hand.

A further engine is one more line in `ENGINES`.
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
    """Play random games in a row with the reference engine."""
    return table.games(range(first, first + games), seed=seed)


def compiled(table: Table, seed: int, first: int, games: int) -> list[Finished]:
    """Play random games in a row with the compiled engine."""
    return table.games(range(first, first + games), seed=seed, engine="compiled")


ENGINES: Mapping[str, PlayMany] = {"reference": reference, COMPILED: compiled}
"""The engines by name: each plays `games` games of a seed, from number `first` on."""

YARDSTICKS: Mapping[str, Callable[[int, int, int], Result]] = {
    "pachisi": pachisi.play,
    "x_pasch": x_pasch.play,
}
"""The programs written by hand, by game."""


class Played(Protocol):
    """What everybody tells of a game."""

    @property
    def outcome(self) -> str:
        """How it ended, in a word."""

    @property
    def decisions(self) -> int:
        """How many choices were made."""

    @property
    def rounds(self) -> int:
        """How many rounds had a choice."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat."""


Summary: TypeAlias = tuple[str, int, int, tuple[int, ...]]


def summary(played: Played) -> Summary:
    """Return what must be equal whoever plays the game."""
    return played.outcome, played.decisions, played.rounds, played.scores


class Contestant(ABC):
    """Somebody who plays the games number 0 and on of one seed at one table."""

    name: str

    @abstractmethod
    def results(self, games: int) -> list[Summary]:
        """Play some games, and tell of each."""

    @abstractmethod
    def seconds(self, games: int, repeats: int) -> float:
        """Return the CPU time of some games, played some times over."""


@dataclass(frozen=True, slots=True)
class InProcess(Contestant):
    """An engine, or a yardstick in Python."""

    name: str
    play: Callable[[int], Sequence[Played]]

    def results(self, games: int) -> list[Summary]:
        """Play some games, and tell of each."""
        return [summary(each) for each in self.play(games)]

    def seconds(self, games: int, repeats: int) -> float:
        """Return the CPU time of this process."""
        start = time.process_time()
        for _ in range(repeats):
            self.play(games)
        return time.process_time() - start


@dataclass(frozen=True, slots=True)
class InC(Contestant):
    """A yardstick in C, which takes its own time."""

    name: str
    program: CProgram
    players: int

    def results(self, games: int) -> list[Summary]:
        """Play some games, and tell of each."""
        played = self.program.play(SEED, 0, games, self.players)
        return [summary(each) for each in played]

    def seconds(self, games: int, repeats: int) -> float:
        """Return the CPU time that the program took inside, without its start."""
        found = self.program.measure(SEED, 0, games, self.players, repeats)
        return found.seconds


def contestants(game: str, table: Table, folder: Path) -> list[Contestant]:
    """Return who can play a table here; C programs are compiled into a folder."""
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
