"""The first page and the menu of house rules: links and forms lead where they say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser
from tests.web.browsing import DESKTOP, PHONE, Scheme, axe_finds, visit
from tests.web.drawing.parsed import StrictPage
from tests.web.drawing.test_pages import holds_to_the_policy

from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice
from houserule.ui.configurator.links import (
    BadLinkError,
    choice_of,
    query_of,
    table_link,
)
from houserule.ui.web.answers.yours import YourTable
from houserule.ui.web.drawing.picture import game_picture
from houserule.ui.web.games import rules_of
from houserule.ui.web.menu.answers import PICTURE_HEADERS
from houserule.ui.web.menu.pages import (
    GameCard,
    HomeWish,
    effect_answer,
    home_page,
    menu_answer,
    picture,
    shipped_home,
    table_file,
)
from houserule.ui.web.templating import static_file

GAMES = sorted(shipped_rulesets())
TABLES = [(each, "", "en") for each in ("hex_board", "pachisi", "pig")]
TABLES += [("x_pasch", "preset=official&open=fusion", "de")]
TABLES += [("pasha", "with=any_row&open=any_row&measure=1", "it")]


@cache
def page_of(game: str, query: str, language: str = "en") -> StrictPage:
    html = menu_answer(game, query, language, part=False)
    assert html is not None
    return StrictPage(html)


def links_of(page: StrictPage) -> Iterator[tuple[str, str]]:
    """Yield the path and the query of every address on a page."""
    for each in page.elements:
        for name in ("href", "action"):
            parts = urlsplit(each.attributes.get(name, ""))
            if parts.path:
                yield parts.path, parts.query


@pytest.mark.parametrize(("game", "query", "language"), TABLES)
def test_every_link_of_a_menu_leads_to_a_menu(
    game: str, query: str, language: str
) -> None:
    page = page_of(game, query, language)
    holds_to_the_policy(page)
    assert "Undefined" not in page.text
    found = [*links_of(page)]
    assert any(said for path, said in found if path == f"/new/{game}") or len(found) > 3
    for path, said in found:
        if path.startswith("/new/"):
            assert path.split("/")[2] == game
            choice_of(said)
        else:
            assert path in {"/", "/tables"} or path.startswith("/static/")


def test_a_menu_is_in_a_language_of_its_game() -> None:
    other, own = page_of("nim", "lang=fr", "de"), page_of("pachisi", "lang=fr", "de")
    for page, language in ((other, "en"), (own, "fr")):
        assert page.elements[0].attributes["lang"] == language
        offered = {dict(parse_qsl(query)).get("lang") for _, query in links_of(page)}
        assert ("fr" in offered) == (page is own)
    assert "It has: English, Deutsch." in other.text
    assert "mais en" not in own.text
    assert "It has:" not in page_of("nim", "", "fr").text  # nobody asked for French


def test_the_part_is_what_the_page_has() -> None:
    part = menu_answer("nim", "with=misere", "en", part=True)
    whole = menu_answer("nim", "with=misere", "en", part=False)
    assert part is not None
    assert whole is not None
    assert part.startswith("<main")
    first, last = part.strip().splitlines()[0], part.strip().splitlines()[-1]
    assert first in whole
    assert last in whole


def test_the_table_that_is_opened_is_the_one_that_is_shown() -> None:
    page = page_of("nim", "players=2&with=misere,ring&set=heaps=4&lang=de")
    (hidden,) = (e for e in page.elements if e.attributes.get("name") == "choice")
    link = table_link(hidden.attributes["value"])
    assert link.game == "nim"
    assert link.language == "de"
    assert query_of(link.choice) == "with=misere,ring&set=heaps=4&players=2"


def test_what_cannot_be_switched_on_can_be_clicked_and_says_why() -> None:
    shut = page_of("x_pasch", "")
    (switch,) = (
        each
        for each in shut.of_class("switch")
        if each.attributes["aria-label"].startswith("Better bankruptcy:")
    )
    path, _, said = switch.attributes["href"].partition("?")
    assert path == "/new/x_pasch"
    page = page_of("x_pasch", said.partition("#")[0])
    assert "Better bankruptcy needs Bankruptcy roll" in page.text
    (fix,) = (
        each
        for each in page.elements
        if each.text == "Switch on Bankruptcy roll and Better bankruptcy"
        and each.tag == "a"
    )
    query = urlsplit(fix.attributes["href"]).query
    choice, _ = choice_of(query)
    assert set(choice.with_) == {"bankruptcy_roll", "better_bankruptcy"}


def test_a_search_lists_what_has_the_words() -> None:
    page = page_of("x_pasch", "q=DELUXE fusion")
    assert [each.text for each in page.of_class("opener")] == ["Fusion"]
    assert "1 entry found" in page.text
    assert page_of("x_pasch", "q=zzzz").of_class("opener") == []


def test_a_value_that_a_form_sends_stands_above_the_rest() -> None:
    page = page_of("pig", "set=target=40&go=set%3Dtarget%3D60")
    assert "Points to win: 60" in page.text


def test_what_a_stranger_writes_into_a_link_is_only_text() -> None:
    with pytest.raises(BadLinkError):
        menu_answer("nim", "with=<script>", "en", part=False)
    page = page_of("nim", "q=%22%3E%3Cscript%3E&open=%3Cb%3E&with=no_such&lang=zz")
    assert "no_such" in page.text
    assert all(e.tag != "script" or e.attributes["src"] for e in page.elements)
    holds_to_the_policy(page)
    assert menu_answer("no_such_game", "", "en", part=False) is None
    assert effect_answer("no_such_game", "", "en", lambda: False) is None
    assert table_file("no_such_game", "", "en") is None


def test_a_broken_table_cannot_be_opened_and_can_be_mended() -> None:
    page = page_of("x_pasch", "with=better_bankruptcy")
    (fault,) = page.of_class("fault")
    assert "needs Bankruptcy roll" in fault.text
    (button,) = page.of_class("primary")
    assert "disabled" in button.attributes


def test_an_effect_leads_to_a_better_known_one() -> None:
    html = effect_answer("nim", "entry=misere&games=200", "en", lambda: False)
    assert html is not None
    page = StrictPage(html)
    place = page.elements[0]
    assert "200 games" in page.text
    assert "games=1000" in place.attributes["data-effect"]
    last = effect_answer("nim", "entry=no_such", "en", lambda: False)
    assert last is not None
    assert "data-effect" not in last


def test_a_table_file_is_what_the_command_writes() -> None:
    text = table_file("nim", "with=misere&players=2&set=heaps=4", "en")
    assert text == "game: nim\nwith: [misere]\nset: {heaps: 4}\nplayers: 2\n"


def test_the_first_page_leads_to_every_game() -> None:
    yours = YourTable("Nim zu zweit", "/s/x", "<Ann>", "your turn", 3)
    page = StrictPage(shipped_home("de", [yours]))
    holds_to_the_policy(page)
    paths = {path for path, _ in links_of(page)}
    assert {f"/new/{game}" for game in GAMES} <= paths
    assert "/s/x" in paths
    assert "<Ann>" in " ".join(page.texts)
    hostile = GameCard("x", "<b>", "<script>", "2", 0)
    assert "<script>" not in home_page("en", [hostile])


def test_a_game_that_does_not_speak_the_language_of_the_page_says_what_it_speaks() -> (
    None
):
    page = StrictPage(shipped_home("fr"))
    hearts, pachisi = (
        next(e for e in page.of_class("card") if f"{title} " in e.text)
        for title in ("Hearts", "Pachisi")
    )
    assert "en anglais" in hearts.text
    assert "en anglais" not in pachisi.text
    assert any(e.attributes.get("lang") == "en" for e in page.elements)
    assert "auf Englisch" not in StrictPage(shipped_home("de")).text


@pytest.mark.parametrize(
    ("query", "there", "missing"),
    [
        ({"players": "6"}, "Hearts", "Nim"),
        ({"players": "1"}, "Yacht", "Hearts"),
        ({"thing": "board"}, "Kalah", "Hearts"),
        ({"thing": "dice"}, "Pig", "Kalah"),
        ({"thing": "cards"}, "Hearts", "Pig"),
        ({"q": "QUEEN of"}, "Hearts", "Kalah"),
        ({"q": "gin"}, "Gin Rummy", "Backgammon"),  # not where one begins again
        ({"q": "hex board"}, "Hex", "Kalah"),
        ({"q": "chess"}, "Minichess", "Kalah"),
        ({"players": "2", "thing": "dice", "q": "cross"}, "Ludo (forty fields)", "Pig"),
        ({"length": "short"}, "Pig", "Hearts"),
        ({"length": "long"}, "Hearts", "Pig"),
        ({"players": "many", "thing": "x", "length": "9"}, "Hearts", ""),
    ],
)
def test_the_first_page_is_filtered_without_scripts(
    query: dict[str, str], there: str, missing: str
) -> None:
    known = {"pig": 30, "hearts": 400}
    page = StrictPage(shipped_home("en", wish=HomeWish.of(query), choices=known))
    titles = [each.text for each in page.elements if each.tag == "h3"]
    shown = {
        min((t for t in titles if t in e.text), key=e.text.index)
        for e in page.of_class("card")
        if "hidden" not in e.attributes
    }
    assert there in shown
    assert missing not in shown
    assert f"{len(shown)} game" in page.text


def test_a_length_is_shown_if_games_ended_here() -> None:
    assert "30 choices" in StrictPage(shipped_home("en", choices={"pig": 30})).text
    page = StrictPage(shipped_home("en"))
    assert "choices" not in page.text
    assert "Length" not in page.text


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_picture(game: str) -> None:
    """It is the same each time, and is made of shapes and its own style alone."""
    drawn = picture(game, "en")
    assert drawn is not None
    assert drawn == game_picture(rules_of(game), "en")
    root = ElementTree.fromstring(drawn)
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert tags <= {"svg", "style", "g", "rect", "circle", "path", "text"}
    assert len([*root.iter()]) > 8
    assert "href" not in drawn


@pytest.mark.parametrize(
    ("game", "seen"),
    [
        ("hearts", ">Q<"),
        ("takeover", 'class="figure"'),
        ("x_pasch", "die ink-red"),
        ("hex_board", "man seat-0"),
        ("kalah", "seed"),
        ("minichess", "♜"),
        ("morris", "line"),
        ("backgammon", "dye-0"),
        ("ludo", "owned"),
        ("nim", "counter"),
        ("liars_dice", "pip"),
    ],
)
def test_a_picture_shows_what_a_game_is_played_with(game: str, seen: str) -> None:
    drawn = picture(game, "en")
    assert drawn is not None
    assert seen in drawn.partition("</style>")[2]


# ---- in a browser


class Answers(BaseHTTPRequestHandler):
    """A server of these pages alone, with the policy of the real one."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        kind, body = "text/html; charset=utf-8", self._page(parts.path, parts.query)
        if parts.path.startswith("/static/"):
            name = parts.path.rpartition("/")[2]
            kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
            kind, body = kinds[name.rpartition(".")[2]], static_file(name).decode()
        headers = {"Content-Security-Policy": "default-src 'self'"}
        if parts.path.startswith("/picture/"):
            kind, headers = "image/svg+xml", PICTURE_HEADERS
        self.send_response(404 if body is None else 200)
        for name, value in {**headers, "Content-Type": kind}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(BrokenPipeError):  # nobody waits for it any more
            self.wfile.write((body or "").encode())

    def _page(self, path: str, query: str) -> str | None:
        if path == "/":
            wish = HomeWish.of(dict(parse_qsl(query)))
            return shipped_home(choice_of(query)[1] or "en", wish=wish)
        _, top, *rest = path.split("/")
        if top == "picture":
            return picture(rest[0], "en")
        if top != "new":
            return None
        if rest[1:] == ["effect"]:
            return effect_answer(rest[0], query, "en", lambda: False)
        return menu_answer(rest[0], query, "en", part=rest[1:] == ["part"])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()


@pytest.mark.parametrize(
    ("path", "size", "dark"),
    [
        ("/?lang=fr", PHONE, True),
        ("/new/nim?with=misere&open=misere", DESKTOP, True),
        ("/new/x_pasch?with=better_bankruptcy&open=fusion", PHONE, False),
        *(
            pytest.param(f"/new/{game}{query}", size, dark, marks=pytest.mark.slow)
            for game, query in (("pachisi", "?open=french_edition"), ("x_pasch", ""))
            for size in (PHONE, DESKTOP)
            for dark in (False, True)
        ),
    ],
)
def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, server: str, path: str, size: tuple[int, int], dark: bool
) -> None:
    scheme: Scheme = "dark" if dark else "light"
    with visit(browser, server + path, size, scheme) as page:
        if "with=misere" in path:
            page.locator("#effect svg").first.wait_for(timeout=20_000)
        assert axe_finds(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("scripts", [True, False])
def test_house_rules_are_chosen_by_clicks(
    browser: Browser, server: str, scripts: bool
) -> None:
    address = f"{server}/new/nim?lang=en"
    with visit(browser, address, PHONE, scripts=scripts) as page:
        page.get_by_label("Misère: off, switch on").click()
        page.get_by_label("Misère: on, switch off").wait_for()
        assert "with Misère" in page.locator(".sentence").inner_text()
        page.get_by_role("link", name="Misère", exact=True).click()
        page.get_by_role("heading", name="Changes").wait_for()
        assert "with=misere" in page.url
        page.go_back()
        page.get_by_role("heading", name="Changes").wait_for(state="detached")
        assert "with Misère" in page.locator(".sentence").inner_text()


def test_what_is_opened_is_measured_meanwhile(browser: Browser, server: str) -> None:
    with visit(browser, f"{server}/new/nim?open=misere") as page:
        page.get_by_text("4\u2009000 games").wait_for()
        assert page.locator("#effect svg rect").count() > 0


@pytest.mark.slow
def test_a_search_filters_while_it_is_typed(browser: Browser, server: str) -> None:
    with visit(browser, f"{server}/new/x_pasch") as page:
        page.get_by_label("Look for a rule").type("sliding", delay=20)
        page.get_by_text("1 entry found").wait_for()
        assert page.locator(".opener").all_inner_texts() == ["Harder sliding"]
        assert page.get_by_label("Look for a rule").input_value() == "sliding"
        assert "q=sliding" in page.url
    assert TableChoice() == choice_of("q=sliding")[0]


def test_the_first_page_is_filtered_at_once_with_scripts(
    browser: Browser, server: str
) -> None:
    with visit(browser, f"{server}/?players=2") as page:
        cards = page.locator(".card:visible")
        before = cards.count()
        assert 10 < before < len(GAMES)
        images = page.locator(".card img")
        assert images.first.evaluate("each => each.decode().then(() => true)")
        page.get_by_label("a board").check(force=True)
        page.get_by_role("searchbox").fill("mill")
        assert cards.count() == 1
        assert page.locator("#found").text_content() == "1 game"
        assert "thing=board" in page.url
        page.get_by_role("searchbox").fill("begin")
        assert cards.count() > 1
        page.get_by_role("searchbox").fill("egin")
        assert cards.count() == 0
        page.get_by_role("searchbox").fill("zzz")
        assert "No game fits" in (page.locator("#found").text_content() or "")
