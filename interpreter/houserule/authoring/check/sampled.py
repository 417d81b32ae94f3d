"""The sample of tables that a check composes: fewer if the rules are large."""

from __future__ import annotations

from dataclasses import replace

from houserule.base.diagnostics.diagnostic import Diagnostic, fault, way_beyond
from houserule.base.limits import limit
from houserule.base.source import parts_of
from houserule.compiler.family.ordering_conflicts import W403
from houserule.compiler.tables.sample import (
    Choice,
    few_tables,
    sample_tables,
    tables_at_ends,
)
from houserule.language.manifest.ruleset import LoadedRuleset

LONGER = 4  # factor of the usual number of tables with all pairs


def tables_to_check(
    ruleset: LoadedRuleset, *, pairs: bool
) -> tuple[list[Choice], list[Diagnostic]]:
    """Return the sample of tables; W403 if it is smaller than usual.

    If there is room, each variant is also checked at its boundary values: the fewest
    players with the least value of each option, and the most with the greatest. With
    `pairs`, this includes each pair. The cost of composing a table grows with the
    length of the rules. If testing each variant and boundary value alone costs too
    much, tables combine several. All `pairs` take longer.
    """
    usual = [
        each
        for each in sample_tables(ruleset, pairs=pairs)
        if pairs or not each.why.startswith("all but")
    ]
    rules = (each for each in ruleset.sources.values() if each.name.endswith(".rules"))
    letters = sum(len(parts_of(each)[0].text) for each in rules)
    room = limit("tables") * (LONGER if pairs else 1)
    most = max(1, room // max(1, letters))
    if len(usual) <= most:
        several = {each.variants: None for each in usual} if pairs else ()
        for ends in (tables_at_ends(ruleset), tables_at_ends(ruleset, several)):
            new = [
                table
                for table in ends
                if not any(replace(table, why=each.why) == each for each in usual)
            ]
            usual += new if len(usual) + len(new) <= most else ()
        return usual, []
    few = few_tables(ruleset, most)
    message = (
        f"{len(usual)} tables would show each variant, and each end of an option, by "
        "itself. That is too much for rules of this size; `check` examined "
        f"{len(few)}, where several are on or set together."
    )
    if ruleset.units_of("preset"):
        message += " It did not combine presets."
    place = ruleset.base.names[0].span
    return few, [fault(W403, message, place, details=[way_beyond("tables")])]
