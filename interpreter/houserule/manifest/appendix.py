"""Appendices: what stands below the line `---` of rules files."""

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
    """An appendix that was read, and where it says what; None if it cannot be read."""

    said: Appendix | None
    document: Document


def load_appendices(
    rules: Iterable[Source], faults: list[Diagnostic]
) -> Iterator[LoadedAppendix]:
    """Yield the appendices of rules files; what is wrong with them goes to `faults`.

    One without a word counts as none.
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
