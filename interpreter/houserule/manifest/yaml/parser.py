"""YAML text to plain data with places. The only file that imports ruamel.

The subset is what people write by hand: blocks, lists, plain and quoted texts. Anchors
and tags are refused. Nothing is ever executed, and no text makes it raise. Unquoted
`yes`, `no`, `true`, `false` are yes and no; `none`, `null`, `~` and nothing are none.
Keys are always texts, as written.

ruamel reads with Python code, and this decides what a text says and what is wrong with
it. Its C part, where it is installed, reads eight times as fast: it reads the texts in
which both are known to agree, as long as nothing is wrong with them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StringMark, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.manifest.yaml.document import Data, Document, KeyPath
from houserule.source import Source, Span

try:
    import _ruamel_yaml
except ImportError:  # a Python that has no wheels of it: all is read, only slower
    in_c = None
else:
    in_c = _ruamel_yaml.CParser

# Where the two readers differ, or may.
NOT_ALIKE = re.compile(
    r"[^\n -~\xa1-\u2027\u202a-\ufdff]"  # tabs, line ends of other alphabets
    r"|[|>][^\n]*(#|\n *(\n|#))"  # a block of text with a remark or a gap at its head
    r"|[\"']:[^ \n]"  # a quoted text and a colon close to what follows
    r"|^ *\?",  # keys with a sign of their own
    re.MULTILINE,
)
REMARK = re.compile(r"#[^\n]*")

DEEPEST = 40
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("yes", "true", "True"), True),
    **dict.fromkeys(("no", "false", "False"), False),
    **dict.fromkeys(("", "~", "null", "none"), None),
}
WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
DECIMAL = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}")

# What the YAML reader says, and what it means for someone who writes by hand.
MEANINGS = (
    ("mapping values are not allowed", "a colon too many, or a wrong indentation"),
    ("could not find expected ':'", "a colon is missing after a key"),
    ("'\\t'", "there is a tab; indent with spaces"),
    ("expected ',' or ']'", "a comma or the closing `]` is missing"),
    ("expected ',' or '}'", "a comma or the closing `}` is missing"),
    ("expected <block end>", "this line is indented unlike its neighbours"),
    ("expected the node content", "something is missing here"),
    ("unexpected end of stream", "a quote is never closed"),
    ("document separator", "a quote is never closed"),
    ("expected <document start>", "this line does not belong to what stands above"),
    ("cannot start any token", "a text that begins like this needs quotes"),
    ("special characters are not allowed", "there is a character that YAML refuses"),
    ("sequence entries are not allowed", "a list may not begin here"),
    ("block sequence entries", "a list may not begin here"),
    ("unknown escape character", "a backslash here needs to be written twice"),
)

QUOTE = 'put a key with a comma into quotes:  {"markers(ann, six)": 3}'


def cut_at_comma(key: str) -> bool:
    """Say whether a key is half of one with brackets: YAML ends it at the comma."""
    return key.count("(") != key.count(")")


def parse_yaml(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Read a YAML text: what it says as far as it can be read, and every fault.

    Faults are E030: no YAML, a key that stands twice, anchors, tags, several
    documents, keys that are no words. A file that cannot be read has no data.
    """
    quick = _quick_events(source.text)
    if quick is not None:
        reader = _DocumentReader(source, iter(quick))
        data = reader.read()
        if not reader.faults:
            return Document(source, data, reader.spans, reader.key_spans), []
    return parse_fully(source)


def parse_fully(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Do what `parse_yaml` does, with the reader in Python alone."""
    events = YAML(typ="safe", pure=True).parse(source.text)
    reader = _DocumentReader(source, iter(events))
    try:
        data = reader.read()
    except MarkedYAMLError as error:
        reader.faults.append(reader.syntax_fault(error))
        data = None
    except (YAMLError, ValueError, OverflowError) as error:
        reader.report(str(error).splitlines()[0], Span.at(source.name))
        data = None
    return Document(source, data, reader.spans, reader.key_spans), reader.faults


def _quick_events(text: str) -> list[Event] | None:
    """Return what the reader in C finds, or None where it is not to be trusted."""
    if in_c is None or NOT_ALIKE.search(text):
        return None
    events: list[Event] = []
    try:
        parser = in_c(text)
        while parser.check_event():
            events.append(parser.get_event())
    except (YAMLError, ValueError):
        return None
    return events


@dataclass
class _DocumentReader:
    """Builds plain data from the events of one text."""

    source: Source
    events: Iterator[Event]
    spans: dict[KeyPath, Span] = field(default_factory=dict)
    key_spans: dict[KeyPath, Span] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        lengths = (len(line) + 1 for line in self.source.lines)
        self._starts = list(accumulate(lengths, initial=0))
        self._reached = 0  # the index behind the last key or value

    def read(self) -> Data:
        """Read the only document of the text; nothing at all is none."""
        data: Data = None
        seen = False
        for event in self.events:
            if isinstance(event, DocumentStartEvent) and seen:
                self.report("the file holds a second document", self._place(event))
                return data
            if isinstance(event, NodeEvent):
                data, seen = self._value(event, ()), True
        return data

    def report(
        self, message: str, span: Span, *others: Label, fixes: tuple[str, ...] = ()
    ) -> None:
        """Note that something cannot be read."""
        self.faults.append(fault("E030", message, span, others=others, fixes=fixes))

    def syntax_fault(self, error: MarkedYAMLError) -> Diagnostic:
        """Say in plain words where the reader of YAML could not go on, and why."""
        said = f"{error.context or ''} {error.problem or ''}"
        known = (meaning for part, meaning in MEANINGS if part in said)
        meaning = next(known, error.problem or "something is wrong")
        began = self._mark(error.context_mark)
        place = self._mark(error.problem_mark) or began or Span.at(self.source.name)
        begun = (Label(began, "it began here"),) if began and began != place else ()
        return fault("E030", f"this cannot be read: {meaning}", place, others=begun)

    def _value(self, event: Event, path: KeyPath) -> Data:
        """Build the value that begins with `event`."""
        span = self._place(event)
        self.spans[path] = span
        self._refuse_specials(event, span)
        if isinstance(event, ScalarEvent):
            return _scalar(event)
        if isinstance(event, AliasEvent):
            return None
        if len(path) > DEEPEST:
            self.report("this is nested too deeply", span)
            self._skip()
            return None
        whole = isinstance(event, MappingStartEvent)
        data: Data = self._mapping(path) if whole else self._sequence(path)
        return data

    def _refuse_specials(self, event: Event, span: Span) -> None:
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            self.report("anchors and aliases are not used in these files", span)
        elif getattr(event, "tag", None):
            self.report("tags are not used in these files", span)

    def _sequence(self, path: KeyPath) -> Data:
        values: list[Data] = []
        for event in self.events:
            if isinstance(event, SequenceEndEvent):
                break
            values.append(self._value(event, (*path, len(values))))
            self._stretch(path, (*path, len(values) - 1))
        return values

    def _mapping(self, path: KeyPath) -> Data:
        values: dict[str, Data] = {}
        for event in self.events:
            if isinstance(event, MappingEndEvent):
                break
            if not isinstance(event, ScalarEvent):
                self.report("a key must be one word or text", self._place(event))
                self._discard(event)
                self._discard(next(self.events))
                continue
            self._entry(event, path, values)
        return values

    def _entry(
        self, event: ScalarEvent, path: KeyPath, values: dict[str, Data]
    ) -> None:
        """Read one key and its value; of a key that stands twice the first counts."""
        key, span = str(event.value), self._place(event)
        self._refuse_specials(event, span)
        if key in values:
            first = Label(self.key_spans[*path, key], "first here")
            fixes = (QUOTE,) if cut_at_comma(key) else ()
            self.report(f"`{key}` stands twice", span, first, fixes=fixes)
            self._discard(next(self.events))
            return
        self.key_spans[*path, key] = span
        values[key] = self._value(next(self.events), (*path, key))
        self._stretch(path, (*path, key))

    def _discard(self, event: Event) -> None:
        if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._skip()

    def _skip(self) -> None:
        """Pass over the rest of the block or list that has just begun."""
        depth = 1
        while depth:
            event = next(self.events)
            depth += isinstance(event, (MappingStartEvent, SequenceStartEvent))
            depth -= isinstance(event, (MappingEndEvent, SequenceEndEvent))

    def _stretch(self, path: KeyPath, last: KeyPath) -> None:
        """Let a block reach to the end of its last value; YAML marks say later."""
        self.spans[path] = self.spans[path].to(self.spans[last])

    def _place(self, event: Event) -> Span:
        start, end = event.start_mark.index, event.end_mark.index
        if not isinstance(event, (ScalarEvent, AliasEvent)):
            end = start + 1
        elif start == end:  # nothing was written: stand on the sign before it
            passed = REMARK.sub("", self.source.text[self._reached : start])
            start = max(1, self._reached + len(passed.rstrip())) - 1
            end = start + 1
        self._reached = end
        return self._between(start, end)

    def _mark(self, mark: StringMark | None) -> Span | None:
        return None if mark is None else self._between(mark.index, mark.index + 1)

    def _between(self, start: int, end: int) -> Span:
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

    def _line_and_column(self, index: int) -> tuple[int, int]:
        line = max(1, bisect_right(self._starts, index))
        line = min(line, len(self.source.lines))
        return line, index - self._starts[line - 1] + 1


def _scalar(event: ScalarEvent) -> Data:
    """Return the value of a text: quoted ones are texts, plain ones may be more."""
    text = str(event.value)
    if event.style:
        return text
    if text in WORDS:
        return WORDS[text]
    if WHOLE.fullmatch(text):
        return int(text)
    return float(text) if DECIMAL.fullmatch(text) else text
