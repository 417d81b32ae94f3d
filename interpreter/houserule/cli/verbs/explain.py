"""`houserule explain`: what a message's code or a clause of a game means."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from houserule.cli.arguments import GAME, table_flags
from houserule.cli.output import say, say_json, tell
from houserule.diagnostics.codes import TITLES, title_of
from houserule.diagnostics.suggest import nearest, nearest_few
from houserule.resources import page_of

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.ir import ClauseInfo
    from houserule.manifest.ruleset import LoadedRuleset
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
        _code(what.upper(), as_json)
    elif game is None:
        raise click.UsageError(f"Which game's clause is `{what}`? Give --game.")
    else:
        _clause(what, game, choice, as_json)


def _all(as_json: bool) -> None:
    if as_json:
        say_json(dict(TITLES))
        return
    for code, title in TITLES.items():
        say(f"{code}  {title}")


def _code(code: str, as_json: bool) -> None:
    page = page_of(code)
    if page is None:
        near = nearest(code, TITLES, cutoff=0.5)
        hint = f" Did you mean {near}?" if near else ""
        raise click.UsageError(f"There is no code {code}.{hint}")
    if as_json:
        say_json({"code": code, "title": title_of(code), "page": page})
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        say(page.rstrip())


def _clause(address: str, game: Path, choice: TableChoice, as_json: bool) -> None:
    from houserule.cli.loading import open_ruleset, set_table

    ruleset = open_ruleset(game)
    program = set_table(ruleset, choice)[1]
    clause = program.clauses.get(address)
    if clause is None:
        tell(f"There is no clause `{address}` at this table.")
        near = nearest_few(address, program.clauses)
        if near:
            tell(f"Did you mean {', '.join(near)}?")
        raise click.exceptions.Exit(1)
    if as_json:
        say_json(_object(clause, ruleset))
        return
    for line in _lines(clause, ruleset):
        say(line)


def _object(clause: ClauseInfo, ruleset: LoadedRuleset) -> dict[str, object]:
    return {
        "address": clause.address,
        "kind": clause.kind,
        "caption": clause.caption,
        "text": clause.text,
        "origin": clause.origin,
        "changed_by": list(clause.changed_by),
        "cites": list(clause.cites),
        "rulings": [_ruling(name, ruleset) for name in clause.rulings],
        "file": clause.span.file,
        "line": clause.span.line,
    }


def _ruling(name: str, ruleset: LoadedRuleset) -> str:
    ruling = ruleset.rulings.get(name)
    if ruling is None:
        return name
    return f"{name}: {ruling.says.get('en') or next(iter(ruling.says.values()), '')}"


def _lines(clause: ClauseInfo, ruleset: LoadedRuleset) -> list[str]:
    place = f"{clause.span.file}:{clause.span.line}"
    lines = [f"{clause.address}   ({clause.kind}, {place})"]
    if clause.caption:
        lines.append(f"  {clause.caption}")
    if clause.text:
        lines += ["", *(f"    {line}" for line in clause.text.split("\n")), ""]
    lines.append(f"  from: {clause.origin or 'the base game'}")
    if clause.changed_by:
        lines.append(f"  changed by: {', '.join(clause.changed_by)}")
    lines += [f"  printed in: {cite}" for cite in clause.cites]
    lines += [f"  ruling: {_ruling(name, ruleset)}" for name in clause.rulings]
    return lines
