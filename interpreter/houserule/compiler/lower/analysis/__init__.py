"""Static analysis of a program, without playing it.

The input is a core program, the output diagnostics. Each module words its own messages:
reads and writes (`access`), dependencies, acting seats, conflicting order
(`interference`), termination, visibility. Some passes run while the program is made,
over the symbol table. Nothing here changes a program.
"""

from __future__ import annotations

from houserule.base.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.compiler.lower.analysis.acting_seats import acting_seats
from houserule.compiler.lower.analysis.dependencies import (
    settled_draws,
    static_warnings,
)
from houserule.compiler.lower.analysis.interference import interference, released_order
from houserule.compiler.lower.analysis.lookahead_checks import beforehand
from houserule.compiler.lower.analysis.termination import termination
from houserule.compiler.lower.analysis.visibility import visibility
from houserule.ir import Program
from houserule.ir.access import Access


def analyse(program: Program, *, imagining: bool) -> list[Diagnostic]:
    """Return the diagnostics of a program, in reading order.

    `imagining` is whether the rules look ahead to a position after an action.
    """
    access = Access(program)
    return in_reading_order(
        [
            *interference(program, access),
            *termination(program, access),
            *released_order(program, access),
            *acting_seats(program, access),
            *visibility(program, access),
            *(beforehand(program, access) if imagining else ()),
            *static_warnings(program, access),
            *settled_draws(program, access),
        ]
    )
