"""YAML files that were read before, kept on disk: reading YAML is slow.

The key is the text and the code that reads it. What is kept are plain numbers and
texts, so reading them runs no code. Files with faults are not kept.
"""

from __future__ import annotations

import hashlib
import marshal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from houserule.manifest.yaml.document import Document, KeyPath
from houserule.manifest.yaml.parser import parse_yaml
from houserule.resources import cache_dir
from houserule.source import Source, Span
from houserule.syntax.read.cache import read_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.diagnostics.diagnostic import Diagnostic

Places: TypeAlias = dict[KeyPath, tuple[int, int, int, int]]


def read_document(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Return what `parse_yaml` returns, from disk if the text was read before."""
    path = cache_dir() / "yaml" / f"{_key(source)}.marshal"
    raw = read_bytes(path)
    if raw is not None:
        data, spans, key_spans = marshal.loads(raw)
        name = source.name
        found = Document(source, data, _spans(spans, name), _spans(key_spans, name))
        return found, []
    document, faults = parse_yaml(source)
    if not faults:
        kept = (document.data, _places(document.spans), _places(document.key_spans))
        write_bytes(path, marshal.dumps(kept))
    return document, faults


def _key(source: Source) -> str:
    text = source.text.encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(_code() + text).hexdigest()[:32]


@cache
def _code() -> bytes:
    """Return bytes that change with the code that reads YAML."""
    folder = Path(__file__).parent
    names = ("parser.py", "document.py", "cache.py")
    parts = [(folder / name).read_bytes() for name in names]
    return hashlib.sha256(b"".join(parts)).digest()


def _places(spans: Mapping[KeyPath, Span]) -> Places:
    return {
        path: (span.line, span.column, span.end_line, span.end_column)
        for path, span in spans.items()
    }


def _spans(places: Places, name: str) -> dict[KeyPath, Span]:
    return {path: Span(name, *place) for path, place in places.items()}
