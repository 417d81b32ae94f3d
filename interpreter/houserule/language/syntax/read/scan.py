"""Split a text into words and lines, before parsing.

A *line* here is a logical one: line breaks inside brackets do not end it, and a line
that begins with `[`, `|` or a caption continues the line directly above. This module
finds the errors that a grammar cannot find well: unclosed brackets and quotation marks,
unknown characters, and indentation that matches no line above.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import field
from html import unescape
from typing import TypeAlias

from houserule.base.diagnostics.characters import (
    FENCE,
    QUOTES,
    SPACES,
    advice,
    fenced,
    mailed,
    odd,
)
from houserule.base.diagnostics.diagnostic import (
    E004,
    Diagnostic,
    Label,
    MessageCode,
    fault,
    too_large,
    unseen,
    way_beyond,
)
from houserule.base.frozen import frozen, slotted
from houserule.base.limits import limit
from houserule.base.source import UNSEEN, Source, Span
from houserule.language.syntax.messages import E001, E002
from houserule.language.syntax.vocabulary import HEADERS, ITEMS

Packing: TypeAlias = Callable[[Source, int], Diagnostic]

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = {closer: opener for opener, closer in OPENERS.items()}
LONGEST_NUMBER = 9

_WORDS = re.compile(
    rf"(?P<space>(?:[ \t]|{SPACES.pattern})+)"
    r"|(?P<comment>\#.*)|(?P<text>\"[^\"]*\")"
    r"|(?P<word>[A-Za-z][A-Za-z0-9_]*)|(?P<number>[0-9]+)"
    r"|(?P<sign>\.\.|[()\[\]{}:;,.=+\-*/|])"
    r"|(?P<stray>&(?:quot|apos|amp|lt|gt|nbsp|\#\d+);|.)",
    re.DOTALL,
)


@frozen
class Token:
    """A word, number, quoted text, symbol or comment, with its position."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        """The column after the last character."""
        return self.column + len(self.text)

    def span(self, file: str) -> Span:
        return Span.at(file, self.line, self.column, len(self.text))


@slotted
class LogicalLine:
    """One logical line: its tokens without comments, and its depth.

    `broken` marks a line with a known error, which is not parsed. `level` counts the
    lines whose blocks contain it. `indent` is the column for the grammar; `first` and
    `last` are lines of the text.
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


@slotted
class Scan:
    """The logical lines of a text, its comments, and the errors found so far."""

    source: Source
    lines: list[LogicalLine] = field(default_factory=list)
    comments: list[Token] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    def span(self, token: Token) -> Span:
        return token.span(self.source.name)


def scan(source: Source) -> Scan:
    """Return the lines of a text. Accepts any text.

    If a bracket is never closed, the text is scanned again: then the bracket ends
    before a line that begins with a line-opening word and is not deeper than the
    bracket's line.
    """
    reader = _LineReader(source, careful=False)
    reader.read()
    if reader.unclosed:
        reader = _LineReader(source, careful=True)
        reader.read()
    found = reader.scan
    # Set the depth of each line; report the first that matches no level.
    stack = [0]
    fixed: dict[int, int] = {}
    for line in found.lines:
        lead = found.source.line(line.first)[: line.tokens[0].column - 1]
        if "\t" in lead:
            span = Span.at(found.source.name, line.first, 1, len(lead))
            found.faults.append(
                fault(
                    E002,
                    "This line is indented with a tab; use two spaces for each level.",
                    span,
                    "a tab",
                    fixes=("houserule fmt FILE",),
                )
            )
            line.indent = len(lead.expandtabs(2))
        if line.indent == 0:
            fixed.clear()
        line.indent = fixed.get(line.indent, line.indent)
        if line.indent > stack[-1] and line is not found.lines[0]:
            stack.append(line.indent)
        elif line.indent != stack[-1]:
            outer = line.indent
            while line.indent < stack[-1]:
                above = stack.pop()
                if line.indent > stack[-1]:
                    outer = stack[-1]
                    stack.append(above)
                    break
            if line.indent != stack[-1]:
                span = Span.at(found.source.name, line.first, 1, max(line.indent, 1))
                wanted = sorted({outer, stack[-1]} - {line.indent})
                indent = _columns(line.indent)
                found.faults.append(
                    fault(
                        E002,
                        f"This line is indented by {indent}, which fits no line above.",
                        span,
                        f"{' or '.join(map(_columns, wanted))} would fit",
                        details=(
                            "Lines that belong together begin in the same column.",
                        ),
                    )
                )
                fixed[line.indent] = line.indent = stack[-1]
        line.level = len(stack) - 1
    return found


def _strays_in(token: Token) -> list[Token]:
    """Return unknown characters; in quoted texts, invisible ones."""
    if token.kind not in ("text", "comment"):
        return [token] if token.kind == "stray" else []
    return [
        Token("stray", found[0], token.line, token.column + found.start())
        for found in UNSEEN.finditer(token.text)
    ]


class _LineReader:
    """Reads a text line by line, keeping track of open brackets."""

    def __init__(self, source: Source, careful: bool) -> None:
        self.scan = Scan(source)
        self.careful = careful
        self.unclosed = False
        self._open: list[Token] = []
        self._packing: set[Packing] = set()
        self._current: LogicalLine | None = None

    def read(self) -> None:
        for number, text in enumerate(self.scan.source.lines, 1):
            self._read_line(number, text.removesuffix("\r"))
            if len(self.scan.faults) >= most_faults():
                place = Span.at(self.scan.source.name, number)
                self.scan.faults.append(given_up(place))
                break
        self._close_brackets()

    def _read_line(self, number: int, text: str) -> None:
        if FENCE.fullmatch(text):
            self._report_packing(fenced, number)
            text = ""
        tokens: list[Token] = []
        for match in _WORDS.finditer(text):
            kind = match.lastgroup or ""
            token = Token(kind, match.group(), number, match.start() + 1)
            if kind == "comment":
                self.scan.comments.append(token)
                hidden = [(t.text, self.scan.span(t)) for t in _strays_in(token)]
                self.scan.faults.extend(_strays(hidden))
            elif kind != "space":
                tokens.append(token)
            elif wide := SPACES.search(token.text):
                stray = Token("stray", wide[0], number, token.column + wide.start())
                if tokens:
                    tokens.append(stray)
                else:
                    self.scan.faults.append(odd(wide[0], self.scan.span(stray)))
        if not tokens:
            if not self._open:
                self._current = None
            return
        first, line = tokens[0], self._current
        starts_anew = (
            line is not None
            and first.column - 1 <= line.indent
            and first.kind == "word"
            and first.text in (*HEADERS, *ITEMS)
        )
        if self._open and self.careful and starts_anew:
            self._close_brackets()
        goes_on = first.text[0] in ("[", '"', "|")
        continues = goes_on and line is not None and line.last == number - 1
        if line is None or (not self._open and not continues):
            line = LogicalLine([], number, number, first.column - 1)
            self._current = line
            self.scan.lines.append(line)
        line.tokens.extend(tokens)
        line.last = number
        line.broken |= bool(SPACES.search(text[: first.column - 1]))
        for token in tokens:
            if token.kind != "sign":
                continue
            if token.text in OPENERS:
                self._open.append(token)
            elif token.text not in CLOSERS:
                continue
            elif self._open and self._open[-1].text == CLOSERS[token.text]:
                self._open.pop()
            else:  # no bracket is open, or another one
                line.broken = True
                span, sign = self.scan.span(token), token.text
                if self._open:
                    opener = self._open[-1]
                    wanted = f"`{OPENERS[opener.text]}`"
                    wrong = fault(
                        E003,
                        f"`{sign}` cannot close `{opener.text}`; that needs {wanted}.",
                        span,
                        f"{wanted} is expected",
                        others=[Label(self.scan.span(opener), "opened here")],
                    )
                else:
                    message = f"This `{sign}` closes nothing: no bracket is open here."
                    wrong = fault(E003, message, span, "no bracket is open")
                self.scan.faults.append(wrong)
                self._open.clear()
        if first.text == ">" and first is line.tokens[0]:
            self._report_packing(mailed, first.line)
            line.broken = True
            return
        strays = [each for token in tokens for each in _strays_in(token)]
        if any(token.text == '"' for token in strays):
            self._open.clear()
        found = _strays((each.text, self.scan.span(each)) for each in strays)
        for token in tokens:
            if token.kind == "number" and len(token.text) > LONGEST_NUMBER:
                message = "A number may have nine digits at most."
                span = self.scan.span(token)
                found.append(fault(E001, message, span, "too long"))
            elif token.kind == "word" and len(token.text) > limit("name"):
                message = f"This word has {len(token.text):,} letters."
                found.append(too_large("name", message, self.scan.span(token)))
        if found:
            line.broken = True
            self.scan.faults.extend(found)

    def _report_packing(self, packing: Packing, number: int) -> None:
        """Report once per text that lines contain remains of a chat or an email."""
        if packing not in self._packing:
            self._packing.add(packing)
            self.scan.faults.append(packing(self.scan.source, number))

    def _close_brackets(self) -> None:
        if not self._open:
            return
        self.unclosed = True
        line, token = self._current, self._open[0]
        assert line is not None
        line.broken = True
        span = self.scan.span(token)
        self.scan.faults.append(
            fault(
                E003,
                f"This {_BRACKETS[token.text]} bracket is never closed.",
                span,
                f"a `{OPENERS[token.text]}` is missing after this",
                details=("Inside brackets a line may go on over several lines.",),
            )
        )
        self._open.clear()


# ---- messages


def most_faults() -> int:
    """Return the maximum number of errors per text."""
    return 10 * limit("messages")


E040 = MessageCode("E040", "file not checked")
"""`houserule check` got a file that it does not check, or a rules file with so many
errors that it does not read the rest.

**Why.** It checks rulesets: their rules, texts, components and scenarios. Otherwise it
would print "nothing to report" for any other file, without having read it. If a rules
file has ten times as many errors as messages are printed, most of them follow from
earlier ones; this message is printed in any case.

**For example**

```text
houserule check my-game/README.md
```

**Fix.** Check the game, or the file that you meant. To verify a record, use
`houserule replay FILE`, for a table `houserule check --table FILE`. Fix the first
errors of a file, and check again. A rules file in a ruleset's folder is read if
`rules:` in `ruleset.yaml` lists it.
"""


def given_up(place: Span) -> Diagnostic:
    """Return E040 for a text with too many errors to continue."""
    message = (
        f"Here are {most_faults():,} faults; what follows in this file is not read."
    )
    return fault(E040, message, place, details=(way_beyond("messages"),))


_BRACKETS = {"(": "round", "[": "square", "{": "curly"}

# The likely meaning of a character that the language does not know.
_MEANT = {
    "<": "write `less than`, or `at most` for <=",
    ">": "write `more than`, or `at least` for >=",
    "!": "write `not`, or `is not` for !=",
    "&": "write `and`",
    "%": "write `mod` for a remainder; there are no percentages",
    **dict.fromkeys(
        "'\u2018\u2019\u201a\u201b\xb4", 'write texts in double quotes: "…"'
    ),
    "?": "write one line for each case: `E when C`, and last `E otherwise`",
    "–": "use the plain sign -, or .. between two numbers",
    "—": "use the plain sign -, or .. between two numbers",
    "…": "write two dots: 1..6",
    "÷": "write / and say `rounded up` or `rounded down`",
    "≤": "write `at most`",
    "≥": "write `at least`",
    "≠": "write `is not`",
    "_": "a name begins with a letter",
}


E003 = MessageCode("E003", "unclosed bracket")
"""A bracket is opened and never closed, or closed and never opened.

**Why.** Inside brackets line breaks do not count, so one missing bracket would swallow
the lines after it.

**For example**

```rules wrong
value pair(use: set of Die: yes or no = size(use) is 2      # `set of Die)`
```

**Fix.** Add the bracket where the message points, or remove the other one.
"""


def _strays(found: Iterable[tuple[str, Span]]) -> list[Diagnostic]:
    """Return an error for each character unknown to the language.

    Adjacent ones are reported once. An unclosed quotation mark is E003, and everything
    after it is ignored.
    """
    faults: list[Diagnostic] = []
    last: Span | None = None
    quotes = 0
    for text, span in found:
        quotes += text in QUOTES
        if text in QUOTES and not quotes % 2:  # the end of the reported range
            continue
        if text == '"':
            return [
                *faults,
                fault(
                    E003,
                    "This quotation mark is not closed on its line.",
                    span,
                    'a second " is missing',
                    details=("A quoted text must end on its line.",),
                ),
            ]
        if len(faults) >= most_faults():
            break
        if last is None or last.end_column != span.column or last.line != span.line:
            faults.append(_stray(text, span))
        last = span
    return faults


def _stray(text: str, span: Span) -> Diagnostic:
    shown = f"`{text}`" if text.isprintable() and not text.isspace() else "This"
    if (meant := unescape(text)) != text:
        hint = _MEANT.get(meant) or f"write `{meant}`"
        hint = "write a space" if meant == "\xa0" else hint
        return fault(E004, f"`{text}` comes from the source of a web page.", span, hint)
    hint = _MEANT.get(text, "") or advice(text)
    if not hint and text.isalpha():
        alphabet = unicodedata.name(text, "").split()[:1]
        hint = "names are written with the letters a to z, digits and _"
        if alphabet in (["CYRILLIC"], ["GREEK"]):
            hint = f"this is a letter of the {alphabet[0].title()} alphabet; {hint}"
    if UNSEEN.match(text):
        return unseen(text, span)
    if SPACES.match(text):
        return odd(text, span)
    message = f"{shown} is not a character of the language."
    return fault(E004, message, span, hint or "not known here")


def _columns(count: int) -> str:
    return "no space" if count == 0 else f"{count} space{'s' if count > 1 else ''}"
