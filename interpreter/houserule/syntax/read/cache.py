"""Trees of rules files, kept on disk as plain numbers, texts and tuples.

The key is the text alone: the name of the file is put in when a tree is read.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from houserule.cache import DiskStore
from houserule.diagnostics.diagnostic import Diagnostic, Label
from houserule.source import NOWHERE, Source, Span
from houserule.syntax import tree
from houserule.syntax.vocabulary import grammar_key

Found: TypeAlias = tuple[tuple[tree.Unit, ...], tuple[Diagnostic, ...]]

TREES = DiskStore(
    "trees", made_by=("syntax", "source.py", "diagnostics/diagnostic.py"), most=3000
)


def load(source: Source) -> Found | None:
    """Return what is kept of a text, its places in the file of this name, or None."""
    kept = TREES.load(TREES.key(grammar_key(), source.text))
    if kept is None:
        return None
    units, faults = _Decoder(source.name).value(kept)
    return units, faults


def save(source: Source, found: Found) -> None:
    """Keep the units and faults of a text."""
    TREES.save(TREES.key(grammar_key(), source.text), _encode(found))


# ---- trees as plain values: a node is a list, its class first, its place last


_NODES: list[Any] = sorted(
    {
        found
        for found in (*vars(tree).values(), Diagnostic, Label)
        if isinstance(found, type) and is_dataclass(found) and found is not Span
    },
    key=lambda found: found.__name__,
)
_NUMBER = {found: number for number, found in enumerate(_NODES)}
_FIELDS = [
    tuple(each.name for each in fields(found) if not each.kw_only) for found in _NODES
]
_PLACED = [issubclass(found, tree.Node) for found in _NODES]
_SPAN = -1


def _encode(value: Any) -> Any:  # noqa: ANN401  # a node, or anything plain
    kind = type(value)
    if kind is tuple:
        return tuple(map(_encode, value))
    if kind is Span:
        return [_SPAN, *_encode_span(value)]
    number = _NUMBER.get(kind)
    if number is None:
        return value
    parts = [_encode(getattr(value, name)) for name in _FIELDS[number]]
    if _PLACED[number]:
        return [number, *parts, _encode_span(value.span)]
    return [number, *parts]


def _encode_span(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


class _Decoder:
    """Makes nodes of plain values, with their places in one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    def value(self, plain: Any) -> Any:  # noqa: ANN401  # a node, or anything plain
        """Return the node, the tuple of nodes, or the plain value itself."""
        kind = type(plain)
        if kind is tuple:
            return tuple([self.value(each) for each in plain])
        if kind is not list:
            return plain
        number = plain[0]
        if number == _SPAN:
            return self._span(plain[1:])
        decode = self.value
        if _PLACED[number]:
            parts = [decode(each) for each in plain[1:-1]]
            return _NODES[number](*parts, span=self._span(plain[-1]))
        return _NODES[number](*[decode(each) for each in plain[1:]])

    def _span(self, place: tuple[int, int, int, int]) -> Span:
        return Span(self._file, *place) if place[0] else NOWHERE
