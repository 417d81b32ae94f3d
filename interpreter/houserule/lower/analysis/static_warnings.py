"""Static warnings: what a warning reads must be settled before play (E028)."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.ir.walk import beneath
from houserule.lower.analysis.access import Access

NOUNS = {
    "state": "the state",
    "face": "the faces of",
    "zone": "what lies in",
    "order": "what lies in",
    "tokens": "the tokens in",
}


def static_warnings(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E028 for every warning that reads what changes in play."""
    for warning in program.warns:
        read = _changing(warning.test, access)
        if read:
            yield fault(
                "E028",
                f"The warning `{warning.address}` is worked out before play, and reads "
                f"{read}.",
                warning.test.span,
                fixes=("read options, players, components, and values made of these",),
            )


def _changing(test: ir.Expr, access: Access) -> str:
    """Return something that the test reads and that changes in play, or ''."""
    places = sorted(access.reads(test))
    if places:
        sort, name = places[0]
        return f"{NOUNS[sort]} `{name}`"
    under_way = any(isinstance(node, ir.Can | ir.Doing) for node in beneath(test))
    return "what is under way" if under_way else ""
