"""The page of a seat in a browser: on any screen, by any means, for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import dist
from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Browser, expect
from tests.web.browsing import DESKTOP, PHONE, Scheme, axe_finds, visit
from tests.web.drawing.tables import (
    GAMES,
    PageServer,
    asked,
    serving,
    sitting,
    view,
    ways,
)
from tests.web.drawing.tables import begun as played

from houserule.play.seat.seat_model import StepOption
from houserule.play.seat.session import Sitting
from houserule.ui.web.drawing import SeatPage
from houserule.ui.web.pages import AskedPage

SHORT = {"hex_board": 4, "liars_dice": 4}  # games that would be over soon


def begun(game: str) -> Sitting:
    """Return a game at which something can be seen, and the person is asked."""
    return asked(sitting(game, SHORT.get(game, 17)))


def shown(name: str, made: Sitting, page: AskedPage) -> SeatPage:
    seen = view(made, page.path, touched=page.about)
    return replace(seen, base=f"/s/{name}", can_undo=True)


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    made = {game: begun(game) for game in GAMES}
    made["over"] = sitting("nim", 99)
    with serving({name: partial(shown, name, made[name]) for name in made}) as server:
        yield server


USUAL = {
    *(("x_pasch", "light"), ("x_pasch", "dark"), ("pachisi", "light")),
    *(("kalah", "dark"), ("morris", "light"), ("over", "dark")),
}


@pytest.mark.parametrize(
    ("name", "scheme", "size"),
    [
        pytest.param(
            *(name, scheme, size),
            id=f"{name}-{scheme}",
            marks=[] if (name, scheme) in USUAL else pytest.mark.slow,
        )
        for name in (*GAMES, "over")
        for scheme, size in (("light", DESKTOP), ("dark", PHONE))
    ],
)
def test_axe_finds_nothing(
    browser: Browser,
    server: PageServer,
    name: str,
    scheme: Scheme,
    size: tuple[int, int],
) -> None:
    with visit(browser, f"{server.address}/s/{name}", size, scheme) as page:
        assert axe_finds(page) == []


@pytest.mark.parametrize(
    "games", [GAMES[1::4], pytest.param(GAMES, marks=pytest.mark.slow)], ids=len
)
def test_nothing_leaves_the_width_of_a_phone(
    browser: Browser, server: PageServer, games: list[str]
) -> None:
    with visit(browser, f"{server.address}/s/over", PHONE) as page:
        for game in games:
            for path in ways(begun(game), 2):
                query = urlencode([("path", key) for key in path])
                page.goto(f"{server.address}/s/{game}?{query}")
                for width in (PHONE[0], 320):
                    page.set_viewport_size({"width": width, "height": PHONE[1]})
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    assert wide <= width, (game, path)


COVERED = """() => {
  const log = document.querySelector(".log").getBoundingClientRect();
  return [...document.querySelectorAll(".badge, h1, .area, .player")].filter(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const words = range.getBoundingClientRect();
    return words.right > log.left && words.left < log.right
      && words.bottom > log.top && words.top < log.bottom;
  }).map(each => each.textContent);
}"""


def test_the_button_of_the_log_covers_nothing(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/cribbage", PHONE) as page:
        for told in ("", "4 new", "1024 new"):
            page.locator(".unread").evaluate("(it, to) => it.textContent = to", told)
            for width in (320, PHONE[0], 800):
                page.set_viewport_size({"width": width, "height": PHONE[1]})
                assert page.evaluate(COVERED) == [], (told, width)


ORDER = """() => {
  const parts = [".bar", ".players", ".far", ".near", ".choice"];
  const boxes = parts.map(each => document.querySelector(each)).filter(Boolean)
    .map(each => each.getBoundingClientRect());
  const over = boxes.some((box, n) => n && box.top < boxes[n - 1].bottom - 1);
  return [over, document.documentElement.scrollHeight, boxes.at(-1).bottom];
}"""


@pytest.mark.parametrize("game", ["hearts", "yacht", "takeover", "guild_street"])
def test_a_phone_shows_scores_table_hand_and_question_one_below_the_other(
    browser: Browser, server: PageServer, game: str
) -> None:
    """The page itself does not scroll, and no part lies over another."""
    with visit(browser, f"{server.address}/s/{game}", PHONE) as page:
        over, high, end = page.evaluate(ORDER)
        assert not over
        assert max(high, end) <= PHONE[1]


CUT = """all => all.filter(each => {
  const cell = each.closest(".in"), range = document.createRange();
  range.selectNodeContents(each.querySelector("[aria-hidden]") ?? each);
  const text = range.getBoundingClientRect(), room = cell.getBoundingClientRect();
  const seen = each.checkVisibility(); // a small cell shows only the sign of an owner
  return seen && (text.left < room.left - 1 || text.right > room.right + 1);
}).map(each => each.textContent)"""


@pytest.mark.parametrize("game", ["kalah", "ludo", "backgammon", "minichess"])
def test_no_stone_is_cut_off_at_the_edge_of_its_cell(
    browser: Browser, server: PageServer, game: str
) -> None:
    with visit(browser, f"{server.address}/s/{game}", PHONE) as page:
        words = page.locator(".board .on, .board .number")
        assert words.count() > 3
        for width in (PHONE[0], 320):
            page.set_viewport_size({"width": width, "height": PHONE[1]})
            assert words.evaluate_all(CUT) == []


def test_each_side_of_a_board_of_hexagons_has_its_colour(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/hex_board") as page:
        areas = page.evaluate(
            "[...document.querySelectorAll('.edge')].map(each =>"
            " each.offsetWidth * each.offsetHeight)"
        )
    assert len(areas) == 4
    assert all(areas)


def test_a_choice_is_made_on_the_board_without_loading_the_page_anew(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/hex_board") as page:
        page.evaluate("window.still = true")
        expect(page.locator("h2#asks")).to_have_text("On which cell?")
        server.posted.clear()
        page.locator(".board .open").nth(3).click()
        expect(page.locator("h2#asks")).to_have_text("On which cell?")
        ((address, fields),) = server.posted
        assert address == "/s/hex_board/choose"
        names, values = zip(*parse_qsl(fields), strict=True)
        assert names == ("version", "path", "path")
        assert values[1] == "put"
        assert page.evaluate("window.still")


PLAYABLE = """() => {
  const every = [...document.querySelectorAll(".board .open")];
  for (const [number, each] of every.entries()) {
    each.classList.remove("refused");
    each.addEventListener("click", event => {
      window.touched = number;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}"""


MIDDLES = """() => [...document.querySelectorAll(".board .open")].map(each => {
  const box = each.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""


def steps_of(made: Sitting) -> Sequence[StepOption]:
    step = view(made).step
    assert step is not None
    return step.options


def test_a_finger_beside_a_small_place_touches_the_nearest(browser: Browser) -> None:
    made = asked(played("pachisi", 17))
    while "walk" not in {each.key for each in steps_of(made)}:
        made.choose(0, made.hint(0))
        asked(made)
    with (
        serving({"pachisi": partial(shown, "pachisi", made)}) as server,
        visit(browser, f"{server.address}/s/pachisi", PHONE) as page,
    ):
        place = page.locator(".board .open:not(.refused)").first
        box = place.bounding_box()
        assert box is not None
        assert box["width"] < 22
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(x - 24, y)
        page.touchscreen.tap(x, y - 24)
        page.mouse.click(x - 15, y)
        assert server.posted == [], "too far, or a mouse, which can hit the place"
        for right, down in ((-15, 0), (0, -20), (20, 20)):
            page.goto(f"{server.address}/s/pachisi")
            with page.expect_response("**/choose"):
                page.touchscreen.tap(x + right, y + down)
            address, fields = server.posted[-1]
            assert address == "/s/pachisi/choose"
            assert dict(parse_qsl(fields))["path"] == place.get_attribute("value")
        assert len(server.posted) == 3
        page.goto(f"{server.address}/s/pachisi")
        page.evaluate(PLAYABLE)  # as if all pawns could move, also those side by side
        middles = page.evaluate(MIDDLES)
        assert len(middles) > 3
        for x, y in middles:
            tap = x + 3, y + 20
            nearest = min(middles, key=lambda at: dist(at, tap))
            page.touchscreen.tap(*tap)
            assert page.evaluate("window.touched") == middles.index(nearest)


def test_a_choice_of_several_steps_goes_back(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/x_pasch") as page:
        page.evaluate("window.still = true")
        asks = page.locator("h2#asks")
        page.locator(".list > summary").click()
        page.locator("a.do").first.click()
        expect(asks).not_to_have_text("What do you do?")
        page.go_back()
        expect(asks).to_have_text("What do you do?")
        page.keyboard.press("1")
        expect(asks).not_to_have_text("What do you do?")
        page.keyboard.press("Escape")
        expect(asks).to_have_text("What do you do?")
        assert page.evaluate("window.still")


def test_arrows_go_over_a_board_and_escape_puts_back(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/minichess") as page:
        page.locator("#choice").focus()
        page.keyboard.press("ArrowUp")
        boxes = []
        for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowRight"):
            before = page.evaluate(FOCUS)
            page.keyboard.press(key)
            boxes.append((key, before, page.evaluate(FOCUS)))
        for key, (x, y), (to_x, to_y) in boxes:
            right, down = {"ArrowDown": (0, 1), "ArrowUp": (0, -1)}.get(key, (1, 0))
            moved = (to_x - x) * right + (to_y - y) * down
            assert moved > 0 or (to_x, to_y) == (x, y), boxes
        assert len({each for _, *two in boxes for each in map(tuple, two)}) > 1
        page.locator("a.open[data-of]").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".open.held")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(".open.held")).to_have_count(0)


FOCUS = """() => {
  const box = document.activeElement.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def test_a_piece_is_dragged_to_its_target_or_put_back(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/minichess") as page:
        server.posted.clear()
        origin = page.locator("a.open[data-of]").first
        start = origin.bounding_box()
        assert start is not None
        middle = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 3, middle[1] + 30, steps=4)
        expect(page.locator(".dragged")).to_have_count(1)
        expect(page.locator(".open.held")).to_have_count(1)
        page.mouse.move(2, 2)
        page.mouse.up()
        expect(page.locator(".dragged")).to_have_count(0)
        expect(page.locator(".open.held")).to_have_count(0)
        assert server.posted == []
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 3, middle[1] + 30, steps=4)
        expect(page.locator(".open.held")).to_have_count(1)
        target = page.locator("button.open").first
        value, end = target.get_attribute("value"), target.bounding_box()
        assert end is not None
        page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
        page.mouse.up()
        expect(page.locator(".open.held")).to_have_count(0)
        ((address, fields),) = server.posted
        assert address == "/s/minichess/choose"
        sent = [text for name, text in parse_qsl(fields) if name == "path"]
        assert sent[-1] == value
        assert len(sent) == 3


def test_a_choice_is_made_without_scripts(browser: Browser, server: PageServer) -> None:
    with visit(browser, f"{server.address}/s/hex_board", PHONE, scripts=False) as page:
        expect(page.locator("h2#asks")).to_have_text("On which cell?")
        page.locator(".list > summary").click()
        expect(page.locator(".needs-script").first).to_be_hidden()
        server.posted.clear()
        page.locator("button.do").first.click()
        assert [address for address, _ in server.posted] == ["/s/hex_board/choose"]


def test_an_answer_is_found_by_its_words(browser: Browser, server: PageServer) -> None:
    with visit(browser, f"{server.address}/s/hex_board?path=put") as page:
        page.keyboard.press("/")
        expect(page.locator("#find")).to_be_focused()
        label = page.locator(".options .option .label").last.inner_text()
        page.keyboard.type(label)
        expect(page.locator(".options .option:visible")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".options .option:visible .do")).to_be_focused()


def test_the_log_lies_open_where_there_is_room(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/pig") as page:
        expect(page.locator("#log li").last).to_be_visible()
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        expect(page.locator("#log li").last).to_be_hidden()
        page.locator("#log summary").click()
        expect(page.locator("#log li").last).to_be_visible()


def test_what_others_do_comes_by_itself_and_the_focus_stays(
    browser: Browser, server: PageServer
) -> None:
    now = server.pages["pig"](AskedPage())
    shown_now = replace(now, base="/s/news")
    server.pages["news"] = lambda _: shown_now
    with visit(browser, f"{server.address}/s/news") as page:
        page.locator(".do").first.focus()
        shown_now = replace(shown_now, version=99, log=(*now.log, "    bob waves"))
        expect(page.locator("main")).to_have_attribute("data-version", "99")
        expect(page.locator(".do").first).to_be_focused()
        expect(page.locator("#heard")).to_contain_text("bob waves")


OVER = """() => {
  const box = each => each.getBoundingClientRect();
  const above = box(document.querySelector(".players")).bottom;
  const choice = box(document.querySelector(".choice"));
  const out = [...document.querySelectorAll(".choice .do, .choice .ask")]
    .filter(each => box(each).width && box(each).right > choice.right);
  const links = box(document.querySelector(".links")).top;
  return [above <= links, out.map(each => each.textContent)];
}"""


@pytest.mark.parametrize("game", ["takeover", "trails", "guild_street"])
def test_no_plate_lies_over_a_link_and_no_option_ends_outside_the_choice(
    browser: Browser, server: PageServer, game: str
) -> None:
    with visit(browser, f"{server.address}/s/{game}", DESKTOP) as page:
        for path in ways(begun(game), 3):
            page.goto(
                f"{server.address}/s/{game}?{urlencode([('path', k) for k in path])}"
            )
            assert page.evaluate(OVER) == [True, []], path


def test_what_stays_in_an_area_that_is_pushed_up_does_not_glide(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, f"{server.address}/s/hearts") as page:
        page.evaluate("""() => {
          Element.prototype.animate = () => { window.glided = true; };
          const pushing = document.createElement("p");
          pushing.id = "pushing";
          pushing.style.height = "5rem";
          document.querySelector(".notices").append(pushing);
          dispatchEvent(new Event("online"));  // the page is loaded anew, without it
        }""")
        expect(page.locator("#pushing")).to_have_count(0)
        assert not page.evaluate("window.glided")
