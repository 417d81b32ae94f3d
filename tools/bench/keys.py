"""How long a player waits: from a key to the next screen, and for the first question.

Usage: `python -m tools.bench.keys [GAME …] [--keys N] [--size 80x24]`

People sit in every seat, at the base table and at that of every preset, each with as
many as can play. Keys are pressed as somebody would who picks lines at random; each is
timed with the drawing of the screen that follows, the writing of the file included. The
first question is the processor time of the whole command by lines, up to its end.
"""

# Inside: what is timed is the face itself, which no program draws from outside.

from __future__ import annotations

import argparse
import gc
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import houserule
from houserule.terminal.face import Face
from houserule.terminal.hosting import SittingHost
from houserule.terminal.keyboard import SharedKeyboard, Stage

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")


def tables(game: str) -> Iterator[tuple[str, houserule.Table]]:
    """Yield the base table and each preset's, with as many players as there can be."""
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
    """Return how long each key took up to the next screen, in milliseconds."""
    names = PEOPLE[: len(table.seats)]
    with table.sit(names, file) as sitting:
        gc.freeze()  # as the verb does
        face = Face(SharedKeyboard(SittingHost(sitting, "en")), "en")
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


def first_question(game: str, preset: str, players: int, folder: Path) -> float:
    """Return the processor time of starting a game by lines, in seconds."""
    flags = ["--preset", preset] if preset else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [
            *(sys.executable, "-m", "houserule", "play", game, *flags, "--plain"),
            *("--players", str(players), "--seats", ",".join(PEOPLE[:players])),
        ],
        cwd=folder,
        env=dict(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(arguments: Sequence[str]) -> int:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "games", nargs="*", default=[each.id for each in houserule.shipped()]
    )
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--size", default="80x24")
    chosen = parser.parse_args(arguments)
    width, height = (int(each) for each in chosen.size.split("x"))
    print("| table | seats | median ms | 95 of 100 | longest | first question s |")
    print("|---|---:|---:|---:|---:|---:|")
    with TemporaryDirectory() as folder:
        for game in chosen.games:
            for preset, table in tables(game):
                seats = len(table.seats)
                file = Path(folder) / f"{game}-{preset}.jsonl"
                found = waits(table, file, chosen.keys, (width, height))
                most = quantiles(found, n=20)[-1]
                begun = first_question(game, preset, seats, Path(folder))
                name = f"{game} {preset}".strip()
                print(
                    f"| {name} | {seats} | {median(found):.0f} | {most:.0f} "
                    f"| {max(found):.0f} | {begun:.2f} |",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
