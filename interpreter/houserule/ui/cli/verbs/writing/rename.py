"""`houserule rename`: rename something in all files of a game's folder at once."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.authoring.renaming.plan import renaming
from houserule.authoring.renaming.targets import CannotRename
from houserule.base.diagnostics.wording import counted
from houserule.base.files import undo_switch, write_together
from houserule.base.resources import shipped_rulesets
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import GAME, open_ruleset, reported
from houserule.ui.cli.output import say, say_json, show, tell

EPILOG = """\b
Examples:
  houserule rename my-game Company.eight_plain eight_gold   a row of a table
  houserule rename my-game pot bank                         a state
  houserule rename my-game hold.enough plenty               a clause: hold.plenty
  houserule rename my-game Card.suit colour                 a field
  houserule rename my-game bid.n many                       a variable of an action
  houserule rename my-game "variant long_game" longer       not the ruling of that name
  houserule rename my-game clubs acorns --dry-run           show the places

\b
After a rename, `check` and `test` report the same as before. `rename` changes nothing
if they would not, if the new name is taken, or if it cannot write a file. If `rename`
is killed, the next `rename` in that folder first restores the old files.
"""


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME)
@click.argument("old")
@click.argument("new")
@click.option("--dry-run", is_flag=True, help="Show the places; change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(game: Path, old: str, new: str, dry_run: bool, as_json: bool) -> None:
    """Rename OLD in rules, tables, texts, examples and records.

    OLD may be an address (`hold.enough`), a row of a table (`Company.eight_plain`), a
    field (`Card.suit`), a variable (`bid.n`) or a name (`pot`). If several kinds of
    things have the name, write the kind before it: "variant long_game". NEW is the new
    last part only.
    """
    if not dry_run and game in shipped_rulesets().values():
        raise click.UsageError(
            f"{game.name} is a shipped game. `houserule copy {game.name} FOLDER` "
            "makes a folder of yours; or give the path of its folder."
        )
    if not dry_run and undo_switch(game):
        tell(f"An interrupted `rename` was undone in `{game}`.")
    ruleset = open_ruleset(game)
    with reported():
        try:
            found = renaming(ruleset, old, new)
        except CannotRename as error:
            show([error.diagnostic], ruleset.sources)
            raise click.exceptions.Exit(FINDINGS) from None
        if not dry_run:
            write_together(game, found.texts)
    if as_json:
        say_json(
            {
                "old": found.target.address,
                "new": found.target.renamed,
                "kind": found.target.kind,
                "changed": not dry_run,
                "files": sorted(found.texts),
                "places": [
                    {"file": each.file, "line": each.line, "column": each.column}
                    for each in found.places
                ],
                "left": [
                    {"file": each.file, "line": each.line, "why": each.why}
                    for each in found.left
                ],
            }
        )
    else:
        if dry_run:
            for each in found.places:
                say(f"{each.file}:{each.line}:{each.column}  {each.text}")
        for left in found.left:
            where = f"{left.file}:{left.line}" if left.line else left.file
            tell(f"left as it is: {where}  {left.why}")
        done = "would be renamed" if dry_run else "renamed"
        places = counted(len(found.places), "place")
        files = counted(len(found.texts), "file")
        target = found.target
        tell(f"{target.address} {done} to {target.renamed}: {places}, {files}")
