"""Firefox and WebKit, the engines of other browsers; all phones of Apple have WebKit.

Both do the same few things, so one test is for both. They skip it if they are missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import warnings
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

PATIENCE = 180.0  # seconds for something to appear: Python starts in a page

# Elements may be in a frame, or in the shadow root of the editor.
FIND = """
const roots = [document];
for (const root of roots)
  for (const each of root.querySelectorAll("iframe, #editor")) {
    const inside = each.contentDocument ?? each.shadowRoot;
    if (inside) roots.push(inside);
  }
const found = roots.flatMap((root) => [...root.querySelectorAll(SELECTOR)])
  .filter((each) => each.checkVisibility() && !each.disabled);
"""
PLACE = """
const each = found[Math.floor(CHOSEN * found.length)];
if (!each) return null;
each.scrollIntoView({ block: "center", behavior: "instant" });
const frame = each.ownerDocument.defaultView.frameElement?.getBoundingClientRect();
const box = each.getBoundingClientRect();
const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 30)];
return [x + (frame?.x ?? 0), y + (frame?.y ?? 0)].map(Math.round);
"""


class OtherBrowser(ABC):
    """A browser that shows one page."""

    @abstractmethod
    def go(self, address: str) -> None:
        """Open an address."""

    @abstractmethod
    def run(self, script: str) -> Any:  # noqa: ANN401  # whatever JSON has
        """Return what the body of an asynchronous function returns in the page."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Set the size of the page; a browser may have a smallest width."""

    @abstractmethod
    def press_at(self, x: int, y: int) -> None:
        """Press the first button of the mouse at a place of the page."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Press the keys of a text, one by one."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return what the page shows, as PNG."""

    def all(self, selector: str, value: str = "each.textContent") -> list[Any]:
        """Return a value of each element that is visible and can be used."""
        find = FIND.replace("SELECTOR", json.dumps(selector))
        found: list[Any] = self.run(f"{find} return found.map((each) => {value})")
        return found

    def press(self, selector: str, chosen: float = 0.0) -> bool:
        """Press an element, if one is visible; `chosen` is below 1, of the first 0."""
        find = FIND.replace("SELECTOR", json.dumps(selector))
        place = self.run(find + PLACE.replace("CHOSEN", str(chosen)))
        if place:
            self.press_at(*place)
        return bool(place)

    def wait(self, selector: str) -> None:
        """Wait until an element is visible."""
        self.until(lambda: bool(self.all(selector)), selector)

    def until(self, met: Callable[[], bool], awaited: str) -> None:
        """Wait until a condition holds; while a page is loaded, none does."""
        last = time.monotonic() + PATIENCE
        while True:
            try:
                if met():
                    return
            except PageLeft:
                pass
            assert time.monotonic() < last, f"not seen: {awaited}"
            time.sleep(0.05)


class PageLeft(Exception):
    """A script could not be run, because the page was being left."""


class Firefox(OtherBrowser):
    """Firefox, without a driver: it speaks WebDriver BiDi itself.

    The commands: https://w3c.github.io/webdriver-bidi/.
    """

    def __init__(self, socket: Any) -> None:  # noqa: ANN401  # websocket's
        self._socket, self._number = socket, 0
        self._page: dict[str, str] = {}
        self._tell("session.new", capabilities={})
        tree = self._tell("browsingContext.getTree")
        self._page = {"context": tree["contexts"][0]["context"]}

    def _tell(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        command = {"method": method, "params": {**self._page, **parameters}}
        self._socket.send(json.dumps({"id": self._number, **command}))
        while True:
            answer: dict[str, Any] = json.loads(self._socket.recv())
            if answer.get("id") == self._number:
                if answer["type"] == "error":
                    raise PageLeft(answer["message"])
                return dict(answer["result"])

    def go(self, address: str) -> None:
        self._tell("browsingContext.navigate", url=address, wait="complete")

    def run(self, script: str) -> Any:  # noqa: ANN401
        found = self._tell(
            "script.evaluate",
            expression=f"(async () => {{ {script} }})().then(JSON.stringify)",
            target=self._page,
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self._tell("browsingContext.setViewport", viewport=size)

    def press_at(self, x: int, y: int) -> None:
        press = [
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act("pointer", [{"type": "pointerMove", "x": x, "y": y}, *press])

    def type(self, text: str) -> None:
        kinds = ("keyDown", "keyUp")
        self._act("key", [{"type": k, "value": key} for key in text for k in kinds])

    def _act(self, kind: str, actions: Sequence[Mapping[str, object]]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self._tell("input.performActions", actions=[source])

    def picture(self) -> bytes:
        return b64decode(self._tell("browsingContext.captureScreenshot")["data"])


class WebKit(OtherBrowser):
    """WebKitGTK's small browser, by its driver."""

    def __init__(self, driver: Any) -> None:  # noqa: ANN401  # selenium's
        self._driver = driver
        driver.set_script_timeout(PATIENCE)

    def go(self, address: str) -> None:
        self._driver.get(address)

    def run(self, script: str) -> Any:  # noqa: ANN401
        from selenium.common.exceptions import WebDriverException

        done = "arguments[arguments.length - 1]"
        told = f"(async () => {{ {script} }})().then(JSON.stringify).then({done})"
        try:
            found = self._driver.execute_async_script(told)
        except WebDriverException as error:
            raise PageLeft(str(error)) from None
        return json.loads(found or "null")

    def resize(self, width: int, height: int) -> None:
        self._driver.set_window_size(width, height)
        inside = self.run("return [innerWidth, innerHeight]")
        self._driver.set_window_size(2 * width - inside[0], 2 * height - inside[1])

    def press_at(self, x: int, y: int) -> None:
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        actions: Any = ActionBuilder(self._driver)
        actions.pointer_action.move_to_location(x, y).pointer_down().pointer_up()
        actions.perform()

    def type(self, text: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self._driver).send_keys(text).perform()

    def picture(self) -> bytes:
        found: bytes = self._driver.get_screenshot_as_png()
        return found


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Start Firefox; skip the test if it is missing."""
    selenium = "selenium, of the extra `dev`, is missing"
    websocket = pytest.importorskip("websocket", reason=selenium)
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        pytest.skip("no Firefox on this system: apt-get install firefox-esr")
    with TemporaryDirectory() as profile:
        words = [found, "--headless", "--no-remote", "--profile", profile]
        words += ["--remote-debugging-port=0", "about:blank"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stderr is not None
                said = (line.split() for line in process.stderr if "BiDi" in line)
                socket = websocket.create_connection(
                    f"{next(said)[-1]}/session", suppress_origin=True, timeout=PATIENCE
                )
                with closing(socket):
                    yield Firefox(socket)
            finally:
                process.terminate()


@contextmanager
def webkit() -> Iterator[WebKit]:
    """Start WebKitGTK's browser; skip the test if it is missing."""
    selenium = "selenium, of the extra `dev`, is missing"
    webdriver = pytest.importorskip("selenium.webdriver", reason=selenium)
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"))
    if driver is None or not browsers:
        pytest.skip("no WebKit on this system: apt-get install webkit2gtk-driver")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(browsers[-1])
    options.add_argument("--automation")
    options.set_capability("browserName", "MiniBrowser")
    with display():
        with warnings.catch_warnings():  # selenium's own, of one part to another
            warnings.simplefilter("ignore", DeprecationWarning)
            service = webdriver.WebKitGTKService(driver)
            browser = webdriver.WebKitGTK(options=options, service=service)
        try:
            yield WebKit(browser)
        finally:
            browser.quit()


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


BROWSERS = {"firefox": firefox, "webkit": webkit}
