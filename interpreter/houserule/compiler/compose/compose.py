"""Compose one table's rules: a function of the ruleset and the set of variants.

Edits are grouped by target, and each kind of target has one merge law that does not
depend on order. If two units disagree, neither wins: the conflict is a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    has_errors,
    in_reading_order,
)
from houserule.compiler.compose.assemble import assemble
from houserule.compiler.merge.bridges import bridge_faults
from houserule.compiler.merge.changes import change
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.fault import Fault, faults_at
from houserule.compiler.merge.laws import faults_of
from houserule.compiler.merge.lifts import lift
from houserule.compiler.merge.removals import take_out
from houserule.compiler.merge.resolve import Resolution, resolution_of
from houserule.compiler.merge.rows import extend
from houserule.compiler.options.options import settle_defaults
from houserule.compiler.rules import ChosenTable, Rules
from houserule.language.manifest.ruleset import LoadedRuleset

MOST_DRAFTS = 50  # of one ruleset, about a tenth of a megabyte each


def compose(
    ruleset: LoadedRuleset, table: ChosenTable, *, named: bool = True
) -> tuple[Rules | None, list[Diagnostic]]:
    """Compose the rules of one table.

    Args:
        ruleset: a loaded ruleset with exactly one game.
        table: from `choose_table`; its relations are not checked again.
        named: whether the rules get a fingerprint, which is for records.

    Returns:
        The rules, or None after errors; and all diagnostics in reading order.
    """
    draft, found = drafted(ruleset, table.variants)
    bridges = bridge_faults(ruleset, table.variants)
    joint: list[Diagnostic] = []  # one message for each key
    for faults in clashes(ruleset, table.variants):
        parties = dict.fromkeys(party for each in faults for party in each.parties)
        joint.append(faults[0].tell(tuple(parties), table.variants))
    rules, unordered = assemble(draft, table, named=named)
    found = in_reading_order([*found, *bridges, *joint, *unordered])
    return None if has_errors(found) else rules, found


def drafted(
    ruleset: LoadedRuleset, variants: Iterable[str]
) -> tuple[Draft, list[Diagnostic]]:
    """Return the game with these variants and all applicable edits.

    Many tables differ only in options, so the latest drafts are cached; do not change a
    draft.

    The diagnostics are errors in the defaults of options (E304).
    """
    draft, found = ruleset.derived(_latest)(frozenset(variants))
    return draft, [*found]


def _latest(
    ruleset: LoadedRuleset,
) -> Callable[[frozenset[str]], tuple[Draft, list[Diagnostic]]]:
    @lru_cache(maxsize=MOST_DRAFTS)
    def draft_of(variants: frozenset[str]) -> tuple[Draft, list[Diagnostic]]:
        resolution = resolution_of(ruleset)
        draft = merged(resolution, resolution.family.present_at(variants))
        return draft, settle_defaults(draft)

    return draft_of


def merged(resolution: Resolution, present: Iterable[int]) -> Draft:
    """Return a draft of some items, with removals and changes applied.

    Args:
        resolution: the product line, and the targets of its edits.
        present: the numbers of the active items.
    """
    draft = Draft(resolution, present)
    take_out(draft)
    change(draft)
    lift(draft)
    extend(draft)
    return draft


def clashes(ruleset: LoadedRuleset, variants: frozenset[str]) -> list[list[Fault]]:
    """Return the errors of the merge laws at a table, merged by message."""
    return faults_at(faults_of(ruleset), variants)
