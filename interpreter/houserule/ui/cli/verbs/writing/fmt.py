"""`houserule fmt`: bring rules files into the standard format, with their comments."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.diagnostics.wording import counted
from houserule.base.files import UnreadableError, find, read_source, read_stream
from houserule.language.syntax.write.format import format_text
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import need_input
from houserule.ui.cli.output import say, say_content, show, tell, write_file

EPILOG = """\b
Examples:
  houserule fmt my-game/                   every rules file beneath a folder
  houserule fmt my-game/game.rules
  houserule fmt my-game --check            change nothing; status 1 if it would
  houserule fmt my-game --diff             show what would change
  houserule fmt - < game.rules             from standard input to standard output
"""


@click.command(epilog=EPILOG)
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path, allow_dash=True),
)
@click.option(
    "--check",
    "check_only",
    is_flag=True,
    help="Change nothing; exit status 1 if a file would change.",
)
@click.option("--diff", is_flag=True, help="Show what would change; change nothing.")
def command(paths: tuple[Path, ...], check_only: bool, diff: bool) -> None:
    """Bring rules files into the standard format; no word is changed."""
    if str(paths[0]) == "-":
        need_input("`fmt -`")
        source = read_stream(sys.stdin.fileno(), "standard input")
        text, found = format_text(source)
        show(found, {source.name: source})
        if not has_errors(found):
            say_content(text)
        if found:
            raise click.exceptions.Exit(FINDINGS)
        return
    changed = broken = 0
    files: list[tuple[Path, Path | None]] = []  # each maybe with its given folder
    for path in paths:
        if path.is_dir():
            files += ((path / each, path) for each in find(path, "**/*.rules"))
        else:
            files.append((path, None))
    for path, within in files:
        try:
            source = read_source(path, within=within)
        except UnreadableError as error:
            show(error.diagnostics, error.sources)
            broken += 1
            continue
        text, found = format_text(source)
        show(found, {source.name: source})
        if found:
            broken += 1
        if not has_errors(found) and text != source.text:
            changed += 1
            if not (check_only or diff):
                write_file(path, text)
            if diff:
                before, after = source.text.splitlines(True), text.splitlines(True)
                name = path.as_posix()
                lines = difflib.unified_diff(before, after, name, name)
                say_content("".join(lines))
            else:
                say(path.as_posix())
    would = "would change" if check_only or diff else "changed"
    errors = f", {broken} with errors" if broken else ""
    tell(f"{counted(changed, 'file')} {would}{errors}")
    if broken or (changed and (check_only or diff)):
        raise click.exceptions.Exit(FINDINGS)
