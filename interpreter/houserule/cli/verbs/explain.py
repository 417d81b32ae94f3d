"""`houserule explain`: what a message's code or a clause of a game means."""

from __future__ import annotations

import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from houserule.api.meanings import (
    NoClauseError,
    codes,
    explain,
    explain_clause,
)
from houserule.cli import FINDINGS
from houserule.cli.arguments import GAME, table_flags
from houserule.cli.output import say, say_json, tell

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.prepare import TableChoice

CODE = re.compile(r"[EWFewf]\d{2,3}")
EPILOG = """\b
Examples:
  houserule explain E201                     a code
  houserule explain --all                    every code with its title
  houserule explain throw.short --game pig   a clause, as composed
  houserule explain draw.room --game ./my-game --with a_variant
"""


@click.command(epilog=EPILOG)
@click.argument("what", required=False)
@click.option("--game", type=GAME, help="The game of the clause.")
@click.option("--all", "every", is_flag=True, help="List every code.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@table_flags
def command(
    what: str | None, game: Path | None, every: bool, as_json: bool, choice: TableChoice
) -> None:
    """Say what a CODE or a CLAUSE means.

    A code is that of a message, such as E201. A clause is named by its address, and
    is explained as it stands in the rules of the chosen table.
    """
    if every:
        _all(as_json)
    elif what is None:
        raise click.UsageError("Give a code such as E201, or a clause and its --game.")
    elif CODE.fullmatch(what):
        _code(what, as_json)
    elif game is None:
        raise click.UsageError(f"Which game's clause is `{what}`? Give --game.")
    else:
        _clause(what, game, choice, as_json)


def _all(as_json: bool) -> None:
    if as_json:
        say_json(codes())
        return
    for code, title in codes().items():
        say(f"{code}  {title}")


def _code(code: str, as_json: bool) -> None:
    try:
        meaning = explain(code)
    except LookupError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        say_json(asdict(meaning))
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(meaning.page))
    else:
        say(str(meaning))


def _clause(address: str, game: Path, choice: TableChoice, as_json: bool) -> None:
    from houserule.cli.arguments import open_ruleset, set_table

    ruleset = open_ruleset(game)
    program = set_table(ruleset, choice)[1]
    try:
        clause = explain_clause(address, program, ruleset)
    except NoClauseError as error:
        tell(f"There is no clause `{address}` at this table.")
        if error.near:
            tell(f"Did you mean {', '.join(error.near)}?")
        raise click.exceptions.Exit(FINDINGS) from None
    if as_json:
        say_json(asdict(clause))
    else:
        say(str(clause))
