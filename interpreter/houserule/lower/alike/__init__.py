"""Alike things: what nobody can tell apart is offered once.

In: a program, and the lines `those with the same … are alike`. Out: the program with
these things' choices over `Distinct` sets. Rows come first (`rows`), then what tells
two of one row apart in play (`exchange`), then each place where one is chosen
(`places`, `offers`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.lower.alike.offers import offered_once
from houserule.lower.alike.rows import with_alike_rows

if TYPE_CHECKING:
    from houserule.lower.symbols.symbol_table import SymbolTable


def once_of_alike(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return the program in which of alike things one is offered.

    It is the same one where the rules call nothing alike. E010 and E603 are reported.
    """
    known = with_alike_rows(symbols, program)
    if all(not each.alike for each in known.components.values()):
        return program
    return offered_once(known)
