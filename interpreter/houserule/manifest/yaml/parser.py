"""YAML text to plain data with places: the fast reader where it can, else the full."""

from __future__ import annotations

from houserule.diagnostics.diagnostic import Diagnostic
from houserule.manifest.yaml.document import Document
from houserule.manifest.yaml.plain import read_plain
from houserule.source import Source


def parse_yaml(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Read a YAML text: what it says as far as it can be read, and every fault.

    Faults are E030: no YAML, a key that stands twice, anchors, tags, several
    documents, keys that are no words. A file that cannot be read has no data.
    """
    plain = read_plain(source)
    if plain is not None:
        return plain, []
    from houserule.manifest.yaml.full import read_fully

    return read_fully(source)
