"""Diagnostics as text for people, and the errors that carry them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    Severity,
    foremost,
    in_reading_order,
    way_beyond,
)
from houserule.base.frozen import frozen
from houserule.base.source import Source, Span, visible

WIDTH = 79
WIDEST = 240  # printed characters of an author's line
PLACES = 20  # printed places of a message
Paint = Callable[[str, str], str]

COLOURS = {"error": "31;1", "warning": "33;1", "note": "36;1", "place": "2"}


def plain(text: str, style: str) -> str:
    """Return the text without colours."""
    return text


def ansi(text: str, style: str) -> str:
    """Return the text in the colour of "error", "warning", "note" or "place"."""
    return f"\x1b[{COLOURS[style]}m{text}\x1b[0m"


@frozen
class Renderer:
    """Draws diagnostics, with invisible characters written out.

    Attributes:
        sources: the source texts by name, for the author's lines.
        paint: `ansi` for a terminal, else `plain`.
    """

    sources: Mapping[str, Source]
    paint: Paint = plain

    def full(self, diagnostic: Diagnostic) -> str:
        """Return the whole message with its banner, without a line end."""
        code, labels, fixes = diagnostic.code, diagnostic.labels, diagnostic.fixes
        line = f"-- {diagnostic.title.upper()} ".ljust(WIDTH - len(code) - 1, "-")
        style = Severity.ERROR if code[0] == "F" else diagnostic.severity
        banner = self.paint(f"{line} {code}", style.value)
        parts = [banner, wrapped(visible(diagnostic.message))]
        if labels:
            shown = [self._place(each) for each in labels[:PLACES]]
            if len(labels) > PLACES:
                shown.append(f"  and {len(labels) - PLACES:,} places more")
            parts.append("\n".join(shown))
        parts += [wrapped(visible(each)) for each in diagnostic.details]
        if fixes:
            said, head = textwrap.indent(fixes[0], "  "), "One way out"
            if len(fixes) > 1:
                head = "Ways out"
                ways = (each.replace("\n", "\n     ") for each in fixes)
                said = "\n".join(f"  {n}. {way}" for n, way in enumerate(ways, 1))
            details = diagnostic.details
            asked = details and details[-1].rstrip().endswith((":", "?"))
            parts.append(visible(said if asked else f"{head}:\n\n{said}"))
        return "\n\n".join(parts)

    def all(self, diagnostics: Iterable[Diagnostic]) -> str:
        """Return the messages in reading order, separated by empty lines.

        Messages beyond the limit `messages` are only counted.
        """
        found, more = foremost(diagnostics)
        parts = [self.full(each) for each in found]
        if more:
            parts.append(wrapped(f"{and_more(more)} {way_beyond('messages')}"))
        return "\n\n".join(parts)

    def _place(self, label: Label) -> str:
        """Return a place, and the line there if it is known."""
        lead = visible(f"{label.lead} ") if label.lead else ""
        span = label.span
        where = f"  {lead}{self.paint(place(span), 'place')}"
        source = self.sources.get(span.file)
        line = source.line(span.line) if source else ""
        if not line.strip():
            return f"{where}   {visible(label.text)}".rstrip()
        number = f"    {span.line} | "
        if len(line) > WIDEST:  # show the part around the span
            first = max(0, min(span.column - 1, len(line)) - WIDEST // 4)
            begins, ends = "…" * (first > 0), "…" * (first + WIDEST < len(line))
            by = len(begins) - first
            column, end = span.column + by, min(span.end_column + by, WIDEST + 2)
            line = f"{begins}{line[first : first + WIDEST]}{ends}"
            span = replace(span, column=max(1, column), end_column=end)
        shown = f"{number}{visible(line).replace(chr(9), ' ')}".rstrip()
        under = " " * len(number) + underline(span, line)
        return f"{where}\n{shown}\n{under} {visible(label.text)}".rstrip()


def place(span: Span) -> str:
    """Return `file:line`, or `file` alone for an error of a whole file."""
    file = on_one_line(span.file)
    return f"{file}:{span.line}" if span.line else file


def on_one_line(text: str) -> str:
    r"""Return a text with line ends and invisible characters written out.

    A file name of several lines must not look like two files.
    """
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def underline(span: Span, line: str) -> str:
    """Return the carets beneath a line, for the part of the span on it.

    The line is shown with invisible characters written out.
    """
    end = span.end_column if span.end_line == span.line else len(line.rstrip()) + 1
    start = max(span.column, 1)
    before, under = visible(line[: start - 1]), visible(line[start - 1 : end - 1])
    missing = max(0, start - 1 - len(line))  # a position past the end of the line
    return " " * (len(before) + missing) + "^" * max(
        1, len(under) + end - start - len(line[start - 1 : end - 1])
    )


def wrapped(text: str) -> str:
    """Wrap running text; lines that begin with a space stay as they are."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(" ") or len(line) <= WIDTH:
            lines.append(line)
        else:
            lines += textwrap.wrap(
                line, WIDTH, break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(lines)


def one_line(diagnostic: Diagnostic) -> str:
    """Return `file:line:column: error E201: message`, a format editors parse."""
    where = on_one_line(f"{diagnostic.span}: ") if diagnostic.span else ""
    message = visible(" ".join(diagnostic.message.split()))
    return f"{where}{diagnostic.severity.value} {diagnostic.code}: {message}"


def and_more(number: int) -> str:
    """Return the line that counts omitted messages."""
    return f"… and {number:,} more."


def tally(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a count in words: "2 errors, 1 warning", or "nothing to report"."""
    counts = dict.fromkeys(("fault", *Severity), 0)
    for each in diagnostics:
        counts["fault" if each.code[0] == "F" else each.severity] += 1
    said = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in counts.items() if n]
    return ", ".join(said) or "nothing to report"


# ---- errors that carry diagnostics


class DiagnosticsError(ValueError):
    """Errors in a text or in the choice of a table.

    The exception's text is all messages as the command prints them, without colour.

    Attributes:
        diagnostics: the errors, in reading order; empty if a thing was not found.
        sources: the source texts of the diagnostics, by name.

    Example:
        >>> try:
        ...     houserule.load("pig").table(players=9)
        ... except houserule.DiagnosticsError as error:
        ...     [each.code for each in error.diagnostics]
        ['E308']
    """

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        sources: Mapping[str, Source] | None = None,
        message: str = "",
    ) -> None:
        self.diagnostics = tuple(in_reading_order(diagnostics))
        self.sources = dict(sources or {})
        super().__init__(message or Renderer(self.sources).all(self.diagnostics))

    def __reduce__(self) -> tuple[object, ...]:
        # By default, unpickling calls an exception with its text only.
        return type(self), (self.diagnostics, self.sources, str(self))


class RulesetError(DiagnosticsError):
    r"""A ruleset or rules file is unreadable, or the ruleset does not exist.

    Example:
        >>> try:
        ...     houserule.format_rules("game pig\nplayers many")
        ... except houserule.RulesetError as error:
        ...     error.diagnostics[0].span.line
        2
    """


class TableError(DiagnosticsError):
    """A table is not playable: its variants, options or seats do not fit.

    Example:
        >>> try:
        ...     houserule.load("pig").table(with_="fast")
        ... except houserule.TableError as error:
        ...     error.diagnostics[0].message
        'There is no variant called fast. There are: no_early_hold.'
    """


class RecordError(DiagnosticsError):
    """A record or its table is unreadable.

    Example:
        >>> import pathlib
        >>> written = pathlib.Path("note.txt").write_text("milk, eggs")
        >>> try:
        ...     houserule.read_record("note.txt")
        ... except houserule.RecordError as error:
        ...     error.diagnostics[0].code
        'E080'
    """
