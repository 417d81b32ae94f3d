"""A fast reader of plainly written YAML; what it is not sure of it leaves alone.

It knows blocks, lists, both also in braces, texts on one line with or without quotes,
and texts of several lines after `|` or `>`: what rulesets are made of. Everything else,
and every fault, is for the reader of all YAML (`full`). So this one has no messages;
where it reads a text, it finds the same values at the same places as the full one.
"""

from __future__ import annotations

import re
from typing import NoReturn

from houserule.manifest.yaml.document import Data, Document, KeyPath
from houserule.manifest.yaml.places import DEEPEST, Places, plain_value
from houserule.source import Source

# Tabs, control characters, and line ends that only YAML knows.
STRANGE = re.compile(
    "[^\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
# A line that may begin or end a document, or speak to the reader.
MARKER = re.compile(r"^(?:---|\.\.\.|%)", re.MULTILINE)
END = "\0"  # stands behind the text

EMPTY_LINES = re.compile(r"(?: *(?:#[^\n]*)?\n)*")
LINE_END = re.compile(r" *(?: #[^\n]*)?\n")
SPACES = re.compile(" *")
GAP = re.compile(r"(?:[ \n]+(?:#[^\n]*)?)*")  # between two things in braces

_FIRST = r"""(?:[^\s\-?:,\[\]{}#&*!|>'"%@`\0]|-(?=\w))"""
_QUOTED = r"""'(?:[^'\n]|'')*'|"[^"\\\n]*\""""
_COLON = r" *:(?=[ \n])"
QUOTED = re.compile(_QUOTED)
KEY = re.compile(rf"(?:({_FIRST}[^:#\n]{{,200}}?)|({_QUOTED})){_COLON}")
TEXT = re.compile(rf"{_FIRST}(?:[^:#\n]|:(?=[^\s])|(?<=[^\s])#)*")
KEY_IN_BRACES = re.compile(
    rf"(?:({_FIRST}[^:#,\[\]{{}}\n]{{,200}}?)|({_QUOTED})){_COLON}"
)
TEXT_IN_BRACES = re.compile(rf"{_FIRST}[^:#,\[\]{{}}\n]*")
ENTRY = re.compile(r"-(?=[ \n])")
LINES = re.compile(r"([|>])(-?)\n( +)(?=[^ \n])")
LONGEST_KEY = 1000  # YAML ends at 1024


def read_plain(source: Source) -> Document | None:
    """Return what a plainly written text says; None leaves it to the full reader."""
    text = source.text
    if STRANGE.search(text) or MARKER.search(text) or not text.endswith("\n"):
        return None
    reader = _PlainReader(source)
    try:
        data = reader.read()
    except _NotPlain:
        return None
    return Document(source, data, reader.places.spans, reader.places.key_spans)


class _NotPlain(Exception):
    """The text is for the reader of all YAML."""


def _leave() -> NoReturn:
    raise _NotPlain


class _PlainReader:
    """Reads one text from its start to its end.

    `at` is the index of the character that comes next. `column` is the indentation of
    its line, where a line has just begun; -1 at the end of the text.
    """

    def __init__(self, source: Source) -> None:
        self.text = source.text + END
        self.places = Places(source)
        self.at = 0
        self.column = 0

    def read(self) -> Data:
        """Read the whole text.

        What stands further in than its neighbours ends every block around it, so the
        text is not at its end then.
        """
        self._to_next_line()
        data = self._node((), self.column, -1)
        if self.column != -1:
            _leave()
        return data

    # ---- moving on

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        if found is None:
            _leave()
        self.at = found.end()

    def _to_next_line(self) -> None:
        """Go from a line's start to the first thing there is, on this line or later."""
        self._skip(EMPTY_LINES)
        start = self.at
        self._skip(SPACES)
        self.column = -1 if self.text[self.at] == END else self.at - start

    def _end_line(self) -> None:
        self._skip(LINE_END)
        self._to_next_line()

    # ---- blocks

    def _node(self, path: KeyPath, column: int, parent: int) -> Data:
        """Read what begins here, at a column, in a block at column `parent`."""
        if ENTRY.match(self.text, self.at):
            return self._list(path, column)
        if KEY.match(self.text, self.at):
            return self._block(path, column)
        return self._text(path, parent)

    def _block(self, path: KeyPath, column: int) -> Data:
        values: dict[str, Data] = {}
        self._begin(path)
        last = path
        while self.column == column or not values:
            key = self._key(KEY, path, values)
            last = (*path, key)
            if LINE_END.match(self.text, self.at):
                value = self._below(last, column, may_list=True)
            else:
                self._skip(SPACES)
                value = self._text(last, column)
            values[key] = value
        self.places.stretch(path, last)
        return values

    def _list(self, path: KeyPath, column: int) -> Data:
        values: list[Data] = []
        self._begin(path)
        inner = path
        while not values or (self.column == column and ENTRY.match(self.text, self.at)):
            dash, inner = self.at, (*path, len(values))
            self.at += 1
            if LINE_END.match(self.text, self.at):
                values.append(self._below(inner, column))
            else:
                self._skip(SPACES)
                values.append(self._node(inner, column + self.at - dash, column))
        self.places.stretch(path, inner)
        return values

    def _below(self, path: KeyPath, parent: int, *, may_list: bool = False) -> Data:
        """Read a value on the lines below its key or dash, or nothing at all."""
        start = self.at
        self._end_line()
        if self.column > parent:
            return self._node(path, self.column, parent)
        if may_list and self.column == parent and ENTRY.match(self.text, self.at):
            return self._list(path, parent)
        if "#" in self.text[start : self.at]:
            _leave()
        self.places.spans[path] = self.places.scalar(start, start)
        return None

    def _text(self, path: KeyPath, parent: int) -> Data:
        """Read a value that is no block, up to the next line."""
        first = self.text[self.at]
        if first in "|>":
            return self._lines(path, parent)
        value = self._in_braces(path) if first in "[{" else self._scalar(TEXT, path)
        self._end_line()
        return value

    def _lines(self, path: KeyPath, parent: int) -> Data:
        """Read a text of several lines; `>` folds those that begin at its margin."""
        header = LINES.match(self.text, self.at)
        if header is None or len(header[3]) <= parent:
            _leave()
        start, margin = self.at, header[3]
        end = self.at = header.end() - len(margin)
        said, gap = "", ""
        flush = header[1] == ">"  # the line before may be folded with the next
        while (line := self._line(margin)) is not None:
            if line and said:
                folds = flush and line[0] != " "
                said += (gap[1:] or " ") if folds else gap
            if line:
                said, gap, end = said + line, "", self.at - 1
                flush = header[1] == ">" and line[0] != " "
            gap += "\n"
        self.places.spans[path] = self.places.scalar(start, end)
        self._to_next_line()
        return said if header[2] else said + "\n"

    def _line(self, margin: str) -> str | None:
        """Return the next line without its margin; None if it stands further out."""
        stop = self.text.find("\n", self.at)
        line = self.text[self.at : stop] if stop >= 0 else END
        if line and not line.startswith(margin):
            return None
        self.at = stop + 1
        return line[len(margin) :]

    # ---- in braces

    def _in_braces(self, path: KeyPath) -> Data:
        """Read a list in brackets or a block in braces, over any number of lines."""
        is_list = self.text[self.at] == "["
        closing = "]" if is_list else "}"
        values: list[Data] = []
        entries: dict[str, Data] = {}
        self._begin(path)
        last = path
        self.at += 1
        self._skip(GAP)
        while self.text[self.at] != closing:
            if is_list:
                last = (*path, len(values))
                values.append(self._entry_in_brackets(last))
            else:
                last = self._pair(path, entries)
            self._skip(GAP)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(GAP)
            elif self.text[self.at] != closing:
                _leave()
        self.at += 1
        self.places.stretch(path, last)
        return values if is_list else entries

    def _entry_in_brackets(self, path: KeyPath) -> Data:
        """Read an entry of a list in brackets; a key and a value alone are a block."""
        if not KEY_IN_BRACES.match(self.text, self.at):
            return self._value_in_braces(path)
        entries: dict[str, Data] = {}
        self._begin(path)
        self.places.stretch(path, self._pair(path, entries))
        return entries

    def _pair(self, path: KeyPath, entries: dict[str, Data]) -> KeyPath:
        """Read a key and its value, or a key without one; return the value's path."""
        key = self._key(KEY_IN_BRACES, path, entries)
        inner = (*path, key)
        end = self.at
        self._skip(GAP)
        if self.text[self.at] in ",]}":
            self.places.spans[inner] = self.places.scalar(end, end)
            entries[key] = None
        else:
            entries[key] = self._value_in_braces(inner)
        return inner

    def _value_in_braces(self, path: KeyPath) -> Data:
        if self.text[self.at] in "[{":
            return self._in_braces(path)
        return self._scalar(TEXT_IN_BRACES, path)

    # ---- single things

    def _begin(self, path: KeyPath) -> None:
        """Note where a block or list begins."""
        if len(path) > DEEPEST:
            _leave()
        self.places.spans[path] = self.places.between(self.at, self.at + 1)

    def _key(
        self, pattern: re.Pattern[str], path: KeyPath, known: dict[str, Data]
    ) -> str:
        """Read a key that is not known yet, with its colon."""
        found = pattern.match(self.text, self.at)
        if found is None or found.end() - self.at > LONGEST_KEY:
            _leave()
        key = found[1] or _unquoted(found[2])
        if key in known:
            _leave()
        which = 1 if found[1] else 2
        place = self.places.scalar(found.start(which), found.end(which))
        self.places.key_spans[*path, key] = place
        self.at = found.end()
        return key

    def _scalar(self, pattern: re.Pattern[str], path: KeyPath) -> Data:
        start = self.at
        quoted = self.text[start] in "'\""
        found = (QUOTED if quoted else pattern).match(self.text, start)
        if found is None:
            _leave()
        raw = found[0] if quoted else found[0].rstrip(" ")
        self.at = start + len(raw)
        self.places.spans[path] = self.places.scalar(start, self.at)
        return _unquoted(raw) if quoted else plain_value(raw)


def _unquoted(raw: str) -> str:
    inside = raw[1:-1]
    return inside.replace("''", "'") if raw[0] == "'" else inside
