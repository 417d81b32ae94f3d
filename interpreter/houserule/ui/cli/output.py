r"""Output: results to standard output, the rest to standard error; columns.

All output goes through here, so that text from files cannot control a terminal:
invisible characters are escaped, as `\x1b`, and only Houserule's own colours pass.
Characters that a stream cannot encode get ASCII replacements. Content that goes into
files (JSON, rules) is UTF-8 or ASCII, whatever the stream's encoding.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from pathlib import Path
from shutil import get_terminal_size
from typing import Protocol, TextIO

import click

from houserule.base.diagnostics.diagnostic import Diagnostic, foremost, in_reading_order
from houserule.base.diagnostics.render import (
    COLOURS,
    Renderer,
    and_more,
    ansi,
    one_line,
    plain,
)
from houserule.base.files import write_whole
from houserule.base.source import UNSEEN, Source, visible, written_out


class Ticker(Protocol):
    """Counts finished units of a long task."""

    def __call__(self, done: int = 1) -> None:
        """Count `done` more finished units."""


class OutputLost(Exception):
    """The result cannot be written, for example on a full disk."""


def say(text: str = "", end: str = "\n") -> None:
    """Write a line of the result.

    Raises:
        OutputLost: it cannot be written.
        BrokenPipeError: the reader is gone.
    """
    with _as_lost():
        shown = _shown(text, coloured(error=False)) + end
        click.echo(shown, sys.stdout, nl=False)


def tell(text: str = "") -> None:
    """Write a line to standard error, or nowhere if it is full.

    Raises:
        BrokenPipeError: the reader is gone.
    """
    try:
        click.echo(_shown(text, coloured()), sys.stderr)
    except BrokenPipeError:
        raise
    except OSError:
        silence(sys.stderr)


def say_content(text: str) -> None:
    """Write content for a file as the result: unchanged, in UTF-8.

    Raises:
        OutputLost: it cannot be written.
        BrokenPipeError: the reader is gone.
    """
    with _as_utf8(sys.stdout):
        say(text, end="")


def say_json(value: object) -> None:
    """Write one JSON object as the result: in UTF-8, or ASCII if necessary."""
    text = UNSEEN.sub(_in_json, json.dumps(value, indent=2, ensure_ascii=False))
    say(text if _is_utf8(sys.stdout) else NOT_ASCII.sub(_in_json, text))


def say_page(page: str) -> None:
    """Print a documentation page on a terminal."""
    from rich.console import Console
    from rich.markdown import Markdown

    with _as_lost():
        Console().print(Markdown(page))


def coloured(error: bool = True) -> bool:
    """Return whether colour may be used: on a terminal, unless `NO_COLOR` is set."""
    stream = sys.stderr if error else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR")


def clear_screen() -> None:
    """Clear the terminal and its scrollback."""
    if not sys.stdout.isatty():
        say()
        return
    say("\n" * 100)
    if os.environ.get("TERM", "dumb") != "dumb":
        click.echo("\x1b[2J\x1b[3J\x1b[H", sys.stdout)


# ---- streams

STAND_INS = "houserule.stand_ins"
NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("─━┄┈", "-"),
        **dict.fromkeys("│┃┆┊▏", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("\u2018’\u201a\u2039\u203a", "'"),
        **dict.fromkeys("\u2010\u2011\u2012–—\u2212", "-"),
        **dict.fromkeys("•●▲■◆✚★⬟⬢", "*"),
        **dict.fromkeys("→▸▶", ">"),
        **{"○": "o", "◉": "@"},
        **{"←": "<", "↑": "^", "↓": "v", "×": "x", "✗": "x", "…": "...", "ß": "ss"},
        **{"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O"},
        **dict.fromkeys("\u00a0\u202f\u2009", " "),
    }
)


def open_streams() -> None:
    """Prepare the standard streams for any text.

    Output to a closed stream is discarded. Characters that a stream cannot encode are
    replaced.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nowhere)
        elif isinstance(stream, io.TextIOWrapper):
            errors = STAND_INS if mode == "w" else "surrogateescape"
            own = stream is getattr(sys, f"__{name}__")  # others have other owners
            if own and isinstance(stream.buffer, io.RawIOBase):
                # With `PYTHONUNBUFFERED`, Python drops the rest of a short write.
                whole, encoding = io.BufferedWriter(stream.buffer), stream.encoding
                stream = io.TextIOWrapper(whole, encoding, write_through=True)
                setattr(sys, name, stream)
            stream.reconfigure(errors=errors)


def silence(stream: TextIO) -> None:
    """Discard pending output, so that no later write fails."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def _as_lost() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(error.strerror or str(error)) from None


def _stand_ins(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII replacements for characters that a stream cannot encode."""
    assert isinstance(error, UnicodeEncodeError), "streams are written with this"
    said = ""
    for letter in error.object[error.start : error.end]:
        shown = letter.translate(_PLAIN)
        if not shown.isascii():
            parts = unicodedata.normalize("NFKD", shown)
            shown = "".join(each for each in parts if not unicodedata.combining(each))
        said += shown if shown.isascii() and shown else written_out(letter)
    return said, error.end


codecs.register_error(STAND_INS, _stand_ins)


@contextmanager
def _as_utf8(stream: TextIO) -> Iterator[None]:
    if _is_utf8(stream) or not isinstance(stream, io.TextIOWrapper):
        yield
        return
    before = stream.encoding
    stream.reconfigure(encoding="utf-8", errors=STAND_INS)
    try:
        yield
    finally:
        stream.reconfigure(encoding=before, errors=STAND_INS)


def _is_utf8(stream: TextIO) -> bool:
    return codecs.lookup(stream.encoding or "utf-8").name == "utf-8"


def _in_json(found: re.Match[str]) -> str:
    """Escape a character for JSON; write a lone surrogate out as text."""
    if "\ud800" <= found[0] <= "\udfff":
        return "\\" + written_out(found[0])
    return json.dumps(found[0]).strip('"')


def _shown(text: str, colours: bool) -> str:
    """Escape a text's invisible characters, except Houserule's own colours."""
    if not colours:
        return visible(text)
    parts = OWN_COLOURS.split(text)
    return "".join(
        part if number % 2 else visible(part) for number, part in enumerate(parts)
    )


# ---- colours


SEAT_COLOURS = (31, 34, 32, 33, 35, 36)


def paint_of_seats() -> Callable[[str, int], str]:
    """Return a function that paints text in a seat's colour, if it has one."""
    if not coloured(error=False):
        return lambda text, _seat: text

    def in_colour(text: str, seat: int) -> str:
        colour = SEAT_COLOURS[seat % len(SEAT_COLOURS)]
        return f"\x1b[{colour};1m{visible(text)}\x1b[0m"

    return in_colour


_numbers = "|".join(("0", *COLOURS.values(), *(f"{each};1" for each in SEAT_COLOURS)))
OWN_COLOURS = re.compile(rf"(\x1b\[(?:{_numbers})m)")


def show(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    *,
    short: bool = False,
) -> None:
    """Write diagnostics to standard error, up to the limit."""
    if short:
        foremost_ones, more = foremost(diagnostics)
        for each in foremost_ones:
            tell(one_line(each))
        if more:
            tell(and_more(more))
    elif ordered := in_reading_order(diagnostics):
        paint = ansi if coloured() else plain
        tell(Renderer(sources, paint).all(ordered) + "\n")


def columns() -> int:
    """Return the width for results: the terminal's, else `COLUMNS` or 80."""
    if sys.stdout.isatty():
        return get_terminal_size().columns
    said = os.environ.get("COLUMNS", "")
    sensible = said.isascii() and said.isdecimal() and len(said) < 5 and int(said) > 0
    return int(said) if sensible else 80


@contextmanager
def progress(what: str, total: int) -> Iterator[Ticker]:
    """Show a progress bar for a long task, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda done=1: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=total)
        yield lambda done=1: bar.advance(task, done)


class EndingPath(click.Path):
    """The path of a file to write; its ending determines the format.

    Args:
        endings: the allowed ones, such as ".svg".
    """

    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self._endings = endings

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; a wrong ending or a missing folder is a usage error."""
        path = Path(str(value))
        if path.suffix not in self._endings:
            endings = ", ".join(self._endings)
            self.fail(f"`{path}` does not end with one of {endings}.", param, ctx)
        if path.is_dir():
            self.fail(f"`{path}` is a folder.", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"There is no folder `{path.parent}`.", param, ctx)
        return path


def write_file(path: Path, content: str | bytes) -> None:
    """Write a requested file atomically.

    Raises:
        UnreadableError: a link leads out of the ruleset's folder.
        UnusableFile: it cannot be written; its content is unchanged.
    """
    with writable(path):
        write_whole(path, content)


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """End the verb if a file cannot be written.

    Raises:
        UnusableFile: the message names the file and the reason.
    """
    try:
        yield
    except OSError as error:
        message = f"`{path}` cannot be written: {error.strerror or error}"
        raise UnusableFile(message) from None


class UnusableFile(click.ClickException):
    """A file cannot be used, for example because the disk is full."""

    exit_code = 2


# ---- columns

GAP = "  "


def aligned(
    rows: Sequence[Sequence[str]], left: Collection[int] = (0,), indent: str = ""
) -> list[str]:
    """Return a line for each row, with its cells in columns.

    Columns whose numbers are in `left` are left-aligned, others right-aligned. A row
    may be shorter than others.
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
