"""Reading table files, as `--table FILE` does."""

from __future__ import annotations

from pathlib import Path

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


def read_table_file(path: Path) -> tuple[TableChoice | None, list[Diagnostic], Source]:
    """Read a table file; a file found in a folder must not lead out of it.

    Returns:
        The choice, or None after errors; the errors of the file; its text.

    Raises:
        UnreadableError: not a text.
        OSError: reading fails.
    """
    # A default file may come from a stranger; a named file may be a link.
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
    from houserule.compiler.options.options import SettingPlace

    rules = [folder / each for each in found.rules]
    faults: list[Diagnostic] = []
    for number, each in enumerate(rules):
        if not each.exists():
            message = f"There is neither a file nor a folder `{each}`."
            faults.append(fault(E035, message, document.span("rules", number)))
    named = {}  # the places of variants and of the preset
    for key, names in (("with", found.with_), ("without", found.without)):
        for number, name in enumerate(names):
            named[name] = document.span(key, number)
    if found.preset is not None:
        named[found.preset] = document.span("preset")
    places: dict[str, SettingPlace] = {}
    for name in found.settings:
        inside, members = document.at("set", name), list[str | int]()
        if isinstance(inside, dict | list):
            members = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
        places[name] = SettingPlace(
            document.key_span("set", name),
            document.span("set", name),
            tuple(document.key_span("set", name, each) for each in members),
        )
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
        places=places,
        named=named,
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
