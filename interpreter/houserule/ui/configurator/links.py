"""Links that hold a whole choice: `pig?set=target=50&players=3&lang=de`.

    GAME ? preset=P & with=A,B & without=C & set=KEY=VALUE & players=N & lang=xx
         & own=D,E & given=POSITION

Names are in alphabetical order, so that one choice has one link; `own` names your own
rules, by digests of their texts, and `given` is a position to start from, as JSON.
Links are untrusted: an unreadable link is rejected with a sentence, unknown names are
errors of the table, and other keys are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.compiler.options.scales import BRACKETS, several, shown
from houserule.compiler.prepare import TableChoice
from houserule.language.manifest.ruleset import Plain

LONGEST = 8_000  # characters of a link
MOST = 600  # names and settings of a link
MOST_SEATS = 1_000
MOST_OWN = 8  # own texts per game
DIGEST = re.compile("[0-9a-f]{32}")
_NAME = re.compile(r"[^\W\d]\w{0,99}")
_FLAGS = {"yes": True, "no": False}


class BadLinkError(ValueError):
    """A link holds no choice; the message explains why, in the requested language."""


@frozen
class TableLink:
    """The content of a link: a game's name, a choice, and a language or ''.

    `own` are digests of the texts of your own rules. `given` is a position to start
    from, as JSON, or ''.
    """

    game: str
    choice: TableChoice
    language: str = ""
    own: tuple[str, ...] = ()
    given: str = ""


def query_of(choice: TableChoice, language: str = "") -> str:
    """Return a choice as a link's query, after the `?`."""
    settings = sorted(choice.settings.items())
    pairs = [
        ("preset", choice.preset or ""),
        ("with", ",".join(sorted(set(choice.with_)))),
        ("without", ",".join(sorted(set(choice.without)))),
        *(("set", f"{name}={setting_text(value)}") for name, value in settings),
        ("players", "" if choice.players is None else str(choice.players)),
    ]
    said = [f"{key}={quote(text, safe='=,')}" for key, text in pairs if text]
    return "&".join([*said, f"lang={quote(language)}"] if language else said)


def setting_text(value: Plain) -> str:
    """Return the value of an option as written in links."""
    return shown(value).replace(" ", "")


def link_of(link: TableLink) -> str:
    """Return a link as text, without the address of the server."""
    given = f"given={quote(link.given)}" if link.given else ""
    parts = own_query(link.own), query_of(link.choice, link.language), given
    query = "&".join(filter(None, parts))
    return f"{quote(link.game)}?{query}" if query else quote(link.game)


def table_link(text: str, language: str = "en") -> TableLink:
    """Return the content of a link.

    Args:
        text: a game and, after `?`, a query.

    Raises:
        BadLinkError: it cannot be read.
    """
    game, _, query = text.partition("?")
    choice, lang = choice_of(query, language)
    if not _NAME.fullmatch(game):
        raise BadLinkError(Phrases("menu", language).say("no game", name=game[:40]))
    given = [text for key, text in parse_qsl(query) if key == "given"]
    return TableLink(game, choice, lang, own_in(query, language), *given[-1:])


def own_query(own: Iterable[str]) -> str:
    """Return your own rules as a part of a link; '' without any."""
    every = ",".join(sorted(set(own)))
    return f"own={every}" if every else ""


def own_in(query: str, language: str = "en") -> tuple[str, ...]:
    """Return the digests of your own rules in a query.

    Raises:
        BadLinkError: they are malformed or too many.
    """
    said = (t for k, t in parse_qsl(query, errors="replace") if k == "own")
    found = tuple(sorted({d for text in said for d in text.split(",") if d}))
    for each in found:
        if not DIGEST.fullmatch(each) or len(found) > MOST_OWN:
            say = Phrases("menu", language).say
            raise BadLinkError(say("bad own", text=each[:40], number=MOST_OWN))
    return found


def choice_of(query: str, language: str = "en") -> tuple[TableChoice, str]:
    """Return the choice and the language of a query; '' if it names none.

    Raises:
        BadLinkError: it cannot be read.
    """
    say = Phrases("menu", language).say
    if len(query) > LONGEST or query.count("&") + query.count(",") > MOST:
        raise BadLinkError(say("long link"))
    found: dict[str, list[str]] = {}
    for key, text in parse_qsl(query, keep_blank_values=False, errors="replace"):
        found.setdefault(key, []).append(text)
    settings: dict[str, Plain] = {}
    for each in found.get("set", ()):
        name, equals, value = each.partition("=")
        if not equals or not _NAME.fullmatch(name) or not value.strip():
            raise BadLinkError(say("bad setting", text=each[:40]))
        settings[name] = _plain(value.strip())
    preset = _names(found, "preset", language)
    players = None
    if seats := found.get("players"):
        number = seats[-1]
        valid = re.fullmatch("[0-9]{1,4}", number) and 1 <= int(number) <= MOST_SEATS
        if not valid:
            raise BadLinkError(say("bad players", text=number[:40]))
        players = int(number)
    choice = TableChoice(
        preset=preset[-1] if preset else None,
        with_=_names(found, "with", language),
        without=_names(found, "without", language),
        settings=settings,
        players=players,
    )
    return choice, (_names(found, "lang", language) or ("",))[-1]


def _names(found: Mapping[str, list[str]], key: str, language: str) -> tuple[str, ...]:
    names = (name for text in found.get(key, ()) for name in text.split(",") if name)
    kept = tuple(sorted(set(names)))
    for each in kept:
        if not _NAME.fullmatch(each):
            raise BadLinkError(
                Phrases("menu", language).say("bad name", name=each[:40])
            )
    return kept


def _plain(text: str) -> Plain:
    """Parse a value; the option validates it."""
    if text in _FLAGS:
        return _FLAGS[text]
    if re.fullmatch("-?[0-9]{1,12}", text):
        return int(text)
    if (text[:1], text[-1:]) in BRACKETS:
        return [_plain(each) for each in several(text)]
    return text
