"""Format a text: change its layout, keep its words and comments.

`format_text` changes only the space between words: indentation by two spaces, single
spaces where spaces belong, citations and comments at their columns, at most one blank
line in a row. Line breaks inside brackets stay. Only one word is removed: the `is` of
`is at least`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.source import Source, parts_of
from houserule.language.syntax.read.parser import parse_unit_file
from houserule.language.syntax.read.scan import (
    CLOSERS,
    OPENERS,
    LogicalLine,
    Token,
    scan,
)
from houserule.language.syntax.vocabulary import (
    CLAUSES,
    DECLARATIONS,
    EDITS,
    FREE,
    keywords,
)
from houserule.language.syntax.write.statements import INDENT, below, beside

COMMENTS = 59  # the column of a comment after a short line
CONTINUED = 4  # additional indentation of a continued line inside brackets


def format_text(source: Source) -> tuple[str, list[Diagnostic]]:
    """Return a rules file in the usual layout.

    Formatting is idempotent and keeps the meaning. A tab at the start of a line becomes
    two spaces. A text with other syntax errors is returned unchanged, with all its
    errors. The appendix stays unchanged.
    """
    spaced, _ = parts_of(without_tabs(source))
    if parse_unit_file(spaced)[1]:
        return source.text, parse_unit_file(source)[1]
    rows = "".join(f"{row}\n" for row in _Formatter(spaced).rows())
    return rows + source.text[len(parts_of(source)[0].text) :], []


def without_tabs(source: Source) -> Source:
    """Return a rules file indented with spaces; its appendix stays unchanged."""
    rules, _ = parts_of(source)
    text = "\n".join(map(_without_tabs, rules.lines))
    return Source(source.name, text + source.text[len(rules.text) :])


def _without_tabs(line: str) -> str:
    """Return a line indented with spaces, as many as the reader counts for tabs."""
    body = line.lstrip(" \t")
    lead = line[: len(line) - len(body)]
    return lead.expandtabs(INDENT) + body


class _Formatter:
    """Formats one text without syntax errors."""

    def __init__(self, source: Source) -> None:
        self._source = source
        found = scan(source)
        self._lines = found.lines
        self._comments = {token.line: token for token in found.comments}

    def rows(self) -> Iterator[str]:
        """Yield the lines of the new text, without blank lines at its ends."""
        began, blank, number, above = False, False, 1, None
        for line in [*self._lines, None]:
            last = line.first if line else len(self._source.lines) + 1
            for between in range(number, last):
                comment = self._comments.get(between)
                if comment is None:
                    blank = began
                    continue
                level = line.level if line else 0
                if above and above.level > level and comment.column > above.indent:
                    level = above.level
                yield from [""] * blank
                yield " " * (level * INDENT) + comment.text.rstrip()
                began, blank = True, False
            if line is not None:
                yield from [""] * blank
                yield from self._laid_out(line)
                began, blank, number, above = True, False, line.last + 1, line

    def _laid_out(self, line: LogicalLine) -> list[str]:
        # The citations begin at the first square bracket outside of brackets.
        split = depth = 0
        for token in line.tokens:
            if token.text == "[" and not depth:
                break
            depth += (token.text in OPENERS) - (token.text in CLOSERS)
            split += 1
        code, margin = line.tokens[:split], line.tokens[split:]
        # The lines of the code, each with its comment.
        lead, texts = " " * (line.level * INDENT), _texts(code)
        rows = []
        for number in range(line.first, code[-1].line + 1):
            here = [text for token, text in texts if token.line == number]
            comment = " ".join(self._remarks(number, number))
            body = "".join(here).lstrip(" ")
            deeper = number > line.first and body[:1] not in (")", "]", "}")
            if body or comment:
                indent = lead + " " * (CONTINUED * deeper)
                rows.append((indent + body, comment))
        if not margin:
            return [_with_comment(*row) for row in rows]
        *beginning, (last, comment) = rows
        # The citations of a line, each in its brackets.
        groups: list[str] = []
        for token, text in _texts(margin):
            if token.text == "[":
                groups.append("")
            groups[-1] += text.strip(" ") if token.text == "[" else text
        text = " ".join(groups)
        if margin[0].line > code[-1].line and comment:
            placed = [_with_comment(last, comment), *below(last, text)]
            comment = ""
        else:
            placed = beside(last, text)
        remarks = [comment, *self._remarks(code[-1].line + 1, line.last)]
        placed[-1] = _with_comment(placed[-1], " ".join(filter(None, remarks)))
        return [*(_with_comment(*row) for row in beginning), *placed]

    def _remarks(self, first: int, last: int) -> list[str]:
        numbers = range(first, last + 1)
        found = (self._comments.get(number) for number in numbers)
        return [token.text.rstrip() for token in found if token is not None]


def _texts(tokens: list[Token]) -> list[tuple[Token, str]]:
    """Return each token with its text, after a space if one belongs there."""
    words = [each.text for each in tokens]
    kept = [
        token
        for index, token in enumerate(tokens)
        if " ".join(words[index : index + 3]) not in _LONG_BOUNDS
        or words[index - 1] == "."
    ]
    # For each token of a line whether a space precedes it.
    names = [_is_name(kept, index) for index in range(len(kept))]
    found = []
    unary = False
    for index, token in enumerate(kept):
        before = kept[index - 1] if index else None
        ends = before is not None and _ends_value(before, names[index - 1])
        space = before is not None and not (
            before.text in _TIGHT_AFTER
            or token.text in _TIGHT_BEFORE
            or (token.text == "(" and names[index - 1])
            or unary
        )
        unary = token.text == "-" and not ends
        found.append(space)
    return [
        (token, " " * space + token.text)
        for token, space in zip(kept, found, strict=True)
    ]


def _with_comment(code: str, comment: str) -> str:
    if not comment:
        return code.rstrip()
    if not code.strip():
        return code + comment
    return f"{code:<{COMMENTS - 3}}  {comment}"


# ---- spaces between words

_NAMING = frozenset((*DECLARATIONS, *CLAUSES, *EDITS))
_LONG_BOUNDS = frozenset(("is at least", "is at most", "is more than", "is less than"))
_TIGHT_AFTER = frozenset(("(", "[", "{", ".", ".."))
_TIGHT_BEFORE = frozenset((")", "]", "}", ",", ";", ":", ".", ".."))
_VALUES = frozenset(("yes", "no", "none", "up", "down"))


def _is_name(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a token is a name, even if it looks like a keyword."""
    token = tokens[index]
    if token.kind != "word":
        return False
    if token.text not in keywords():
        return True
    before = tokens[index - 1] if index else None
    if token.text in FREE:
        # Between two values, such a word is an operator.
        is_operator = before is not None and _ends_value(
            before, _is_name(tokens, index - 1)
        )
        if not is_operator:
            return True
    after_dot = before is not None and before.text == "."
    return after_dot or (index == 1 and tokens[0].text in _NAMING)


def _ends_value(token: Token, name: bool) -> bool:
    return name or token.kind == "number" or token.text in (*_VALUES, ")", "}")
