"""Texts and places in them: every node, row and message points back here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """One text: a rules file, a table of components, a scenario file.

    `name` is how people know the file (relative to where they stand); it is what
    messages print. `text` is the whole text, its lines ended by newlines only.
    """

    name: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text, without their line ends."""
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """Return line `number` (from 1), or an empty string past the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one text: lines and columns from 1, `end_column` exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def at(cls, file: str, line: int = 1, column: int = 1, length: int = 1) -> Span:
        """Return a span of `length` columns on one line."""
        return cls(file, line, column, line, column + length)

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def __contains__(self, inner: Span) -> bool:
        """Say whether another span lies within this one."""
        return (
            inner.file == self.file
            and (self.line, self.column) <= (inner.line, inner.column)
            and (inner.end_line, inner.end_column) <= (self.end_line, self.end_column)
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0, 0)


def read_source(path: Path, name: str | None = None) -> Source:
    """Read a UTF-8 text; a byte that is no UTF-8 becomes U+FFFD, never an error.

    Raises:
        OSError: the file cannot be read.
    """
    raw = path.read_bytes().decode("utf-8", errors="replace")
    text = raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return Source(name or str(path), text)
