"""Times of commands that people wait for: checks after edits, books, first pages.

Usage: `python -m tools.bench.working CHECKOUT [--game GAME] [--rounds N]
[--variants NAME ...] [--write PAGE]`

CHECKOUT is another checkout of this project to compare with; it needs a `.venv`. Both
run the same commands in turns, each on its own copy of the rules and with its own
cache. The results are the wall-clock time and the processor time of the whole command:
the least of all rounds, since other load can only add to it.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, TypeAlias
from urllib.error import URLError
from urllib.request import urlopen

from tools.bench.growth import VARIANT
from tools.bench.pages import aligned, markdown, rewrite

ROOT = Path(__file__).parents[2]
PORT = 8943
MANY = 200  # variants of a generated game
SMALL = ("pig", "nim", "liars_dice")
# A line of a clause up to its caption, and the caption; its citation follows.
CAPTION = re.compile(
    r'^((?:value|action|state|effect|always|reaction) [^["\n]*")([^"\n]*)"',
    re.MULTILINE,
)


Seconds: TypeAlias = tuple[float, float]
"""Wall-clock time, and time of all processors."""


@dataclass(frozen=True, slots=True)
class Side:
    """One checkout: its command, its copy of the rulesets, its cache."""

    name: str
    command: Path
    rules: Path
    cache: Path

    def seconds(self, *arguments: str) -> Seconds:
        """Return the time of a command.

        Raises:
            SystemExit: the command could not be started, or crashed.
        """

        def run() -> None:
            done = subprocess.run(
                [str(self.command), *arguments], **self._place, check=False
            )
            if done.returncode > 1:
                raise SystemExit(f"{self.name}: {' '.join(arguments)} crashed")

        return _spent(run)

    def first_page(self) -> Seconds:
        """Return the time of a server until its first page is there.

        Raises:
            SystemExit: it crashed.
        """

        def run() -> None:
            command = [str(self.command), "serve", "--port", str(PORT)]
            with subprocess.Popen(command, **self._place) as server:
                while server.poll() is None:
                    try:
                        with urlopen(f"http://127.0.0.1:{PORT}/") as page:
                            page.read()
                        server.kill()
                        return
                    except URLError:
                        sleep(0.02)
            if server.returncode:
                raise SystemExit(f"{self.name}: the server crashed")

        return _spent(run)

    @property
    def _place(self) -> dict[str, Any]:
        environment = {
            **_environment(),
            "HOUSERULE_CACHE": str(self.cache),
            "HOUSERULE_DATA": str(self.cache.with_name("data")),
        }
        nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        return {"env": environment, "cwd": self.rules, **nowhere}


def _spent(run: Callable[[], None]) -> Seconds:
    """Return the time of some work in other processes."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    run()
    clock = perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return clock, spent


def _environment() -> dict[str, str]:
    """Return the environment without variables that prefer another checkout's code."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


def side_of(name: str, checkout: Path, folder: Path) -> Side:
    """Return a checkout with fresh copies of its rulesets, and an empty cache.

    Raises:
        SystemExit: no command is installed there.
    """
    command = checkout / ".venv" / "bin" / "houserule"
    if not command.is_file():
        raise SystemExit(f"{name}: there is no {command}")
    shutil.copytree(checkout / "rulesets", folder / name / "rulesets")
    return Side(name, command, folder / name / "rulesets", folder / name / "cache")


# ---- measurements


def cold(side: Side, game: str, number: int) -> Seconds:
    """Check with an empty cache."""
    shutil.rmtree(side.cache, ignore_errors=True)
    return side.seconds("check", f"./{game}")


def again(side: Side, game: str, number: int) -> Seconds:
    """Repeat a check."""
    return side.seconds("check", f"./{game}")


def after_a_caption(side: Side, game: str, file: str, number: int) -> Seconds:
    """Check after an edit of the first caption in a rules file.

    Raises:
        SystemExit: no clause has a caption.
    """
    path = side.rules / game / file
    said = path.read_text()
    if CAPTION.search(said) is None:
        raise SystemExit(f"{path}: no clause has a caption")
    word = rf'\g<1>round {number}"'
    path.write_text(CAPTION.sub(word, said, count=1))
    return side.seconds("check", f"./{game}")


def after_an_example(side: Side, game: str, number: int) -> Seconds:
    """Check after an edit of the first example's name in a scenario file."""
    files = sorted((side.rules / game / "scenarios").glob("*.yaml"))
    path = files[number % len(files)]
    head, rest = path.read_text().split("- name: ", 1)
    _, rest = rest.split("\n", 1)
    path.write_text(f"{head}- name: example of round {number}\n{rest}")
    return side.seconds("check", f"./{game}")


def as_pdf(side: Side, game: str, number: int) -> Seconds:
    """Set a rulebook."""
    return side.seconds("rulebook", game, "--output", str(side.cache / "book.pdf"))


def after_a_blank_line(side: Side, game: str, number: int) -> Seconds:
    """Check after a line without content was added to the rules."""
    with (side.rules / game / "game.rules").open("a") as file:
        file.write("\n")
    return side.seconds("check", f"./{game}")


def many_variants(side: Side, game: str, number: int) -> Seconds:
    """Check a game with many variants, one of them edited."""
    folder = side.rules / "many" / game
    path = folder / "variants" / "more_0.rules"
    if not folder.is_dir():
        beside = shutil.ignore_patterns("scenarios")
        shutil.copytree(side.rules / game, folder, ignore=beside)
        path.parent.mkdir(exist_ok=True)
        for each in range(MANY):
            new = path.with_stem(f"more_{each}")
            new.write_text(VARIANT.format(n=each))
        side.seconds("check", f"./many/{game}")
    path.write_text(path.read_text().replace(": 2..20", ": 3..20"))
    return side.seconds("check", f"./many/{game}")


def formatted(side: Side, game: str, number: int) -> Seconds:
    """Check the format of one file."""
    return side.seconds("fmt", "--check", f"{game}/game.rules")


Measured = Callable[[Side, str, int], Seconds]


def edited(file: str) -> Measured:
    """Return the measurement of a check after an edit of a rules file."""
    return lambda side, game, number: after_a_caption(side, game, file, number)


def plan(game: str, variants: list[str]) -> Iterator[tuple[str, Measured, str]]:
    """Yield the measurements of each round in order: title, function, game."""
    yield f"check {game}, cold", cold, game
    yield f"check {game}, again", again, game
    for name in variants:
        yield f"check {game}, {name} edited", edited(f"variants/{name}.rules"), game
    yield f"check {game}, one example edited", after_an_example, game
    yield f"check {game}, a blank line added", after_a_blank_line, game
    yield f"check {MANY} variants, one edited", many_variants, "pig"
    yield "run pachisi", lambda side, *_: side.seconds("run", "pachisi"), ""
    yield f"rulebook {game} as PDF", as_pdf, game
    yield "serve, its first page", lambda side, *_: side.first_page(), ""
    for small in SMALL:
        # The first check of this round emptied the cache for all games.
        yield f"check {small}, cold", again, small
        yield f"check {small}, again", again, small
        yield f"check {small}, edited", edited("game.rules"), small
    yield "list", lambda side, _, number: side.seconds("list"), ""
    yield "explain E201", lambda side, _, number: side.seconds("explain", "E201"), ""
    yield f"fmt {game}/game.rules", formatted, game


def measure(
    sides: list[Side], game: str, variants: list[str], rounds: int
) -> dict[str, list[Seconds]]:
    """Return the least times of each command, side by side."""
    found: dict[str, list[list[Seconds]]] = {}
    for number in range(rounds):
        for title, how, of in plan(game, variants):
            times = found.setdefault(title, [[] for _ in sides])
            for place, side in enumerate(sides):
                times[place].append(how(side, of, number))
    return {title: [_least(each) for each in times] for title, times in found.items()}


def _least(times: list[Seconds]) -> Seconds:
    clock, processors = zip(*times, strict=True)
    return min(clock), min(processors)


def main(arguments: list[str]) -> None:
    """Measure, and print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--game", default="x_pasch")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--variants", nargs="*", default=["academy", "fusion", "deluxe"]
    )
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        sides = [
            side_of("before", asked.checkout.resolve(), Path(folder)),
            side_of("after", ROOT, Path(folder)),
        ]
        found = measure(sides, asked.game, asked.variants, asked.rounds)
    head = ("command", "elapsed before", "now", "CPU seconds before", "now")
    cells = [
        [title, *(f"{each:.2f}" for pair in zip(*sides, strict=True) for each in pair)]
        for title, sides in found.items()
    ]
    print(aligned(head, cells))
    if asked.write:
        rewrite(asked.write, "working", markdown(head, cells))


if __name__ == "__main__":
    main(sys.argv[1:])
