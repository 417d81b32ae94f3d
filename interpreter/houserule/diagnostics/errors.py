"""Errors that carry diagnostics: what library functions raise of authors' texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.diagnostics.render import Renderer
from houserule.source import Source


class DiagnosticsError(ValueError):
    """A text, or a choice of table, has faults.

    The error's own text is all messages as the command prints them, without colour.

    Attributes:
        diagnostics: the faults, in reading order; empty where a thing was not found.
        sources: the texts that the diagnostics point into, by name.
    """

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        sources: Mapping[str, Source] | None = None,
        message: str = "",
    ) -> None:
        self.diagnostics = tuple(in_reading_order(diagnostics))
        self.sources = dict(sources or {})
        super().__init__(message or Renderer(self.sources).all(self.diagnostics))


class RulesetError(DiagnosticsError):
    """A ruleset or a rules file cannot be read, or there is no such ruleset."""


class TableError(DiagnosticsError):
    """A table cannot be played: its variants, its options or its seats do not fit."""


class RecordError(DiagnosticsError):
    """A record cannot be read, or the table that it was played at cannot be."""
