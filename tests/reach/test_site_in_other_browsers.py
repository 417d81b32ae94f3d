"""The playground in Firefox and in WebKit: a rule is mended, measured and played."""

from __future__ import annotations

from http.server import ThreadingHTTPServer

import pytest
from tools.try_it import Example

from ..web.browsing import PHONE
from ..web.other_browsers import BROWSERS
from .test_site import RIGHT, TYPO

TURN = "#table[data-turn] #choose ul.options .do"


@pytest.mark.slow
@pytest.mark.parametrize("name", BROWSERS)
def test_a_link_is_opened_and_its_rule_mended_and_played(
    host: tuple[ThreadingHTTPServer, str], name: str
) -> None:
    with BROWSERS[name]() as browser:
        browser.resize(*PHONE)
        browser.go(host[1] + Example("pig", TYPO, 0).link)
        browser.wait("#messages .where")
        assert browser.all("#messages .where") == ["Line 4"]
        browser.press("#messages .fix")
        browser.wait("#sound")
        assert browser.all("#loading") == []
        assert "\n".join(browser.all(".cm-line")) == RIGHT
        browser.press("#measure")
        browser.wait("#effect p")
        assert browser.all("#effect p")[0].startswith("Shorter by ")

        browser.press(".cm-content")
        browser.type("x")  # somewhere, and nothing is right any more
        browser.wait("#messages li.error")
        browser.press("#begin")
        browser.wait("#sound")
        browser.press("#play")
        browser.wait("form[action$='/tables'] button")
        browser.press("form[action$='/tables'] button")
        browser.wait("form[action$='/sit'] input[name=name]")
        browser.press("form[action$='/sit'] input[name=name]")
        browser.type("Ann")
        browser.press("form[action$='/sit'] button")
        browser.wait("#table[data-base*='/s/'] [name=fill]")
        browser.press("#table[data-base*='/s/'] [name=fill]")
        for _ in range(3):  # with the bot's turns between
            browser.wait(TURN)
            (version,) = browser.all("main#table", "each.dataset.version")
            browser.press(TURN, 0.99)
            moved = f"main#table:not([data-version='{version}'])"
            browser.wait(moved)
        wide = browser.run("return [document.body.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
