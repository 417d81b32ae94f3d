"""Faults that show before the grammar is asked, in the author's words."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.source import Span

CLOSING = {"(": ")", "[": "]", "{": "}"}
NAMES = {"(": "round", "[": "square", "{": "curly"}

# What an author may have meant by a character that the language does not know.
MEANT = {
    "<": "write `less than`, or `at most` for <=",
    ">": "write `more than`, or `at least` for >=",
    "!": "write `not`, or `is not` for !=",
    "&": "write `and`",
    "%": "write `mod`",
    "“": 'use the plain quotation mark "',
    "”": 'use the plain quotation mark "',
    "„": 'use the plain quotation mark "',
    "«": 'use the plain quotation mark "',
    "»": 'use the plain quotation mark "',
    "'": 'texts stand in double quotation marks: "…"',
    "\u2018": 'texts stand in double quotation marks: "…"',
    "’": 'texts stand in double quotation marks: "…"',
    "–": "use the plain sign -, or .. between two numbers",
    "—": "use the plain sign -, or .. between two numbers",
    "\u2212": "use the plain sign -",
    "…": "write two dots: 1..6",
    "×": "write *",
    "÷": "write / and say `rounded up` or `rounded down`",
    "≤": "write `at most`",
    "≥": "write `at least`",
    "≠": "write `is not`",
    "_": "a name begins with a letter",
    "\xa0": "this is a space that does not break; use a plain space",
    "\ufffd": "save the file as UTF-8",
}


def not_closed(sign: str, span: Span) -> Diagnostic:
    """Return E003 for a bracket that nothing closes."""
    return fault(
        "E003",
        f"This {NAMES[sign]} bracket is never closed.",
        span,
        f"a `{CLOSING[sign]}` is missing after this",
        details=("Inside brackets a line may go on over several lines.",),
    )


def closes_nothing(
    sign: str, span: Span, opener: str, opened: Span | None
) -> Diagnostic:
    """Return E003 for a closing bracket that fits none that is open."""
    if opened is None:
        message = f"This `{sign}` closes nothing: no bracket is open here."
        return fault("E003", message, span, "no bracket is open")
    message = f"`{sign}` cannot close `{opener}`; that needs `{CLOSING[opener]}`."
    other = Label(opened, "opened here")
    return fault(
        "E003", message, span, f"`{CLOSING[opener]}` is wanted", others=[other]
    )


def strays(found: Sequence[tuple[str, Span]]) -> list[Diagnostic]:
    """Return a fault for each character unknown to the language.

    Neighbours are reported once; a quotation mark that nothing closes is E003, and
    then nothing behind it counts.
    """
    faults: list[Diagnostic] = []
    last: Span | None = None
    for text, span in found:
        if text == '"':
            return [*faults, open_quote(span)]
        if last is None or last.end_column != span.column or last.line != span.line:
            faults.append(_stray(text, span))
        last = span
    return faults


def open_quote(span: Span) -> Diagnostic:
    """Return E003 for a quotation mark that nothing closes."""
    return fault(
        "E003",
        "This quotation mark is not closed on its line.",
        span,
        'a second " is missing',
        details=("A quoted text stands on one line.",),
    )


def _stray(text: str, span: Span) -> Diagnostic:
    shown = f"`{text}`" if text.isprintable() and not text.isspace() else "This"
    hint = MEANT.get(text, "")
    if not hint and text.isalpha():
        hint = "names are written with the letters a to z, digits and _"
    message = f"{shown} is no character of the language."
    return fault("E004", message, span, hint or "not known here")


def long_number(span: Span) -> Diagnostic:
    """Return E001 for a number that is too long."""
    message = "A number may have nine digits at most."
    return fault("E001", message, span, "too long")


def between_levels(indent: int, wanted: Sequence[int], span: Span) -> Diagnostic:
    """Return E002 for a line that stands between two levels."""
    places = " or ".join(_columns(each) for each in wanted)
    return fault(
        "E002",
        f"This line is indented by {_columns(indent)}, which fits no line above.",
        span,
        f"{places} would fit",
        details=("Lines that belong together begin in the same column.",),
    )


def tab(span: Span) -> Diagnostic:
    """Return E002 for a tab in the indentation."""
    return fault(
        "E002",
        "This line is indented with a tab; use two spaces for each level.",
        span,
        "a tab",
        fixes=("houserule fmt sets the indentation of a whole file",),
    )


def _columns(count: int) -> str:
    return "no space" if count == 0 else f"{count} space{'s' if count > 1 else ''}"
