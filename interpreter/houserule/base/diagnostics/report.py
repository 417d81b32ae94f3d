"""Diagnostics for programs: objects, commands of GitHub's runners, and SARIF."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from pydantic import Field

from houserule import __version__
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.plain import Plain
from houserule.base.source import Span


class PlaceReport(Plain):
    """A stretch of a text and the short fact about it."""

    file: str
    line: int = Field(ge=0, description="From 1; 0 for a fault of the whole file.")
    column: int = Field(ge=0)
    end_line: int = Field(ge=0)
    end_column: int = Field(ge=0, description="Exclusive.")
    text: str = ""
    lead: str = ""


class EditReport(Plain):
    """A range of a file and the text to write there."""

    file: str
    line: int = Field(ge=1)
    column: int = Field(ge=1)
    end_line: int = Field(ge=1)
    end_column: int = Field(ge=1, description="Exclusive.")
    text: str


class DiagnosticReport(Plain):
    """One error in an author's text or in a chosen table."""

    code: str = Field(pattern=r"^[EWFN]\d{2,3}$", description="Stable; see `explain`.")
    severity: Literal["error", "warning", "note"]
    title: str
    message: str
    places: list[PlaceReport] = Field(description="Most important first.")
    details: list[str]
    fixes: list[str] = Field(description="Fixes, ready to paste.")
    edits: list[EditReport] = Field(
        default=[], description="Each of them removes the message; of `check` alone."
    )


def report(
    diagnostic: Diagnostic, edits: Iterable[tuple[Span, str]] = ()
) -> DiagnosticReport:
    """Return the diagnostic as an object, with edits that remove it."""
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
        edits=[
            EditReport(
                file=_whole(span.file),
                line=span.line,
                column=span.column,
                end_line=span.end_line,
                end_column=span.end_column,
                text=_whole(text),
            )
            for span, text in edits
        ],
    )


def for_github(diagnostic: Diagnostic) -> str:
    """Return the command that makes a runner of GitHub mark the line.

    Source:
        GitHub, "Workflow commands for GitHub Actions", "Setting an error message".
    """
    told = report(diagnostic)
    text = "\n".join([*_sentences(told), *(f"→ {fix}" for fix in told.fixes)])
    for sign, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A")):
        text = text.replace(sign, code)
    settings = {"title": f"{told.code} {told.title}"}
    for first in told.places[:1]:
        settings["file"] = _from_here(first.file)
        if first.line:
            settings |= {"line": str(first.line), "endLine": str(first.end_line)}
            settings |= {"col": str(first.column), "endColumn": str(first.end_column)}
    for name, value in settings.items():
        for sign in "%\r\n:,":
            value = value.replace(sign, f"%{ord(sign):02X}")
        settings[name] = value
    level = "notice" if told.severity == "note" else told.severity
    return f"::{level} {','.join(f'{k}={v}' for k, v in settings.items())}::{text}"


def for_sarif(diagnostics: Iterable[Diagnostic]) -> dict[str, object]:
    """Return a log in the Static Analysis Results Interchange Format.

    Source:
        OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
    """
    rules: dict[str, object] = {}
    results: list[object] = []
    for told in map(report, diagnostics):
        rules[told.code] = {
            "id": told.code,
            "shortDescription": {"text": told.title},
            "help": {"text": f"houserule explain {told.code}"},
        }
        places: list[dict[str, object]] = []
        for each in told.places:
            file = _from_here(each.file)
            away = Path(file).is_absolute()
            uri = Path(file).as_uri() if away else quote(file)
            where: dict[str, object] = {"artifactLocation": {"uri": uri}}
            if each.line:
                where["region"] = {
                    "startLine": each.line,
                    "startColumn": each.column,
                    "endLine": each.end_line,
                    "endColumn": each.end_column,
                }
            place: dict[str, object] = {"physicalLocation": where}
            if each.text:
                place["message"] = {"text": each.text}
            places.append(place)
        text = "\n\n".join([*_sentences(told), *told.fixes])
        result = {
            "ruleId": told.code,
            "level": told.severity,
            "message": {"text": text},
            "locations": places[:1],
        }
        if places[1:]:
            result["relatedLocations"] = places[1:]
        results.append(result)
    driver = {"name": "houserule", "version": __version__, "rules": [*rules.values()]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def _sentences(told: DiagnosticReport) -> list[str]:
    """Return a message and its label, such as the right name."""
    here = [each.text for each in told.places[:1] if each.text]
    return [told.message, *here, *told.details]


def _from_here(file: str) -> str:
    """Return the path of a file, from the working folder if it is below it."""
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def _whole(text: str) -> str:
    """Return a text that JSON can hold: lone surrogates are written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
