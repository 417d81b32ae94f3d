"""Rules of one's own in a record: put in when a game begins, loaded for its replay.

What a record brings is a stranger's: its files are written into a new folder and read
from there, and no path leads out of it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import fault, has_errors
from houserule.diagnostics.render import RecordError, RulesetError
from houserule.manifest.load import load_ruleset, open_ruleset
from houserule.record.lines import OwnRules
from houserule.resources import no_such_ruleset, shipped_rulesets
from houserule.source import Span

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.record.reading import ParsedRecord


def own_rules(ruleset: LoadedRuleset, record: Path) -> OwnRules | None:
    """Return what a record in a file says of a ruleset; None for a shipped one.

    A record is passed on: it does not tell where things lie on its writer's disk.
    """
    shipped = shipped_rulesets().get(ruleset.id)
    folder = ruleset.folder.resolve()
    if shipped is not None and shipped.resolve() == folder:
        return None
    place = record.resolve().parent
    inside = folder.is_relative_to(place)
    way = folder.relative_to(place).as_posix() if inside else folder.name
    texts = {name: source.text for name, source in sorted(ruleset.files.items())}
    return OwnRules(folder=way, files=texts)


def ruleset_of(record: ParsedRecord, folder: Path | None = None) -> LoadedRuleset:
    """Return the ruleset to play a record by.

    That is the one in a folder, if there is one, else what the record brings, else the
    shipped game of its name.

    Raises:
        RulesetError: it cannot be read; it has no diagnostics where there is none.
        RecordError: the rules in the record cannot be read.
    """
    if folder is not None:
        return open_ruleset(folder)
    if record.own is not None:
        return _brought(record, record.own)
    shipped = shipped_rulesets().get(record.head.game)
    if shipped is None:
        raise RulesetError((), message=no_such_ruleset(record.head.game))
    return open_ruleset(shipped)


def _brought(record: ParsedRecord, own: OwnRules) -> LoadedRuleset:
    source = record.source
    with TemporaryDirectory(prefix="houserule-") as place:
        try:
            _unpack(own, Path(place))
        except (OSError, ValueError) as error:
            message = f"The rules in this record cannot be unpacked: {error}."
            span = Span.at(source.name)
            raise RecordError(
                [fault("E080", message, span)], {source.name: source}
            ) from None
        ruleset, found = load_ruleset(Path(place), f"{source.name}:own")
    if ruleset is None or has_errors(found):
        raise RecordError(found, ruleset.sources if ruleset else {})
    lay = Path(source.name).resolve().parent / own.folder
    return replace(ruleset, folder=lay)


def _unpack(own: OwnRules, place: Path) -> None:
    """Write the files; their names were found to be paths inside a folder.

    Raises:
        OSError, ValueError: a file has a name that no file can have here.
    """
    for name, text in own.files.items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
