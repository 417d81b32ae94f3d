"""Source texts and spans; every node, row and message refers to them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

RULE_OFF = re.compile(r"^---[ \t]*$", re.MULTILINE)
# Invisible characters that affect a terminal or the order of text: control characters
# except line ends and tabs, direction overrides, other line separators, characters
# without width, lone surrogates.
UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
LINE_ENDS = frozenset("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")  # for other programs
APPENDIX_WORDS = ("rulings", "texts", "components", "table", "luck", "scenarios")
UNRULED = re.compile(  # the beginning of an appendix without its line
    rf"^(?:[-=_~]{{2,}}[ \t]*(?:#.*)?\n)?(?:{'|'.join(APPENDIX_WORDS)}):.*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Source:
    """One text: a rules file, a table of components, a scenario file.

    `name` is printed in messages: the path relative to the working folder. `text` is
    the whole text, with newlines as its only line ends.
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
    """A range of one text: lines and columns from 1, `end_column` exclusive."""

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
        """Return whether another span lies within this one."""
        return (
            inner.file == self.file
            and (self.line, self.column) <= (inner.line, inner.column)
            and (inner.end_line, inner.end_column) <= (self.end_line, self.end_column)
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0, 0)


def visible(text: str) -> str:
    r"""Return a text with invisible characters written out, as in `\x1b`."""
    return UNSEEN.sub(lambda found: written_out(found[0]), text)


def written_out(text: str) -> str:
    r"""Return each character as its escape: `\x1b`, `\u202e`, `\U000e0041`."""
    return "".join(
        f"\\x{code:02x}"
        if code < 0x100
        else (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
        for code in map(ord, text)
    )


def parts_of(source: Source) -> tuple[Source, Source | None]:
    """Return the rules of a rules file, and its appendix if any.

    The appendix is the YAML below the first line `---`. Both keep the name of the file
    and its line numbers.
    """
    line = RULE_OFF.search(source.text)
    if line is None:
        return source, None
    rules, appendix = source.text[: line.start()], source.text[line.end() :]
    above = "\n" * rules.count("\n")
    return Source(source.name, rules), Source(source.name, above + appendix)


def real(path: Path) -> Path:
    """Return a path with its links resolved as far as possible."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):  # the latter: not a valid file name
        return path.absolute()


def name_of(path: Path) -> str:
    """Return the name of a file in messages: relative to the working folder."""
    try:
        # A link is called by its own name, not by its target's.
        return (real(path.parent) / path.name).relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def normalised(raw: str) -> str:
    """Return a text without byte order mark, with newlines as line ends."""
    return raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
