"""Pages before a table exists: the list of games, and a game's configurator.

Everything works by links and forms. A link holds the whole choice, and these keys:

- `open=KEY`: the open entry.
- `q=WORDS`: list only entries with these words.
- `measure=1`: measure the open entry before the page is shown.
- `go=QUERY`: a whole choice, which overrides the rest of the link.
- `begin=DIGEST`: uploaded own rules, which are switched on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from secrets import randbelow
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args
from urllib.parse import parse_qs, quote

from houserule import __version__
from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.frozen import frozen
from houserule.base.resources import LANGUAGES, known_rulesets
from houserule.compiler.choices.offers import span
from houserule.compiler.prepare import TableChoice
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.play.seat.drawings import drawings
from houserule.ui.configurator.book import house_book
from houserule.ui.configurator.builder import begun_with, menu_of, opened_entry
from houserule.ui.configurator.effect import SIZES, MeasuredEffect, effect_of
from houserule.ui.configurator.links import (
    TableLink,
    choice_of,
    link_of,
    own_in,
    own_query,
    query_of,
)
from houserule.ui.configurator.menu_model import (
    Menu,
    MenuEntry,
    MenuFile,
)
from houserule.ui.configurator.surprise import surprise, table_file_text
from houserule.ui.web.answers.yours import YourTable
from houserule.ui.web.drawing.picture import game_picture
from houserule.ui.web.games import (
    digest_in,
    file_of,
    messages_of,
    rules_of,
    ruleset_of,
    version_of,
)
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.templating import render

NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}
FEW = 9  # up to this many values share a row
SEEDS = 2**31
LONGEST_SEARCH = 80


Thing: TypeAlias = Literal["cards", "dice", "board"]
THINGS: tuple[Thing, ...] = get_args(Thing)
LENGTHS = {"short": (1, 40), "medium": (41, 120), "long": (121, 10**9)}
"""The shortest and longest average game of each length, in choices."""
MOST_PLAYERS = 6  # in the filter


@frozen
class HomeWish:
    """A filter of the games on the first page; an empty part is no filter.

    Attributes:
        length: a key of `LENGTHS`.
        words: parts of title and summary.
    """

    players: int = 0
    thing: str = ""
    length: str = ""
    words: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> HomeWish:
        """Parse the query of an address; unknown values are no filter."""
        players, thing = query.get("players", ""), query.get("thing", "")
        length = query.get("length", "")
        return cls(
            int(players) if players in map(str, range(1, MOST_PLAYERS + 1)) else 0,
            thing if thing in THINGS else "",
            length if length in LENGTHS else "",
            query.get("q", "")[:LONGEST_SEARCH],
        )

    def fits(self, game: GameCard) -> bool:
        """Return whether a game passes the filter.

        A word is in its title or its name in the rules, or begins a word of its
        summary.
        """
        low, high = LENGTHS.get(self.length, (0, 10**9))
        name = f"{game.title} {game.id.replace('_', ' ')}".casefold()
        begun = re.split(r"\W(?=\w)", f" {game.summary}".casefold())
        return (
            (not self.players or game.least <= self.players <= game.most)
            and (not self.thing or self.thing in game.things)
            and low <= game.choices <= high
            and all(
                word in name or any(each.startswith(word) for each in begun)
                for word in self.words.casefold().split()
            )
        )


@frozen
class GameCard:
    """A game on the first page."""

    id: str
    title: str
    summary: str
    players: str
    rules: int
    """The number of its house rules."""
    least: int = 1
    most: int = 99
    """The numbers of players, as numbers."""
    things: tuple[Thing, ...] = ()
    picture: str = ""
    """The address of its picture."""
    choices: int = 0
    """The average number of choices in its games on this server; 0 if unknown."""
    spoken: str = ""
    """The language of title and summary, if it is not the page's."""
    fault: str = ""
    """Its errors; its author sees them here, and no one can play it."""
    notes: str = ""
    """Other messages for its author."""


def game_card(ruleset: LoadedRuleset, language: str, choices: int = 0) -> GameCard:
    """Return a game's card for the first page.

    Args:
        choices: the average number of choices in its games; 0 if unknown.
    """
    book, spoken = house_book(ruleset, language), ruleset.manifest.languages
    least, most = book.offers.players
    version = version_of(ruleset.id) or __version__
    return GameCard(
        id=ruleset.id,
        title=book.offers.title,
        summary=book.summary,
        players=span(*book.offers.players, language),
        rules=len(book.offers.variants),
        least=least,
        most=most,
        things=ruleset.derived(_things_of),
        picture=f"/picture/{ruleset.id}?lang={language}&v={version}",
        choices=choices,
        spoken="" if language in spoken else spoken[0],
    )


def _things_of(ruleset: LoadedRuleset) -> tuple[Thing, ...]:
    """Return what a game is played with, as its base rules declare."""
    nodes = [each for unit in ruleset.units_of("game") for each in unit.items]
    kinds = {str(each.name) for each in nodes if isinstance(each, tree.Component)}
    lying = {str(each.member) for each in nodes if isinstance(each, tree.Zone)}
    found: dict[Thing, bool] = {
        "cards": bool(kinds & lying),
        "dice": any(isinstance(each, tree.DiceDecl) for each in nodes),
        "board": bool(ruleset.manifest.boards),
    }
    return tuple(thing for thing in THINGS if found[thing])


def home_page(
    language: str,
    games: Iterable[GameCard],
    tables: Iterable[YourTable] = (),
    wish: HomeWish = HomeWish(),  # noqa: B008  # frozen
) -> str:
    """Return the first page.

    Args:
        tables: the tables at which the visitor has a seat.
        wish: the filter. Other games are on the page too, but hidden, so that a script
            can change the filter at once.
    """
    shown = [(game, bool(game.fault) or wish.fits(game)) for game in games]
    return render(
        "home.html",
        language,
        area="menu",
        games=shown,
        found=sum(fits for _, fits in shown),
        tables=list(tables),
        wish=wish,
        numbers=range(1, MOST_PLAYERS + 1),
        things=THINGS,
        lengths=LENGTHS if any(game.choices for game, _ in shown) else {},
        tongues=_tongues(LANGUAGES, language, "/", ""),
    )


def shipped_home(
    language: str,
    tables: Iterable[YourTable] = (),
    wish: HomeWish = HomeWish(),  # noqa: B008  # frozen
    choices: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """Return the first page with all known games.

    Args:
        tables: the tables at which the visitor has a seat.
        choices: the average number of choices in a game, by its name.
    """
    cards = []
    for name in known_rulesets():
        try:
            said = messages_of(name)
            if said.errors:
                cards.append(GameCard(name, name, "", "", 0, fault=said.text))
                continue
            card = game_card(ruleset_of(name), language, choices.get(name, 0))
            cards.append(replace(card, notes=said.text))
        except (DiagnosticsError, OSError) as error:
            cards.append(GameCard(name, name, "", "", 0, fault=str(error)))
    cards.sort(key=lambda each: each.title)
    return home_page(language, cards, tables, wish)


def picture(game: str, language: str) -> str | None:
    """Return the picture of a game as SVG; None for an unknown game.

    Raises:
        RulesetError: the game is unreadable.
        TableError: it cannot be played.
    """
    known = game in known_rulesets()
    return _picture(game, language, version_of(game)) if known else None


@lru_cache(maxsize=128)
def _picture(game: str, language: str, _: int) -> str:
    rules = rules_of(game)
    return game_picture(rules, rules.ruleset.language_for(language))


def drawing(game: str, board: int, digest: str) -> str | None:
    """Return the drawing of a board as SVG; None for an unknown or an older one.

    Raises:
        RulesetError: the game is unreadable.
    """
    if game not in known_rulesets():
        return None
    found = ruleset_of(game).derived(drawings).get(board)
    return found.picture if found is not None and found.digest == digest else None


# ---- the configurator


@frozen
class MenuLinks:
    """Addresses of the configurator of one game.

    Attributes:
        own: the user's own rules beside the game, in every address.
    """

    menu: Menu
    language: str
    search: str = ""
    own: tuple[str, ...] = ()

    def to(self, query: str, open: str = "", at: str = "", **more: str) -> str:
        """Return the address of a choice, maybe with an open entry, at an entry."""
        where = f"#e-{at}" if at else ""
        return f"{self._address('', query, open=open, q=self.search, **more)}{where}"

    def part(self, what: str, **more: str) -> str:
        """Return the address of something about the current choice."""
        return self._address(f"/{what}", self.menu.query, **more)

    def _address(self, what: str, query: str, **more: str) -> str:
        known = {"lang": self.language, **more}
        said = [f"{key}={quote(text)}" for key, text in known.items() if text]
        every = "&".join(filter(None, (own_query(self.own), query, *said)))
        return f"/new/{self.menu.game}{what}?{every}"

    def left_out(self, file: MenuFile) -> str:
        """Return the address of the choice without one of the user's own files."""
        kept = tuple(each for each in self.own if each != digest_in(file.file))
        return replace(self, own=kept).to(file.query)

    @property
    def share(self) -> str:
        """The address of the choice alone."""
        choice, _ = choice_of(self.menu.query)
        return f"/new/{link_of(TableLink(self.menu.game, choice, own=self.own))}"

    @property
    def choice(self) -> str:
        """The choice in the form that a new table needs."""
        choice, _ = choice_of(self.menu.query)
        return link_of(TableLink(self.menu.game, choice, self.language, self.own))


def _tongues(
    spoken: Iterable[str], language: str, path: str, query: str
) -> list[tuple[str, str, bool]]:
    """Return each language's name and address, and whether it is the current one."""
    found = []
    for each in sorted(spoken, key=[*NAMES].index):
        said = "&".join(filter(None, (query, f"lang={each}")))
        found.append((NAMES[each], f"{path}?{said}", each == language))
    return found


# ---- the chart of an effect

WIDTH, ROW, MIDDLE = 320, 34, 160


@frozen
class DrawnBar:
    """A drawn bar: its beginning, width and middle."""

    x: float
    width: float
    at: float
    y: int
    title: str
    text: str
    seen: bool


@frozen
class EffectPicture:
    """Bars of an effect: decreases to the left, increases to the right."""

    bars: tuple[DrawnBar, ...]
    width: int
    height: int
    middle: int


def picture_of(effect: MeasuredEffect) -> EffectPicture:
    """Return the drawn bars of an effect; all have one scale."""
    most = max((abs(e) for b in effect.bars for e in (b.low, b.high)), default=1.0)
    scale = (MIDDLE - 8) / (most or 1.0)
    bars = tuple(
        DrawnBar(
            x=round(MIDDLE + each.low * scale, 1),
            width=max(3.0, round((each.high - each.low) * scale, 1)),
            at=round(MIDDLE + each.value * scale, 1),
            y=number * ROW,
            title=each.title,
            text=each.text,
            seen=each.seen,
        )
        for number, each in enumerate(effect.bars)
    )
    return EffectPicture(bars, WIDTH, max(1, len(bars)) * ROW, MIDDLE)


# ---- for a server: from an address to a page


def menu_answer(
    game: str,
    query: str,
    language: str,
    texts: OwnTexts | None = None,
    *,
    part: bool,
) -> str | None:
    """Return the configurator of a built-in game, or its part; None if unknown.

    Args:
        query: the address's query; untrusted.
        language: the language of the page, if the query names none.
        texts: the store of users' own rules; None if there is none.
        part: whether to return only the part that scripts replace.

    Raises:
        BadLinkError: the query holds no choice; the message says why.
        NotHereError, UnknownTextError: as for `ruleset_of`.
    """
    if game not in known_rulesets():
        return None
    asked = parse_qs(query, errors="replace")
    choice, language = chosen_in(query, language)
    own = own_in(query, language)
    ruleset = ruleset_of(game, own, texts)
    language = ruleset.language_for(language)
    if "begin" in asked:
        choice = begun_with(ruleset, choice, file_of(asked["begin"][-1]))
    key = asked.get("open", [""])[-1]
    effect = None
    if key and "measure" in asked:
        effect = _last(effect_of(ruleset, choice, key, language, games=SIZES[:1]))
    menu = menu_of(ruleset, choice, language)
    opened = opened_entry(ruleset, key, language) if key else None
    search = asked.get("q", [""])[-1][:LONGEST_SEARCH]
    other = asked.get("lang", [language])[-1] != language
    # Options of inactive house rules are listed only in a search.
    words = search.casefold().split()
    at_hand = {e.key for group in menu.groups for e in group.entries if e.on}
    open_key = opened.key if opened else ""
    groups = []
    for group in menu.groups:
        kept: list[MenuEntry] = []
        for each in group.entries:
            said = (each.title, each.line, each.key, *each.links, *each.cites)
            if words:
                listed = all(word in " ".join(said).casefold() for word in words)
            else:
                absent = each.kind == "option" and not each.value
                is_open = open_key in {each.key, each.under}
                listed = not absent or is_open or each.under in at_hand
            if listed:
                kept.append(each)
        if kept:
            groups.append(group.model_copy(update={"entries": tuple(kept)}))
    return render(
        "menu_part.html" if part else "menu.html",
        language,
        area="menu",
        menu=menu,
        links=MenuLinks(menu, language, search, own),
        opened=opened,
        search=search,
        groups=groups,
        found=sum(len(each.entries) for each in groups),
        surprising=query_of(surprise(ruleset, randbelow(SEEDS))),
        effect=effect,
        picture=picture_of(effect) if effect else None,
        tongues=_tongues(
            ruleset.spoken,
            language,
            f"/new/{menu.game}",
            "&".join(filter(None, (own_query(own), menu.query))),
        ),
        has=[NAMES[each] for each in ruleset.spoken] if other else [],
        few=FEW,
        may_bring=texts is not None,
        digest_in=digest_in,
    )


def chosen_in(query: str, language: str) -> tuple[TableChoice, str]:
    """Return the choice and the page language of an address's query.

    Raises:
        BadLinkError: the query holds no choice.
    """
    choice, said = choice_of(query, language)
    for text in parse_qs(query, errors="replace").get("go", ())[-1:]:
        choice, _ = choice_of(text, language)
    return choice, said if said in LANGUAGES else language


def effect_answer(
    game: str,
    query: str,
    language: str,
    stop: Callable[[], bool],
    texts: OwnTexts | None = None,
) -> str | None:
    """Return the fragment with an effect; None for an unknown game.

    The query has `entry`, and maybe `games`, the number of games to play. The fragment
    has the address of a more exact result.

    Args:
        query: the address's query; untrusted.
        language: the language of the fragment, if the query names none.
        stop: polled; once it returns true, measuring stops.
        texts: the store of users' own rules; None if there is none.

    Raises:
        BadLinkError, NotHereError, UnknownTextError: as for `menu_answer`.
    """
    if game not in known_rulesets():
        return None
    asked = parse_qs(query, errors="replace")
    choice, language = chosen_in(query, language)
    key, wanted = asked.get("entry", [""])[-1], asked.get("games", [""])[-1]
    size = next((each for each in SIZES if str(each) == wanted), SIZES[0])
    own = own_in(query, language)
    ruleset = ruleset_of(game, own, texts)
    language = ruleset.language_for(language)
    found = effect_of(ruleset, choice, key, language, games=(size,), stop=stop)
    effect = _last(found)
    onward = ""
    if effect is not None and not effect.failed and size < SIZES[-1]:
        larger = SIZES[SIZES.index(size) + 1]
        said = (
            own_query(own),
            query_of(choice),
            f"lang={language}",
            f"entry={quote(key)}",
        )
        onward = f"/new/{game}/effect?{'&'.join(filter(None, said))}&games={larger}"
    return render(
        "menu_effect.html",
        language,
        area="menu",
        effect=effect,
        picture=picture_of(effect) if effect else None,
        onward=onward,
    )


def table_file(
    game: str, query: str, language: str, texts: OwnTexts | None = None
) -> str | None:
    """Return the table file of a choice; None for an unknown game.

    Raises:
        BadLinkError: the query holds no choice.
        TableError: the choice has an unknown name.
    """
    if game not in known_rulesets():
        return None
    ruleset = ruleset_of(game, own_in(query, language), texts)
    return table_file_text(ruleset, chosen_in(query, language)[0])


def _last(found: Iterable[MeasuredEffect]) -> MeasuredEffect | None:
    effects: Sequence[MeasuredEffect] = [*found]
    return effects[-1] if effects else None
