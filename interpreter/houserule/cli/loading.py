"""Load a ruleset and prepare a table for a verb, or end with the messages."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from houserule.cli.output import show, tell
from houserule.diagnostics.diagnostic import Diagnostic
from houserule.diagnostics.render import DiagnosticsError, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from houserule.compose.rules import ChosenTable
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.prepare import TableChoice
    from houserule.source import Source


def give_up(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]
) -> NoReturn:
    """Show what is wrong and end with status 1."""
    found = list(diagnostics)
    show(found, sources)
    tell(tally(found))
    raise click.exceptions.Exit(1)


def read_choice(path: Path) -> TableChoice:
    """Return the table of a file; one that cannot be read ends the verb."""
    from houserule.table_files import read_table_file

    choice, found, source = read_table_file(path)
    if choice is None:
        give_up(found, {source.name: source})
    return choice


def open_ruleset(folder: Path) -> LoadedRuleset:
    """Return the ruleset of a folder; one that cannot be read ends the verb."""
    from houserule.manifest.load import open_ruleset

    with reported():
        return open_ruleset(folder)


def set_table(
    ruleset: LoadedRuleset, choice: TableChoice
) -> tuple[ChosenTable, Program]:
    """Return the table and its program; rules that are not sound end the verb.

    Warnings about the rules are for `check`, and are not shown here. Messages are in
    the words of players.
    """
    from houserule.prepare import playable, prepare

    with reported():
        return playable(prepare(ruleset, choice, for_play=True), ruleset, choice)


@contextmanager
def reported() -> Iterator[None]:
    """Let faults of authors' texts, and of tables, end the verb with their messages."""
    try:
        yield
    except DiagnosticsError as error:
        give_up(error.diagnostics, error.sources)


def forewarn(
    program: Program, ruleset: LoadedRuleset, language: str = "en", table: str = ""
) -> None:
    """Write the warnings of a table as notes; one without a value ends the verb.

    `table` names it, where there are several.
    """
    from houserule.engine.play.warnings import rule_fault, table_warnings
    from houserule.state.faults import RuleFault

    try:
        found = table_warnings(program)
    except RuleFault as error:
        give_up([rule_fault(error)], ruleset.sources)
    for each in found:
        own = ruleset.texts.get(language, {}).get(each.address)
        text = each.text(own or program.clauses[each.address].caption)
        tell(f"note: {f'{table}: ' if table else ''}{text}")
