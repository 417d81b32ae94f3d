"""`houserule rulebook`: the rules of a table as a printable book."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from houserule.base.limits import limit
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.rulebook.book.book_model import Book, Paper
from houserule.ui.cli.arguments import (
    GAME,
    TableFlags,
    chosen_language,
    language_flag,
    set_table,
    table_flags,
)
from houserule.ui.cli.output import EndingPath, say, write_file

EPILOG = """\b
Examples:
  houserule rulebook pig
  houserule rulebook ./my-game --preset ours --lang de --output rules.html
  houserule rulebook --table friday.yaml --output friday.pdf
  houserule rulebook ./my-game --with slow --diff base        only the differences
  houserule rulebook ./my-game --proof            each sentence beside its rule

\b
◊ marks everything that a house rule added, changed or removed.
"""
ENDINGS = (".md", ".html", ".pdf")
BASE = "base"


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@click.option(
    "--output",
    "-o",
    type=EndingPath(*ENDINGS),
    metavar="FILE",
    help=(
        "Write a file: .md for wikis, .html for screens and paper, .pdf to print "
        "(needs the extra `pdf`)."
    ),
)
@language_flag("Language of the book.")
@click.option(
    "--diff",
    "known",
    metavar="PRESET",
    help="Print only the differences from a preset, or from `base`, the base game.",
)
@click.option(
    "--paper",
    type=click.Choice(get_args(Paper)),
    default="a4",
    show_default=True,
    help="The page size of a PDF.",
)
@click.option(
    "--exact",
    is_flag=True,
    help=(
        "Also print every rule in formal wording, with the place where it is printed."
    ),
)
@click.option(
    "--summary", is_flag=True, help="Print one page to keep beside the board."
)
@click.option(
    "--proof",
    is_flag=True,
    help="Print each sentence with its rule in formal wording, to proofread them.",
)
@click.option(
    "--stamp",
    is_flag=True,
    help=(
        "Record in text/stamps.json which rules the sentences describe. Outdated "
        "sentences (W042) are not printed."
    ),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@table_flags
def command(
    game: Path | None,
    output: Path | None,
    lang: str | None,
    known: str | None,
    paper: Paper,
    exact: bool,
    summary: bool,
    proof: bool,
    stamp: bool,
    as_json: bool,
    flags: TableFlags,
) -> None:
    """Write the rules of a GAME, as the chosen table plays it, as a printable book."""
    asked = flags.asked(game, lang)
    ruleset = asked.open()
    language = chosen_language(lang, ruleset.manifest.languages)
    if stamp:
        from houserule.rulebook.book.stamps import STAMPS, as_file

        write_file(ruleset.folder / STAMPS, as_file(ruleset))
        return
    book = _book(ruleset, asked.choice, language)
    if proof:
        for rule in book.rules:
            if rule.says:
                formal = " ".join(rule.exact)
                say(f"{rule.address}\n  says: {rule.says}\n  rule: {formal}\n")
        return
    if known is not None:
        from houserule.rulebook.book.differences import sheet_of

        presets = [unit.id for unit in ruleset.units_of("preset")]
        if known not in (BASE, *presets):
            listed = ", ".join((BASE, *presets))
            message = f"There is no preset `{known}`. There is: {listed}."
            raise click.UsageError(message)
        preset = None if known == BASE else known
        # The same number of players, or else the nearest that the preset allows.
        most = range(1, limit("players") + 1)
        near = sorted(most, key=lambda number: abs(number - book.players))
        choices = (TableChoice(preset=preset, players=number) for number in near)
        fits = (c for c in choices if prepare(ruleset, c, for_play=True).program)
        other = _book(ruleset, next(fits, TableChoice(preset=preset)), language)
        called = ruleset.text("titles", known, language) if preset else book.title
        book = sheet_of(book, other, called or known)
    if summary:
        from houserule.rulebook.book.build import summary_of

        book = summary_of(book)
    if output is None:
        text = book.markdown(exact=exact).rstrip()
        say(book.model_dump_json(indent=2) if as_json else text)
    elif as_json:
        raise click.UsageError("`--json` goes to standard output, not to a file.")
    elif output.suffix == ".pdf":
        from houserule.rulebook.book.pdf import NoPdfError

        try:
            pdf = book.pdf(paper, exact=exact)
        except NoPdfError as error:  # its library is not installed
            raise click.UsageError(str(error)) from None
        write_file(output, pdf)
    else:
        if output.suffix == ".html":
            write_file(output, book.html(exact=exact))
            return
        stem = output.stem.replace(" ", "-")
        write_file(output, book.markdown(exact=exact, pictures=stem))
        for number, svg in enumerate(book.drawings(), 1):  # on white in dark wikis
            drawn = svg.replace("<svg ", '<svg style="background:#fff" ', 1)
            write_file(output.with_name(f"{stem}-{number}.svg"), drawn)


def _book(ruleset: LoadedRuleset, choice: TableChoice, language: str) -> Book:
    from houserule.authoring.scenarios.whole_books import whole_book
    from houserule.play.seat.rules import TableRules

    usual = ruleset.manifest.usual_players
    if choice.players is None and usual is not None:
        usually = replace(choice, players=usual)
        if prepare(ruleset, usually, for_play=True).program is not None:
            choice = usually
    table, program = set_table(ruleset, choice)
    rules = TableRules(ruleset, table, program)
    return whole_book(rules, language)
