"""Data classes as plain values and back: what a disk store can keep of them.

A record is a list, its class first and its place last. What is one object stays one
object, so that what is worked out of it once is still worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from houserule.source import NOWHERE, Span

_SPAN, _LIST = -1, -2  # in the place of a class


class RecordCodec:
    """Makes plain values of records of some data classes, and of what holds them.

    Fields are numbers, texts, records, and tuples, lists, mappings of such, and frozen
    sets of plain values.

    Args:
        found: the classes; whatever else is among them is left out.
    """

    def __init__(self, found: Iterable[object]) -> None:
        classes = {each for each in found if isinstance(each, type)}
        self.classes: list[Any] = sorted(
            (each for each in classes if is_dataclass(each) and each is not Span),
            key=lambda each: (each.__module__, each.__qualname__),
        )
        self.numbers = {each: number for number, each in enumerate(self.classes)}
        self.names = [
            tuple(each.name for each in fields(found) if not each.kw_only)
            for found in self.classes
        ]
        self.placed = [
            any(each.name == "span" and each.kw_only for each in fields(found))
            for found in self.classes
        ]

    def encode(self, value: object, *, one_file: bool = False) -> Any:  # noqa: ANN401  # plain values
        """Return a value as plain ones; spans of `one_file` leave out which it is."""
        return _ToPlain(self, one_file).value(value)

    def decode(self, plain: object, file: str | None = None) -> Any:  # noqa: ANN401  # what was encoded
        """Return what was encoded; `file` is that of all spans, if it was left out."""
        return _FromPlain(self, file).value(plain)


class _ToPlain:
    def __init__(self, codec: RecordCodec, one_file: bool) -> None:
        self._codec, self._one_file = codec, one_file
        self._known: dict[int, list[Any]] = {}

    def value(self, value: Any) -> Any:  # noqa: ANN401  # a record, or anything plain
        kind = type(value)
        if kind is tuple:
            return tuple(map(self.value, value))
        if isinstance(value, Mapping):
            return {key: self.value(each) for key, each in value.items()}
        if kind is Span:
            return [_SPAN, *self._span(value)]
        if kind is list:
            return [_LIST, *map(self.value, value)]
        number = self._codec.numbers.get(kind)
        return value if number is None else self._record(value, number)

    def _record(self, value: Any, number: int) -> list[Any]:  # noqa: ANN401
        known = self._known.get(id(value))
        if known is None:
            names = self._codec.names[number]
            known = [number, *(self.value(getattr(value, name)) for name in names)]
            if self._codec.placed[number]:
                known.append(self._span(value.span))
            self._known[id(value)] = known
        return known

    def _span(self, span: Span) -> tuple[object, ...]:
        place = span.line, span.column, span.end_line, span.end_column
        return place if self._one_file else (span.file, *place)


class _FromPlain:
    def __init__(self, codec: RecordCodec, file: str | None) -> None:
        self._codec, self._file = codec, file
        self._known: dict[int, Any] = {}

    def value(self, plain: Any) -> Any:  # noqa: ANN401  # as it was encoded
        kind = type(plain)
        if kind is tuple:
            return tuple([self.value(each) for each in plain])
        if kind is dict:
            return {key: self.value(each) for key, each in plain.items()}
        if kind is not list:
            return plain
        known = self._known.get(id(plain))
        if known is None:
            known = self._known[id(plain)] = self._record(plain)
        return known

    def _record(self, plain: list[Any]) -> Any:  # noqa: ANN401
        number, *parts = plain
        if number == _SPAN:
            return self._span(parts)
        if number == _LIST:
            return [self.value(each) for each in parts]
        made, decode = self._codec.classes[number], self.value
        if self._codec.placed[number]:
            span = self._span(parts.pop())
            return made(*[decode(each) for each in parts], span=span)
        return made(*[decode(each) for each in parts])

    def _span(self, place: Any) -> Span:  # noqa: ANN401  # a sequence
        found = Span(*place) if self._file is None else Span(self._file, *place)
        return found if found.line else NOWHERE
