"""Appendices: the part of rules files below the line `---`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.diagnostics.diagnostic import Diagnostic
from houserule.frozen import frozen
from houserule.manifest.model import Appendix
from houserule.manifest.yaml.document import Document
from houserule.manifest.yaml.read import read_document
from houserule.manifest.yaml.validate import validate
from houserule.source import Source, parts_of


@frozen
class LoadedAppendix:
    """An appendix with its document; its model is None if it cannot be read."""

    said: Appendix | None
    document: Document


def load_appendices(
    rules: Iterable[Source], faults: list[Diagnostic]
) -> Iterator[LoadedAppendix]:
    """Yield the appendices of rules files; errors in them go to `faults`.

    Empty appendices are skipped.
    """
    for source in rules:
        _, below = parts_of(source)
        if below is None:
            continue
        document, found = read_document(below)
        faults.extend(found)
        if document.data is None:
            if found:
                yield LoadedAppendix(None, document)
            continue
        said, misfits = validate(document, Appendix)
        faults.extend(misfits)
        yield LoadedAppendix(said, document)
