"""`houserule fmt`: rules files brought into the usual form, comments kept."""

from __future__ import annotations

import difflib
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli import FINDINGS
from houserule.cli.arguments import need_input
from houserule.cli.output import say, say_content, show, tell, write_file
from houserule.diagnostics.diagnostic import has_errors
from houserule.diagnostics.wording import counted
from houserule.files import UnreadableError, find, read_source, read_stream
from houserule.resources import find_ruleset, ruleset_around
from houserule.source import Source
from houserule.syntax.read.parser import parse_unit_file
from houserule.syntax.write.format import format_text
from houserule.syntax.write.upgrade import layers_in, upgraded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.syntax.tree import Unit

EPILOG = """\b
Examples:
  houserule fmt my-game/                   every rules file beneath a folder
  houserule fmt my-game/game.rules
  houserule fmt my-game --check            change nothing; status 1 if it would
  houserule fmt my-game --diff             show what would change
  houserule fmt my-game --upgrade          older words become those of today
  houserule fmt - < game.rules             from standard input to standard output
"""


@click.command(epilog=EPILOG)
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path, allow_dash=True),
)
@click.option("--check", "check_only", is_flag=True, help="Change nothing.")
@click.option("--diff", is_flag=True, help="Show what would change; change nothing.")
@click.option("--upgrade", is_flag=True, help="Older words become those of today.")
def command(
    paths: tuple[Path, ...], check_only: bool, diff: bool, upgrade: bool
) -> None:
    """Bring rules files into the usual form.

    No word is changed, unless older ones are to become those of today.
    """
    if str(paths[0]) == "-":
        _standard_input(upgrade)
        return
    changed = broken = older = 0
    for path, within in _rules_files(paths):
        try:
            source = read_source(path, within=within)
        except UnreadableError as error:
            show(error.diagnostics, error.sources)
            broken += 1
            continue
        text, found = _formatted(source, upgrade, path)
        show(found, {source.name: source})
        older += not upgrade and _is_older(source)
        if found:
            broken += 1
        if not has_errors(found) and text != source.text:
            changed += 1
            _put(path, source, text, write=not (check_only or diff), diff=diff)
    would = "would change" if check_only or diff else "changed"
    errors = f", {broken} with errors" if broken else ""
    tell(f"{counted(changed, 'file')} {would}{errors}")
    if older:
        tell(f"{counted(older, 'file')} with older words, which --upgrade rewrites")
    if broken or (changed and (check_only or diff)):
        raise click.exceptions.Exit(FINDINGS)


def _rules_files(paths: tuple[Path, ...]) -> Iterator[tuple[Path, Path | None]]:
    """Yield each file, with the folder in which it was found if it was not named."""
    for path in paths:
        if path.is_dir():
            yield from ((path / each, path) for each in find(path, "**/*.rules"))
        else:
            yield path, None


def _put(path: Path, source: Source, text: str, *, write: bool, diff: bool) -> None:
    if write:
        write_file(path, text)
    if diff:
        before, after = source.text.splitlines(True), text.splitlines(True)
        name = path.as_posix()
        lines = difflib.unified_diff(before, after, name, name)
        say_content("".join(lines))
    else:
        say(path.as_posix())


def _standard_input(upgrade: bool) -> None:
    need_input("`fmt -`")
    source = read_stream(sys.stdin.fileno(), "standard input")
    text, found = _formatted(source, upgrade)
    show(found, {source.name: source})
    if not has_errors(found):
        say_content(text)
    if found:
        raise click.exceptions.Exit(FINDINGS)


def _formatted(
    source: Source, upgrade: bool, path: Path | None = None
) -> tuple[str, list[Diagnostic]]:
    """Return a text in the usual form, and what is wrong with it or stays older."""
    kept: list[Diagnostic] = []
    if upgrade:
        units, _ = parse_unit_file(source)
        layers = layers_in(_units_around(path, units[0].game.text)) if units else {}
        source, kept = upgraded(source, layers)
    text, found = format_text(source)
    return text, [*found, *kept]


def _is_older(source: Source) -> bool:
    return any(unit.older for unit in parse_unit_file(source)[0])


def _units_around(path: Path | None, game: str) -> Iterator[Unit]:
    """Yield the units of a game, and those for it in files beside a rules file.

    A contribution takes its verb from the layer that it is for, and that often stands
    in another file.
    """
    folder = (ruleset_around(path) if path else None) or find_ruleset(game)
    if folder is not None:
        yield from _units_in(folder, "**/*.rules")
    if path is not None:
        yield from (each for each in _units_in(path.parent) if each.game.text == game)


@cache
def _units_in(folder: Path, pattern: str = "*.rules") -> tuple[Unit, ...]:
    found: list[Unit] = []
    for each in find(folder, pattern):
        try:
            source = read_source(folder / each, within=folder)
        except UnreadableError:
            continue  # that is told when it is its turn, if it is one
        found += parse_unit_file(source)[0]
    return tuple(found)
