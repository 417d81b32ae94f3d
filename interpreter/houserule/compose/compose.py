"""One table's rules out of a ruleset: the game is a function of the set of variants.

Edits are grouped by what they edit, and each kind of target has one law that does
not depend on order. Where two units disagree, nobody wins: it is a diagnostic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.assemble import assemble
from houserule.compose.merge.bridges import bridge_faults
from houserule.compose.merge.changes import change_clauses
from houserule.compose.merge.declarations import enter_declarations
from houserule.compose.merge.draft import Draft, present_items
from houserule.compose.merge.lifts import check_lifts
from houserule.compose.merge.mutes import without_muted
from houserule.compose.merge.options import settle_defaults
from houserule.compose.merge.removals import remove_clauses
from houserule.compose.merge.seals import check_seals
from houserule.compose.merge.targets import aim_edits
from houserule.diagnostics.diagnostic import Diagnostic, has_errors, in_reading_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.compose.rules import ChosenTable, Rules
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
    draft = drafted(ruleset, table.variants)
    draft.found += bridge_faults(ruleset, table.variants)
    rules = assemble(draft, table)
    found = in_reading_order(draft.found)
    return None if has_errors(found) else rules, found


def drafted(ruleset: LoadedRuleset, variants: Iterable[str]) -> Draft:
    """Return the game with these variants, with every edit applied that can be."""
    on = frozenset(variants)
    placed, found = without_muted(present_items(ruleset, on))
    draft = Draft(ruleset, on, placed, found=found)
    enter_declarations(draft)
    aim_edits(draft)
    check_seals(draft)
    remove_clauses(draft)
    change_clauses(draft)
    check_lifts(draft)
    settle_defaults(draft)
    return draft
