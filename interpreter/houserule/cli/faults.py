"""A fault of the rules in play, as a message like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic, fault

if TYPE_CHECKING:
    from houserule.state.faults import RuleFault


def rule_fault(error: RuleFault) -> Diagnostic:
    """Return the diagnostic of a fault that play has found."""
    where = f" It happened in {error.address}." if error.address else ""
    span = error.span if error.span.line else None
    return fault(error.code, f"{error.message}{where}", span)
