"""A real browser, and players in it: with a phone, with keys alone, without scripts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

Way: TypeAlias = Literal["mouse", "phone", "keys", "plain"]
Scheme: TypeAlias = Literal["light", "dark"]
PHONE, DESKTOP = (390, 844), (1280, 800)
WAY = "#choose :is(ul.options .do, .side)"  # an option, or a number of a grid
PATIENCE = 1_000  # milliseconds for something to be pressed that is there
# The one without windows is the same engine, and does half of the work.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
REQUIRED = "HOUSERULE_BROWSER"  # set to `required` where a missing browser is a fault


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser of this system; skip the test where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail("there is no chromium, and one is required here")
        pytest.skip(f"no chromium on this system: apt-get install {BROWSERS[0]}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            _left.clear()
            browser.close()


@contextmanager
def visit(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESKTOP,
    scheme: Scheme = "light",
    *,
    scripts: bool = True,
) -> Iterator[Page]:
    """Open a page in a context that has nothing yet; it may complain about nothing.

    For a new page the browser starts a process, which takes longer than most tests of
    one: a page that was left is taken again.
    """
    kind = browser, size == PHONE, scripts
    page = _left.pop(kind, None) or _opened(*kind)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(media="null", color_scheme=scheme)
    complaints: list[str] = []

    def hear(said: object) -> None:
        complaints.append(str(getattr(said, "text", said)))

    page.on("pageerror", hear)
    page.on("console", hear)
    page.goto(address)
    yield page
    assert not complaints
    page.remove_listener("pageerror", hear)
    page.remove_listener("console", hear)
    if scripts:
        page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.context.clear_cookies()
    _left[kind] = page


_left: dict[tuple[Browser, bool, bool], Page] = {}
"""Pages that nobody looks at any more: touched by fingers, with scripts."""


def _opened(browser: Browser, touch: bool, scripts: bool) -> Page:
    context = browser.new_context(java_script_enabled=scripts, has_touch=touch)
    context.set_default_timeout(5000)
    return context.new_page()


@dataclass
class Player:
    """Somebody with a browser of his own.

    Attributes:
        page: what he looks at.
        way: how he uses it.
        faults: what the browser complained of.
    """

    page: Page
    way: Way
    faults: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, browser: Browser, way: Way, address: str, scheme: str = "") -> Player:
        phone = way == "phone"
        context = browser.new_context(
            viewport={"width": 390, "height": 844} if phone else None,
            has_touch=phone,
            is_mobile=phone,
            java_script_enabled=way != "plain",
            reduced_motion="reduce",
            color_scheme="dark" if scheme == "dark" else "light",
            locale="en-GB",
        )
        context.set_default_timeout(30_000)
        player = cls(context.new_page(), way)
        player.page.on("pageerror", lambda error: player.faults.append(str(error)))
        player.page.on("console", player._note)
        player.page.goto(address)
        return player

    def _note(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            text = getattr(message, "text", "")
            if "status of 409" not in text:  # told to the player in words
                self.faults.append(text)

    # ---- what he does

    def press(self, name: str, *, exact: bool = True) -> None:
        """Press a button by its name."""
        button = self.page.get_by_role("button", name=name, exact=exact).first
        if self.way == "keys":
            button.focus()
            self.page.keyboard.press("Enter")
        elif self.way == "phone":
            button.tap()
        else:
            button.click()

    def fill(self, label: str, text: str) -> None:
        """Write into a field by its label."""
        self.page.get_by_label(label).first.fill(text)

    @property
    def version(self) -> int:
        """The version of the table that the page shows."""
        found = self.page.locator("#table").get_attribute("data-version")
        assert found is not None
        return int(found)

    @property
    def over(self) -> bool:
        """Whether the page says that the game is over."""
        return self.page.locator("#table.ended").count() > 0

    def move(self, random: Random) -> bool:
        """Make one whole choice, if it is his turn; say whether he did."""
        version = self.version
        for _ in range(80):  # a set may be built piece by piece
            ways = self.page.locator(WAY)
            count = ways.count()
            if not count:
                return False
            before = self._path()
            self._take(random.randrange(count))
            self._wait_for_more(version, before)
            if self.version != version:
                return True
        raise AssertionError("a choice has no end")

    def _path(self) -> str:
        """Return how far the choice was made that is shown; the address runs ahead."""
        given = self.page.locator("input[form=choose][name=path]")
        return str(given.evaluate_all("all => all.map(each => each.value)"))

    def _take(self, number: int) -> None:
        option = self.page.locator(WAY).nth(number)
        closed = self.page.locator("#choose details.list:not([open]) > summary")
        try:
            if closed.count():
                closed.focus(timeout=PATIENCE)
                self.page.keyboard.press("Enter")
            if self.way == "phone":
                option.tap(timeout=PATIENCE)
            elif self.way == "keys":
                option.focus(timeout=PATIENCE)
                self.page.keyboard.press("Enter")
            else:
                option.click(timeout=PATIENCE)
        except Error:
            pass  # it went away while he looked

    def _wait_for_more(self, version: int, before: str) -> None:
        for _ in range(300):
            try:
                if self.version != version or self._path() != before:
                    return
            except (Error, AssertionError):
                pass  # a page is being loaded
            self.page.wait_for_timeout(10)


def axe_finds(page: Page) -> list[str]:
    """Return the parts of a page that some people cannot use well.

    The page must be the one to check: first wait for its address or for a text that
    only this page has.
    """
    page.wait_for_load_state()
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


def see(player: Player, text: str) -> None:
    """Wait until a text stands on a page."""
    expect(player.page.locator("body")).to_contain_text(text, timeout=15_000)
