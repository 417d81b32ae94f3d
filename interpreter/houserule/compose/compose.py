"""One table's rules out of a ruleset: the game is a function of the set of variants.

Edits are grouped by what they edit, and each kind of target has one law that does
not depend on order. Where two units disagree, neither wins: it is a diagnostic.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from houserule.compose.assemble import assemble
from houserule.compose.draft import Draft
from houserule.compose.merge.bridges import bridge_faults
from houserule.compose.merge.changes import change
from houserule.compose.merge.fault import faults_at, joint_message
from houserule.compose.merge.laws import faults_of
from houserule.compose.merge.lifts import lift
from houserule.compose.merge.removals import take_out
from houserule.compose.merge.resolve import resolution_of
from houserule.compose.merge.rows import extend
from houserule.compose.options.options import settle_defaults
from houserule.diagnostics.diagnostic import (
    Diagnostic,
    has_errors,
    in_reading_order,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.compose.merge.fault import Fault
    from houserule.compose.merge.resolve import Resolution
    from houserule.compose.rules import ChosenTable, Origin, Rules
    from houserule.manifest.ruleset import LoadedRuleset


def compose(
    ruleset: LoadedRuleset, table: ChosenTable
) -> tuple[Rules | None, list[Diagnostic]]:
    """Compose the rules of one table.

    Args:
        ruleset: a loaded ruleset with exactly one game.
        table: as `choose_table` gives it; that its variants go together is not
            checked again.

    Returns:
        The rules, or None where there are errors; and all diagnostics in reading
        order.
    """
    draft, found = drafted(ruleset, table.variants)
    found += bridge_faults(ruleset, table.variants)
    found += [
        joint_message(each, table.variants) for each in clashes(ruleset, table.variants)
    ]
    rules, faults = assemble(draft, table)
    found = in_reading_order([*found, *faults])
    return None if has_errors(found) else rules, found


def drafted(
    ruleset: LoadedRuleset, variants: Iterable[str]
) -> tuple[Draft, list[Diagnostic]]:
    """Return the game with these variants, every edit applied that can be.

    The diagnostics are faults of the defaults of options (E304).
    """
    resolution = resolution_of(ruleset)
    present = resolution.family.present_at(frozenset(variants))
    draft = merged(resolution, present)
    return draft, settle_defaults(draft)


def merged(resolution: Resolution, present: Iterable[int]) -> Draft:
    """Return a draft of some items, with removals and changes applied.

    Args:
        resolution: the family, and what its edits hit.
        present: the numbers of the items that are there.
    """
    draft = Draft(resolution, present)
    take_out(draft)
    change(draft)
    lift(draft)
    extend(draft)
    return draft


def clashes(ruleset: LoadedRuleset, variants: frozenset[str]) -> list[list[Fault]]:
    """Return the faults of the merge laws at a table, those of one message together."""
    return faults_at(faults_of(ruleset), variants)


def disputes(
    ruleset: LoadedRuleset, variants: frozenset[str]
) -> dict[str, frozenset[Origin]]:
    """Return the clauses on which units disagree at a table, and which units."""
    found: dict[str, frozenset[Origin]] = {}
    for fault in chain.from_iterable(clashes(ruleset, variants)):
        if fault.disputed:
            origins = frozenset(
                party.origin for party in (*fault.parties, *fault.against)
            )
            found[fault.disputed] = found.get(fault.disputed, frozenset()) | origins
    return found
