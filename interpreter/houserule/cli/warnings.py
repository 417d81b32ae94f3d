"""What the rules warn of at a table: as diagnostics for `check`, as notes for play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houserule.cli.faults import rule_fault
from houserule.cli.loading import give_up
from houserule.cli.output import tell
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.engine.play.warnings import hold_assertions, table_warnings
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from houserule.engine.play.warnings import TableWarning
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset

W301 = "W301"


def before_play(program: Program) -> Iterator[Diagnostic]:
    """Yield what can be told of a table before play: its warnings as W301.

    An assertion that does not hold, and a warning that cannot be worked out, are the
    faults that play would find.
    """
    try:
        hold_assertions(program)
        found = table_warnings(program)
    except RuleFault as error:
        yield rule_fault(error)
        return
    for each in found:
        caption = program.clauses[each.address].caption
        yield fault(W301, _worded(each, caption), each.span)


def forewarn(
    program: Program, ruleset: LoadedRuleset, language: str = "en", table: str = ""
) -> None:
    """Tell what the rules warn of at a table, to standard error.

    `table` names it, where there are several.
    """
    try:
        found = table_warnings(program)
    except RuleFault as error:
        give_up([rule_fault(error)], ruleset.sources)
    for each in found:
        own = ruleset.texts.get(language, {}).get(each.address)
        caption = own or program.clauses[each.address].caption
        tell(f"note: {f'{table}: ' if table else ''}{_worded(each, caption)}")


def _worded(found: TableWarning, caption: str) -> str:
    said = caption or f"The rules warn of `{found.address}`"
    return f"{said}: {found.members}" if found.members else said
