"""The result of a check: unique diagnostics, figures, and validated files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.source import Source
from houserule.language.manifest.kinds.validated_files import (
    ValidatedFile,
    ValidatedFiles,
    in_words,
)


@dataclass
class Checked:
    """The result of checking one game or file.

    Attributes:
        name: of the game, or the path of the file.
        summary: the extent of the check, in a few words.
        numbers: the same as figures: `variants`, `valid_tables`, `conflicts` and
            `composed`, for a whole game without errors in its files.
        held: the YAML files and appendices, with the schemas that validated them.
        diagnostics: each once, in the order of the search.
        sources: the texts that diagnostics point into, by name.
        unseen: the parts skipped for lack of time, in words; else empty.
    """

    name: str
    summary: str = ""
    numbers: dict[str, int] = field(default_factory=dict)
    held: tuple[ValidatedFile, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    unseen: str = ""

    def add_files(self, found: ValidatedFiles) -> None:
        """Add the validated files and their errors, and their number to the summary."""
        self.held = found.files
        self.sources = {**found.sources, **self.sources}
        self.add(found.faults)
        self.summary = "; ".join(filter(None, (self.summary, in_words(self.held))))

    def add(self, found: Iterable[Diagnostic]) -> None:
        """Add diagnostics, each once."""
        known = {_identity(each) for each in self.diagnostics}
        for each in found:
            if _identity(each) not in known:
                known.add(_identity(each))
                self.diagnostics.append(each)


def _identity(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.code, diagnostic.message, str(diagnostic.span)
