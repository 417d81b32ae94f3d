"""Parse YAML text to plain data with places. The only file that imports ruamel.

It accepts the subset that people write by hand: blocks, lists, plain and quoted texts.
Anchors and tags are errors. It executes nothing, and no text makes it raise. Unquoted
`yes`, `no`, `true`, `false` are booleans; `none`, `null`, `~` and empty values are
none. Keys are always texts, as written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
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
from ruamel.yaml.scanner import Scanner

from houserule.base.diagnostics.characters import IN_KEY, IN_VALUE, misleading, odd
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    fault,
    too_large,
    unseen,
)
from houserule.base.files import E030
from houserule.base.limits import limit
from houserule.base.source import UNSEEN, Source, Span
from houserule.language.manifest.yaml.document import (
    WHOLE,
    WORDS,
    Data,
    Document,
    KeyPath,
)

REMARK = re.compile(r"#[^\n]*")

BEGINNINGS = (MappingStartEvent, SequenceStartEvent)
ENDS = (MappingEndEvent, SequenceEndEvent)
DECIMAL = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}")
CALLED = re.compile(r"\w+\([^(){}\[\]:\n]*,[^(){}\[\]:\n]*\)")
GOES_ON = re.compile(r"[:-] +(\{[^{}]*\}|\[[^\[\]]*\]) *[^\s#\]},]")
COLONS = re.compile(r"^ *(?:- +)?\w+: +(?P<text>[^\"'{\[|>#\s][^#]*: [^#]*?) *$")

# ruamel's messages, in words for authors.
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
    ("expected <document start>", "this line does not belong to the line above"),
    ("cannot start any token", "a text that begins like this needs quotes"),
    ("special characters are not allowed", "there is a character that YAML refuses"),
    ("sequence entries are not allowed", "a list may not begin here"),
    ("block sequence entries", "a list may not begin here"),
    ("unknown escape character", "a backslash here needs to be written twice"),
)


def parse_yaml(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Parse a YAML text: its data as far as possible, and every error.

    Errors are E004, invisible characters, and E030: no YAML, duplicate keys, anchors,
    tags, several documents, keys that are not words. A file that cannot be read has no
    data.
    """
    if first := UNSEEN.search(source.text):
        # E004 for the first invisible character of a file.
        before = source.text[: first.start()]
        line, column = before.count("\n") + 1, first.start() - before.rfind("\n")
        number = sum(1 for _ in UNSEEN.finditer(source.text))
        many = f"There are {number:,} such characters in this file."
        place = Span.at(source.name, line, column)
        return Document(source, None, {}, {}), [
            unseen(first[0], place, [many] if number > 1 else [])
        ]
    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner = _ShallowScanner
    reader = _DocumentReader(source, _counted(yaml.parse(source.text)))
    try:
        data = reader.read()
    except _TooManyError as error:
        message = "This file has too many keys and values."
        place = Span.at(source.name, error.line)
        # Thousands may precede it.
        reader.faults = [too_large("entries", message, place, "from here on")]
        data = None
    except _TooDeepError as error:
        reader.too_deep(reader.place_of(error.problem_mark))
        data = None
    except MarkedYAMLError as error:
        found = reader.syntax_fault(error)
        reader.faults += [] if found in reader.faults else [found]
        data = None
    except (YAMLError, ValueError, OverflowError) as error:
        reader.report(str(error).splitlines()[0], Span.at(source.name))
        data = None
    if reader.misled:
        data = None
    return Document(source, data, reader.spans, reader.key_spans), reader.faults


def _counted(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events as long as the number of keys and values is within the limit.

    Raises:
        _TooManyError: it exceeds the limit; nothing beyond has been read.
    """
    left = limit("entries")
    for event in events:
        if isinstance(event, NodeEvent):
            left -= 1
            if left < 0:
                raise _TooManyError(event.start_mark.line + 1)
        yield event


class _TooManyError(Exception):
    """The keys and values of a file exceed the limit, from a line on."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class _TooDeepError(MarkedYAMLError):
    """Lists and keys are nested deeper than the limit."""


class _ShallowScanner(Scanner):
    """Scans tokens, and stops if nesting exceeds the limit.

    Each open bracket may turn out to be a key until its line ends, and ruamel checks
    all of them at every token: without a limit, that takes quadratic time.
    """

    def fetch_flow_collection_start(self, token_class: type, to_push: str) -> None:
        """Begin a list or a block in brackets."""
        self._refuse_depth()
        super().fetch_flow_collection_start(token_class, to_push)

    def add_indent(self, column: int) -> bool:
        """Begin a list or a block if the indentation is deeper."""
        deeper: bool = super().add_indent(column)
        if deeper:
            self._refuse_depth(begun=1)
        return deeper

    def _refuse_depth(self, begun: int = 0) -> None:
        depth = len(self.flow_context) + len(self.indents) - begun
        if depth > limit("nesting"):
            raise _TooDeepError(problem_mark=self.reader.get_mark())


@dataclass
class _DocumentReader:
    """Builds plain data from the events of one text."""

    source: Source
    events: Iterator[Event]
    spans: dict[KeyPath, Span] = field(default_factory=dict)
    key_spans: dict[KeyPath, Span] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)
    misled: bool = False  # a character makes the text look different

    def __post_init__(self) -> None:
        lengths = (len(line) + 1 for line in self.source.lines)
        self._starts = list(accumulate(lengths, initial=0))
        self._reached = 0  # the index after the last key or value

    def read(self) -> Data:
        """Read the only document of the text; None for an empty text."""
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
        """Record an error."""
        self.faults.append(fault(E030, message, span, others=others, fixes=fixes))

    def too_deep(self, span: Span) -> None:
        """Record that lists and keys are nested deeper than the limit."""
        message = "This is nested too deeply."
        self.faults.append(too_large("nesting", message, span))

    def syntax_fault(self, error: MarkedYAMLError) -> Diagnostic:
        """Record in plain words where ruamel stopped, and why."""
        said = f"{error.context or ''} {error.problem or ''}"
        known = (meaning for part, meaning in MEANINGS if part in said)
        meaning = next(known, error.problem or "something is wrong")
        if error.problem_mark and GOES_ON.search(
            self.source.line(self._line_and_column(error.problem_mark.index)[0])
        ):
            meaning = "a text that begins with a bracket needs quotes"
        began = error.context_mark and self.place_of(error.context_mark)
        place = self.place_of(error.problem_mark or error.context_mark)
        first = self.place_of(error.context_mark).line if error.context_mark else 1
        around = range(max(first, place.line - 1), place.line + 1)
        for found in misleading(self.source, around):
            return found
        begun = (Label(began, "it began here"),) if began and began != place else ()
        row = self.source.line(place.line)
        bare = COLONS.match(row)
        fixes: tuple[str, ...] = ()
        if bare:
            fixes = (row.replace(bare["text"], f'"{bare["text"]}"', 1).strip(),)
        message = f"this cannot be read: {meaning}"
        return fault(E030, message, place, others=begun, fixes=fixes)

    def _value(self, event: Event, path: KeyPath) -> Data:
        span = self._place(event)
        self.spans[path] = span
        self._refuse_specials(event, span)
        if isinstance(event, ScalarEvent):
            # The value of a scalar: quoted ones are texts, plain ones are typed.
            text = str(event.value)
            if event.style:
                return text
            if text in WORDS:
                return WORDS[text]
            if WHOLE.fullmatch(text):
                return int(text)
            return float(text) if DECIMAL.fullmatch(text) else text
        if isinstance(event, AliasEvent):
            return f"*{event.anchor}" if "." in event.anchor else None
        if len(path) > limit("nesting"):
            self.too_deep(span)
            self._skip()
            return None
        whole = isinstance(event, MappingStartEvent)
        data: Data = self._mapping(path) if whole else self._sequence(path)
        return data

    def _refuse_specials(self, event: Event, span: Span, *, key: bool = False) -> None:
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            rest = self.source.line(span.line)[span.column - 1 :]
            pattern = re.match(r"[*&][^\s,\]}]*\.[^\s,\]}]*", rest)
            message = "anchors and aliases are not used in these files"
            if pattern:  # of files
                message = f"a text that begins with `{rest[0]}` needs quotes"
            fixes = (f'"{pattern[0]}"',) if pattern else ()
            self.report(message, span, fixes=fixes)
        elif getattr(event, "tag", None):
            self.report("tags are not used in these files", span)
        elif found := UNSEEN.search(str(getattr(event, "value", ""))):
            self.faults.append(unseen(found[0], span))
        elif isinstance(event, ScalarEvent) and not event.style:
            start, end = event.start_mark.index, event.end_mark.index
            text = self.source.text[start:end]
            if wide := (IN_KEY if key else IN_VALUE).search(text):
                place = self._between(start + wide.end() - 1, start + wide.end())
                self.faults.append(odd(wide[0][-1], place))
                self.misled = True

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
        """Read one key and its value; of duplicate keys the first counts."""
        key, span = str(event.value), self._place(event)
        self._refuse_specials(event, span, key=True)
        if self._cut_key(event):
            return
        if key in values:
            first = Label(self.key_spans[*path, key], "first here")
            self.report(f"`{key}` stands twice", span, first)
            self._discard(next(self.events))
            return
        self.key_spans[*path, key] = span
        values[key] = self._value(next(self.events), (*path, key))
        self._stretch(path, (*path, key))

    def _cut_key(self, event: ScalarEvent) -> bool:
        """Return whether YAML ends this key at a comma, and skip the rest.

        A key such as `heap(1, 2)` becomes two, `heap(1` without a value and `2)`.
        """
        start = event.start_mark.index
        whole = CALLED.match(self.source.text, start)
        if event.style or ")" in event.value or whole is None:
            return False
        for _ in range(2 * whole[0].count(",")):
            next(self.events)
        self._discard(next(self.events))
        self.report(
            "YAML ends a key at a comma, so one with a comma needs quotes",
            self._between(start, whole.end()),
            fixes=(f'"{whole[0]}"',),
        )
        return True

    def _discard(self, event: Event) -> None:
        if isinstance(event, BEGINNINGS):
            self._skip()

    def _skip(self) -> None:
        """Skip the rest of the block or list that has just begun."""
        depth = 1
        while depth:
            event = next(self.events)
            depth += isinstance(event, BEGINNINGS)
            depth -= isinstance(event, ENDS)

    def _stretch(self, path: KeyPath, last: KeyPath) -> None:
        """End a block at the end of its last value; YAML marks end later."""
        self.spans[path] = self.spans[path].to(self.spans[last])

    def _place(self, event: Event) -> Span:
        start, end = event.start_mark.index, event.end_mark.index
        if not isinstance(event, (ScalarEvent, AliasEvent)):
            end = start + 1
        elif start == end:  # empty: use the place of the sign before it
            passed = REMARK.sub("", self.source.text[self._reached : start])
            start = max(1, self._reached + len(passed.rstrip())) - 1
            end = start + 1
        self._reached = end
        return self._between(start, end)

    def place_of(self, mark: StringMark | None) -> Span:
        """Return the place of a mark; without one, the whole file."""
        if mark is None:
            return Span.at(self.source.name)
        index = min(mark.index, len(self.source.text.rstrip()))  # not after the end
        return self._between(index, index + 1)

    def _between(self, start: int, end: int) -> Span:
        stop = max(start + 1, start + len(self.source.text[start:end].rstrip()))
        number = bisect_right(self._starts, start)
        if number < len(self._starts) and stop < self._starts[number]:  # one line
            before = self._starts[number - 1] - 1
            return Span(self.source.name, number, start - before, number, stop - before)
        line, column = self._line_and_column(start)
        end_line, end_column = self._line_and_column(stop)
        if end_column == 1 and end_line > line:  # a span never ends at a line's start
            end_line, end_column = line, column + 1
        return Span(self.source.name, line, column, end_line, end_column)

    def _line_and_column(self, index: int) -> tuple[int, int]:
        line = max(1, bisect_right(self._starts, index))
        line = min(line, len(self.source.lines))
        return line, index - self._starts[line - 1] + 1
