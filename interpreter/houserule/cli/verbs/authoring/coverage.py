"""`houserule coverage`: which sentence of a book is which clause, and what shows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli import FINDINGS
from houserule.cli.arguments import GAME, open_ruleset, reported
from houserule.cli.output import say, say_json, tell, writable, write_file
from houserule.diagnostics.render import DiagnosticsError
from houserule.files import is_there, read_source
from houserule.manifest.load import load_manifest, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.coverage.model import Coverage
    from houserule.manifest.model import Manifest
    from houserule.manifest.ruleset import LoadedRuleset

EPILOG = """\b
Examples:
  houserule coverage ./my-game
  houserule coverage ./my-game --source rules.txt            beside the book itself
  houserule coverage ./my-game --source rules.txt --register after margins changed
  houserule coverage ./my-game --html coverage.html          a page to work through

\b
Sentences are known by their hashes; the words of a book are nowhere kept. Conditions
are looked for in examples and in random games. Exit status 1 means that a sentence
which is a rule is said by no clause.
"""


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME)
@click.option(
    "--source", "books", multiple=True, metavar="[NAME=]FILE", help="A book's text."
)
@click.option("--register", is_flag=True, help="Write the registers of these books.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    game: Path,
    books: tuple[str, ...],
    register: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Hold a GAME against the books that it is written from.

    Told is which rules of a book no clause says, which of its examples no worked
    example gives, which clauses name no sentence, and which conditions were never seen
    to hold or to refuse. With the book's text its sentences are shown, and where it is
    another edition, the clauses that are suspect.
    """
    from houserule.coverage.collect import coverage_of

    texts = dict(_book(game, each) for each in books)
    if register:
        _write_registers(game, texts)
    ruleset = open_ruleset(game)
    found = coverage_of(ruleset, texts)
    if html is not None:
        from houserule.coverage.told import page_of

        write_file(html, page_of(found))
    if as_json:
        say_json(found.model_dump())
    elif html is None:
        _tell(found)
    if not found.complete:
        raise click.exceptions.Exit(FINDINGS)


def _tell(found: Coverage) -> None:
    from houserule.coverage.told import lines_of

    for line in lines_of(found):
        say(line)


def _manifest(game: Path) -> Manifest:
    with reported():
        manifest, found = load_manifest(game)
        if manifest is None:
            raise DiagnosticsError(found)
    return manifest


def _as_it_stands(game: Path) -> LoadedRuleset:
    """Return a ruleset whose margins may name what its registers do not have."""
    with reported():
        ruleset, found = load_ruleset(game)
        if ruleset is None:
            raise DiagnosticsError(found)
    return ruleset


def _book(game: Path, said: str) -> tuple[str, str]:
    """Return the name of a source, and the text of its book."""
    name, _, file = said.rpartition("=") if not is_there(Path(said)) else ("", "", said)
    if not is_there(Path(file)):
        raise click.UsageError(f"There is no file `{file}`.")
    known = list(_manifest(game).sources)
    if not known:
        raise click.UsageError(
            f"{game.name} names no book (`sources` in its ruleset.yaml)."
        )
    if not name and len(known) > 1:
        each = " or ".join(f"--source {source}=FILE" for source in known)
        raise click.UsageError(f"{game.name} has several books; say {each}.")
    if name and name not in known:
        raise click.UsageError(
            f"{game.name} has no book `{name}`. There is: {', '.join(known)}."
        )
    with reported():
        return name or known[0], read_source(Path(file)).text


def _write_registers(game: Path, texts: Mapping[str, str]) -> None:
    """Write the registers of books; what they say of a sentence stays.

    A first register knows no margins yet: rules are read only where there is one. So
    it is written twice.
    """
    from houserule.coverage.margins import Margins
    from houserule.coverage.registers import NoHeadings, make_register, register_text

    manifest = _manifest(game)
    paths = {name: game / manifest.register_of(name) for name in texts}
    for first in (True, False):
        if first and all(map(is_there, paths.values())):
            continue
        margins = None if first else Margins(_as_it_stands(game))
        for name, path in paths.items():
            before = margins.registers.get(name) if margins else None
            cites = margins.cites(name) if margins else ()
            title = manifest.sources[name].title
            try:
                made, _ = make_register(title, texts[name], cites, before)
            except NoHeadings as error:
                raise click.UsageError(f"{name}: {error}.") from None
            if margins is not None or not is_there(path):
                with writable(path.parent):
                    path.parent.mkdir(exist_ok=True)
                write_file(path, register_text(made))
    for path in paths.values():
        tell(f"note: {path} is written")
