"""A YAML file as plain data, with the place of every key and value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import Source, Span

Data: TypeAlias = bool | int | float | str | list["Data"] | dict[str, "Data"] | None
KeyPath: TypeAlias = tuple[str | int, ...]


WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("yes", "true", "True"), True),
    **dict.fromkeys(("no", "false", "False"), False),
    **dict.fromkeys(("", "~", "null", "none"), None),
}
"""The values of unquoted words."""
WHOLE = re.compile(r"[-+]?[0-9]{1,18}")


@frozen
class Document:
    """The data of a YAML file, with places.

    `data` holds only plain values, and every key is a text. A path is a tuple of keys
    and list positions: `("rows", 3, "income")`; `()` is the whole file.
    """

    source: Source
    data: Data
    spans: Mapping[KeyPath, Span] = field(repr=False)
    key_spans: Mapping[KeyPath, Span] = field(repr=False)

    def span(self, *path: str | int) -> Span:
        """Return the place of a value, or of the nearest enclosing one."""
        while path not in self.spans and path:
            path = path[:-1]
        return self.spans.get(path, Span.at(self.source.name))

    def key_span(self, *path: str | int) -> Span:
        """Return the place of the key that leads to a value, else of the value."""
        return self.key_spans.get(path) or self.span(*path)

    def head(self, *path: str | int) -> Span:
        """Return a short place for a block: its key, or its first key.

        Errors about missing keys point here.
        """
        if path in self.key_spans:
            return self.key_spans[path]
        inside = self.at(*path)
        if isinstance(inside, dict) and inside:
            return self.key_span(*path, next(iter(inside)))
        return self.span(*path)

    def inside(self, *path: str | int) -> Document:
        """Return the value at a path as a document of its own.

        Raises:
            KeyError: there is nothing at this path.
        """
        spans, keys = _Within(self.spans, path), _Within(self.key_spans, path)
        return Document(self.source, self.at(*path), spans, keys)

    def place_in(self, span: Span, pattern: str) -> Span:
        """Return the place of a pattern's only group in a value.

        If the value spans several lines, that is the whole value.
        """
        line = self.source.line(span.line)[: span.end_column - 1]
        found = re.compile(pattern).search(line, span.column - 1)
        if span.line != span.end_line or found is None:
            return span
        return Span.at(span.file, span.line, found.start(1) + 1, len(found[1]))

    def at(self, *path: str | int) -> Data:
        """Return the value at a path.

        Raises:
            KeyError: there is nothing at this path.
        """
        value = self.data
        for step in path:
            if isinstance(value, dict) and isinstance(step, str):
                value = value[step]
            elif isinstance(value, list) and isinstance(step, int):
                if not 0 <= step < len(value):
                    raise KeyError(path)
                value = value[step]
            else:
                raise KeyError(path)
        return value


class _Within(Mapping[KeyPath, Span]):
    """The places below a path, by relative paths."""

    def __init__(self, places: Mapping[KeyPath, Span], path: KeyPath) -> None:
        self._places, self._path = places, path

    def __getitem__(self, path: KeyPath) -> Span:
        return self._places[self._path + path]

    def __iter__(self) -> Iterator[KeyPath]:
        length = len(self._path)
        return (at[length:] for at in self._places if at[:length] == self._path)

    def __len__(self) -> int:
        return sum(1 for _ in self)
