"""`houserule coverage`: the clauses and examples for each sentence of a book."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.files import MANIFEST, is_there, read_source
from houserule.language.manifest.kinds.validated_files import first_line_like
from houserule.language.manifest.load import load_ruleset
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import GAME, open_ruleset, reported
from houserule.ui.cli.output import say_json, tell, writable, write_file
from houserule.ui.cli.verbs.authoring.books import (
    manifest_of,
    source_flag,
    tell_books,
    texts_of,
)

EPILOG = """\b
Examples:
  houserule coverage ./my-game
  houserule coverage ./my-game --source rules.txt            with the rulebook's text
  houserule coverage ./my-game --source rules.txt --register after citations changed
  houserule coverage ./my-game --html coverage.html          a page to work through

\b
No file stores the words of a rulebook, only hashes of its sentences. Exit status 1
means that no clause implements some rule of a rulebook.
"""


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME)
@source_flag("The text of a rulebook; for one of several, NAME=FILE. Repeatable.")
@click.option(
    "--register",
    is_flag=True,
    help=(
        "First write the registers of these rulebooks; notes about sentences are kept."
    ),
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page to work through, with filters and links.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    game: Path,
    books: tuple[str, ...],
    register: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Compare a GAME with the books that it was written from.

    It reports rules of a book without a clause, examples without a worked example,
    clauses without a sentence, and conditions that were never true or never false. With
    the book's text, it prints the sentences and, for a new edition, the suspect
    clauses.
    """
    from houserule.authoring.coverage.collect import coverage_of

    texts = texts_of(game, books)
    if register:
        # Write the registers of books; existing remarks on sentences stay
        from houserule.authoring.coverage.margins import Margins
        from houserule.authoring.coverage.registers import (
            NoHeadings,
            make_register,
            register_text,
        )

        manifest = manifest_of(game)
        paths = {name: game / manifest.register_of(name) for name in texts}
        for first in (True, False):
            if first and all(map(is_there, paths.values())):
                continue
            margins = None
            if not first:  # citations may still name unknown sentences
                with reported():
                    unchecked, faults = load_ruleset(game)
                    if unchecked is None:
                        raise DiagnosticsError(faults)
                margins = Margins(unchecked)
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
                    file = manifest.register_of(name)
                    line = first_line_like(
                        read_source(game / MANIFEST), file, "register"
                    )
                    write_file(path, register_text(made, line))
        for path in paths.values():
            tell(f"note: {path} is written")
    ruleset = open_ruleset(game)
    found = coverage_of(ruleset, texts)
    if html is not None:
        from houserule.authoring.coverage.report import page_of

        write_file(html, page_of(found))
    if as_json:
        say_json(found.model_dump())
    elif html is None:
        tell_books(found)
    if not found.complete:
        raise click.exceptions.Exit(FINDINGS)
