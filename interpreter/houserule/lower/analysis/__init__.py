"""What can be told of a program without playing it.

In: a program of the core. Out: diagnostics on order of effects, circles, leaks, lost
footing and warnings that cannot be told before play. Nothing here changes the program.
"""

from __future__ import annotations

from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.ir import Program
from houserule.lower.analysis.access import Access
from houserule.lower.analysis.interference import interference
from houserule.lower.analysis.standing import standing
from houserule.lower.analysis.static_warnings import foresight
from houserule.lower.analysis.termination import termination
from houserule.lower.analysis.visibility import visibility

__all__ = ["analyse"]


def analyse(program: Program) -> list[Diagnostic]:
    """Return what speaks against a program, in reading order."""
    access = Access(program)
    return in_reading_order(
        [
            *interference(program, access),
            *termination(program, access),
            *standing(program, access),
            *visibility(program, access),
            *foresight(program, access),
        ]
    )
