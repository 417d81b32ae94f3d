"""A book on a phone and at a desk: nothing sticks out, nothing is hard to use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from tests.support.shipped import ROOT
from tests.web.browsing import DESKTOP, PHONE, Scheme, chromium, visit

import houserule

STICKS_OUT = """
() => [...document.querySelectorAll("body *")]
  .filter(each => !each.closest(".drawn") && !each.matches("option"))
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.outerHTML.slice(0, 120))
"""
NARROW = (360, 740)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module", params=["hearts de", "guild_street en"])
def page(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    game, language = str(request.param).split()
    path = tmp_path_factory.mktemp("books") / f"{game}.html"
    table = houserule.load(ROOT / game).table()
    path.write_text(table.rulebook(language).html(), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("size", "scheme"), [(NARROW, "light"), (PHONE, "dark"), (DESKTOP, "light")]
)
def test_a_book_fits_and_is_easy_to_use(
    browser: Browser, page: Path, size: tuple[int, int], scheme: Scheme
) -> None:
    with visit(browser, page.as_uri(), size, scheme) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert shown.evaluate(STICKS_OUT) == []
        if size == NARROW:
            return  # it is the phone's page, less wide
        found = Axe().run(shown).response["violations"]
        assert [f"{e['id']}: {n['html']}" for e in found for n in e["nodes"]] == []


@pytest.mark.parametrize("width", [718, 740])  # between the margins of A4, of Letter
def test_a_book_fits_on_paper_and_is_light(
    browser: Browser, page: Path, width: int
) -> None:
    with visit(browser, page.as_uri(), (width, 1000), "dark") as shown:
        shown.emulate_media(media="print", color_scheme="dark")
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate(STICKS_OUT) == []
        ink = "getComputedStyle(document.querySelector('.book h1')).color"
        assert shown.evaluate(ink) == "rgb(168, 67, 15)"
