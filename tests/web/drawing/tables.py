"""Pages of seats to look at: real sittings of shipped games, and a server of pages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import houserule
from houserule.base.resources import shipped_rulesets
from houserule.play.seat.choosing import Chooser, Touched
from houserule.play.seat.session import Sitting
from houserule.ui.web.drawing import SeatPage, table_page, table_part
from houserule.ui.web.pages import AskedPage
from houserule.ui.web.templating import static_file

GAMES = sorted(shipped_rulesets())
LANGUAGES = ("en", "de", "fr", "it")
BASE = "/s/TOKEN"
POLICY = "default-src 'self'; frame-ancestors 'none'"


def begun(
    game: str, decisions: int, first: str = "ann", preset: str | None = None
) -> Sitting:
    """Return a game after some decisions, with a person in the first seat alone."""
    table = houserule.load(game).table(preset=preset)
    names = [first, *["greedy"] * (table.players - 1)]
    made = table.sit(",".join(names))
    for _ in range(decisions):
        if made.decision is None:
            break
        if made.asks_bot():
            made.advance(1)
        else:
            made.choose(made.decision.seat, made.hint(0), bots_at_most=0)
    return made


sitting = cache(begun)
"""The same, made once for all who look at it: nobody may choose in it."""


def asked(made: Sitting) -> Sitting:
    """Let bots go on until the person is asked, if that comes."""
    made.advance()
    return made


def view(
    made: Sitting,
    path: tuple[str, ...] = (),
    language: str = "en",
    viewer: int | None = 0,
    touched: Sequence[Touched] = (),
) -> SeatPage:
    """Return what a seat is shown, along a path of keys and touched components."""
    moment = made.moment(viewer, language)
    step = moment.choice
    before = None
    if step is not None:
        step = chooser(made, language).onward(path, touched=touched)
        before = chooser(made, language).before(step.path)
    return SeatPage(
        base=BASE,
        language=language,
        version=len(made.made),
        moment=moment,
        step=step,
        before=before,
        log=made.log(viewer, language),
        about=tuple(touched),
        can_undo=bool(moment.undo),
    )


def chooser(made: Sitting, language: str) -> Chooser:
    """Return what builds the choices of the person."""
    words = made.rules.wording(language, made.seated.names)
    return Chooser(made.rules, made.game, words, 0)


def ways(made: Sitting, most: int) -> Iterator[tuple[str, ...]]:
    """Yield paths of a choice: the first step, and some that it leads to."""
    yield ()
    if made.decision is None or made.decision.seat != 0:
        return
    step = chooser(made, "en").step(())
    for _ in range(most):
        on = [each for each in step.options if not each.complete]
        if not on:
            return
        path = (*step.path, on[0].key)
        yield path
        step = chooser(made, "en").step(path)


# ---- a server of pages that stand still

Pages = dict[str, Callable[[AskedPage], SeatPage]]
"""What is shown at `/s/NAME` on request."""


class PageHandler(BaseHTTPRequestHandler):
    """Serves the pages of its server under the policy that the product has."""

    server: PageServer

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        words = address.path.strip("/").split("/")
        if words[0] == "static":
            kind = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
            self._answer(static_file(words[-1]), kind[words[-1].rpartition(".")[2]])
            return
        if words[-1] == "events":
            self._answer(b"retry: 100000\n\n", "text/event-stream")
            return
        if words[0] != "s" or words[1] not in self.server.pages:
            self.send_error(404)
            return
        asked_for = AskedPage.of(parse_qsl(address.query))
        shown = self.server.pages[words[1]](asked_for)
        draw = table_part if words[-1] == "part" else table_page
        self._answer(draw(shown).encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.posted.append((self.path, self.rfile.read(length).decode()))
        words = self.path.strip("/").split("/")
        shown = self.server.pages[words[1]](AskedPage())
        draw = table_part if self.headers["X-Part"] else table_page
        self._answer(draw(shown).encode(), "text/html; charset=utf-8")

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class PageServer(ThreadingHTTPServer):
    """A server of pages, which notes what is posted."""

    daemon_threads = True

    def __init__(self, pages: Pages) -> None:
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.pages = pages
        self.posted: list[tuple[str, str]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def serving(pages: Pages) -> Iterator[PageServer]:
    """Serve pages as long as the block lasts."""
    with PageServer(pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
