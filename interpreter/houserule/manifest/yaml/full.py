"""All of YAML to plain data with places. The only file that imports ruamel.

The subset is what people write by hand: blocks, lists, plain and quoted texts. Anchors
and tags are refused. Nothing is ever executed, and no text makes it raise. Unquoted
`yes`, `no`, `true`, `false` are yes and no; `none`, `null`, `~` and nothing are none.
Keys are always texts, as written.
"""

from __future__ import annotations

from collections.abc import Iterator

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
from houserule.manifest.yaml.places import DEEPEST, Places, plain_value
from houserule.source import Source, Span

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


def read_fully(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Read any text as `parse_yaml` does, with the reader of all YAML."""
    reader = _DocumentReader(source)
    try:
        data = reader.read()
    except MarkedYAMLError as error:
        reader.faults.append(reader.syntax_fault(error))
        data = None
    except (YAMLError, ValueError, OverflowError) as error:
        reader.report(str(error).splitlines()[0], Span.at(source.name))
        data = None
    places = reader.places
    return Document(source, data, places.spans, places.key_spans), reader.faults


class _DocumentReader:
    """Builds plain data from the events of one text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.places = Places(source)
        self.faults: list[Diagnostic] = []

    def read(self) -> Data:
        """Read the only document of the text; nothing at all is none."""
        self._events: Iterator[Event] = iter(
            YAML(typ="safe", pure=True).parse(self.source.text)
        )
        data: Data = None
        seen = False
        for event in self._events:
            if isinstance(event, DocumentStartEvent) and seen:
                self.report("the file holds a second document", self._place(event))
                return data
            if isinstance(event, NodeEvent):
                data, seen = self._value(event, ()), True
        return data

    def report(self, message: str, span: Span, *others: Label) -> None:
        """Note that something cannot be read."""
        self.faults.append(fault("E030", message, span, others=others))

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
        self.places.spans[path] = span
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
        for event in self._events:
            if isinstance(event, SequenceEndEvent):
                break
            values.append(self._value(event, (*path, len(values))))
            self.places.stretch(path, (*path, len(values) - 1))
        return values

    def _mapping(self, path: KeyPath) -> Data:
        values: dict[str, Data] = {}
        for event in self._events:
            if isinstance(event, MappingEndEvent):
                break
            if not isinstance(event, ScalarEvent):
                self.report("a key must be one word or text", self._place(event))
                self._discard(event)
                self._discard(next(self._events))
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
            first = Label(self.places.key_spans[*path, key], "first here")
            self.report(f"`{key}` stands twice", span, first)
            self._discard(next(self._events))
            return
        self.places.key_spans[*path, key] = span
        values[key] = self._value(next(self._events), (*path, key))
        self.places.stretch(path, (*path, key))

    def _discard(self, event: Event) -> None:
        if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._skip()

    def _skip(self) -> None:
        """Pass over the rest of the block or list that has just begun."""
        depth = 1
        while depth:
            event = next(self._events)
            depth += isinstance(event, (MappingStartEvent, SequenceStartEvent))
            depth -= isinstance(event, (MappingEndEvent, SequenceEndEvent))

    def _place(self, event: Event) -> Span:
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, (ScalarEvent, AliasEvent)):
            return self.places.scalar(start, end)
        return self.places.between(start, start + 1)

    def _mark(self, mark: StringMark | None) -> Span | None:
        return None if mark is None else self.places.between(mark.index, mark.index + 1)


def _scalar(event: ScalarEvent) -> Data:
    """Return the value of a text: quoted ones are texts, plain ones may be more."""
    text = str(event.value)
    return text if event.style else plain_value(text)
