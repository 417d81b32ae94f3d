"""Users' own rules in a record: stored when a game begins, loaded for its replay.

Rules in a record are untrusted: they are written into a new folder and read from there,
and no path leads out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from houserule.base.diagnostics.diagnostic import fault, has_errors, too_large
from houserule.base.diagnostics.render import RecordError
from houserule.base.files import MANIFEST, write_whole
from houserule.base.limits import limit
from houserule.base.resources import (
    no_such_ruleset,
    ruleset_around,
    ruleset_called,
    shipped_rulesets,
)
from houserule.base.source import Span, real
from houserule.compiler.prepare import E039
from houserule.language.manifest.folder import RulesFile
from houserule.language.manifest.load import BESIDE, load_ruleset, open_ruleset
from houserule.language.manifest.messages import E032
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import FILE
from houserule.play.records.lines import OwnRules, letters
from houserule.play.records.reading import E080, OWN_RULES, ParsedRecord, place_in_head

SHOWN = 60  # letters of a name in a message


def own_rules(ruleset: LoadedRuleset, record: Path | None) -> OwnRules | None:
    """Return the sources of a ruleset for a record in a file, or without one yet.

    None, if there are no rules beside it, for a built-in ruleset and for one whose
    folder contains the record. Records are shared, so they do not reveal paths on their
    writer's disk.

    Raises:
        RecordError: a record cannot hold them: they are too large (E050), or a file
            name is not portable (E032).
    """
    beside = {
        each.name: ruleset.files[f"{BESIDE}{each.name}"].text for each in ruleset.beside
    }
    shipped = shipped_rulesets().get(ruleset.id)
    folder = real(ruleset.folder)
    around = record and ruleset_around(record)
    if folder in (shipped and real(shipped), around):
        return OwnRules(rules=beside) if beside else None
    way = folder.name
    if record is not None and folder.is_relative_to(real(record).parent):
        way = folder.relative_to(real(record).parent).as_posix()
    way = way.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
    texts = {
        name: source.text
        for name, source in sorted(ruleset.files.items())
        if not name.startswith(BESIDE)
    }
    sizes = {"files": (len(texts), "files"), "rules": (letters(texts), "letters")}
    for name, (size, noun) in sizes.items():
        if size > limit(name):
            message = f"A record cannot hold these rules: {size:,} {noun}."
            span = Span.at(ruleset.files[MANIFEST].name)
            raise RecordError([too_large(name, message, span)], ruleset.sources)
    for name in texts:
        if not FILE.fullmatch(name) or name != name.encode("utf-8", "replace").decode():
            message = "A file in a record needs a name in UTF-8, without `\\` and `:`."
            wrong = fault(E032, message, Span.at(ruleset.files[name].name))
            raise RecordError([wrong], ruleset.sources)
    return OwnRules(folder=way, files=texts, rules=beside)


def ruleset_of(
    record: ParsedRecord, folder: Path | None = None, beside: Sequence[RulesFile] = ()
) -> LoadedRuleset:
    """Return the ruleset for replaying a record.

    The first that exists is used: the ruleset in `folder`, the rules in the record, the
    ruleset whose folder contains the record, the built-in game of its name. Rules files
    in `beside` replace all that the record contains.

    Raises:
        RulesetError: it cannot be read.
        RecordError: its name matches no known game, or several (E039), or the rules in
            the record cannot be read.
    """
    if folder is not None:
        return open_ruleset(folder, beside)
    if beside:
        return open_ruleset(_game_of(record), beside)
    if record.own is not None:
        own = record.own
        source = record.source
        called = f"{source.name}:own"
        with TemporaryDirectory(prefix="houserule-") as place:
            game, rules = Path(place) / "game", Path(place) / "rules"
            try:
                _unpack(own.files, game)
                _unpack(own.rules, rules)
            except _Unpackable as error:
                span = place_in_head(source, "own")
                raise RecordError(
                    [fault(E080, str(error), span)], {source.name: source}
                ) from None
            beside = [
                RulesFile(rules / name, name, f"{called}/{BESIDE}{name}")
                for name in own.rules
            ]
            if own.files:
                ruleset, found = load_ruleset(game, beside, called)
            else:
                ruleset, found = load_ruleset(_game_of(record), beside)
        if ruleset is None or has_errors(found):
            raise RecordError(found, ruleset.sources if ruleset else {})
        if not own.files:
            return ruleset
        lay = real(Path(source.name)).parent / own.folder
        return replace(ruleset, folder=lay)
    return open_ruleset(_game_of(record))


def _game_of(record: ParsedRecord) -> Path:
    """Return the folder of a record's game: the one it is in, else by its name.

    Raises:
        RecordError: E039, the name matches no known game, or several.
    """
    around = ruleset_around(Path(record.source.name))
    if around is not None:
        return around
    found = ruleset_called(record.head.game)
    if found is None:
        source = record.source
        message = no_such_ruleset(record.head.game)
        place = place_in_head(source, "game")
        unknown = fault(E039, message, place, fixes=(OWN_RULES,))
        raise RecordError([unknown], {source.name: source})
    return found


class _Unpackable(Exception):
    """A file of the record cannot be written here."""


def _unpack(files: Mapping[str, str], place: Path) -> None:
    """Write files; their names are already validated as paths inside a folder.

    Raises:
        _Unpackable: a file has a name that is not allowed here.
    """
    for name, text in files.items():
        file = place / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            called = name if len(name) <= SHOWN else f"{name[:SHOWN]}…"
            message = f"`{called}` of this record cannot be unpacked: {why}."
            raise _Unpackable(message) from None
