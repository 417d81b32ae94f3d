"""Places of YAML: stretches of one text as spans, and the values of plain words.

Both readers of YAML share them, so that what they say of a text is the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from houserule.manifest.yaml.document import Data, KeyPath
from houserule.source import Source, Span

DEEPEST = 40
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("yes", "true", "True"), True),
    **dict.fromkeys(("no", "false", "False"), False),
    **dict.fromkeys(("", "~", "null", "none"), None),
}
WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
DECIMAL = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}")


class Places:
    """The places of one text's keys and values, as they are found."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.spans: dict[KeyPath, Span] = {}
        self.key_spans: dict[KeyPath, Span] = {}
        lengths = (len(line) + 1 for line in source.lines)
        self._starts = list(accumulate(lengths, initial=0))

    def scalar(self, start: int, end: int) -> Span:
        """Return the place of a scalar from one index up to another."""
        if start == end:  # nothing was written: stand on what comes before
            start = max(0, len(self.source.text[:start].rstrip()) - 1)
        return self.between(start, end)

    def between(self, start: int, end: int) -> Span:
        """Return the place of a stretch, without white space at its end."""
        stop = max(start + 1, start + len(self.source.text[start:end].rstrip()))
        number = bisect_right(self._starts, start)
        if number < len(self._starts) and stop < self._starts[number]:  # one line
            before = self._starts[number - 1] - 1
            return Span(self.source.name, number, start - before, number, stop - before)
        line, column = self._line_and_column(start)
        end_line, end_column = self._line_and_column(stop)
        if end_column == 1 and end_line > line:  # a span never ends on a line's start
            end_line, end_column = line, column + 1
        return Span(self.source.name, line, column, end_line, end_column)

    def stretch(self, path: KeyPath, last: KeyPath) -> None:
        """Let a block reach to the end of its last value; YAML marks say later."""
        self.spans[path] = self.spans[path].to(self.spans[last])

    def _line_and_column(self, index: int) -> tuple[int, int]:
        line = max(1, bisect_right(self._starts, index))
        line = min(line, len(self.source.lines))
        return line, index - self._starts[line - 1] + 1


def plain_value(text: str) -> Data:
    """Return the value of a text without quotes: a word, a number, or the text."""
    if text in WORDS:
        return WORDS[text]
    if WHOLE.fullmatch(text):
        return int(text)
    return float(text) if DECIMAL.fullmatch(text) else text
