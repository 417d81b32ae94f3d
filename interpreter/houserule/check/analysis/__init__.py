"""What can be told of a program without playing it.

In: a program of the core. Out: diagnostics on order of effects, circles, leaks, lost
footing and warnings that cannot be told before play. Nothing here changes the program.
"""

from __future__ import annotations

from houserule.check.analysis.access import Access
from houserule.check.analysis.foresight import foresight
from houserule.check.analysis.interference import interference
from houserule.check.analysis.standing import standing
from houserule.check.analysis.termination import termination
from houserule.check.analysis.visibility import visibility
from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.ir.nodes import Program

__all__ = ["analyse"]


def analyse(program: Program) -> list[Diagnostic]:
    """Return what speaks against a program, in reading order."""
    access = Access(program)
    return in_reading_order(
        [
            *interference(program, access),
            *termination(program, access),
            *standing(program, access),
            *visibility(program),
            *foresight(program, access),
        ]
    )
