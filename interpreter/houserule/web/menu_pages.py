"""Pages before there is a table: which games there are, and a game's menu of rules.

Everything works by links and forms. A link holds the whole choice, and besides

    open=KEY      what is looked at closely
    q=WORDS       only what has these words is listed
    measure=1     what is looked at is measured before the page is shown
    go=QUERY      a whole choice, which stands above all others in the link
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from secrets import randbelow
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

from houserule.compose.tables.offers import span
from houserule.manifest.load import open_ruleset
from houserule.menu.book import house_book
from houserule.menu.effect import SIZES, MeasuredEffect, effect_of
from houserule.menu.links import TableLink, choice_of, link_of, query_of
from houserule.menu.making import menu_of, opened_entry
from houserule.menu.surprise import surprise, table_file_text
from houserule.prepare import TableChoice
from houserule.resources import languages, shipped_rulesets
from houserule.web.templating import render

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.menu.model import Menu, MenuEntry, MenuGroup, MenuOpened

PART = "menu"
NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}
FEW = 9  # values of an option that stand side by side
SEEDS = 2**31
LONGEST_SEARCH = 80


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the first page shows it."""

    id: str
    title: str
    summary: str
    players: str
    rules: int
    """How many house rules it has."""


def game_card(ruleset: LoadedRuleset, language: str) -> GameCard:
    """Return a game as the first page shows it."""
    book = house_book(ruleset, language)
    return GameCard(
        id=ruleset.id,
        title=book.offers.title,
        summary=book.summary,
        players=span(*book.offers.players, language),
        rules=len(book.offers.variants),
    )


def home_page(
    language: str, games: Iterable[GameCard], tables: Iterable[tuple[str, str]] = ()
) -> str:
    """Return the first page.

    Args:
        language: of the page.
        games: what can be played.
        tables: titles and addresses of tables that the visitor sits at.
    """
    return render(
        "home.html",
        language,
        PART,
        games=list(games),
        tables=list(tables),
        tongues=_tongues(language, "/", ""),
    )


def shipped_home(language: str, tables: Iterable[tuple[str, str]] = ()) -> str:
    """Return the first page with the games that ship."""
    every = (game_card(_shipped(name), language) for name in shipped_rulesets())
    return home_page(language, sorted(every, key=lambda each: each.title), tables)


# ---- the menu


@dataclass(frozen=True, slots=True)
class MenuLinks:
    """Addresses of the menu of one game.

    Attributes:
        menu: what it is about.
        language: of the page.
        search: the words that are looked for.
    """

    menu: Menu
    language: str
    search: str = ""

    def to(self, query: str, open: str = "", at: str = "", **more: str) -> str:
        """Return the address of a choice, with something opened, at an entry."""
        known = {"lang": self.language, "open": open, "q": self.search, **more}
        said = [f"{key}={quote(text)}" for key, text in known.items() if text]
        where = f"#e-{at}" if at else ""
        return f"/new/{self.menu.game}?{'&'.join(filter(None, (query, *said)))}{where}"

    def part(self, what: str, **more: str) -> str:
        """Return the address of something that belongs to the choice as it stands."""
        known = {"lang": self.language, **more}
        said = [f"{key}={quote(text)}" for key, text in known.items() if text]
        said = [*filter(None, (self.menu.query, *said))]
        return f"/new/{self.menu.game}/{what}?{'&'.join(said)}"

    @property
    def share(self) -> str:
        """The address of the choice alone."""
        return f"/new/{self.menu.game}?{self.menu.query}".rstrip("?")

    @property
    def choice(self) -> str:
        """The choice as a new table takes it."""
        choice, _ = choice_of(self.menu.query)
        return link_of(TableLink(self.menu.game, choice, self.language))


def menu_page(
    menu: Menu,
    language: str,
    opened: MenuOpened | None = None,
    search: str = "",
    surprising: str = "",
    effect: MeasuredEffect | None = None,
) -> str:
    """Return the page with the menu of a table.

    Args:
        menu: what may be chosen.
        language: of the page.
        opened: what is looked at closely.
        search: the words that are looked for.
        surprising: the query of a table at random.
        effect: what was measured of what is looked at.
    """
    values = _values(menu, language, opened, search, surprising, effect)
    return render("menu.html", language, PART, **values)


def menu_part(
    menu: Menu,
    language: str,
    opened: MenuOpened | None = None,
    search: str = "",
    surprising: str = "",
    effect: MeasuredEffect | None = None,
) -> str:
    """Return what scripts put into the page; the arguments are those of `menu_page`."""
    values = _values(menu, language, opened, search, surprising, effect)
    return render("menu_part.html", language, PART, **values)


def _values(
    menu: Menu,
    language: str,
    opened: MenuOpened | None,
    search: str,
    surprising: str,
    effect: MeasuredEffect | None,
) -> dict[str, object]:
    links = MenuLinks(menu, language, search)
    groups = [*_listed(menu, opened.key if opened else "", search)]
    return {
        "menu": menu,
        "links": links,
        "opened": opened,
        "search": search,
        "groups": groups,
        "found": sum(len(each.entries) for each in groups),
        "surprising": surprising,
        "effect": effect,
        "picture": picture_of(effect) if effect else None,
        "tongues": _tongues(language, f"/new/{menu.game}", menu.query),
        "few": FEW,
    }


def _listed(menu: Menu, opened: str, search: str) -> Iterable[MenuGroup]:
    """Yield the groups with the entries that are listed.

    Options of house rules that are off are listed only if they are looked for.
    """
    words = search.casefold().split()
    at_hand = {e.key for group in menu.groups for e in group.entries if e.on}
    for group in menu.groups:
        kept = tuple(
            entry
            for entry in group.entries
            if (_has(entry, words) if words else _shown(entry, opened, at_hand))
        )
        if kept:
            yield group.model_copy(update={"entries": kept})


def _shown(entry: MenuEntry, opened: str, on: set[str]) -> bool:
    absent = entry.kind == "option" and not entry.value
    return not absent or opened in {entry.key, entry.under} or entry.under in on


def _has(entry: MenuEntry, words: Iterable[str]) -> bool:
    said = " ".join((entry.title, entry.line, entry.key, *entry.links, *entry.cites))
    return all(word in said.casefold() for word in words)


def _tongues(language: str, path: str, query: str) -> list[tuple[str, str, bool]]:
    """Return the names of languages, with the address in each and which it is."""
    found = []
    for each in sorted(languages(PART), key=[*NAMES].index):
        said = "&".join(filter(None, (query, f"lang={each}")))
        found.append((NAMES[each], f"{path}?{said}", each == language))
    return found


# ---- the picture of an effect

WIDTH, ROW, MIDDLE = 320, 34, 160


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A bar as it is drawn: where it begins, how wide it is, where its middle is."""

    x: float
    width: float
    at: float
    y: int
    title: str
    text: str
    seen: bool


@dataclass(frozen=True, slots=True)
class EffectPicture:
    """Bars of an effect: how much less to the left, how much more to the right."""

    bars: tuple[DrawnBar, ...]
    width: int
    height: int
    middle: int


def picture_of(effect: MeasuredEffect) -> EffectPicture:
    """Return where the bars of an effect are drawn; all have one scale."""
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


def _shipped(name: str) -> LoadedRuleset:
    return _opened_rulesets.setdefault(name, open_ruleset(shipped_rulesets()[name]))


_opened_rulesets: dict[str, LoadedRuleset] = {}


def menu_answer(game: str, query: str, language: str, *, part: bool) -> str | None:
    """Return the menu of a game that ships, or its part; None if there is no such.

    Args:
        game: its name.
        query: of the address, a stranger's.
        language: of the page, where the query names none.
        part: whether only what scripts put into the page is wanted.

    Raises:
        BadLinkError: the query holds no choice; the message says why.
    """
    if game not in shipped_rulesets():
        return None
    asked = parse_qs(query, errors="replace")
    choice, language = chosen_in(query, language)
    ruleset = _shipped(game)
    key = asked.get("open", [""])[-1]
    effect = None
    if key and "measure" in asked:
        effect = _last(effect_of(ruleset, choice, key, language, games=SIZES[:1]))
    return (menu_part if part else menu_page)(
        menu_of(ruleset, choice, language),
        language,
        opened_entry(ruleset, key, language) if key else None,
        asked.get("q", [""])[-1][:LONGEST_SEARCH],
        query_of(surprise(ruleset, randbelow(SEEDS))),
        effect,
    )


def chosen_in(query: str, language: str) -> tuple[TableChoice, str]:
    """Return the choice that an address holds, and the language of the page.

    Raises:
        BadLinkError: it holds none.
    """
    choice, said = choice_of(query, language)
    for text in parse_qs(query, errors="replace").get("go", ())[-1:]:
        choice, _ = choice_of(text, language)
    return choice, said if said in languages(PART) else language


def effect_answer(
    game: str, query: str, language: str, stop: Callable[[], bool]
) -> str | None:
    """Return the part of the menu that tells an effect; None if there is no such game.

    The query has `entry`, and with `games` how many are to be played. The part names
    the address at which more is known.

    Args:
        game: its name.
        query: of the address, a stranger's.
        language: of the part, where the query names none.
        stop: asked all the time; once it says yes, nothing more is played.

    Raises:
        BadLinkError: the query holds no choice; the message says why.
    """
    if game not in shipped_rulesets():
        return None
    asked = parse_qs(query, errors="replace")
    choice, language = chosen_in(query, language)
    key, wanted = asked.get("entry", [""])[-1], asked.get("games", [""])[-1]
    size = next((each for each in SIZES if str(each) == wanted), SIZES[0])
    found = effect_of(_shipped(game), choice, key, language, games=(size,), stop=stop)
    effect = _last(found)
    onward = ""
    if effect is not None and not effect.failed and size < SIZES[-1]:
        larger = SIZES[SIZES.index(size) + 1]
        onward = _effect_address(game, choice, key, language, larger)
    return render(
        "menu_effect.html",
        language,
        PART,
        effect=effect,
        picture=picture_of(effect) if effect else None,
        onward=onward,
    )


def _effect_address(
    game: str, choice: TableChoice, key: str, language: str, games: int
) -> str:
    said = filter(None, (query_of(choice), f"lang={language}", f"entry={quote(key)}"))
    return f"/new/{game}/effect?{'&'.join(said)}&games={games}"


def table_file(game: str, query: str, language: str) -> str | None:
    """Return the table file of a choice; None if there is no such game.

    Raises:
        BadLinkError: the query holds no choice.
        TableError: the choice names what there is not.
    """
    if game not in shipped_rulesets():
        return None
    return table_file_text(_shipped(game), chosen_in(query, language)[0])


def _last(found: Iterable[MeasuredEffect]) -> MeasuredEffect | None:
    effects: Sequence[MeasuredEffect] = [*found]
    return effects[-1] if effects else None
