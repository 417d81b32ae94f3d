"""Notes on standard error: what the rules warn of at a table that is to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.cli.loading import give_up
from houserule.cli.output import tell
from houserule.engine.play.warnings import rule_fault, table_warnings
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset


def forewarn(
    program: Program, ruleset: LoadedRuleset, language: str = "en", table: str = ""
) -> None:
    """Write the warnings of a table as notes; one without a value ends the verb.

    `table` names it, where there are several.
    """
    try:
        found = table_warnings(program)
    except RuleFault as error:
        give_up([rule_fault(error)], ruleset.sources)
    for each in found:
        own = ruleset.texts.get(language, {}).get(each.address)
        text = each.text(own or program.clauses[each.address].caption)
        tell(f"note: {f'{table}: ' if table else ''}{text}")
