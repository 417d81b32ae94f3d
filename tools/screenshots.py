"""Pictures of the pages of a table, for people who review or document them.

Usage: `python -m tools.screenshots FOLDER [GAME[:PRESET] …] [--only WORD …] [--seed N]
[--decisions N] [--whole]`

It serves the games from an empty database, and takes pictures of the first page, the
waiting room, and each table during the game and at its end. It does so on a phone and a
desktop, light and dark, in English and German. Greedy bots decide for all seats. The
name of a picture is `GAME-PAGE-SCREEN-SCHEME-LANGUAGE.png`; `--only phone dark de`
takes those with all of these words.
"""

# Inside: this chooses for all seats at a table of the server.

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import httpx
from playwright.async_api import Browser, Page, async_playwright

import houserule
from houserule.engine.bots.bot import GREEDY
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker, quick_bot
from houserule.engine.reference.random_numbers import Stream
from houserule.play.seat.choosing.chooser import Chooser
from houserule.ui.web.guard import AddressLimits
from houserule.ui.web.live import LiveTable
from houserule.ui.web.running import ServingUntilTold, listening_at, settings
from houserule.ui.web.server import TableServer
from houserule.ui.web.store import TableStore

SCREENS = {"phone": (390, 844), "desktop": (1280, 800)}
SCHEMES, LANGUAGES = ("light", "dark"), ("en", "de")
PEOPLE = ("Anna", "Bea", "Carl", "Dora", "Emil", "Fritz", "Gina", "Hanna")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
MOST = 3_000  # decisions until a game must be over
UNLIMITED = AddressLimits(100_000, 1_000, 1_000, 100_000)

SEEN = """() => Promise.all([...document.images]
    .filter(each => each.getBoundingClientRect().top < innerHeight)
    .map(each => each.decode().catch(() => {})))"""
"""Waits for the pictures on the screen: a browser loads them when they are seen."""


class Camera:
    """Takes pictures of the pages of a server.

    Args:
        chosen: the arguments of the command.
        browser: the browser.
        server: the server, which runs.
        address: its address.
    """

    def __init__(
        self,
        chosen: argparse.Namespace,
        browser: Browser,
        server: TableServer,
        address: str,
    ) -> None:
        self._chosen, self._browser = chosen, browser
        self._server, self._address = server, address

    def _pictures(self, name: str, language: str) -> Iterator[tuple[str, str, Path]]:
        """Yield screen, scheme and file of the wanted pictures of a page."""
        for screen, scheme in product(SCREENS, SCHEMES):
            words = (*name.split("-"), screen, scheme, language)
            if set(self._chosen.only) <= set(words):
                yield screen, scheme, self._chosen.folder / f"{'-'.join(words)}.png"

    async def take(self, page: Page, name: str, language: str, address: str) -> None:
        """Take the wanted pictures of a page."""
        for screen, scheme, file in self._pictures(name, language):
            width, height = SCREENS[screen]
            await page.set_viewport_size({"width": width, "height": height})
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]  # one of its words
            await page.goto(f"{self._address}{address}")
            await page.evaluate(SEEN)
            await page.screenshot(path=file, full_page=self._chosen.whole)
            await page.goto("about:blank")  # a page that waits would load itself again

    async def play(self, game: str, language: str) -> None:
        """Play a game, and take pictures of its pages."""
        name, _, preset = game.partition(":")
        choice = f"{name}?preset={preset}" if preset else name
        headers = {"origin": self._address, "accept-language": language}
        locale = {"en": "en-GB", "de": "de-DE"}[language]
        async with (
            httpx.AsyncClient(
                base_url=self._address, headers=headers, follow_redirects=True
            ) as web,
            await self._browser.new_context(locale=locale) as context,
        ):
            page = await context.new_page()
            table = await opened(self._server, web, choice)
            await self.take(page, f"{name}-host", language, table.host)
            addresses = []
            for seat in range(table.seats):
                addresses.append(await table.sit(web, seat, language))
                if not seat:
                    await self.take(page, f"{name}-waiting", language, addresses[0])
            do, seed = self._server.tables.do, self._chosen.seed
            await do(table.id, lambda live: live.begin(seed))
            await do(table.id, lambda live: decide(live, self._chosen.decisions))
            await self.take(page, f"{name}-table", language, addresses[0])
            if list(self._pictures(f"{name}-end", language)):
                await do(table.id, lambda live: decide(live, MOST, to_the_end=True))
                await web.get(addresses[0])  # its course is worked out from here on
                known = self._server.courses.of
                while await do(table.id, lambda live: live.over and not known(live)):
                    await asyncio.sleep(0.2)
                await self.take(page, f"{name}-end", language, addresses[0])

    async def first_page(self, language: str) -> None:
        """Take pictures of the page with all games."""
        locale = {"en": "en-GB", "de": "de-DE"}[language]
        async with await self._browser.new_context(locale=locale) as context:
            await self.take(await context.new_page(), "first", language, "/")


@dataclass(frozen=True)
class NewTable:
    """A table of the server that has not begun.

    Attributes:
        id: its number in the database.
        host: the address of the host's page.
        invitation: the address of the invitation.
        seats: the number of its seats.
    """

    id: int
    host: str
    invitation: str
    seats: int

    async def sit(self, web: httpx.AsyncClient, seat: int, language: str) -> str:
        """Take a seat, and return the address of its page."""
        data = {"seat": seat, "name": PEOPLE[seat], "language": language}
        return (await web.post(self.invitation, data=data)).url.path


async def opened(server: TableServer, web: httpx.AsyncClient, choice: str) -> NewTable:
    """Open a table."""
    host = (await web.post("/tables", data={"choice": choice})).url.path
    found = re.search(r"/j/[\w-]+", (await web.get(host)).text)
    assert found is not None, "the host's page has the invitation"
    key = await server.store.opens(host.rpartition("/")[2])
    assert key is not None, "the key is the host's"
    chairs = (await asyncio.to_thread(server.store.table, key.table)).chairs
    return NewTable(key.table, host, found[0], len(chairs))


def decide(live: LiveTable, most: int, *, to_the_end: bool = False) -> None:
    """Let greedy bots decide, then on until the first seat is asked, or to the end."""
    sitting = live.sitting
    assert sitting is not None, "the game was begun"
    thinker = CompiledThinker(live.rules.program)
    for number in range(MOST):
        if sitting.decision is None:
            return
        seat = sitting.decision.seat
        if number >= most and seat == 0 and not to_the_end:
            return
        live.moment(0)  # the first seat looks: what changes from here on is new
        stream = Stream.seeded(1, number, "bot")
        choice = quick_bot(GREEDY, seat, stream, thinker).choose(sitting.game)
        words = live.rules.wording(live.language_of(seat), sitting.seated.names)
        chooser = Chooser(live.rules, sitting.game, words, seat)
        live.choose(seat, live.version, chooser.path(choice))


@asynccontextmanager
async def serving(public: str = "") -> AsyncIterator[tuple[TableServer, Browser, str]]:
    """Serve the games from an empty database, and open a browser.

    Args:
        public: the address in invitations.

    Yields:
        the server, the browser, and the address of the server.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = TableStore(f"sqlite:///{folder}/tables.db")
        listening = listening_at("127.0.0.1", 0)
        port = listening.getsockname()[1]
        names = ["127.0.0.1", "localhost"]
        server = TableServer(store, names, None, limits=UNLIMITED, public=public)
        running = ServingUntilTold(settings(server, proxy=False), server)
        serves = asyncio.create_task(running.serve([listening]))
        async with async_playwright() as playwright:
            found = next(filter(None, map(shutil.which, BROWSERS)), None)
            browser = await playwright.chromium.launch(
                executable_path=found, args=["--no-sandbox", "--disable-gpu"]
            )
            yield server, browser, f"http://127.0.0.1:{port}"
            await browser.close()
        running.should_exit = True
        with suppress(asyncio.CancelledError):
            await serves
        store.close()


async def photograph(chosen: argparse.Namespace) -> None:
    """Serve the games, play them, and take the pictures."""
    chosen.folder.mkdir(parents=True, exist_ok=True)
    async with serving() as (server, browser, address):
        camera = Camera(chosen, browser, server, address)
        spoken = [each for each in LANGUAGES if each in chosen.only]
        for language in spoken or LANGUAGES:
            await camera.first_page(language)
            for game in chosen.games or [each.id for each in houserule.shipped()]:
                await camera.play(game, language)


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME[:PRESET]")
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--decisions", type=int, default=17, metavar="N")
    parser.add_argument(
        "--whole", action="store_true", help="the whole page, not only the screen"
    )
    asyncio.run(photograph(parser.parse_args(arguments)))


if __name__ == "__main__":
    main()
