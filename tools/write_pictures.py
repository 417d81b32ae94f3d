"""Write the pictures of the documentation, `docs/images`.

Usage: `python -m tools.write_pictures [NAME …]`

A NAME is a picture's file without `.png`; without any, all are written. Look at each
one before you commit it. It needs the extras `pdf` and `test`, Chromium, and
Ghostscript (`gs`) for the pages of the PDF. Each picture has up to 256 colours, so that
it stays small.
"""

# Inside: this chooses for all seats at a table of the server.

from __future__ import annotations

import argparse
import asyncio
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from PIL import Image
from playwright.async_api import Browser, Page
from tests.docs.fences import fences_of
from tools.screenshots import SEEN, decide, opened, serving

from houserule.base import resources

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PUBLIC = "http://192.168.1.20:8000"
SLIDING = ("rulebook", "x_pasch", "--with", "harder_sliding", "--players", "3")
PRINTED = ("rulebook", "x_pasch", "--preset", "official")
COLOURS = 256
RASTER = ("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=png16m", "-r183", "-o")


def keep(name: str, picture: Image.Image) -> None:
    """Write a picture."""
    small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(IMAGES / f"{name}.png", optimize=True)


@asynccontextmanager
async def page_of(
    browser: Browser, width: int, height: int, scheme: str = "light", scale: float = 1
) -> AsyncIterator[Page]:
    """Open a page of a screen."""
    async with await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]  # one of its words
        device_scale_factor=scale,
        reduced_motion="reduce",
        locale="en-GB",
    ) as context:
        yield await context.new_page()


async def photograph(
    page: Page, name: str, address: str, top: str = "", only: str = ""
) -> None:
    """Write the picture of a page.

    Args:
        top: scroll until this element is at the top.
        only: take this element alone.
    """
    await page.goto(address)
    await page.evaluate(SEEN)
    measuring = page.locator("#effect[data-effect]")
    await measuring.wait_for(state="detached", timeout=300_000)
    if top:
        here = page.locator(top).first
        await here.evaluate("it => scrollTo(0, it.getBoundingClientRect().top - 12)")
    shot = await (page.locator(only).first if only else page).screenshot()
    keep(name, Image.open(io.BytesIO(shot)))
    await page.goto("about:blank")  # a page that waits would load itself again


def book(arguments: Sequence[str], file: Path) -> Path:
    """Write a rulebook."""
    command = [sys.executable, "-m", "houserule", *arguments, "--output", str(file)]
    subprocess.run(command, check=True)
    return file


def printed(file: Path, pages: Sequence[int]) -> Image.Image:
    """Return pages of a PDF side by side."""
    subprocess.run([*RASTER, str(file.with_suffix(".%d.png")), str(file)], check=True)
    shots = [Image.open(file.with_suffix(f".{each}.png")) for each in pages]
    width, height = shots[0].size
    found = Image.new("RGB", (width * len(shots), height))
    for number, shot in enumerate(shots):
        found.paste(shot, (width * number, 0))
    return found.reduce(3)


async def write(wanted: Sequence[str], folder: Path) -> None:
    """Serve the games, and write the pictures.

    Args:
        wanted: the names of the pictures.
        folder: for other files.
    """
    async with serving(PUBLIC) as (server, browser, address):
        headers = {"origin": address}
        web = httpx.AsyncClient(
            base_url=address, headers=headers, follow_redirects=True, timeout=60
        )

        async def table(choice: str, decisions: int) -> str:
            """Play some decisions, and return the address of the first seat."""
            new = await opened(server, web, choice)
            seats = [await new.sit(web, each, "en") for each in range(new.seats)]
            await server.tables.do(new.id, lambda live: live.begin(1))
            await server.tables.do(new.id, lambda live: decide(live, decisions))
            return address + seats[0]

        if "first-page" in wanted:
            async with page_of(browser, 1280, 800) as page:
                await photograph(page, "first-page", address)
        if "invitation" in wanted:
            new = await opened(server, web, "hearts?players=3")
            async with page_of(browser, 1280, 900) as page:
                await photograph(page, "invitation", address + new.host)
        if "house-rules" in wanted:
            at = "with=harder_sliding&open=harder_sliding"
            async with page_of(browser, 1280, 900) as page:
                menu = f"{address}/new/x_pasch?{at}"
                await photograph(page, "house-rules", menu, "#e-harder_sliding")
        if {"table", "table-phone"} & {*wanted}:
            seat = await table("x_pasch?preset=official_deluxe&players=4", 150)
            async with page_of(browser, 1280, 900) as page:
                await photograph(page, "table", seat)
            async with page_of(browser, 390, 844, "dark") as page:
                await photograph(page, "table-phone", seat)
        if "drawing" in wanted:
            for fence in fences_of(ROOT / "docs" / "rulesets.md"):
                if fence.settings.get("title", "").startswith("isles/"):
                    file = folder / fence.settings["title"]
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(fence.text, encoding="utf-8")
            os.environ["HOUSERULE_GAMES"] = str(folder)  # the first page is taken
            resources.installed.cache_clear()
            async with page_of(browser, 390, 844) as page:
                seat = await table("isles", 2)
                await photograph(page, "drawing", seat, only=".drawing-board")
        sliding = book(SLIDING, folder / "sliding.html").as_uri()
        if "rulebook" in wanted:
            async with page_of(browser, 1240, 760) as page:
                await photograph(page, "rulebook", sliding, "text=Slide a marker.")
        if "rulebook-phone" in wanted:
            async with page_of(browser, 390, 780, "dark", 1.5) as page:
                await photograph(
                    page, "rulebook-phone", sliding, "text=Slide a marker."
                )
        if "rulebook-pdf" in wanted:
            file = book(PRINTED, folder / "book.pdf")
            keep("rulebook-pdf", printed(file, (1, 2, 4)))
        await web.aclose()


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures."""
    names = [each.stem for each in sorted(IMAGES.glob("*.png"))]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*names, []], metavar="NAME")
    wanted = parser.parse_args(arguments).names or names
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(write(wanted, Path(folder)))


if __name__ == "__main__":
    main()
