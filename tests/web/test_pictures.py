"""The pictures in the documentation: taken of real pages, in a real browser.

With `HOUSERULE_BLESS=1` in the environment they are taken again.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.web.browsing import PHONE, Scheme, chromium, visit
from tests.web.serving import OpenTable, Served, open_table, served

import houserule

DOCS = Path(__file__).parents[2] / "docs"
WIDE = (1280, 900)
PATIENCE = 60_000  # milliseconds, for what is measured while one looks


@dataclass(frozen=True)
class Scene:
    """A picture: its name, and how one comes to what it shows."""

    name: str
    address: Callable[[OpenTable], str]
    size: tuple[int, int] = WIDE
    scheme: Scheme = "light"
    ready: Callable[[Page], object] = lambda page: None


def _measured(page: Page) -> None:
    """Wait until an effect was measured for good, and look at it."""
    page.locator("#effect:not([data-effect]) svg").first.wait_for(timeout=PATIENCE)
    page.locator("#effect").scroll_into_view_if_needed()


def _pictured(page: Page) -> None:
    """Wait until the pictures of the first games are there."""
    page.wait_for_load_state("networkidle", timeout=PATIENCE)


def _new_table(table: OpenTable) -> str:
    host = table.served.guest()
    return host.post("/tables", data={"choice": "hearts"}).url.path


SCENES = (
    Scene("first-page", lambda _: "/", ready=_pictured),
    Scene("invitation", _new_table),
    Scene(
        "house-rules",
        lambda _: "/new/x_pasch?with=harder_sliding&open=harder_sliding",
        ready=_measured,
    ),
    Scene("table", lambda table: table.seats[table.asked]),
    Scene("table-phone", lambda table: table.seats[table.asked], PHONE, "dark"),
)


@dataclass(frozen=True)
class BookScene:
    """A picture of a book: how much of it is seen, and how many points a pixel is."""

    name: str
    size: tuple[int, int]
    scheme: Scheme
    scale: float = 1


BOOKS = (
    BookScene("rulebook", (1240, 760), "light"),
    BookScene("rulebook-phone", (390, 780), "dark", 1.5),
)
# Three pages of a PDF beside each other, and the game of the page.
BY_HAND = {"rulebook-pdf.png", "drawing.png"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    lan = "http://192.168.1.20:8000"
    with served(tmp_path_factory.mktemp("tables"), public=lan) as found:
        yield found


@pytest.fixture(scope="module")
def table(tables: Served) -> OpenTable:
    """A game of four that is under way, the same in every run."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("secrets.randbelow", lambda _: 11)
        people = ["Ann", "Bob", "Cleo", "Dora"]
        made = open_table(tables, "x_pasch?preset=official_deluxe&players=4", people)
    live = tables.server.tables._live[made.id]
    assert live.sitting is not None
    while made.version(0) < 90 or made.part(made.asked).count("data-number") < 4:
        live.sitting.choose(made.asked, live.sitting.hint(made.asked), bots_at_most=0)
        live._changed()
    return made


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda each: each.name)
def test_a_picture_shows_the_page(
    browser: Browser, table: OpenTable, scene: Scene
) -> None:
    file = DOCS / "images" / f"{scene.name}.png"
    address = f"{table.served.address}{scene.address(table)}"
    with visit(browser, address, scene.size, scene.scheme) as page:
        scene.ready(page)
        taken = page.screenshot(animations="disabled")
    if os.environ.get("HOUSERULE_BLESS"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(taken)
    assert struct.unpack(">II", file.read_bytes()[16:24]) == scene.size


@pytest.mark.slow
@pytest.mark.parametrize("scene", BOOKS, ids=lambda each: each.name)
def test_a_picture_shows_the_book(browser: Browser, scene: BookScene) -> None:
    file = DOCS / "images" / f"{scene.name}.png"
    book = houserule.load("x_pasch").table(with_="harder_sliding").rulebook("en")
    (width, height), scale = scene.size, scene.scale
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scene.scheme,
        device_scale_factor=scale,
    )
    page = context.new_page()
    page.set_content(book.html())
    page.locator("#c-slide").evaluate("each => each.scrollIntoView()")
    taken = page.screenshot(animations="disabled")
    context.close()
    if os.environ.get("HOUSERULE_BLESS"):
        file.write_bytes(taken)
    wanted = round(width * scale), round(height * scale)
    assert struct.unpack(">II", file.read_bytes()[16:24]) == wanted


def test_every_picture_is_taken_by_a_scene_and_stands_on_a_page() -> None:
    files = {each.name for each in (DOCS / "images").iterdir()}
    scenes = {f"{scene.name}.png" for scene in (*SCENES, *BOOKS)}
    assert files == scenes | BY_HAND
    pages = "".join(
        (DOCS / f"{name}.md").read_text(encoding="utf-8")
        for name in ("serving", "rulebook", "rulesets")
    )
    assert all(f"images/{name}" in pages for name in files)
