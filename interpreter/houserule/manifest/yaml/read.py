"""YAML texts as plain data, or as models; from disk where they were read before.

Reading YAML is slow, so data and places of a text without faults are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pydantic import BaseModel

from houserule.cache import DiskStore
from houserule.manifest.yaml.document import Data, Document, KeyPath
from houserule.manifest.yaml.parser import parse_yaml
from houserule.manifest.yaml.validate import validate
from houserule.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.diagnostics.diagnostic import Diagnostic

MODEL = TypeVar("MODEL", bound=BaseModel)
Places: TypeAlias = dict[KeyPath, tuple[int, int, int, int]]

DOCUMENTS = DiskStore(
    "yaml",
    made_by=("manifest/yaml", "source.py", "diagnostics/diagnostic.py"),
    most=3000,
)


def read_document(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Return what `parse_yaml` returns, from disk if the text was read before."""
    key = DOCUMENTS.key(source.text)

    def placed(kept: tuple[Data, Places, Places]) -> Document:
        data, spans, key_spans = kept
        name = source.name
        return Document(source, data, _spans(spans, name), _spans(key_spans, name))

    kept = DOCUMENTS.load(key, placed)
    if kept is not None:
        return kept, []
    document, faults = parse_yaml(source)
    if not faults:
        places = _places(document.spans), _places(document.key_spans)
        DOCUMENTS.save(key, (document.data, *places))
    return document, faults


def read_model(
    source: Source, model: type[MODEL]
) -> tuple[MODEL | None, Document, list[Diagnostic]]:
    """Read a YAML text as a model: the model if it fits, its data, and every fault."""
    document, faults = read_document(source)
    if faults and document.data is None:
        return None, document, faults
    found, misfits = validate(document, model)
    return found, document, faults + misfits


def _places(spans: Mapping[KeyPath, Span]) -> Places:
    return {
        path: (span.line, span.column, span.end_line, span.end_column)
        for path, span in spans.items()
    }


def _spans(places: Places, name: str) -> dict[KeyPath, Span]:
    return {path: Span(name, *place) for path, place in places.items()}
