"""Output: results to standard output, all else to standard error; words in columns."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Protocol

import click

from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.diagnostics.render import (
    Renderer,
    ansi,
    one_line,
    plain,
)

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.source import Source


class Ticker(Protocol):
    """Counts the pieces of long work that are done."""

    def __call__(self, done: int = 1) -> None:
        """Note that so many more pieces are done."""


def say(text: str = "") -> None:
    """Write a line of the result."""
    click.echo(text)


def tell(text: str = "") -> None:
    """Write a line beside the result: to standard error."""
    click.echo(text, err=True)


def say_json(value: object) -> None:
    """Write one JSON object as the result."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def coloured(error: bool = True) -> bool:
    """Say whether colour may be used: on a terminal, unless `NO_COLOR` is set."""
    stream = sys.stderr if error else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR")


SEAT_COLOURS = (31, 34, 32, 33, 35, 36)


def paint_of_seats() -> Callable[[str, int], str]:
    """Return how to print what belongs to a seat: in its colour, where there is one."""
    if not coloured(error=False):
        return lambda text, _seat: text
    return _in_colour


def _in_colour(text: str, seat: int) -> str:
    return f"\x1b[{SEAT_COLOURS[seat % len(SEAT_COLOURS)]};1m{text}\x1b[0m"


def show(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    *,
    short: bool = False,
) -> None:
    """Write diagnostics to standard error, in reading order."""
    ordered = in_reading_order(diagnostics)
    if short:
        for each in ordered:
            tell(one_line(each))
    elif ordered:
        paint = ansi if coloured() else plain
        tell(Renderer(sources, paint).all(ordered) + "\n")


def columns() -> int:
    """Return how wide the result may be: as its terminal, else `COLUMNS` or 80."""
    if sys.stdout.isatty():
        return get_terminal_size().columns
    said = os.environ.get("COLUMNS", "")
    return int(said) if said.isdecimal() and int(said) > 0 else 80


@contextmanager
def progress(what: str, total: int) -> Iterator[Ticker]:
    """Show a bar for long work, on a terminal only; elsewhere show nothing."""
    if not sys.stderr.isatty():
        yield lambda done=1: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done=1: bar.advance(task, done)


def write_file(path: Path, text: str) -> None:
    """Write a file that was asked for.

    Raises:
        click.BadParameter: it cannot be written; nothing else was changed.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"`{path}` cannot be written: {error.strerror or error}"
        raise click.BadParameter(message) from None


# ---- words in columns

GAP = "  "


def aligned(
    rows: Sequence[Sequence[str]], left: Collection[int] = (0,), indent: str = ""
) -> list[str]:
    """Return a line for each row, with its cells in columns.

    Columns whose numbers are `left` begin together, the others end together. A row may
    be shorter than others.
    """
    columns = zip_longest(*rows, fillvalue="")
    widths = [max(map(len, column)) for column in columns]

    def line(row: Sequence[str]) -> str:
        cells = (
            cell.ljust(widths[at]) if at in left else cell.rjust(widths[at])
            for at, cell in enumerate(row)
        )
        return (indent + GAP.join(cells)).rstrip()

    return [line(row) for row in rows]
