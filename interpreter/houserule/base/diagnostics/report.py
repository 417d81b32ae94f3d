"""Diagnostics as objects for programs: the format of `--json`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.plain import Plain


class PlaceReport(Plain):
    """A stretch of a text and the short fact about it."""

    file: str
    line: int = Field(ge=0, description="From 1; 0 for a fault of the whole file.")
    column: int = Field(ge=0)
    end_line: int = Field(ge=0)
    end_column: int = Field(ge=0, description="Exclusive.")
    text: str = ""
    lead: str = ""


class DiagnosticReport(Plain):
    """One error in an author's text or in a chosen table."""

    code: str = Field(pattern=r"^[EWFN]\d{2,3}$", description="Stable; see `explain`.")
    severity: Literal["error", "warning", "note"]
    title: str
    message: str
    places: list[PlaceReport] = Field(description="Most important first.")
    details: list[str]
    fixes: list[str] = Field(description="Ways out, ready to paste.")


def report(diagnostic: Diagnostic) -> DiagnosticReport:
    """Return the diagnostic as an object."""
    return DiagnosticReport(
        code=diagnostic.code,
        severity=diagnostic.severity.value,
        title=diagnostic.title,
        message=_whole(diagnostic.message),
        places=[
            PlaceReport(
                file=_whole(label.span.file),
                line=label.span.line,
                column=label.span.column,
                end_line=label.span.end_line,
                end_column=label.span.end_column,
                text=_whole(label.text),
                lead=label.lead,
            )
            for label in diagnostic.labels
        ],
        details=[_whole(each) for each in diagnostic.details],
        fixes=[_whole(each) for each in diagnostic.fixes],
    )


def _whole(text: str) -> str:
    """Return a text that JSON can hold: lone surrogates are written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
