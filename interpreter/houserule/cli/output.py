"""What goes to whom: results to standard output, all else to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.diagnostics.render import Renderer, ansi, one_line, plain

if TYPE_CHECKING:
    from houserule.source import Source


class Ticker(Protocol):
    """Something that is told each time a piece of long work is done."""

    def __call__(self, done: int = 1) -> None:
        """Note that so many more pieces are done."""


def say(text: str = "") -> None:
    """Write a line of the result."""
    click.echo(text)


def tell(text: str = "") -> None:
    """Write a line beside the result: to standard error."""
    click.echo(text, err=True)


def counted(number: int, word: str) -> str:
    """Return a number with its word: "1 file", "2 files"."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def say_json(value: object) -> None:
    """Write one JSON object as the result."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def coloured(error: bool = True) -> bool:
    """Say whether colour may be used: on a terminal, unless `NO_COLOR` is set."""
    stream = sys.stderr if error else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR")


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
