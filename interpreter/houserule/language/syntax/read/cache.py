"""Disk cache for the trees of rules files, and for the parsed items of a file.

The key of a tree is only the text; the file name is inserted when the tree is loaded.
If a text changes, most of its headers and items stay the same. Therefore the latest
parsed headers and items of each file are also cached, by file name and independent of
their position.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.base.cache import DiskStore, RecordCodec, understood
from houserule.base.diagnostics.diagnostic import Diagnostic, Label
from houserule.base.source import NOWHERE, Source, Span
from houserule.language.syntax import tree
from houserule.language.syntax.read.cst import CstNode, Leaf, ParseError, Part
from houserule.language.syntax.vocabulary import grammar_key

if TYPE_CHECKING:
    from houserule.language.syntax.read.units import Chunk

Found: TypeAlias = tuple[tuple[tree.Unit, ...], tuple[Diagnostic, ...]]

MADE_BY = ("language/syntax", "base/source.py", "base/cache.py", "base/diagnostics")
TREES = DiskStore("trees", made_by=MADE_BY, most=3000)
CHUNKS = DiskStore("chunks", made_by=MADE_BY, most=3000)
CODEC = RecordCodec((*vars(tree).values(), Diagnostic, Label))


def load(source: Source) -> Found | None:
    """Return the cached units and errors of a text, if any, placed in this file."""

    def decoded(kept: object) -> Found:
        units, faults = CODEC.decode(kept, source.name)
        assert all(isinstance(each, tree.Unit) for each in units)
        assert all(isinstance(each, Diagnostic) for each in faults)
        return units, faults

    return TREES.load(TREES.key(grammar_key(), source.text), decoded)


def save(source: Source, found: Found) -> None:
    """Cache the units and errors of a text."""
    kept = CODEC.encode(found, one_file=True)
    TREES.save(TREES.key(grammar_key(), source.text), kept)


# ---- headers and items


class Chunks:
    """The parsed headers and items of a file, new and from the last time."""

    def __init__(self, file: str) -> None:
        self._key = CHUNKS.key(grammar_key(), file)
        self._before: dict[bytes, Any] = CHUNKS.load(self._key, dict[bytes, Any]) or {}
        self._now: dict[bytes, Any] = {}

    def parse(
        self, chunk: Chunk, afresh: Callable[[Chunk], CstNode | ParseError]
    ) -> CstNode | ParseError:
        """Return the cached result for the same input, else that of `afresh`."""
        # A key of the grammar's whole input, including the positions of words.
        first, last = chunk.first, chunk.first + chunk.text.count("\n")
        inside = slice(
            *(bisect_left(chunk.starts, (line, 0)) for line in (first, last))
        )
        words = [
            (line - first, column, end_line - first, end)
            for (line, column), (end_line, end) in zip(
                chunk.starts[inside], chunk.ends[inside], strict=True
            )
        ]
        text = repr((chunk.start, chunk.text, words))
        key, plain = hashlib.sha256(text.encode()).digest(), None
        above = chunk.first - 1
        if key in self._before:
            plain = self._before[key]
            known = understood(plain, lambda kept: _cst(kept, chunk.file, above))
            if known is not None:
                self._now[key] = plain
                return known
        found = afresh(chunk)
        if isinstance(found, CstNode):
            last = above + chunk.text.count("\n")
            plain = understood(found, lambda found: _plain(found, above, last))
            if plain is not None:
                self._now[key] = plain
        return found

    def save(self) -> None:
        """Store the new results instead of the old ones."""
        if self._now.keys() != self._before.keys():
            CHUNKS.save(self._key, self._now)


def _plain(part: Part, above: int, last: int) -> Any:  # noqa: ANN401  # plain values
    """Return a part as plain values, with lines relative to its chunk.

    Raises:
        ValueError: it extends beyond its chunk, so it depends on the surrounding text.
    """
    if part is None:
        return None
    span = part.span
    place = span.line - above, span.column, span.end_line - above, span.end_column
    if span is NOWHERE:
        place = 0, 0, 0, 0
    elif not above < span.line <= span.end_line <= last:
        raise ValueError(span)
    if isinstance(part, Leaf):
        return part.text, None, *place
    return part.rule, tuple([_plain(e, above, last) for e in part.parts]), *place


def _cst(plain: Any, file: str, above: int) -> CstNode:  # noqa: ANN401  # plain values
    found = _part(plain, file, above)
    assert isinstance(found, CstNode)
    return found


def _part(plain: Any, file: str, above: int) -> Part:  # noqa: ANN401  # plain values
    if plain is None:
        return None
    said, parts, line, column, end_line, end_column = plain
    span = Span(file, line + above, column, end_line + above, end_column)
    if not line:
        span = NOWHERE
    if parts is None:
        return Leaf(said, span)
    return CstNode(said, tuple([_part(each, file, above) for each in parts]), span)
