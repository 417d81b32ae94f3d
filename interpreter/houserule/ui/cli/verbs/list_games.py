"""`houserule list`: the games, or a game's variants, options and presets."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.base.resources import Phrases, installed, rulesets_called, same_name
from houserule.language.manifest.load import ShippedGame, installed_games, shipped_games
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    RULES_FLAG,
    TABLE_FLAG,
    AskedTable,
    chosen_language,
    flags_of,
    language_flag,
)
from houserule.ui.cli.output import columns, say, say_json, tell

if TYPE_CHECKING:
    from houserule.compiler.choices.offers import Offer

EPILOG = """\b
Examples:
  houserule list                 every game, built-in or installed
  houserule list pig             its variants, options and presets
  houserule list ./my-game --json
  houserule list pig --names     the names that a house rule can edit
  houserule list pig --names pot those about the pot
"""
WIDEST = 100
FEW = 40  # names that are listed with captions, one below the other
NARROWEST = 30  # minimum width beside the longest names


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@click.option(
    "--names",
    "word",
    is_flag=False,
    flag_value="",
    metavar="[WORD]",
    help=(
        "List the names that a house rule can edit, or those with WORD in their "
        "name or caption."
    ),
)
@language_flag("Language of titles and captions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@RULES_FLAG
@TABLE_FLAG
def command(
    game: Path | None,
    word: str | None,
    lang: str | None,
    as_json: bool,
    rules: tuple[Path, ...],
    table_file: Path | None,
) -> None:
    """List the games, or a game's variants, options and presets, or its names.

    With a table file or a default table, active ones are marked.
    """
    flags = flags_of(table_file=table_file, rules=rules)
    if game is None and table_file is None:
        if word is not None:
            raise click.UsageError("Give a game before `--names`.")
        known = sorted({name for each in _known_games() for name in each.languages})
        games = _known_games(chosen_language(lang, known))
        if as_json:
            entries = [
                {
                    "game": g.id,
                    "title": g.title,
                    "summary": g.summary,
                    "package": g.package,
                }
                for g in games
            ]
            say_json({"games": entries})
        else:
            width = max((len(each.id) for each in games), default=0)
            for each in games:
                home = f" ({each.package})" if each.package else ""
                say(f"{each.id.ljust(width)}  {each.title}: {each.summary}{home}")
        words = Phrases("cli", lang or "en")
        # Games of installed packages may be faulty, unreadable, or of the same name.
        packages = installed()
        names = sorted({each.name for each in packages.rulesets})
        clashes = (same_name(rulesets_called(name)) for name in names)
        faults = [*packages.faults, *filter(None, clashes)]
        listed = {each.folder for each in games}
        faults += (
            f"A game of {own.package} cannot be read; "
            f"`houserule check {own.folder}` says why."
            for own in packages.rulesets
            if own.folder not in listed
        )
        for fault in faults:
            tell(words.say("note", text=fault))
    elif word is not None:
        from houserule.rulebook.meanings.game_names import game_names

        ruleset = flags.asked(game, lang).open()
        language = chosen_language(lang, ruleset.manifest.languages)
        found = game_names(ruleset, word, language)
        if as_json:
            say_json(found.model_dump(mode="json"))
            return
        if not found.groups:
            tell(f"No name in {ruleset.id} has `{word}` in it or in its caption.")
            raise click.exceptions.Exit(FINDINGS)
        words = Phrases("meanings", language)
        if not word and sum(len(group.names) for group in found.groups) > FEW:
            room = max(NARROWEST, min(columns(), WIDEST))
            for group in found.groups:
                own = "  ".join(
                    each.name for each in group.names if "." not in each.name
                )
                say(f"{group.title}")
                for line in textwrap.wrap(own, room - 2, break_on_hyphens=False):
                    say(f"  {line}")
            tell(words.say("more names", game=ruleset.id))
            return
        for number, group in enumerate(found.groups):
            if number:
                say()
            levels = {"": -1}
            for name in group.names:
                levels[name.name] = levels.get(name.above, -1) + 1
            shown = ["  " * levels[name.name] + name.name for name in group.names]
            kinds = [words.say(name.kind) for name in group.names]
            width, wide = max(map(len, shown)), max(map(len, kinds))
            say(group.title)
            for name, address, kind in zip(group.names, shown, kinds, strict=True):
                more = [words.say("with parts", names=", ".join(name.parts))]
                notes = more if name.parts else []
                notes += [words.say("sealed")] if name.sealed else []
                notes += [words.say("from", unit=name.unit)] if name.unit else []
                about = _lines(name.caption, notes, width + wide + 6)
                first = f"{address.ljust(width)}  {kind.ljust(wide)}"
                for before, line in zip_longest([first], about):
                    say(f"  {before or ' ' * len(first)}  {line or ''}".rstrip())
    else:
        _game(flags.asked(game, lang), lang, as_json)


def _known_games(language: str = "en") -> list[ShippedGame]:
    """Return the built-in games and those of installed packages, by name."""
    games = [*shipped_games(language), *installed_games(language)]
    return sorted(games, key=lambda game: (game.id, game.package))


def _game(asked: AskedTable, lang: str | None, as_json: bool) -> None:
    # Imported late, because the list of games need not load the rules reader.
    from houserule.compiler.choices.offers import offers_of, span
    from houserule.compiler.table_files.description import described, value_words
    from houserule.compiler.table_files.planned import WishedTable
    from houserule.ui.configurator.measured import measured_line

    ruleset = asked.open()
    language = chosen_language(lang, ruleset.manifest.languages)
    offers = offers_of(ruleset, language)
    low, high = offers.players
    here = None
    if asked.choice.game is not None:
        here = described(WishedTable(ruleset, asked.choice), language)
    if as_json:
        say_json(
            {
                "game": offers.id,
                "title": offers.title,
                "players": [low, high],
                "variants": [
                    {
                        **_entry(each),
                        "requires": each.names("requires"),
                        "implies": each.names("implies"),
                        "excludes": each.names("excludes"),
                        "suggests": each.names("suggests"),
                        "groups": list(each.groups),
                        "players": None if each.players is None else list(each.players),
                        "given": [
                            {"with": list(link.given), link.word: list(link.names)}
                            for link in each.links
                            if link.given
                        ],
                    }
                    for each in offers.variants
                ],
                "groups": [
                    {
                        "id": each.id,
                        "variants": list(each.variants),
                        "or_none": each.or_none,
                        "normally": each.normally or None,
                    }
                    for each in offers.groups
                ],
                "options": [_entry(each) for each in offers.options],
                "presets": [_entry(each) for each in offers.presets],
                "table": here
                and {
                    "variants": [each.id for each in here.variants],
                    "options": {each.id: each.value for each in here.options},
                },
            }
        )
        return
    words = Phrases("cli", language)
    number = span(low, high, language)
    say(words.say("for players", game=offers.id, title=offers.title, number=number))
    measured = partial(measured_line, ruleset, language=language)
    on = {each.id: words.say("on here") for each in here.variants} if here else {}
    set_ = {
        each.id: words.say("value here", value=value_words(each.value, language))
        for each in (here.options if here else ())
        if each.differs
    }
    variants = (
        (v.id, v.title, (*_about(v, on), *filter(None, [measured(v.id)])))
        for v in offers.variants
    )
    groups = ((g.id, g.about(), ()) for g in offers.groups)
    options = ((o.id, o.title, _about(o, set_)) for o in offers.options)
    _section(words.say("variants"), variants)
    _section(words.say("groups"), groups)
    _section(words.say("options"), options)
    _section(words.say("presets"), ((p.id, p.title, p.about()) for p in offers.presets))


def _about(offer: Offer, here: Mapping[str, str]) -> tuple[str, ...]:
    """Return the facts about an offer; first its state at the table."""
    mark = (here[offer.id],) if offer.id in here else ()
    return (*mark, *offer.about())


# ---- text output


def _section(heading: str, rows: Iterable[tuple[str, str, Sequence[str]]]) -> None:
    """Print a heading and its rows: names, titles and facts."""
    entries = list(rows)
    if not entries:
        return
    say(f"\n{heading}")
    width = max(len(name) for name, _, _ in entries)
    for name, title, about in entries:
        for number, line in enumerate(_lines(title, about, width + 4)):
            say(f"  {(name if number == 0 else '').ljust(width)}  {line}".rstrip())


def _lines(title: str, about: Sequence[str], indent: int) -> Iterator[str]:
    """Yield the title, then the facts, on the same line if there is room."""
    room = max(NARROWEST, min(columns(), WIDEST) - indent)
    line = "; ".join((title, *about) if title else about)
    if len(line) <= room:
        yield line
        return
    yield from textwrap.wrap(title, room)
    room -= 2  # the facts are indented, and lines break after a fact
    line = ""
    for number, part in enumerate(about, 1):
        words = part if number == len(about) else f"{part};"
        if line and len(line) + len(words) + 1 > room:
            yield f"  {line}"
            line = ""
        line = f"{line} {words}" if line else words
        *full, line = textwrap.wrap(line, room, subsequent_indent="  ")
        yield from (f"  {each}" for each in full)
    if line:
        yield f"  {line}"


# ---- JSON output


def _entry(offer: Offer) -> dict[str, object]:
    about = "; ".join(offer.about())
    return {"id": offer.id, "title": offer.title, "about": about}
