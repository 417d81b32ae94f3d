"""Games that a server plays: those that ship, with rules of one's own beside them.

Rules of one's own are a stranger's. They are read, composed and played in processes
under limits alone: here this is held, whoever asks.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from houserule.diagnostics.render import TableError
from houserule.files import write_whole
from houserule.limits import is_isolated
from houserule.manifest.folder import RulesFile
from houserule.manifest.load import open_ruleset
from houserule.manifest.ruleset import LoadedRuleset
from houserule.menu.links import table_link
from houserule.prepare import playable, prepare
from houserule.resources import find_ruleset
from houserule.seat.rules import TableRules
from houserule.web.own.kept import OwnTexts, UnknownTextError

KEPT = 64  # programs of tables, and rulesets, that are kept ready


class NotHereError(Exception):
    """Rules of one's own are not for the process of the server itself."""


@lru_cache(maxsize=KEPT)
def rules_of(link: str, texts: OwnTexts | None = None) -> TableRules:
    """Return what is played by a choice in the form of a link.

    Args:
        link: a game and a choice, maybe with rules of one's own.
        texts: where these are kept; None where there are none.

    Raises:
        BadLinkError: it is no such text.
        RulesetError: there is no such game, or it cannot be read.
        TableError: there is no such table.
        UnknownTextError: rules of one's own are not kept here.
        NotHereError: there are such, and this process has no limits.
    """
    said = table_link(link)
    ruleset, choice = ruleset_of(said.game, said.own, texts), said.choice
    prepared = prepare(ruleset, choice, for_play=True)
    table, program = playable(prepared, ruleset, choice)
    return TableRules(ruleset, table, program)


@lru_cache(maxsize=KEPT)
def ruleset_of(
    game: str, own: tuple[str, ...] = (), texts: OwnTexts | None = None
) -> LoadedRuleset:
    """Return a game with rules of one's own; errors are those of `rules_of`."""
    folder = find_ruleset(game)
    if folder is None:
        raise TableError((), message=f"There is no game `{game}`.")
    if not own:
        return open_ruleset(folder)
    if not is_isolated():
        raise NotHereError
    if texts is None:
        raise UnknownTextError(*own)
    with TemporaryDirectory(prefix="houserule-") as place:
        beside = [_written(digest, texts.text(digest), place) for digest in own]
        return open_ruleset(folder, beside)


def _written(digest: str, text: str, place: str) -> RulesFile:
    name = file_of(digest)
    write_whole(Path(place, name), text)
    return RulesFile(Path(place, name), name, called=name)


def file_of(digest: str) -> str:
    """Return what a text of one's own is called as a file."""
    return f"own-{digest}.rules"


def digest_in(file: str) -> str:
    """Return the digest of a text that is called so as a file."""
    return file.removeprefix("own-").removesuffix(".rules")
