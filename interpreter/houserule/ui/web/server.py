"""The server: addresses and their handlers; other modules make the pages.

Keys are in addresses, so that one browser can have several seats, and a guest only
needs a link. They are in no log, and pages send no referrer to other sites.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import (
    AsyncIterator,
    Callable,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.executors import in_thread
from houserule.base.resources import Phrases
from houserule.engine.bots.bot import NAMES
from houserule.engine.state.faults import RuleFault
from houserule.play.seat.choosing.keys import NoSuchChoice
from houserule.play.seat.undoing import NotNow
from houserule.ui.configurator.links import BadLinkError
from houserule.ui.web import pages
from houserule.ui.web.answers.asking import (
    ROLES,
    Answer,
    fields_of,
    here,
    language_of,
    number_in,
    pass_of,
    remember,
    see,
)
from houserule.ui.web.answers.lobby import LobbyAnswers
from houserule.ui.web.answers.records import RecordAnswers
from houserule.ui.web.answers.yours import YourTables, keep_seat, seats_in
from houserule.ui.web.database.connection import StoreError
from houserule.ui.web.guard import (
    AddressLimits,
    Allowance,
    Application,
    AtOnce,
    FrontDoor,
    TooLargeError,
    sender_of,
)
from houserule.ui.web.live import LiveTable, StaleMoveError
from houserule.ui.web.menu.answers import menu_answers
from houserule.ui.web.notices import Notices
from houserule.ui.web.own.rules_store import UnknownTextError
from houserule.ui.web.own.serving import OwnRulesAnswers
from houserule.ui.web.own.workers import OwnRulesError
from houserule.ui.web.passes import Pass
from houserule.ui.web.records.courses import Courses
from houserule.ui.web.records.history import tallies
from houserule.ui.web.rules_page import rules_file, rules_page
from houserule.ui.web.store import DamagedTableError, TableStore
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import static_address, static_file

LOG = logging.getLogger("houserule.web")
USUAL_LIMITS = AddressLimits()
STREAMS = 4  # open streams per browser, which has six connections; also per seat
STREAMS_AT_TABLE = 60  # open streams for all viewers of a table
OPENING = ("POST /tables", "POST /records")
HOUR = 3600.0  # seconds
MEASURE = 60.0  # seconds between measurements of the length of games
HEARTBEAT = 15.0  # seconds between signs of life of a stream
KINDS_OF_FILE = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
LEARNT = "learnt"  # the cookie with the games whose turn this browser's player knows
MOST_LEARNT = 40
_GAME = re.compile(r"\w{1,64}", re.ASCII)
BROWSER = "browser"  # the cookie that distinguishes browsers; it has no other content


class TableServer:
    """The server's application.

    Args:
        pause: seconds between decisions of bots; None if another process runs them.
        own: whether users' own rules are allowed.
        bots: the names of the bots that hosts may seat.
        public: the address for other computers, if the server knows it.
        notices: sends lines of text to players without an open page.
    """

    def __init__(
        self,
        store: TableStore,
        hosts: Iterable[str],
        pause: float | None = 0.7,
        *,
        limits: AddressLimits = USUAL_LIMITS,
        own: bool = True,
        bots: Sequence[str] = NAMES,
        public: str = "",
        notices: Notices | None = None,
    ) -> None:
        self.store, self.tables = store, Tables(store, pause, bots, notices)
        self._own = OwnRulesAnswers(self.tables, allowed=own, public=public)
        self._public = public
        self.courses = Courses(self.tables)
        self.limits, self._streams = limits, AtOnce()
        self._openings = Allowance(limits.tables / HOUR, limits.tables)
        self._writes = asyncio.Lock()
        self._lengths: Mapping[str, int] = {}
        self._leaving = asyncio.Event()
        self.within: Application = self._application()
        self.app: Application = FrontDoor(self.within, hosts, limits)

    def _application(self) -> Starlette:
        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            going_on = asyncio.gather(
                self.tables.go_on(),
                self._own.go_on(),
                self.tables.tidy(),
                self._measure_lengths(),
            )
            yield
            going_on.cancel()
            with suppress(asyncio.CancelledError):
                await going_on
            await self.leave()

        def route(at: str, answer: Answer) -> Route:
            method, path = at.split()
            answer = self._own.around(answer)
            if at in OPENING:
                answer = self._seldom(answer)
            return Route(path, _said(answer), methods=[method])

        yours = YourTables(self.tables, self._own)
        records = RecordAnswers(self.tables, self._own)
        answers: dict[str, Answer] = {
            "GET /health": self.health,
            "GET /static/{digest}/{name}": static,
            **menu_answers(
                language_of, yours.of, lambda: self._lengths, self._own.kept
            ),
        }
        for beside in (self._own, records, LobbyAnswers(self.tables), yours):
            answers |= beside.routes
        for role in AT_TABLE:
            at = f"GET /{role}/{{key}}"
            answers[at] = answers[f"{at}/part"] = self.seat
            answers[f"{at}/rules"] = self.rules
            answers[f"{at}/rules.html"] = self.rules_file
        for role in "sa":
            answers[f"POST /{role}/{{key}}/{{what}}"] = self.seat_does
        for role in ROLES:
            answers[f"GET /{role}/{{key}}/events"] = self.events
        routes = [route(at, each) for at, each in answers.items()]
        made = Starlette(
            routes=routes,
            lifespan=lifespan,
            exception_handlers={HTTPException: _plainly, Exception: _broken},
        )
        made.state.public = self._public
        return made

    def _seldom(self, answer: Answer) -> Answer:
        """Limit a handler that opens tables to the rate of an address."""

        async def limited(request: Request) -> Response:
            # Requests to a table's own process come from the server, without an
            # address.
            if request.client and not self._openings.take(sender_of(request.scope)):
                raise HTTPException(429)
            return await answer(request)

        return limited

    async def leave(self) -> None:
        """Release all waiting streams, and stop the bots."""
        self._leaving.set()
        await self.courses.close()
        await self.tables.close()
        await self._own.close()

    async def _measure_lengths(self) -> None:
        """Keep the average number of choices in a game; no page waits for it."""
        while True:
            with suppress(StoreError):
                found = await in_thread(tallies, self.store)
                self._lengths = {
                    name: max(1, t.choices // t.games) for name, t in found.items()
                }
            await asyncio.sleep(MEASURE)

    # ---- the server itself

    async def health(self, _: Request) -> Response:
        """Return whether tables can be read and written."""
        try:
            async with self._writes:  # one at a time: it may wait for the database
                await in_thread(self.store.check_writes)
            tables = await in_thread(self.store.count)
        except StoreError as error:
            LOG.error("the store fails: %s", error)
            return JSONResponse({"status": "tables cannot be kept"}, 503)
        return JSONResponse({"status": "ok", "tables": tables})

    # ---- a seat, and a watcher

    async def seat(self, request: Request) -> Response:
        """Show the view of one seat, or of a watcher."""
        found = await pass_of(self.store, request)
        return await self._shown(request, found)

    async def _shown(
        self,
        request: Request,
        found: Pass,
        deed: Callable[[LiveTable], None] = lambda _: None,
        learnt: Sequence[str] = (),
    ) -> Response:
        """Do something at a table and show it, while no one else uses the table."""
        key = request.path_params["key"]
        base = f"/{request.url.path[1]}/{key}"
        host = request.cookies.get(f"host{found.table}", "")
        posted = request.method == "POST"
        scripted = posted and "x-part" in request.headers
        part = scripted or request.url.path.endswith("/part")
        address = here(request)

        ended = 0  # the number of the last game if it is over, and its course is due

        def work(table: LiveTable) -> tuple[str, int, int] | None:
            nonlocal ended
            deputy = found.role == "deputy"
            if deputy and not table.deputy(found.seat):
                raise HTTPException(404)
            table.look(None if deputy else found.seat)
            status, said = _done(deed, table, found.seat)
            if posted and (self.store.opened_by(key) is None or not (scripted or said)):
                return None
            asked = pages.AskedPage.of(request.query_params.multi_items(), said)
            deputy = found.role == "deputy"
            invite = pages.invitation(table, host, address)
            if not table.over:
                self.courses.forget(table.id)
            course = self.courses.of(table)
            ended = table.stored.number if table.over and course is None else 0
            keys = seats_in(request) if table.over and found.role == "seat" else {}
            others = filter(None, map(self.store.opened_by, keys))
            page = pages.seat_page(
                table,
                found.seat,
                base,
                host,
                asked,
                deputy=deputy,
                notices=bool(self.tables.notices.places),
                invite=invite,
                learnt=(*learnt, *request.cookies.get(LEARNT, "").split("~")),
                course=course,
                others=[each.table for each in others if each.role == "seat"],
            )
            return page.part() if part else page.whole(), table.version, status

        shown = await self.tables.do(found.table, work)
        if shown is None:
            if await self.store.opens(key) is None:  # acting for the player has ended
                base = f"/h/{host}" if host else "/"
            return see(base)
        if ended:
            self.courses.want(found.table, ended)
        text, version, status = shown
        answer = HTMLResponse(text, status)
        if found.role == "seat":
            keep_seat(request, answer, key, version)
        remember(answer, BROWSER, request.cookies.get(BROWSER) or secrets.token_hex(8))
        return answer

    async def seat_does(self, request: Request) -> Response:
        """Let a seat decide, undo, or begin another game; a deputy can only decide."""
        found = await pass_of(self.store, request)
        fields = await fields_of(request)
        form, path = dict(fields), [text for name, text in fields if name == "path"]
        if form.get("amount-of"):  # the button of a field for a number
            path.append(f"{form['amount-of']}={form.get('amount', '').strip()}")
        version, seat = number_in(form.get("version", "")), found.seat
        what = request.path_params["what"]
        deeds = DEEDS if found.role == "seat" else DEEDS_OF_DEPUTIES
        if seat is None or what not in deeds:
            raise HTTPException(404)
        deed = deeds[what]
        if what == "say":
            deed = partial(_say, form.get("text", ""))
        game = form.get("game", "")
        learnt = (game,) if what == "learnt" and _GAME.fullmatch(game) else ()
        answer = await self._shown(
            request, found, lambda table: deed(table, seat, version, path), learnt
        )
        if learnt:
            known = request.cookies.get(LEARNT, "").split("~")
            games = dict.fromkeys((*learnt, *filter(_GAME.fullmatch, known)))
            remember(answer, LEARNT, "~".join([*games][:MOST_LEARNT]))
        return answer

    async def rules(self, request: Request) -> Response:
        found = await pass_of(self.store, request)
        back = request.url.path.removesuffix("/rules")

        def show(table: LiveTable) -> str:
            return rules_page(table, table.language_of(found.seat), back)

        return HTMLResponse(await self.tables.do(found.table, show))

    async def rules_file(self, request: Request) -> Response:
        found = await pass_of(self.store, request)

        def make(table: LiveTable) -> tuple[str, str]:
            return rules_file(table, table.language_of(found.seat))

        text, name = await self.tables.do(found.table, make)
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return HTMLResponse(text, headers=headers)

    # ---- event streams

    async def events(self, request: Request) -> Response:
        """Send each new version number of a table, and nothing else."""
        found = await pass_of(self.store, request)
        sender = sender_of(request.scope)
        # A browser can fake another cookie, but not another address.
        browser = request.cookies.get(BROWSER) or sender
        most: dict[Hashable, int] = {
            ("browser", browser): STREAMS,
            ("address", sender): self.limits.streams,
            ("table", found.table): STREAMS_AT_TABLE,
        }
        if found.seat is not None:
            most["seat", found.table, found.seat] = STREAMS
        if not self._streams.take(most):
            return Response(status_code=204)  # ends the stream: then the page polls
        seen = number_in(request.headers.get("last-event-id", "")) or 0
        told = self._told(request, found, seen)
        return NewsResponse(told, partial(self._streams.release, most))

    async def _told(
        self, request: Request, found: Pass, seen: int
    ) -> AsyncIterator[str]:
        try:
            yield "retry: 1000\n\n"
            while not self._leaving.is_set():
                version = await self.tables.beyond(found.table, seen, HEARTBEAT)
                self.tables.note(found)
                if await request.is_disconnected():
                    return
                if await self.store.opens(request.path_params["key"]) != found:
                    return  # the host has given the seat to another player
                if version > seen:
                    seen = version
                    yield f"id: {version}\ndata: {version}\n\n"
                else:
                    yield ": still here\n\n"
        except StoreError:
            return  # the browser reconnects automatically


class NewsResponse(StreamingResponse):
    """An event stream; it calls `release` when it has ended, or never began."""

    def __init__(self, told: AsyncIterator[str], release: Callable[[], None]) -> None:
        headers = {"x-accel-buffering": "no"}
        super().__init__(told, media_type="text/event-stream", headers=headers)
        self._release = release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()


AT_TABLE = "swa"  # roles that see the table: seats, watchers, deputies
Deed: TypeAlias = Callable[[LiveTable, int, int, list[str]], None]
DEEDS: Mapping[str, Deed] = {
    "choose": LiveTable.choose,
    "undo": lambda table, seat, at, _: table.take_back(seat, at, turn=False),
    "restart": lambda table, seat, at, _: table.take_back(seat, at, turn=True),
    "ask-undo": lambda table, seat, at, _: table.ask_back(seat, at),
    "agree": lambda table, seat, at, _: table.answer_back(seat, at, agree=True),
    "refuse": lambda table, seat, at, _: table.answer_back(seat, at, agree=False),
    "rematch": lambda table, seat, at, _: table.begin(),
    "back": lambda table, seat, at, _: table.end_acting(seat),
    "say": lambda table, seat, at, path: table.say(seat, ""),  # with a text: `_say`
    "learnt": lambda table, seat, at, path: None,  # only the browser keeps it
}


def _say(text: str, table: LiveTable, seat: int, _: int, __: list[str]) -> None:
    table.say(seat, text)


DEEDS_OF_DEPUTIES: Mapping[str, Deed] = {
    "choose": partial(LiveTable.choose, deputy=True),
    "stop": DEEDS["back"],
}


# ---- pages without a table


async def static(request: Request) -> Response:
    """Return a static file for pages."""
    name = request.path_params["name"]
    try:
        content = static_file(name)
    except FileNotFoundError:
        raise HTTPException(404) from None
    if request.url.path != static_address(name):
        raise HTTPException(404)
    kind = KINDS_OF_FILE.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=kind)


# ---- helpers


def _done(
    deed: Callable[[LiveTable], None], table: LiveTable, seat: int | None
) -> tuple[int, str]:
    """Do something at a table; return the status, and a sentence if it was refused."""
    try:
        deed(table)
    except StaleMoveError:
        status, notice = 409, "stale"
    except NotNow as error:
        return 409, error.text(table.language_of(seat))
    except NoSuchChoice:
        status, notice = 422, "no_such_choice"
    except RuleFault:
        status, notice = 422, "rule_fault"
    except ValueError as error:
        status, notice = 409, str(error)
    else:
        return 200, ""
    return status, pages.notice_in(notice, table.language_of(seat))


def _said(answer: Answer) -> Answer:
    """Wrap a handler: errors become sentences without secrets."""

    async def told(request: Request) -> Response:
        start = time.perf_counter()
        status = 500
        try:
            response = await answer(request)
            status = response.status_code
            return response
        except HTTPException as error:
            status = error.status_code
            raise
        except (TooLargeError, ClientDisconnect):
            status = 413
            return _error(request, status)
        except (DiagnosticsError, BadLinkError) as error:
            status = 422
            return _error(request, status, str(error))
        except UnknownTextError:
            status = 410
            return _error(request, status)
        except OwnRulesError as error:
            status = 503
            why = Phrases("web", language_of(request)).say(f"own {error.why}")
            return _error(request, status, says=why)
        except DamagedTableError as error:
            LOG.error("%s", error)
            status = 500
            words = Phrases("web", language_of(request))
            return _error(request, status, says=words.say("table_damaged"))
        except StoreError as error:
            LOG.error("the store fails: %s", error)
            status = 503
            return _error(request, status)
        finally:
            route = request.scope.get("route")
            seconds = time.perf_counter() - start
            fields = {
                "method": request.method,
                "route": route.path if route else "",  # the address contains a key
                "status": status,
                "ms": round(seconds * 1000, 1),
            }
            LOG.info("answered", extra={"fields": fields})

    return told


async def _plainly(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(request, error.status_code)


async def _broken(request: Request, error: Exception) -> Response:
    LOG.error("an answer fails", exc_info=error)
    return _error(request, 500)


def _error(request: Request, status: int, why: str = "", says: str = "") -> Response:
    """Return an error page.

    Args:
        says: a sentence that replaces the one for the status.
    """
    language = language_of(request)
    says = says or Phrases("web", language).say(f"error_{status}")
    if "x-part" in request.headers:
        return PlainTextResponse(why or says, status)
    return HTMLResponse(pages.error_page(language, says, why), status)
