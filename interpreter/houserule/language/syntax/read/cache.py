"""Disk cache for the trees of rules files.

The key of a tree is only the text; the file name is inserted when the tree is loaded.
"""

from __future__ import annotations

from typing import TypeAlias

from houserule.base.cache import DiskStore, RecordCodec
from houserule.base.diagnostics.diagnostic import Diagnostic, Label
from houserule.base.source import Source
from houserule.language.syntax import tree
from houserule.language.syntax.vocabulary import grammar_key

Found: TypeAlias = tuple[tuple[tree.Unit, ...], tuple[Diagnostic, ...]]

MADE_BY = ("language/syntax", "base/source.py", "base/cache.py", "base/diagnostics")
TREES = DiskStore("trees", made_by=MADE_BY, most=3000)
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
