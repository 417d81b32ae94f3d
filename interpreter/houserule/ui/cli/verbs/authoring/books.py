"""Source books on the command line: `--source [NAME=]FILE`, and their coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.files import is_there, read_source
from houserule.language.manifest.load import load_manifest
from houserule.language.manifest.ruleset_models import Manifest
from houserule.ui.cli.arguments import reported
from houserule.ui.cli.output import say

if TYPE_CHECKING:
    from houserule.authoring.coverage.coverage_model import CoveredBooks

VERB = TypeVar("VERB", bound=Callable[..., Any])


def source_flag(words: str) -> Callable[[VERB], VERB]:
    """Return the flag for the texts of books, with this help."""
    return click.option(
        "--source", "books", multiple=True, metavar="[NAME=]FILE", help=words
    )


def texts_of(game: Path, books: Iterable[str]) -> Mapping[str, str]:
    """Return the texts of books, by the names of a game's sources.

    Raises:
        click.UsageError: the file is missing, or its source is not named.
    """
    return dict(_book(game, each) for each in books)


def manifest_of(game: Path) -> Manifest:
    """Return a game's manifest; its errors end the command."""
    with reported():
        manifest, found = load_manifest(game)
        if manifest is None:
            raise DiagnosticsError(found)
    return manifest


def _book(game: Path, said: str) -> tuple[str, str]:
    """Return the name of a source, and the text of its book."""
    name, _, file = said.rpartition("=") if not is_there(Path(said)) else ("", "", said)
    if not is_there(Path(file)):
        raise click.UsageError(f"There is no file `{file}`.")
    manifest = manifest_of(game)
    known = list(manifest.sources)
    if not known:
        message = f"{manifest.id} names no book (`sources` in its ruleset.yaml)."
        raise click.UsageError(message)
    if not name and len(known) > 1:
        each = " or ".join(f"--source {source}=FILE" for source in known)
        raise click.UsageError(f"{manifest.id} has several books; say {each}.")
    if name and name not in known:
        raise click.UsageError(
            f"{manifest.id} has no book `{name}`. There is: {', '.join(known)}."
        )
    with reported():
        return name or known[0], read_source(Path(file)).text


def tell_books(found: CoveredBooks) -> None:
    """Print how much of the books is covered, and what is missing."""
    from houserule.authoring.coverage.report import lines_of

    for line in lines_of(found):
        say(line)
