"""The games of a server: built-in ones, with users' own rules beside them.

Users' rules are untrusted. Only processes under limits read, compose and play them:
this module enforces that for all callers.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from houserule.authoring.check.check import check_path
from houserule.base.diagnostics.diagnostic import has_errors, in_reading_order
from houserule.base.diagnostics.render import Renderer, TableError
from houserule.base.files import find, write_whole
from houserule.base.frozen import frozen
from houserule.base.limits import is_isolated
from houserule.base.resources import data_root, known_rulesets
from houserule.compiler.prepare import playable, prepare
from houserule.language.manifest.folder import RulesFile
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.positions.files import start_from
from houserule.play.seat.rules import TableRules
from houserule.ui.configurator.links import BadLinkError, table_link
from houserule.ui.web.own.rules_store import OwnTexts, UnknownTextError

KEPT = 64  # programs of tables, and rulesets, in the cache


class NotHereError(Exception):
    """Users' rules must not run in the server's own process."""


def rules_of(link: str, texts: OwnTexts | None = None) -> TableRules:
    """Return the rules of a choice in the form of a link.

    Args:
        link: a game and a choice, maybe with users' own rules.
        texts: the store of own rules; None if there is none.

    Raises:
        BadLinkError: the text is not a link.
        RulesetError: the game is missing or unreadable.
        TableError: unknown table.
        UnknownTextError: the own rules are not stored here.
        NotHereError: there are own rules, and this process has no limits.
    """
    return _rules_of(link, texts, version_of(table_link(link).game))


def must_be_here(link: str) -> None:
    """Check that this process may play a choice.

    Raises:
        BadLinkError: the text is not a link.
        NotHereError: there are own rules, and this process has no limits.
    """
    if table_link(link).own and not is_isolated():
        raise NotHereError


@lru_cache(maxsize=KEPT)
def _rules_of(link: str, texts: OwnTexts | None, version: int) -> TableRules:
    said = table_link(link)
    ruleset, choice = _ruleset_of(said.game, said.own, texts, version), said.choice
    prepared = prepare(ruleset, choice, for_play=True)
    table, program = playable(prepared, ruleset, choice)
    if said.given:
        try:
            given = json.loads(said.given)
        except ValueError:
            given = None
        if not isinstance(given, dict):
            raise BadLinkError(f"No position: {said.given[:40]}")
        program = start_from(program, ruleset, given)
    return TableRules(ruleset, table, program)


def ruleset_of(
    game: str, own: tuple[str, ...] = (), texts: OwnTexts | None = None
) -> LoadedRuleset:
    """Return a game with users' own rules; errors as for `rules_of`.

    A game that is not built in is read again when one of its files has changed.
    """
    return _ruleset_of(game, own, texts, version_of(game))


def version_of(game: str) -> int:
    """Return a number of a game's files that changes with them; 0 if it is built in."""
    folder = known_rulesets().get(game)
    if folder is None or data_root() in folder.parents:
        return 0
    states = ((each, (folder / each).stat()) for each in find(folder, "**/*"))
    return hash(tuple((each, now.st_mtime_ns, now.st_size) for each, now in states))


@frozen
class GameMessages:
    """What `check` says about a game from a folder; nothing about a built-in one."""

    text: str = ""
    errors: bool = False


def messages_of(game: str) -> GameMessages:
    """Return the messages about a game; it is checked again when a file changes."""
    version, folder = version_of(game), known_rulesets().get(game)
    if not version or folder is None or is_isolated():
        return GameMessages()
    return _messages_of(folder, version)


@lru_cache(maxsize=KEPT)
def _messages_of(folder: Path, _: int) -> GameMessages:
    found = check_path(folder)
    told = Renderer(found.sources).all(in_reading_order(found.diagnostics))
    # Guests read this too: they may see the rules, but not where they are kept.
    told = told.replace(f"{folder}/", f"{folder.name}/")
    return GameMessages(told, has_errors(found.diagnostics))


@lru_cache(maxsize=KEPT)
def _ruleset_of(
    game: str, own: tuple[str, ...], texts: OwnTexts | None, version: int
) -> LoadedRuleset:
    folder = known_rulesets().get(game)
    if folder is None:
        raise TableError((), message=f"There is no game `{game}`.")
    if not own:
        return open_ruleset(folder)
    if not is_isolated():
        raise NotHereError
    if texts is None:
        raise UnknownTextError(*own)
    with TemporaryDirectory(prefix="houserule-") as place:
        beside = []
        for digest in own:
            name = file_of(digest)
            write_whole(Path(place, name), texts.text(digest))
            beside.append(RulesFile(Path(place, name), name, called=name))
        return open_ruleset(folder, beside)


def file_of(digest: str) -> str:
    """Return the file name of a user's own rules."""
    return f"own-{digest}.rules"


def digest_in(file: str) -> str:
    return file.removeprefix("own-").removesuffix(".rules")
