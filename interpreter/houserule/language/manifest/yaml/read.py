"""Read YAML texts as plain data or models, with a disk cache.

Reading YAML is slow, so the data and places of texts without errors are cached. Each
value has a place, but only errors need places: cached places stay packed until one is
used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from marshal import dumps, loads
from typing import TypeAlias, TypeVar

from pydantic import BaseModel

from houserule.base.cache import DiskStore
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.source import Source, Span
from houserule.language.manifest.yaml.document import Data, Document, KeyPath
from houserule.language.manifest.yaml.parser import parse_yaml
from houserule.language.manifest.yaml.validate import validate

MODEL = TypeVar("MODEL", bound=BaseModel)
Places: TypeAlias = dict[KeyPath, tuple[int, int, int, int]]

DOCUMENTS = DiskStore(
    "yaml",
    made_by=("language/manifest/yaml", "base/source.py", "base/diagnostics"),
    most=3000,
)


def read_document(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Return the result of `parse_yaml`, from the cache if the text was read before."""
    key = DOCUMENTS.key(source.text)

    def placed(kept: tuple[Data, bytes, bytes]) -> Document:
        data, spans, key_spans = kept
        name = source.name
        return Document(source, data, _Packed(name, spans), _Packed(name, key_spans))

    kept = DOCUMENTS.load(key, placed)
    if kept is not None:
        return kept, []
    document, faults = parse_yaml(source)
    if not faults:
        places = _packed(document.spans), _packed(document.key_spans)
        DOCUMENTS.save(key, (document.data, *places))
    return document, faults


def read_model(
    source: Source, model: type[MODEL]
) -> tuple[MODEL | None, Document, list[Diagnostic]]:
    """Read a YAML text as a model: the model if it fits, its data, and every error."""
    document, faults = read_document(source)
    if faults and document.data is None:
        return None, document, faults
    found, misfits = validate(document, model)
    return found, document, faults + misfits


class _Packed(Mapping[KeyPath, Span]):
    """The packed places of a cached text."""

    def __init__(self, file: str, packed: bytes) -> None:
        self._file, self._text = file, packed

    @cached_property
    def _places(self) -> Places:
        found: Places = loads(self._text)
        return found

    def __getitem__(self, path: KeyPath) -> Span:
        return Span(self._file, *self._places[path])

    def __iter__(self) -> Iterator[KeyPath]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _packed(spans: Mapping[KeyPath, Span]) -> bytes:
    places: Places = {
        path: (span.line, span.column, span.end_line, span.end_column)
        for path, span in spans.items()
    }
    return dumps(places)
