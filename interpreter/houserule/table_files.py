"""Table files: a table that was written down, as `--table FILE` reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.options.options import SettingPlace
from houserule.diagnostics.diagnostic import Diagnostic, has_errors
from houserule.manifest.model import TableFile
from houserule.manifest.yaml.read import read_model
from houserule.prepare import NamedGame, TableChoice
from houserule.source import Source, read_source

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.manifest.model import Entry
    from houserule.manifest.ruleset import Plain
    from houserule.manifest.yaml.document import Document


def read_table_file(path: Path) -> tuple[TableChoice | None, list[Diagnostic], Source]:
    """Read a table file.

    Returns:
        The choice, None where there are errors; what is wrong with the file; its text.

    Raises:
        OSError: there is no such file, or it cannot be read.
    """
    source = read_source(path)
    found, document, faults = read_model(source, TableFile)
    if found is None or has_errors(faults):
        return None, faults, source
    choice = TableChoice(
        preset=found.preset,
        with_=tuple(found.with_),
        without=tuple(found.without),
        settings={name: _plain(value) for name, value in found.settings.items()},
        players=found.players,
        game=NamedGame(found.game, path.parent, document.span("game")),
        places={name: _place(document, name) for name in found.settings},
        sources={source.name: source},
    )
    return choice, faults, source


def _plain(value: Entry | dict[str, None]) -> Plain:
    """Return a value; `{1, 3}` is a block of keys without values to a YAML reader."""
    return [*value] if isinstance(value, dict | list) else value


def _place(document: Document, name: str) -> SettingPlace:
    at = ("set", name)
    inside = document.at(*at)
    members: list[str | int] = []
    if isinstance(inside, dict | list):
        members = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
    return SettingPlace(
        document.key_span(*at),
        document.span(*at),
        tuple(document.key_span(*at, each) for each in members),
    )
