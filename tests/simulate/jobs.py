"""Jobs for the small games of the tests, and what comes of them in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from tests.support.small_games import prepared

from houserule.compiler.prepare import TableChoice
from houserule.study.simulate.schedule.batch import (
    Ended,
    Job,
    Limits,
    Played,
    Workers,
    play_through,
)
from houserule.study.simulate.schedule.workers import ThisThread
from houserule.study.simulate.statistics.measures import Counted


def job(
    name: str,
    games: int,
    *,
    seed: int = 3,
    tables: int = 1,
    bots: tuple[str, ...] = ("random",),
) -> Job:
    """Return a job of games; a second and third table set the option `goal`."""
    choices = [TableChoice(), *(TableChoice(settings={"goal": n}) for n in (6, 18))]
    programs = tuple(prepared(name, choice)[1] for choice in choices[:tables])
    return Job(programs, seed, games, bots)


def play_all(
    wanted: Job,
    workers: Workers,
    limits: Limits | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> tuple[Played, Ended]:
    """Play a job and keep all games; `tick` is told how many came."""
    pieces: list[Played] = []

    def take(piece: Played) -> None:
        pieces.append(piece)
        tick(piece.games)

    ended = play_through(wanted, workers, take, limits)
    tables = range(len(wanted.programs))
    rows = tuple([row for piece in pieces for row in piece.rows[at]] for at in tables)
    ran = tuple(
        sum((piece.ran[at] for piece in pieces), Counter[str]()) for at in tables
    )
    return Played(rows, ran), ended


def counted(
    wanted: Job,
    played: Played,
    pairs: Mapping[int, tuple[int, int]] | None = None,
) -> Counted:
    """Return games as they are counted; `pairs` are tables with two changes."""
    found = Counted(wanted, pairs or {})
    found.add(played)
    return found


def play_here(wanted: Job) -> Played:
    """Play a job, one game after the other."""
    return play_all(wanted, ThisThread(wanted))[0]


def rotated(wanted: Job) -> Job:
    """Return a job whose bots move on after each game."""
    return replace(wanted, rotate=True)
