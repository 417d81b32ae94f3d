"""Edit a YAML text in place: every byte outside of the edit stays.

ruamel can write what it read, including comments. But it rewrites the whole file and
changes spaces inside brackets, the indentation of lists, line ends, and comments after
removed entries. So ruamel only reads and gives places, and an edit cuts the text there.
The result is read again and compared with the intended data: an edit works fully or
fails.

Comments are never lost. A comment after a removed entry gets a line of its own.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from houserule.base.source import Source, Span, normalised
from houserule.language.manifest.yaml.document import Data, KeyPath
from houserule.language.manifest.yaml.parser import parse_yaml

LINE_END = re.compile(r"\r\n|\r|\n")
ENDS_HERE = re.compile(r"[ \t]*,?[ \t]*(#[^\n]*)?(\n|$)")  # allowed after a value
UP_TO_BRACKET = re.compile(r"(?:[\s,]|#[^\n]*)*(?=[\]}])")
BARE = re.compile(r"(\.{0,2}/)*[A-Za-z_][\w./+-]*|\.\.?")
WORDS: dict[bool | None, str] = {True: "yes", False: "no", None: "none"}

Cut: TypeAlias = tuple[int, int, str]  # start, end, replacement


class NotEditedError(ValueError):
    """The text is written in a way that cannot be edited here."""


def put(raw: str, path: tuple[str, ...], value: Data, order: Sequence[str] = ()) -> str:
    """Return a text with a value at a path of keys; missing blocks are created.

    Args:
        value: a plain value, or a list or block of plain values.
        order: the order of top-level keys: a new one goes after its predecessor.

    Raises:
        NotEditedError: this edit is not possible.
    """
    text = _Edited(raw)
    *around, key = path
    inside = text.find(tuple(around))
    if inside is None:
        return put(raw, tuple(around), {key: value}, order)
    if not isinstance(inside, dict):
        raise NotEditedError(".".join(around))
    if key in inside:
        cuts = text.replaced(path, written(value))
    else:
        before = [*inside]
        if not around and order:
            place = order.index(key)
            before = [each for each in inside if order.index(each) < place] or before
            before.sort(key=order.index)
        entry = f"{written(key)}: {written(value)}"
        cuts = text.entered("", tuple(around), before[-1:], entry)

    def done(data: dict[str, Data]) -> None:
        data[key] = deepcopy(value)

    return text.cut(cuts, tuple(around), done)


def append(raw: str, key: str, value: Data, order: Sequence[str] = ()) -> str:
    """Append a value to the list of a key, which is created if missing.

    Raises:
        NotEditedError: this edit is not possible.
    """
    text = _Edited(raw)
    inside = text.find((key,))
    if inside is None:
        return put(raw, (key,), [value], order)
    if not isinstance(inside, list):
        raise NotEditedError(key)
    last = [len(inside) - 1] if inside else []
    cuts = text.entered("-", (key,), last, written(value))
    return text.cut(cuts, (key,), lambda data: data.append(deepcopy(value)))


def drop(raw: str, path: KeyPath) -> str:
    """Return a text without the value at a path, and without its key.

    If its list or block becomes empty, it stays as `[]` or `{}`.

    Raises:
        NotEditedError: this edit is not possible, or the path has no value.
    """
    text = _Edited(raw)
    *around, key = path

    def done(data: dict[str | int, Data]) -> None:
        del data[key]

    if text.find(path) is None and path not in text.document.spans:
        raise NotEditedError(str(path))
    return text.cut(text.dropped(path), tuple(around), done)


def written(value: Data) -> str:
    """Return a value as YAML on one line."""
    match value:
        case bool() | None:
            return WORDS[value]
        case list():
            return f"[{', '.join(map(written, value))}]"
        case dict():
            pairs = (f"{written(key)}: {written(each)}" for key, each in value.items())
            return f"{{{', '.join(pairs)}}}"
        case str() if not BARE.fullmatch(value) or (
            parse_yaml(Source("", value))[0].data != value
        ):
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


class _Edited:
    """A text, its data, and their places."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = normalised(raw)
        self.document, faults = parse_yaml(Source("", self.text))
        if faults or not isinstance(self.document.data, dict):
            raise NotEditedError(faults[0].message if faults else "")

    def find(self, path: KeyPath) -> Data:
        """Return the value at a path; None if there is none."""
        try:
            return self.document.at(*path)
        except KeyError:
            return None

    # ---- places

    @cached_property
    def _starts(self) -> list[int]:
        lines = self.document.source.lines
        return [*accumulate((len(line) + 1 for line in lines), initial=0)]

    def _index(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column - 1

    def _range(self, span: Span) -> tuple[int, int]:
        return (
            self._index(span.line, span.column),
            self._index(span.end_line, span.end_column),
        )

    def start(self, path: KeyPath) -> int:
        """Return the start of an entry: its key, if it has one."""
        return self._range(self.document.key_span(*path))[0]

    def in_brackets(self, path: KeyPath) -> bool:
        """Return whether a value is a list or block in brackets."""
        inside = isinstance(self.find(path), list | dict)
        return inside and self.text[self._range(self.document.span(*path))[0]] in "[{"

    def end(self, path: KeyPath) -> int:
        """Return the end of a value, after its closing bracket."""
        inside = self.find(path)
        at = self._range(self.document.span(*path))
        if not isinstance(inside, list | dict):
            return at[1]
        last = [*inside][-1] if isinstance(inside, dict) else len(inside) - 1
        end = self.end((*path, last)) if inside else at[0] + 1
        if not self.in_brackets(path):
            return end
        found = UP_TO_BRACKET.match(self.text, end)
        if found is None:
            raise NotEditedError(str(path))
        return found.end() + 1

    def _line_of(self, index: int) -> tuple[int, int]:
        """Return the start and the end of an index's line."""
        start = self.text.rfind("\n", 0, index) + 1
        end = self.text.find("\n", index)
        return start, len(self.text) if end < 0 else end

    def _alone(self, start: int, end: int) -> bool:
        """Return whether an entry is alone on its lines, except for comments."""
        before = self.text[self._line_of(start)[0] : start]
        behind = ENDS_HERE.match(self.text, end)
        return before.strip() in {"", "-"} and behind is not None

    # ---- cuts

    def replaced(self, path: KeyPath, new: str) -> list[Cut]:
        start, end = self._range(self.document.span(*path))[0], self.end(path)
        if self.text[start:end] == ":":  # no value yet
            return [self._behind_key(path, new)]
        if isinstance(self.find(path), list | dict) and not self.in_brackets(path):
            return [self._behind_key(path, new), *self._lines_gone(start, end)]
        return [(start, end, new), *self._remarks_kept(start, end)]

    def _behind_key(self, path: KeyPath, new: str) -> Cut:
        colon = self.text.index(":", self._range(self.document.key_span(*path))[1])
        return colon + 1, colon + 1, f" {new}"

    def entered(
        self, sign: str, around: KeyPath, before: Sequence[str | int], new: str
    ) -> list[Cut]:
        """Return the cuts that insert an entry after another one.

        Args:
            sign: the prefix of an entry on lines of its own: `-` in a list.
            around: the path of the list or block.
            before: the key of the entry before it; empty if there is none.
        """
        if not before:
            start = self._range(self.document.span(*around))[0] + 1
            return [(start, start, new)]
        path = (*around, *before)
        start, end = self.start(path), self.end(path)
        line = self._line_of(start)[0]
        last_end = self._line_of(end)[1]
        behind = last_end + 1 if last_end < len(self.text) else last_end
        if not self.in_brackets(around):
            lead = self.text[line:start]
            if lead.strip() != sign:  # the sign is on a line of its own
                lead = f"{' ' * (start - line - 2)}{sign} "
            return [self._line(behind, f"{lead}{new}")]
        comma = re.compile(r"[ \t]*,").match(self.text, end)
        if not self._alone(start, end):
            return [(end, end, f", {new}")]
        lead, close = self.text[line:start], "," if comma else ""
        more = [] if comma else [(end, end, ",")]
        return [*more, self._line(behind, f"{lead}{new}{close}")]

    def _line(self, at: int, line: str) -> Cut:
        """Return the cut that inserts a line, between lines or after the last one."""
        ends = at == 0 or self.text[at - 1] == "\n"
        return at, at, f"{line}\n" if ends else f"\n{line}"

    def dropped(self, path: KeyPath) -> list[Cut]:
        """Return the cuts that remove an entry."""
        *around, key = path
        inside = self.document.at(*around)
        assert isinstance(inside, list | dict)
        start, end = self.start(path), self.end(path)
        if not self.in_brackets(tuple(around)):
            empty = "[]" if isinstance(inside, list) else "{}"
            cuts = self._lines_gone(start, end)
            if len(inside) == 1:
                cuts.insert(0, self._behind_key(tuple(around), empty))
            return cuts
        if self._alone(start, end):
            return self._lines_gone(start, end)
        keys = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
        place = keys.index(key)
        if place:
            before = self.end((*around, keys[place - 1]))
            if "\n" not in self.text[before:start]:
                return [(before, end, ""), *self._remarks_kept(start, end)]
        cut_to = end
        if place + 1 < len(keys):
            cut_to = self.start((*around, keys[place + 1]))
        if "\n" in self.text[end:cut_to] or cut_to == end:
            comma = re.compile(r"[ \t]*,").match(self.text, end)
            cut_to = comma.end() if comma else end
        return [(start, cut_to, ""), *self._remarks_kept(start, end)]

    # ---- comments

    @cached_property
    def _hidden(self) -> str:
        """The text with keys and values masked, so that every `#` begins a comment."""
        spans = [*self.document.key_spans.values()]
        for path, span in self.document.spans.items():
            if not isinstance(self.find(path), list | dict):
                spans.append(span)
        hidden = list(self.text)
        for start, end in map(self._range, spans):
            hidden[start:end] = "x" * (end - start)
        return "".join(hidden)

    def _remark(self, start: int, end: int) -> str:
        found = re.search(r"(?:^|(?<=\s))#[^\n]*", self._hidden[start:end])
        return self.text[start + found.start() : start + found.end()] if found else ""

    def _lines_gone(self, start: int, end: int) -> list[Cut]:
        """Return the cuts that remove lines; comments and empty lines stay."""
        cuts: list[Cut] = []
        at, last = self._line_of(start)[0], self._line_of(end)[1]
        while at <= last and at < len(self.text):
            stop = self._line_of(at)[1]
            line, remark = self.text[at:stop], self._remark(at, stop)
            if remark and not line.lstrip().startswith("#"):
                indent = len(line) - len(line.lstrip())
                cuts.append((at + indent, stop - len(remark), ""))
            elif line.strip() and not remark:
                cuts.append((at, min(stop + 1, len(self.text)), ""))
            at = stop + 1
        return cuts

    def _remarks_kept(self, start: int, end: int) -> list[Cut]:
        """Return the cuts that move the comments of a range below it."""
        line = self._line_of(start)[0]
        lead = re.match(r"[ \t]*", self.text[line:])
        assert lead is not None
        parts = self.text[start:end].split("\n")
        starts = accumulate((len(part) + 1 for part in parts), initial=start)
        remarks = [
            self._remark(at, at + len(part))
            for at, part in zip(starts, parts, strict=False)
        ]
        stop = self._line_of(end)[1]
        behind = stop + 1 if stop < len(self.text) else stop
        return [self._line(behind, lead[0] + remark) for remark in remarks if remark]

    # ---- the resulting text

    def cut(self, cuts: list[Cut], path: KeyPath, meant: Callable[..., object]) -> str:
        """Apply cuts; line ends and the byte order mark stay.

        `meant` makes the intended change in the data at a path.
        """
        found = LINE_END.search(self.raw)
        line_end = found[0] if found else "\n"
        new = self.raw
        for start, end, put_there in reversed(sorted(cuts, key=lambda cut: cut[:2])):
            there = put_there.replace("\n", line_end)
            new = new[: self._in_raw(start)] + there + new[self._in_raw(end) :]
        data = deepcopy(self.document.data)
        inside = data
        for step in path:
            inside = inside[step]  # type: ignore[index]
        meant(inside)
        read, faults = parse_yaml(Source("", normalised(new)))
        if faults or _same(read.data) != _same(data):
            raise NotEditedError(".".join(map(str, path)))
        return new

    def _in_raw(self, index: int) -> int:
        number = bisect_right(self._starts, index) - 1
        return self._raw_starts[number] + index - self._starts[number]

    @cached_property
    def _raw_starts(self) -> list[int]:
        mark = self.raw.startswith("\ufeff")
        ends = [each.end() for each in LINE_END.finditer(self.raw)]
        return [int(mark), *ends, len(self.raw)]


def _same(data: Data) -> str:
    return json.dumps(data, sort_keys=True)
