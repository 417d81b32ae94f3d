"""Scopes of declarations, phases and reactions: variables and acting seats."""

from __future__ import annotations

from typing import Final

from houserule import ir
from houserule.compiler.lower.expressions.expressions import elaborate
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import SymbolTable, Uses
from houserule.language.syntax import tree

IN_VALUE: Final = "a value names its player: give it a parameter"
IN_EFFECT: Final = "an effect names its player: give it a parameter"
AT_TABLE: Final = "nobody acts here"
IN_STEP: Final = "no phase around has `for me in`"


def in_declaration(
    symbols: SymbolTable,
    owner: str = "",
    why: str = AT_TABLE,
    root: tree.Node | None = None,
    *,
    anywhere: bool = False,
) -> Scope:
    """Return a scope of a declaration, where no seat acts.

    With `anywhere` other places use it, and its reads count there.
    """
    uses = Uses(owner, None if anywhere else ())
    symbols.uses.append(uses)
    return Scope(symbols, elaborate, uses, no_actor=why, root=root)


def in_phase(
    symbols: SymbolTable, phase: str, root: tree.Node | None = None, owner: str = ""
) -> Scope:
    """Return a scope inside a phase ('' is the game): its variables, its `me`."""
    around = symbols.around(phase)
    uses = Uses(owner, around)
    symbols.uses.append(uses)
    scope = Scope(symbols, elaborate, uses, phases=around, root=root)
    scope.know_variables(around)
    if seat_acts(symbols, around):
        let_act(scope)
    else:
        scope.no_actor = IN_STEP
    return scope


def anywhere(symbols: SymbolTable) -> Scope:
    """Return a scope of a reaction: it has a `me`, but its phase is unknown."""
    uses = Uses("reaction", None)
    symbols.uses.append(uses)
    scope = Scope(symbols, elaborate, uses, phases=None)
    let_act(scope)
    return scope


def let_act(scope: Scope) -> None:
    """Make `me` the acting seat, slot 0."""
    scope.names["me"] = ir.Local(0, "me", scope.symbols.seats)


def seat_acts(symbols: SymbolTable, around: tuple[str, ...]) -> bool:
    """Return whether one of the phases has `for me in`."""
    for phase in around:
        whom = symbols.rules.phases[phase].node.for_whom
        if whom is not None and whom.name.text == "me":
            return True
    return False


def again(scope: Scope, root: tree.Node | None = None) -> Scope:
    """Return a scope of another clause of the same procedure: same slots and names."""
    return Scope(
        scope.symbols,
        scope.elaborate,
        scope.uses,
        scope.frame,
        dict(scope.names),
        scope.no_actor,
        scope.phases,
        scope.present,
        scope.may_ask_can,
        root,
        scope.address,
    )
