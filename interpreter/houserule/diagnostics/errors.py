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

    Example:
        >>> try:
        ...     houserule.load("pig").table(players=9)
        ... except houserule.DiagnosticsError as error:
        ...     [each.code for each in error.diagnostics]
        ['E308']
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

    def __reduce__(self) -> tuple[object, ...]:
        # By default an exception is made again from its text, in another process too.
        return type(self), (self.diagnostics, self.sources, str(self))


class RulesetError(DiagnosticsError):
    r"""A ruleset or a rules file cannot be read, or there is no such ruleset.

    Example:
        >>> try:
        ...     houserule.format_rules("game pig\nplayers many")
        ... except houserule.RulesetError as error:
        ...     error.diagnostics[0].span.line
        2
    """


class TableError(DiagnosticsError):
    """A table cannot be played: its variants, its options or its seats do not fit.

    Example:
        >>> try:
        ...     houserule.load("pig").table(with_="fast")
        ... except houserule.TableError as error:
        ...     error.diagnostics[0].message
        'There is no variant called fast. There are: no_early_hold.'
    """


class RecordError(DiagnosticsError):
    """A record cannot be read, or the table that it was played at cannot be.

    Example:
        >>> import pathlib
        >>> written = pathlib.Path("note.txt").write_text("milk, eggs")
        >>> try:
        ...     houserule.read_record("note.txt")
        ... except houserule.RecordError as error:
        ...     error.diagnostics[0].code
        'E080'
    """
