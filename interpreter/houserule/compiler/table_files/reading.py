"""Reading table files, as `--table FILE` does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.base.diagnostics.characters import advice_on
from houserule.base.diagnostics.diagnostic import Diagnostic, fault, has_errors
from houserule.base.diagnostics.render import TableError
from houserule.base.files import read_source
from houserule.base.resources import no_such_ruleset
from houserule.base.source import Source, real
from houserule.compiler.prepare import E039, NamedGame, TableChoice
from houserule.language.manifest.kinds.kinds import DEFAULT_TABLE
from houserule.language.manifest.messages import E035
from houserule.language.manifest.ruleset_models import TableFile
from houserule.language.manifest.yaml.document import Document
from houserule.language.manifest.yaml.read import read_model

if TYPE_CHECKING:
    from houserule.compiler.options.options import SettingPlace


def read_table_file(path: Path) -> tuple[TableChoice | None, list[Diagnostic], Source]:
    """Read a table file; a file found in a folder must not lead out of it.

    Returns:
        The choice, or None after errors; the errors of the file; its text.

    Raises:
        UnreadableError: not a text.
        OSError: reading fails.
    """
    # A file that was found may be a stranger's; a named one may be a link.
    source = read_source(
        path, within=path.parent if path.name == DEFAULT_TABLE else None
    )
    return *table_in(source, path.parent), source


def table_in(
    source: Source, folder: Path
) -> tuple[TableChoice | None, list[Diagnostic]]:
    """Return the choice in the text of a table file in a folder, and the errors."""
    found, document, faults = read_model(source, TableFile)
    if found is None:
        return None, faults
    choice, more = choice_in(found, document, source, folder)
    return (None if has_errors([*faults, *more]) else choice), [*faults, *more]


def choice_in(
    found: TableFile, document: Document, source: Source, folder: Path
) -> tuple[TableChoice, list[Diagnostic]]:
    """Return the choice of a parsed table file, and the errors of its paths."""
    rules = [folder / each for each in found.rules]
    faults: list[Diagnostic] = []
    for number, each in enumerate(rules):
        if not each.exists():
            message = f"There is neither a file nor a folder `{each}`."
            faults.append(fault(E035, message, document.span("rules", number)))
    choice = TableChoice(
        preset=found.preset,
        with_=tuple(found.with_),
        without=tuple(found.without),
        settings={
            name: ([*value] if isinstance(value, dict | list) else value)
            for name, value in found.settings.items()
        },
        players=found.players,
        rules=tuple(rules),
        game=NamedGame(found.game, folder, document.span("game")),
        places={name: _place(document, name) for name in found.settings},
        named={name: document.span(*path) for path, name in _names(found)},
        sources={source.name: source},
    )
    return choice, faults


def game_of(choice: TableChoice) -> Path:
    """Return the folder of the game of a table file.

    Raises:
        TableError: an unknown game.
    """
    assert choice.game is not None, "every table file names a game"
    folder = choice.game.lies
    if folder is None:
        message = no_such_ruleset(choice.game.said)
        label = advice_on(choice.game.said)
        found = fault(E039, message, choice.game.span, label)
        raise TableError([found], choice.sources)
    return folder


def default_table(place: Path) -> Path | None:
    """Return the default table file for a folder: the nearest, in it or above.

    Ignore unreadable folders, such as deleted ones.
    """
    try:
        around = real(place)
        found = (each / DEFAULT_TABLE for each in (around, *around.parents))
        return next((each for each in found if each.is_file()), None)
    except OSError:
        return None


def _names(file: TableFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the names of variants and of the preset, each with its path."""
    for key, names in (("with", file.with_), ("without", file.without)):
        yield from (((key, number), name) for number, name in enumerate(names))
    if file.preset is not None:
        yield ("preset",), file.preset


def _place(document: Document, name: str) -> SettingPlace:
    from houserule.compiler.options.options import SettingPlace

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
