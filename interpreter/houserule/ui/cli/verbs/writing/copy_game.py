"""`houserule copy`: copy a game's whole folder, to change any part of it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from houserule import __version__
from houserule.base.files import copy_folder, find, new_folder, read_source, write_whole
from houserule.base.resources import shipped_rulesets
from houserule.language.manifest.kinds.validated_files import without_schema
from houserule.ui.cli.arguments import GAME, open_ruleset, reported
from houserule.ui.cli.output import say, say_json, writable

EPILOG = """\b
Examples:
  houserule copy pig my-pig        the folder my-pig, with all files of Pig

\b
For a rule beside the game, which stays as it is:
  houserule new variant late_hold --for pig
"""
README = "README.md"


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(game: Path, folder: Path, as_json: bool) -> None:
    """Copy a game's folder to FOLDER, which must not exist yet.

    Its README names the original and its version. It contains schemas, and the YAML
    files refer to them, so editors mark errors.
    """
    ruleset = open_ruleset(game)
    if os.path.lexists(folder):
        raise click.BadParameter(f"`{folder}` is there already; nothing was copied.")
    version = ruleset.manifest.version
    shipped = game in shipped_rulesets().values()
    came = f", as it came with houserule {__version__}" if shipped else ""
    origin = f"Copied from `{ruleset.id}` {version}{came}."
    with reported(), writable(folder), new_folder(folder) as new:
        copy_folder(game, new)
        readme = new / README
        there = os.path.lexists(readme)
        said = read_source(readme).text if there else f"# {ruleset.base.title}\n"
        write_whole(readme, f"{said}\n{origin}\n")
        for file in find(new, "**/*.yaml"):
            source = read_source(new / file)
            if (text := without_schema(source)) != source.text:
                write_whole(new / file, text)  # the schema is not in the folder
    if as_json:
        found = {"game": ruleset.id, "version": version, "folder": str(folder)}
        say_json(found)
        return
    say(f"written: {folder}\n\nNext:")
    for verb in ("check", "test", "play"):
        say(f"  houserule {verb} {shlex.quote(str(folder))}")
