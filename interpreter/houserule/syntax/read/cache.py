"""Trees of rules files, kept on disk.

The key is the text alone: the name of the file is put in when a tree is read.
"""

from __future__ import annotations

from typing import TypeAlias

from houserule.cache import DiskStore, RecordCodec
from houserule.diagnostics.diagnostic import Diagnostic, Label
from houserule.source import Source
from houserule.syntax import tree
from houserule.syntax.vocabulary import grammar_key

Found: TypeAlias = tuple[tuple[tree.Unit, ...], tuple[Diagnostic, ...]]

TREES = DiskStore(
    "trees",
    made_by=("syntax", "source.py", "cache.py", "diagnostics/diagnostic.py"),
    most=3000,
)
CODEC = RecordCodec((*vars(tree).values(), Diagnostic, Label))


def load(source: Source) -> Found | None:
    """Return what is kept of a text, its places in the file of this name, or None."""

    def decoded(kept: object) -> Found:
        units, faults = CODEC.decode(kept, source.name)
        assert all(isinstance(each, tree.Unit) for each in units)
        assert all(isinstance(each, Diagnostic) for each in faults)
        return units, faults

    return TREES.load(TREES.key(grammar_key(), source.text), decoded)


def save(source: Source, found: Found) -> None:
    """Keep the units and faults of a text."""
    kept = CODEC.encode(found, one_file=True)
    TREES.save(TREES.key(grammar_key(), source.text), kept)
