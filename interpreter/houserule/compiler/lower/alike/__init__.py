"""Interchangeable components: offer indistinguishable things only once.

The input is a program, and the lines `those with the same … are alike`. The output is
the program with choices of these things over `Distinct` sets. `rows` finds
interchangeable rows, `offers` handles each place with a choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiler.lower.alike.offers import offered_once
from houserule.compiler.lower.alike.rows import with_alike_rows

if TYPE_CHECKING:
    from houserule.compiler.lower.symbols.symbol_table import SymbolTable


def once_of_alike(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return the program that offers only one of interchangeable things.

    It is unchanged if the rules do not declare any. Reports E010 and E603.
    """
    known = with_alike_rows(symbols, program)
    if all(not each.alike for each in known.components.values()):
        return program
    return offered_once(known)
