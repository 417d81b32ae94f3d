"""Appendices: the part of rules files below the line `---`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.frozen import frozen
from houserule.base.source import Source, parts_of
from houserule.language.manifest.ruleset_models import Appendix
from houserule.language.manifest.yaml.document import Document
from houserule.language.manifest.yaml.read import read_document
from houserule.language.manifest.yaml.validate import validate


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
