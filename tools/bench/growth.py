"""Curves of growth: what more variants, seats, places and cards cost.

Usage: `python -m tools.bench.growth [CURVE …] [--seconds S] [--json] [--write PAGE]`,
from the root of the checkout; all curves take some minutes.

Variants: a check of Pig with many variants, in CPU seconds of the process: cold, then
after one of them was edited. Others: the time to emit and compile a table, the size of
its machine code, the choices a second of random games, and how long a choice takes.

The last column is the exponent of the last measure between the first size and this
one: 1 is linear, 2 quadratic, and 0 is constant.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.bench.compare import number_words
from tools.bench.contestants import SEED
from tools.bench.pages import aligned, markdown, rewrite

# Inside: each step between rules and games is timed alone.
from houserule import Table, load
from houserule.authoring.check.check import check_game
from houserule.base.resources import shipped_rulesets
from houserule.engine.compiled.available import module_of
from houserule.engine.compiled.machine import CompiledMachine, code_of

AT_ONCE = 20  # games of a call
VARIANTS = (5, 20, 50, 100, 200)
VARIANT = """\
variant more_{n} for pig "More {n}"
option least_{n} "At least {n}": 2..20 normally 10
needs hold.more_{n} "Enough for {n}": pot at least least_{n} or score(me) at least 9
"""
PACKS = (1, 2, 4, 7, 10)
ONE_PACK, TEN_PACKS = "1..2 normally 1", "1..10 normally 1"


@dataclass(frozen=True, slots=True)
class Row:
    """What a size costs.

    Attributes:
        measures: by name; the last one grows with the exponent.
    """

    curve: str
    size: int
    measures: Mapping[str, float]
    exponent: float | None


def variants(seconds: float) -> Iterator[tuple[int, dict[str, float]]]:
    """Check Pig with more and more variants."""
    for many in VARIANTS:
        with TemporaryDirectory() as home:
            yield many, checked_with(many, Path(home))


def checked_with(many: int, home: Path) -> dict[str, float]:
    """Return the times of checks of Pig with a number of variants."""
    folder = copied("pig", home)
    path = folder / "variants" / "more.rules"
    for number in range(many - 1):  # Pig has one
        path = folder / "variants" / f"more_{number}.rules"
        path.write_text(VARIANT.format(n=number))
    os.environ["HOUSERULE_CACHE"] = str(home / "cache")
    first = spent(lambda: check_game(folder))
    again = spent(lambda: check_game(folder))
    path.write_text(path.read_text().replace("2..20", "3..20"))
    edited = spent(lambda: check_game(folder))
    return {"cold s": first, "again s": again, "after an edit s": edited}


def seats(seconds: float) -> Iterator[tuple[int, dict[str, float]]]:
    """Play Liar's Dice with more and more players."""
    table = load("liars_dice")
    for many in range(2, 7):
        yield many, costs(table.table(players=many), seconds)


def hex_cells(seconds: float) -> Iterator[tuple[int, dict[str, float]]]:
    """Play Hex on larger and larger boards."""
    for side in (5, 7, 9, 11, 15, 19):
        yield side**2, costs(load("hex_board").table(settings={"side": side}), seconds)


def go_points(seconds: float) -> Iterator[tuple[int, dict[str, float]]]:
    """Play Go on larger and larger boards."""
    for side in (5, 9, 13, 19):
        yield side**2, costs(load("go").table(settings={"side": side}), seconds)


def cards(seconds: float) -> Iterator[tuple[int, dict[str, float]]]:
    """Play Mau-Mau with more and more packs of cards."""
    with TemporaryDirectory() as home:
        folder = copied("mau_mau", Path(home))
        path = folder / "game.rules"
        text = path.read_text().replace(ONE_PACK, TEN_PACKS)
        path.write_text(text.replace("pack: 1..2", "pack: 1..10"))
        for many in PACKS:
            settings = {"packs": many, "small_pack": False}
            yield 52 * many, costs(load(str(folder)).table(settings=settings), seconds)


CURVES: Mapping[str, Callable[[float], Iterator[tuple[int, dict[str, float]]]]] = {
    "variants of Pig": variants,
    "seats of Liar's Dice": seats,
    "cells of Hex": hex_cells,
    "points of Go": go_points,
    "cards of Mau-Mau": cards,
}


def copied(game: str, home: Path) -> Path:
    """Return a copy of a ruleset without its examples."""
    to = home / game
    beside = shutil.ignore_patterns("scenarios", "playthroughs", "positions")
    shutil.copytree(shipped_rulesets()[game], to, ignore=beside)
    return to


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work, in this process and those it starts."""
    begun = sum(os.times()[:4])
    work()
    return sum(os.times()[:4]) - begun


def costs(table: Table, seconds: float) -> dict[str, float]:
    """Return the time to compile a table, the size of its code, and its speed."""
    with TemporaryDirectory() as home:
        os.environ["HOUSERULE_CACHE"] = home
        program = table.program
        compiling = spent(lambda: module_of(program))
    module = module_of(program)
    machine = CompiledMachine(module)
    made, games, begun = 0, 0, time.process_time()
    while (took := time.process_time() - begun) < seconds:
        made += sum(row.decisions for row in machine.batch(SEED, games, AT_ONCE))
        games += AT_ONCE
    return {
        "compile s": compiling,
        "code kB": len(code_of(module).serialize()) / 1000,
        "choices a second": made / took,
        "us a choice": 1e6 * took / made,
    }


def measure(curve: str, seconds: float) -> list[Row]:
    """Return the rows of a curve."""
    rows: list[Row] = []
    for size, found in CURVES[curve](seconds):
        exponent = None
        if rows:
            *_, (name, value) = found.items()
            more = value / rows[0].measures[name]
            exponent = math.log(more) / math.log(size / rows[0].size)
        rows.append(Row(curve, size, found, exponent))
    return rows


def table_of_rows(rows: list[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the table of one curve."""
    head = [rows[0].curve, *rows[0].measures, "exponent"]
    return head, [
        [
            str(row.size),
            *map(number_words, row.measures.values()),
            "" if row.exponent is None else f"{row.exponent:.2f}",
        ]
        for row in rows
    ]


def main(words: list[str]) -> None:
    """Measure, and print tables or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curves", nargs="*", metavar="CURVE", help=", ".join(CURVES))
    parser.add_argument("--seconds", type=float, default=1.0, help="of games of a size")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its tables")
    chosen = parser.parse_args(words)
    unknown = [each for each in chosen.curves if each not in CURVES]
    if unknown:
        parser.error(f"there is no curve `{unknown[0]}`: {', '.join(CURVES)}")
    found = [measure(each, chosen.seconds) for each in chosen.curves or CURVES]
    if chosen.write:
        tables = (markdown(*table_of_rows(rows)) for rows in found)
        rewrite(chosen.write, "growth", "\n\n".join(tables))
    if chosen.json:
        print(json.dumps([asdict(row) for rows in found for row in rows], indent=1))
    else:
        print("\n\n".join(aligned(*table_of_rows(rows)) for rows in found))


if __name__ == "__main__":
    main(sys.argv[1:])
