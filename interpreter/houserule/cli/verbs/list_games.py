"""`houserule list`: the games, or what a game lets a table choose."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli.arguments import GAME, chosen_language, language_flag
from houserule.cli.output import columns, say, say_json
from houserule.manifest.load import shipped_games
from houserule.resources import Phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from houserule.compose.tables.offers import Offer, VariantGroup

EPILOG = """\b
Examples:
  houserule list                 every game that came with houserule
  houserule list pig             its variants, options and presets
  houserule list ./my-game --json
"""
WIDEST = 100


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@language_flag("Language of titles.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(game: Path | None, lang: str | None, as_json: bool) -> None:
    """List the games, or a game's variants, options and presets."""
    if game is None:
        _games(lang, as_json)
    else:
        _game(game, lang, as_json)


def _games(lang: str | None, as_json: bool) -> None:
    known = sorted({each for game in shipped_games() for each in game.languages})
    games = list(shipped_games(chosen_language(lang, known)))
    if as_json:
        entries = [
            {"game": g.id, "title": g.title, "summary": g.summary} for g in games
        ]
        say_json({"games": entries})
        return
    width = max((len(game.id) for game in games), default=0)
    for game in games:
        say(f"{game.id.ljust(width)}  {game.title}: {game.summary}")


def _game(folder: Path, lang: str | None, as_json: bool) -> None:
    # The list of games alone does not wait for what reads rules.
    from houserule.cli.arguments import open_ruleset
    from houserule.compose.tables.offers import offers_of, span

    ruleset = open_ruleset(folder)
    language = chosen_language(lang, ruleset.manifest.languages)
    offers = offers_of(ruleset, language)
    low, high = offers.players
    if as_json:
        say_json(
            {
                "game": offers.id,
                "title": offers.title,
                "players": [low, high],
                "variants": [_variant(each) for each in offers.variants],
                "groups": [_group(each) for each in offers.groups],
                "options": [_entry(each) for each in offers.options],
                "presets": [_entry(each) for each in offers.presets],
            }
        )
        return
    words = Phrases("cli", language)
    number = span(low, high, language)
    say(words.say("for players", game=offers.id, title=offers.title, number=number))
    variants = ((v.id, v.title, v.about()) for v in offers.variants)
    groups = ((g.id, g.about(), ()) for g in offers.groups)
    _section(words.say("variants"), variants)
    _section(words.say("groups"), groups)
    _section(words.say("options"), ((o.id, o.title, o.about()) for o in offers.options))
    _section(words.say("presets"), ((p.id, p.title, p.about()) for p in offers.presets))


# ---- for people


def _section(heading: str, rows: Iterable[tuple[str, str, Sequence[str]]]) -> None:
    """Write a heading and its rows: names, titles, and what there is to know."""
    entries = list(rows)
    if not entries:
        return
    say(f"\n{heading}")
    width = max(len(name) for name, _, _ in entries)
    for name, title, about in entries:
        for number, line in enumerate(_lines(title, about, width + 4)):
            say(f"  {(name if number == 0 else '').ljust(width)}  {line}".rstrip())


def _lines(title: str, about: Sequence[str], indent: int) -> Iterator[str]:
    """Yield the title, then what there is to know: behind it if there is room."""
    room = max(40, min(columns(), WIDEST) - indent)
    line = "; ".join((title, *about) if title else about)
    if len(line) <= room:
        yield line
        return
    yield from textwrap.wrap(title, room)
    yield from _wrapped(about, room - 2)


def _wrapped(parts: Sequence[str], room: int) -> Iterator[str]:
    """Yield parts with `;` between them, two deeper; a line ends behind a part."""
    line = ""
    for number, part in enumerate(parts, 1):
        words = part if number == len(parts) else f"{part};"
        if line and len(line) + len(words) + 1 > room:
            yield f"  {line}"
            line = ""
        line = f"{line} {words}" if line else words
        *full, line = textwrap.wrap(line, room, subsequent_indent="  ")
        yield from (f"  {each}" for each in full)
    if line:
        yield f"  {line}"


# ---- for programs


def _entry(offer: Offer) -> dict[str, object]:
    about = "; ".join(offer.about())
    return {"id": offer.id, "title": offer.title, "about": about}


def _variant(offer: Offer) -> dict[str, object]:
    given = [
        {"with": list(link.given), link.word: list(link.names)}
        for link in offer.links
        if link.given
    ]
    return {
        **_entry(offer),
        "requires": offer.names("requires"),
        "implies": offer.names("implies"),
        "excludes": offer.names("excludes"),
        "suggests": offer.names("suggests"),
        "groups": list(offer.groups),
        "players": None if offer.players is None else list(offer.players),
        "given": given,
    }


def _group(group: VariantGroup) -> dict[str, object]:
    return {
        "id": group.id,
        "variants": list(group.variants),
        "or_none": group.or_none,
        "normally": group.normally or None,
    }
