"""Response times in the terminal: from a key to the next screen, and at the start.

Usage: `python -m tools.bench.keys [GAME …] [--keys N] [--size 80x24] [--write PAGE]`

The tables are the base table and that of every preset, each with the most players, all
human. Keys choose lines at random. Each key is timed up to the drawing of the next
screen, including the writing of the file. The time to the first question is the
processor time of the whole command in line mode, for a new table and for one played
before.
"""

# Inside: this times the UI itself, which no program draws from outside.

from __future__ import annotations

import argparse
import gc
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from tools.bench.pages import tell

import houserule
from houserule.ui.terminal.face import Face
from houserule.ui.terminal.keyboard import SharedKeyboard, Stage

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")
HEAD = ("table", "seats", "median ms", "95 of 100", "longest", "first s", "again s")


@dataclass(frozen=True)
class Row:
    """The results at a table: milliseconds to a screen, seconds to a start."""

    table: str
    seats: int
    median: float
    most: float
    longest: float
    first: float
    again: float

    def cells(self) -> list[str]:
        """Return the cells of the row."""
        waits = (self.median, self.most, self.longest)
        starts = (self.first, self.again)
        return [
            self.table,
            str(self.seats),
            *(f"{each:.0f}" for each in waits),
            *(f"{each:.2f}" for each in starts),
        ]


def tables(game: str) -> Iterator[tuple[str, houserule.Table]]:
    """Yield the base table and each preset's, with the most players."""
    ruleset = houserule.load(game)
    for preset in (None, *(each.id for each in ruleset.presets)):
        for players in range(len(PEOPLE), 0, -1):
            try:
                yield preset or "", ruleset.table(preset=preset, players=players)
            except (houserule.RulesetError, houserule.TableError):
                continue
            break


def waits(
    table: houserule.Table, file: Path, keys: int, size: tuple[int, int]
) -> list[float]:
    """Return the times from each key to the next screen, in milliseconds."""
    names = PEOPLE[: len(table.seats)]
    with table.sit(names, file) as sitting:
        gc.freeze()  # as the verb does
        face = Face(SharedKeyboard(sitting, "en"), "en")
        random, found = Random(7), []
        for _ in range(keys):
            keyboard = face.keyboard
            if keyboard.stage is Stage.END:
                break
            step = keyboard.step
            lines = len(step.options) if step and keyboard.stage is Stage.CHOICE else 0
            for _ in range(random.randrange(lines) if lines else 0):
                face.press("down")
            began = perf_counter()
            face.press("enter")
            face.draw(*size)
            found.append(1000 * (perf_counter() - began))
    return found


def first_question(
    game: str, preset: str, players: int, folder: Path, kept: Path
) -> float:
    """Return the processor time to start a game in line mode, in seconds.

    `kept` is the cache folder, shared by several runs.
    """
    flags = ["--preset", preset] if preset else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [
            *(sys.executable, "-m", "houserule", "play", game, *flags, "--plain"),
            *("--players", str(players), "--seats", ",".join(PEOPLE[:players])),
        ],
        cwd=folder,
        env={**os.environ, "HOUSERULE_CACHE": str(kept)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(
    game: str, preset: str, table: houserule.Table, keys: int, size: tuple[int, int]
) -> Row:
    """Measure one table."""
    seats = len(table.seats)
    with TemporaryDirectory() as name:
        folder = Path(name)
        found = waits(table, folder / "keys.jsonl", keys, size)
        starts = [
            first_question(game, preset, seats, folder, folder / "kept")
            for _ in range(4)
        ]
    return Row(
        f"{game} {preset}".strip(),
        seats,
        median(found),
        quantiles(found, n=20)[-1],
        max(found),
        starts[0],
        min(starts[1:]),
    )


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    width, height = (int(each) for each in chosen.size.split("x"))
    rows = [
        measured(game, preset, table, chosen.keys, (width, height))
        for game in chosen.games or [each.id for each in houserule.shipped()]
        for preset, table in tables(game)
    ]
    cells = [row.cells() for row in rows]
    tell("keys", HEAD, cells, [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
