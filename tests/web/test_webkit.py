"""The other engine that browsers of phones have: a game is played in WebKit too."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("selenium", reason="selenium, of the extra `dev`, is not installed")

from selenium import webdriver
from selenium.common.exceptions import (
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from tests.web.serving import open_table, served

OPTION = "#choose :is(ul.options .do, .side)"
CLOSED = "#choose details.list:not([open]) > summary"
PATIENCE = 60.0


@contextmanager
def display() -> Iterator[None]:
    """Let there be a screen, if only one that nobody sees."""
    if "DISPLAY" in os.environ:
        yield
        return
    found = shutil.which("Xvfb")
    if found is None:
        pytest.skip("no screen, and no Xvfb on this system: apt-get install xvfb")
    reading, writing = os.pipe()
    words = [found, "-displayfd", str(writing), "-screen", "0", "1280x1024x24"]
    with subprocess.Popen(
        words, pass_fds=[writing], stderr=subprocess.DEVNULL
    ) as process:
        os.close(writing)
        try:
            with os.fdopen(reading) as number, pytest.MonkeyPatch.context() as patched:
                patched.setenv("DISPLAY", f":{number.readline().strip()}")
                yield
        finally:
            process.terminate()


@pytest.fixture
def webkit() -> Iterator[WebDriver]:
    """A browser with WebKit; skips the test where there is none."""
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"))
    if driver is None or not browsers:
        pytest.skip("no WebKit on this system: apt-get install webkit2gtk-driver")
    options = Options()
    options.binary_location = str(browsers[-1])
    options.add_argument("--automation")
    options.set_capability("browserName", "MiniBrowser")
    with display():
        with warnings.catch_warnings():  # selenium's own, of one part to another
            warnings.simplefilter("ignore", DeprecationWarning)
            browser = webdriver.WebKitGTK(options=options, service=Service(driver))
        try:
            yield browser
        finally:
            browser.quit()


def version(browser: WebDriver) -> int:
    found = browser.find_element(By.ID, "table").get_attribute("data-version")
    return int(found or -1)


def click(browser: WebDriver, random: Random) -> None:
    """Click one of the options, if there are any."""
    for closed in browser.find_elements(By.CSS_SELECTOR, CLOSED):
        closed.click()
    options = browser.find_elements(By.CSS_SELECTOR, OPTION)
    try:
        if options:
            random.choice(options).click()
    except (StaleElementReferenceException, ElementNotInteractableException):
        pass  # it went away while it was aimed at


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["nim", "guild_street?players=2"])
def test_a_game_is_played_to_its_end_in_webkit(
    webkit: WebDriver, tmp_path: Path, choice: str
) -> None:
    """By clicks alone; what the other one does comes without a click."""
    random = Random(3)
    with served(tmp_path) as tables:
        table = open_table(tables, choice, ["Ann", "Bob"])
        webkit.get(f"{tables.address}{table.seats[0]}")
        until = time.monotonic() + PATIENCE
        while not table.over:
            assert time.monotonic() < until, "nothing goes on"
            before = table.version(0)
            if table.asked == 0:
                click(webkit, random)
            else:
                table.post(1, "choose", table.a_move())
            if table.version(0) != before:
                until = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < until, "the end is not shown"
            try:
                if version(webkit) == table.version(0):
                    break
            except (NoSuchElementException, StaleElementReferenceException):
                pass  # a page is being loaded
            time.sleep(0.05)
        assert webkit.find_elements(By.CSS_SELECTOR, "#table.ended")
