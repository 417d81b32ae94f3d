"""Size and speed of the site, and of the language server, in one run.

Usage: `python -m tools.bench.reach [--keys N] [--json] [--write PAGE]`

It writes the usual site and opens it in Chromium, as a first visitor with a fast
connection, with the games between which visitors choose. The times are those of the
clock, and the processor time of all processes of the browser or the server: where other
programs run, only the second counts.
"""

# Inside: this is the page and the server themselves, which no program draws.

from __future__ import annotations

import argparse
import asyncio
import gzip
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from lsprotocol import types as t
from playwright.sync_api import Page, sync_playwright
from pygls.lsp.client import LanguageClient
from tools.bench.pages import tell

from houserule.base.resources import shipped_rulesets
from houserule.ui.site.parts import usual_games
from houserule.ui.site.write import FOR_TABLE, WABT, page_server, write_site

HEAD = ("figure", "measured", "processor")
GAMES = ("pig", "x_pasch")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
PACKED = {".js", ".mjs", ".wasm", ".html", ".css", ".json", ".svg"}  # by most hosts
TICKS = os.sysconf("SC_CLK_TCK")
LISTEN = """
const { parentElement } = document.querySelector("#messages");
const waiting = parentElement.querySelector(".waiting");
let at = 0, took, told;
window.told = () => new Promise((done) => (took ? done(took) : (told = done)));
addEventListener("keydown", () => {
  took = told = undefined;
  at = performance.now();
}, true);
new MutationObserver(() => {
  if (!waiting.hidden || !at) return;
  took = performance.now() - at;
  at = 0;
  told?.(took);
}).observe(waiting, { attributes: true });
"""


@dataclass
class Row:
    """One figure: bytes, or seconds by the clock and of the processor."""

    name: str
    measured: float
    processor: float | None

    def cells(self) -> tuple[str, str, str]:
        """Return the figure for a table."""
        if self.processor is None:
            return self.name, f"{self.measured / 1e6:.1f} MB", ""
        return self.name, f"{self.measured:.2f} s", f"{self.processor:.2f} s"


def processor() -> float:
    """Return the processor seconds of all processes below this one."""
    spent: dict[int, tuple[int, float]] = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = each.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        spent[int(each.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))

    def below(pid: int) -> Iterator[float]:
        for child, (parent, ticks) in spent.items():
            if parent == pid:
                yield ticks
                yield from below(child)

    return sum(below(os.getpid())) / TICKS


def timed(do: Callable[[], float | None]) -> tuple[float, float]:
    """Return the seconds of a step, as it returns or by the clock; and processor."""
    began, spent = time.perf_counter(), processor()
    found = do()
    return found or time.perf_counter() - began, processor() - spent


# ---- the site


def visited(folder: Path, keys: int) -> Iterator[Row]:
    """Yield the figures of a site in Chromium."""
    browser_path = next(filter(None, map(shutil.which, BROWSERS)))
    with page_server(folder, 0) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=browser_path, args=options)
        context = browser.new_context()
        context.set_default_timeout(600_000)
        asked: dict[str, None] = {}
        context.on("request", lambda each: asked.setdefault(each.url))
        page = context.new_page()
        address = f"http://localhost:{server.server_port}/"

        def usable() -> None:
            page.wait_for_selector("#loading", state="hidden")
            page.wait_for_selector("#sound")

        def first() -> None:
            page.goto(address)
            usable()

        seconds = timed(first)
        paths = {e.removeprefix(address) or "index.html" for e in asked}
        files = [folder / each for each in paths - {WABT, FOR_TABLE}]
        yield Row("first visit, compressed", sum(map(compressed, files)), None)
        plain = sum(each.stat().st_size for each in files)
        yield Row("first visit, as the files are", plain, None)
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        yield Row("first picture", page.evaluate(paint) / 1000, seconds[1])
        yield Row("usable at the first visit", *seconds)
        page.wait_for_timeout(3000)  # the service worker keeps all files

        def again() -> None:
            page.reload()
            usable()

        yield Row("usable at the next visit", *timed(again))
        page.evaluate(LISTEN)
        for game in GAMES:
            page.select_option("#game", game)
            page.wait_for_selector("#sound")
            for name, place in (("a caption", -1), ("a mistake", 0)):
                found = [timed(lambda: typed(page)) for _ in pressed(page, place, keys)]
                clock, spent = (median(each) for each in zip(*found, strict=True))
                yield Row(f"key to messages, {game}, {name}", clock, spent)
            page.locator("#begin").click()
        server.shutdown()


def compressed(path: Path) -> int:
    """Return the bytes of a file as a host sends it."""
    content = path.read_bytes()
    return len(gzip.compress(content) if path.suffix in PACKED else content)


def pressed(page: Page, place: int, keys: int) -> Iterator[int]:
    """Yield before each key in the first line, at a column from its end or start."""
    page.wait_for_timeout(3000)  # the rulebook's lines
    page.locator(".cm-line").first.click()
    page.keyboard.press("End" if place else "Home")
    for _ in range(-place):
        page.keyboard.press("ArrowLeft")
    for number in range(keys + 1):
        if number:  # the first one warms up
            yield number
        else:
            typed(page)


def typed(page: Page) -> float:
    """Return the seconds from a key to its messages."""
    page.keyboard.press("x")
    milliseconds: float = page.evaluate("told()")
    return milliseconds / 1000


# ---- the language server


async def answered(keys: int) -> list[Row]:
    """Return the figures of the language server."""
    client: Any = LanguageClient("bench", "1")
    seen: dict[tuple[str, int | None], asyncio.Event] = {}
    rows = []

    @client.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def published(params: t.PublishDiagnosticsParams) -> None:
        seen.setdefault((params.uri, params.version), asyncio.Event()).set()

    await client.start_io(sys.executable, "-m", "houserule", "lsp")
    with TemporaryDirectory() as scratch:
        game = Path(scratch, "x_pasch")
        shutil.copytree(shipped_rulesets()["x_pasch"], game)
        folder = game.as_uri()
        about = t.InitializeParams(t.ClientCapabilities(), root_uri=folder)
        await client.initialize_async(about)
        client.initialized(t.InitializedParams())
        version = 0
        for name, file, old, new in EDITS:
            path = game / file
            uri, text = path.as_uri(), path.read_text("utf-8")
            assert old in text, (file, old)
            found = []
            for number in range(keys + 1):
                version += 1
                said = text.replace(old, new.format(number), 1)
                document = t.VersionedTextDocumentIdentifier(version, uri)
                whole = [t.TextDocumentContentChangeWholeDocument(said)]
                waiting = seen.setdefault((uri, version), asyncio.Event())
                began, spent = time.perf_counter(), processor()
                if number:
                    change = t.DidChangeTextDocumentParams(document, whole)
                    client.text_document_did_change(change)
                else:
                    item = t.TextDocumentItem(uri, "houserule", version, text)
                    client.text_document_did_open(t.DidOpenTextDocumentParams(item))
                await asyncio.wait_for(waiting.wait(), 600)
                found.append((time.perf_counter() - began, processor() - spent))
            clock, used = (median(each) for each in zip(*found[1:], strict=True))
            rows.append(Row(f"`lsp`, x_pasch, {name}", clock, used))
    await client.shutdown_async(None)
    client.exit(None)
    return rows


EDITS = (
    ("a name", "game.rules", "during founding", "during founding_{}"),
    ("a number", "game.rules", ": 0..999 starts", ": 0..9{} starts"),
    ("a caption", "game.rules", '"Slide a marker"', '"Slide a marker {}"'),
    ("a YAML text", "text/de.yaml", "Das Grundspiel", "Das Grundspiel {}"),
)


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keys", type=int, default=15, help="of each kind")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    with TemporaryDirectory() as scratch:
        folders = [shipped_rulesets()[name] for name in usual_games()]
        write_site(Path(scratch), folders)
        rows = [*visited(Path(scratch), chosen.keys)]
    rows += asyncio.run(answered(chosen.keys))
    cells = [row.cells() for row in rows]
    tell("reach", HEAD, cells, [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
