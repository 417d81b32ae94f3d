"""A text becomes words and lines, before the grammar is asked.

A *line* here is a logical one: line breaks inside brackets do not end it, and a line
that begins with `[` or with a caption continues the line directly above. What the
grammar cannot see well is found here: brackets and quotation marks that are not closed,
characters the language does not know, and indentation that fits no line above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from houserule.diagnostics.diagnostic import Diagnostic
from houserule.source import Source, Span
from houserule.syntax.errors import scan_faults
from houserule.syntax.vocabulary import HEADERS, ITEMS

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = {closer: opener for opener, closer in OPENERS.items()}
LONGEST_NUMBER = 9

_WORDS = re.compile(
    r"(?P<space>[ \t]+)|(?P<comment>\#.*)|(?P<text>\"[^\"]*\")"
    r"|(?P<word>[A-Za-z][A-Za-z0-9_]*)|(?P<number>[0-9]+)"
    r"|(?P<sign>\.\.|[()\[\]{}:;,.=+\-*/|])|(?P<stray>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, quoted text, sign or comment, where it stands."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        """The column behind the last character."""
        return self.column + len(self.text)

    def span(self, file: str) -> Span:
        """Return the place of this token."""
        return Span.at(file, self.line, self.column, len(self.text))


@dataclass(slots=True)
class Line:
    """One logical line: its tokens without comments, and how deep it stands.

    `broken` says that a fault was found in it already, so that the grammar is not
    asked. `level` counts the lines that it stands beneath. `indent` is the column
    that the grammar sees, `first` and `last` are lines of the text.
    """

    tokens: list[Token]
    first: int
    last: int
    indent: int
    level: int = 0
    broken: bool = False

    @property
    def word(self) -> str:
        """The first word or sign."""
        return self.tokens[0].text


@dataclass(slots=True)
class Scan:
    """The logical lines of a text, its comments, and the faults found so far."""

    source: Source
    lines: list[Line] = field(default_factory=list)
    comments: list[Token] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    def span(self, token: Token) -> Span:
        """Return the place of a token of this text."""
        return token.span(self.source.name)


def scan(source: Source) -> Scan:
    """Return the lines of a text. Any text will do.

    Where a bracket is never closed, the text is read again: then a line that stands
    no deeper than the one with the bracket, and begins with a word that opens lines,
    ends it.
    """
    reader = _Reader(source, careful=False)
    reader.read()
    if reader.unclosed:
        reader = _Reader(source, careful=True)
        reader.read()
    found = reader.scan
    _set_levels(found)
    return found


class _Reader:
    """Reads a text line by line, with the brackets that are open."""

    def __init__(self, source: Source, careful: bool) -> None:
        self.scan = Scan(source)
        self.careful = careful
        self.unclosed = False
        self._open: list[Token] = []
        self._current: Line | None = None

    def read(self) -> None:
        """Read the whole text."""
        for number, text in enumerate(self.scan.source.lines, 1):
            self._read_line(number, text.removesuffix("\r"))
        self._close_brackets()

    def _read_line(self, number: int, text: str) -> None:
        tokens = self._tokens(number, text)
        if not tokens:
            if not self._open:
                self._current = None
            return
        if self._open and self.careful and self._starts_anew(tokens[0]):
            self._close_brackets()
        if not self._open and not self._continues(tokens[0], number):
            self._current = Line([], number, number, tokens[0].column - 1)
            self.scan.lines.append(self._current)
        line = self._current
        assert line is not None
        line.tokens.extend(tokens)
        line.last = number
        self._follow_brackets(tokens, line)
        self._refuse_strays(tokens, line)

    def _tokens(self, number: int, text: str) -> list[Token]:
        found = []
        for match in _WORDS.finditer(text):
            kind = match.lastgroup or ""
            token = Token(kind, match.group(), number, match.start() + 1)
            if kind == "comment":
                self.scan.comments.append(token)
            elif kind != "space":
                found.append(token)
        return found

    def _continues(self, token: Token, number: int) -> bool:
        line = self._current
        goes_on = token.text[0] in ("[", '"')
        return goes_on and line is not None and line.last == number - 1

    def _starts_anew(self, token: Token) -> bool:
        line = self._current
        return (
            line is not None
            and token.column - 1 <= line.indent
            and token.kind == "word"
            and token.text in (*HEADERS, *ITEMS)
        )

    def _follow_brackets(self, tokens: list[Token], line: Line) -> None:
        for token in tokens:
            if token.kind != "sign":
                continue
            if token.text in OPENERS:
                self._open.append(token)
            elif token.text in CLOSERS:
                self._close(token, line)

    def _close(self, token: Token, line: Line) -> None:
        if self._open and self._open[-1].text == CLOSERS[token.text]:
            self._open.pop()
            return
        line.broken = True
        opener = self._open[-1] if self._open else None
        where = self.scan.span(opener) if opener else None
        text = opener.text if opener else ""
        found = scan_faults.closes_nothing(
            token.text, self.scan.span(token), text, where
        )
        self.scan.faults.append(found)
        self._open.clear()

    def _close_brackets(self) -> None:
        if not self._open:
            return
        self.unclosed = True
        line, token = self._current, self._open[0]
        assert line is not None
        line.broken = True
        span = self.scan.span(token)
        self.scan.faults.append(scan_faults.not_closed(token.text, span))
        self._open.clear()

    def _refuse_strays(self, tokens: list[Token], line: Line) -> None:
        strays = [token for token in tokens if token.kind == "stray"]
        if any(token.text == '"' for token in strays):
            self._open.clear()
        found = scan_faults.strays(
            [(each.text, self.scan.span(each)) for each in strays]
        )
        for token in tokens:
            if token.kind == "number" and len(token.text) > LONGEST_NUMBER:
                found.append(scan_faults.long_number(self.scan.span(token)))
        if found:
            line.broken = True
            self.scan.faults.extend(found)


def _set_levels(found: Scan) -> None:
    """Set how deep each line stands; where that fits nothing, say so once."""
    stack = [0]
    mended: dict[int, int] = {}
    for line in found.lines:
        _refuse_tab(found, line)
        if line.indent == 0:
            mended.clear()
        line.indent = mended.get(line.indent, line.indent)
        if line.indent > stack[-1] and line is not found.lines[0]:
            stack.append(line.indent)
        elif line.indent != stack[-1]:
            _step_back(found, line, stack, mended)
        line.level = len(stack) - 1


def _step_back(
    found: Scan, line: Line, stack: list[int], mended: dict[int, int]
) -> None:
    outer = line.indent
    while line.indent < stack[-1]:
        above = stack.pop()
        if line.indent > stack[-1]:
            outer = stack[-1]
            stack.append(above)
            break
    if line.indent == stack[-1]:
        return
    span = Span.at(found.source.name, line.first, 1, max(line.indent, 1))
    wanted = sorted({outer, stack[-1]} - {line.indent})
    found.faults.append(scan_faults.between_levels(line.indent, wanted, span))
    mended[line.indent] = line.indent = stack[-1]


def _refuse_tab(found: Scan, line: Line) -> None:
    lead = found.source.line(line.first)[: line.tokens[0].column - 1]
    if "\t" in lead:
        span = Span.at(found.source.name, line.first, 1, len(lead))
        found.faults.append(scan_faults.tab(span))
        line.indent = len(lead.expandtabs(2))
