"""The server: addresses, and what is answered there. Pages come from elsewhere.

Keys stand in addresses, so that one browser can hold several seats and a link is all
that a guest needs. They are in no log, and pages tell no other site where they were.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from houserule.diagnostics.render import DiagnosticsError
from houserule.menu.links import BadLinkError, table_link
from houserule.resources import Phrases
from houserule.seat.choosing.keys import NoSuchChoice
from houserule.seat.undoing import NotNow
from houserule.state.faults import RuleFault
from houserule.web import pages
from houserule.web.guard import Allowance, FrontDoor, TooLargeError
from houserule.web.live import LiveTable, StaleMoveError, new_key, rules_of
from houserule.web.menu_answers import menu_answers
from houserule.web.rules_page import rules_page
from houserule.web.store import Chair, Pass, Role, StoreError, TableStore
from houserule.web.tables import Tables
from houserule.web.templating import static_address, static_file

if TYPE_CHECKING:
    from houserule.web.guard import Application

LOG = logging.getLogger("houserule.web")
STREAMS = 4  # open at once for one browser: it has six connections in all
HEARTBEAT = 15.0  # seconds after which a stream says that it is still there
KINDS_OF_FILE = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
BROWSER = "browser"  # the cookie that tells browsers apart; it says nothing else
Answer = Callable[[Request], Awaitable[Response]]


class TableServer:
    """All that the server answers.

    Args:
        store: where tables are kept.
        hosts: names by which the server may be called.
        pause: seconds between decisions of bots.
        rate: requests a second that one address may go on sending.
    """

    def __init__(
        self,
        store: TableStore,
        hosts: Iterable[str],
        pause: float = 0.7,
        rate: float = 20.0,
    ) -> None:
        self.store, self.tables = store, Tables(store, pause)
        self._streams: dict[str, int] = {}
        self._leaving = asyncio.Event()
        self.app: Application = FrontDoor(self._application(), hosts, Allowance(rate))

    def _application(self) -> Starlette:
        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            going_on = asyncio.create_task(self.tables.go_on())
            yield
            going_on.cancel()
            await self.leave()

        def get(path: str, answer: Answer) -> Route:
            return Route(path, _said(answer), methods=["GET"])

        def post(path: str, answer: Answer) -> Route:
            return Route(path, _said(answer), methods=["POST"])

        routes = [
            get("/health", self.health),
            get("/static/{digest}/{name}", static),
            *(get(at, each) for at, each in menu_answers(_language).items()),
            post("/tables", self.new_table),
            get("/h/{key}", self.host),
            get("/h/{key}/part", self.host),
            post("/h/{key}/{what}", self.host_does),
            get("/j/{key}", self.join),
            get("/j/{key}/part", self.join),
            post("/j/{key}", self.sit),
            get("/s/{key}", self.seat),
            get("/s/{key}/part", self.seat),
            get("/s/{key}/record", self.record),
            get("/s/{key}/rules", self.rules),
            get("/w/{key}/rules", self.rules),
            post("/s/{key}/{what}", self.seat_does),
            get("/w/{key}", self.seat),
            get("/w/{key}/part", self.seat),
            get("/w/{key}/record", self.record),
            *(get(f"/{role}/{{key}}/events", self.events) for role in ROLES),
        ]
        return Starlette(
            routes=routes,
            lifespan=lifespan,
            exception_handlers={HTTPException: _plainly, Exception: _broken},
        )

    async def leave(self) -> None:
        """Let go of all that wait for news, and end the bots."""
        self._leaving.set()
        await self.tables.close()

    # ---- who asks

    def _pass(self, request: Request) -> Pass:
        """Return what the key in an address opens."""
        role = ROLES[request.url.path[1]]
        found = self.store.opened_by(request.path_params["key"])
        if found is None or found.role != role:
            raise HTTPException(404)
        return found

    # ---- the server itself

    async def health(self, _: Request) -> Response:
        """Say whether the server and its database answer."""
        tables = await asyncio.to_thread(self.store.count)
        return JSONResponse({"status": "ok", "tables": tables})

    # ---- opening a table

    async def new_table(self, request: Request) -> Response:
        """Open a table, and show its host who may sit there."""
        form = await _form(request)
        choice, language = form.get("choice", ""), _language(request)

        def make() -> str:
            rules = rules_of(choice)
            spoken = table_link(choice).language or language
            chairs = [Chair(language=spoken)] * rules.program.seats
            key = new_key()
            self.store.new_table(choice, spoken, chairs, [(key, "host")])
            return key

        key = await asyncio.to_thread(make)
        return _see(f"/h/{key}")

    async def host(self, request: Request) -> Response:
        """Show the host's page."""
        found = self._pass(request)
        key = request.path_params["key"]

        def show(table: LiveTable) -> pages.Page:
            return pages.host_page(
                table, f"/h/{key}", _here(request), dict(request.query_params)
            )

        page = await self.tables.do(found.table, show)
        answer = _page(request, page)
        _remember(answer, f"host{found.table}", key)
        return answer

    async def host_does(self, request: Request) -> Response:
        """Let the host seat somebody, or begin a game."""
        found = self._pass(request)
        base = f"/h/{request.path_params['key']}"
        form = await _form(request)
        seat = _number(form.get("seat", "0"))
        what = request.path_params["what"]

        def work(table: LiveTable) -> str:
            if not 0 <= seat < len(table.seats):
                raise HTTPException(404)
            match what:
                case "bot":
                    table.seat_bot(seat, form.get("kind", ""))
                case "free":
                    table.free(seat)
                case "sit":
                    language = table.stored.language
                    return f"/s/{table.sit(seat, form.get('name', ''), language)}"
                case "invite":
                    return f"{base}?invite={table.key('join')}"
                case "watch":
                    return f"{base}?watch={table.key('watch')}"
                case "begin":
                    table.begin()
                case _:
                    raise HTTPException(404)
            return base

        try:
            return _see(await self.tables.do(found.table, work))
        except ValueError as error:
            return _see(f"{base}?{urlencode({'notice': str(error)})}")

    # ---- sitting down

    async def join(self, request: Request) -> Response:
        """Show who comes by an invitation which seats are free."""
        found = self._pass(request)
        base = f"/j/{request.path_params['key']}"
        language, notice = _language(request), request.query_params.get("notice", "")

        def show(table: LiveTable) -> pages.Page:
            return pages.join_page(table, base, language, notice)

        return _page(request, await self.tables.do(found.table, show))

    async def sit(self, request: Request) -> Response:
        """Let a guest take a seat, and show it."""
        found = self._pass(request)
        form = await _form(request)
        language = _language(request, form.get("language", ""))
        seat = _number(form.get("seat", "0"))

        def work(table: LiveTable) -> str:
            if not 0 <= seat < len(table.seats):
                raise HTTPException(404)
            spoken = language if language in pages.languages_at(table) else "en"
            return f"/s/{table.sit(seat, form.get('name', ''), spoken)}"

        try:
            return _see(await self.tables.do(found.table, work))
        except ValueError as error:
            base = f"/j/{request.path_params['key']}"
            return _see(f"{base}?{urlencode({'notice': str(error)})}")

    # ---- a seat, and a watcher

    async def seat(self, request: Request) -> Response:
        """Show what one seat sees, or what all see."""
        found = self._pass(request)
        return await self._shown(request, found)

    async def _shown(
        self, request: Request, found: Pass, notice: str = "", status: int = 200
    ) -> Response:
        key = request.path_params["key"]
        base = f"/{request.url.path[1]}/{key}"
        host = request.cookies.get(f"host{found.table}", "")
        asked = pages.AskedPage.of(request.query_params.multi_items(), notice)

        def show(table: LiveTable) -> pages.Page:
            table.look(found.seat)
            return pages.seat_page(table, found.seat, base, host, asked)

        page = await self.tables.do(found.table, show)
        posted = request.method == "POST" and "x-part" in request.headers
        part = posted or request.url.path.endswith("/part")
        answer = HTMLResponse(page.part() if part else page.whole(), status)
        _remember(answer, BROWSER, request.cookies.get(BROWSER) or secrets.token_hex(8))
        return answer

    async def seat_does(self, request: Request) -> Response:
        """Let a seat decide, take back, or begin another game."""
        found = self._pass(request)
        fields = await _fields(request)
        form, path = dict(fields), [text for name, text in fields if name == "path"]
        version, seat = _number(form.get("version", "")), found.seat
        what = request.path_params["what"]
        if seat is None or what not in DEEDS:
            raise HTTPException(404)

        def work(table: LiveTable) -> None:
            table.look(seat)
            DEEDS[what](table, seat, version, path)

        notice, said, status = "", "", 200
        try:
            await self.tables.do(found.table, work)
        except StaleMoveError:
            notice, status = "stale", 409
        except NotNow as error:
            said, status = error.text(await self._spoken(found)), 409
        except NoSuchChoice:
            notice, status = "no_such_choice", 422
        except RuleFault:
            notice, status = "rule_fault", 422
        except ValueError as error:
            notice, status = str(error), 409
        said = said or pages.notice_in(notice, await self._spoken(found))
        if "x-part" in request.headers or said:
            return await self._shown(request, found, said, status)
        return _see(f"/s/{request.path_params['key']}")

    async def _spoken(self, found: Pass) -> str:
        seat = found.seat
        return await self.tables.do(found.table, lambda t: t.language_of(seat))

    async def record(self, request: Request) -> Response:
        """Give the record of a game that is over: it tells every secret."""
        found = self._pass(request)

        def work(table: LiveTable) -> tuple[str, str]:
            if not table.over or table.sitting is None:
                raise HTTPException(403)
            return table.rules.program.game, table.sitting.text

        game, text = await self.tables.do(found.table, work)
        headers = {"content-disposition": f'attachment; filename="{game}.jsonl"'}
        return Response(text, headers=headers, media_type="application/jsonl")

    async def rules(self, request: Request) -> Response:
        """Show the rules of a table."""
        found = self._pass(request)
        back = request.url.path.removesuffix("/rules")

        def show(table: LiveTable) -> str:
            return rules_page(table.rules, table.language_of(found.seat), back)

        return HTMLResponse(await self.tables.do(found.table, show))

    # ---- news

    async def events(self, request: Request) -> Response:
        """Tell the version of a table, again and again as it grows: nothing else."""
        found = self._pass(request)
        browser = request.cookies.get(BROWSER, "")
        client = request.client.host if request.client else ""
        who = browser or client
        if self._streams.get(who, 0) >= STREAMS:
            return Response(status_code=204)  # which ends it: the page asks by itself
        seen = _number(request.headers.get("last-event-id", "")) or 0
        stream = self._told(request, found, seen, who)
        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(
            stream, media_type="text/event-stream", headers=headers
        )

    async def _told(
        self, request: Request, found: Pass, seen: int, who: str
    ) -> AsyncIterator[str]:
        self._streams[who] = self._streams.get(who, 0) + 1
        try:
            yield "retry: 1000\n\n"
            while not self._leaving.is_set():
                version = await self.tables.beyond(found.table, seen, HEARTBEAT)
                self.tables.note(found)
                if await request.is_disconnected():
                    return
                if self.store.opened_by(request.path_params["key"]) != found:
                    return  # the host has given the seat to somebody else
                if version > seen:
                    seen = version
                    yield f"id: {version}\ndata: {version}\n\n"
                else:
                    yield ": still here\n\n"
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]


ROLES: Mapping[str, Role] = {"h": "host", "j": "join", "s": "seat", "w": "watch"}
DEEDS: Mapping[str, Callable[[LiveTable, int, int, list[str]], None]] = {
    "choose": LiveTable.choose,
    "undo": lambda table, seat, at, _: table.take_back(seat, at, turn=False),
    "restart": lambda table, seat, at, _: table.take_back(seat, at, turn=True),
    "ask-undo": lambda table, seat, at, _: table.ask_back(seat, at),
    "agree": lambda table, seat, at, _: table.answer_back(seat, at, agree=True),
    "refuse": lambda table, seat, at, _: table.answer_back(seat, at, agree=False),
    "rematch": lambda table, seat, at, _: table.begin(),
}


# ---- pages that belong to no table


async def static(request: Request) -> Response:
    """Give a file that pages need."""
    name = request.path_params["name"]
    try:
        content = static_file(name)
    except FileNotFoundError:
        raise HTTPException(404) from None
    if request.url.path != static_address(name):
        raise HTTPException(404)
    kind = KINDS_OF_FILE.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=kind)


# ---- below


def _said(answer: Answer) -> Answer:
    """Return what answers, with faults told in words and without secrets."""

    async def told(request: Request) -> Response:
        start = time.perf_counter()
        status = 500
        try:
            response = await answer(request)
            status = response.status_code
            return response
        except (TooLargeError, ClientDisconnect):
            status = 413
            return _error(request, status)
        except (DiagnosticsError, BadLinkError) as error:
            status = 422
            return _error(request, status, str(error))
        except StoreError:
            LOG.exception("the store fails")
            status = 503
            return _error(request, status)
        finally:
            route = request.scope.get("route")
            seconds = time.perf_counter() - start
            fields = {
                "method": request.method,
                "route": route.path if route else "",  # the address itself has a key
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


def _error(request: Request, status: int, why: str = "") -> Response:
    language = _language(request)
    if "x-part" in request.headers:
        words = Phrases("web", language)
        return PlainTextResponse(why or words.say(f"error_{status}"), status)
    return HTMLResponse(pages.error_page(status, language, why), status)


async def _fields(request: Request) -> list[tuple[str, str]]:
    """Return the fields of a form, in order."""
    body = await request.body()
    with suppress(UnicodeDecodeError, ValueError):
        return parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=200
        )
    raise HTTPException(400)


async def _form(request: Request) -> dict[str, str]:
    return dict(await _fields(request))


def _language(request: Request, wished: str = "") -> str:
    """Return the language for who asks: as wished, else as the browser has it."""
    header = request.headers.get("accept-language", "")
    accepted = (each.split(";")[0].strip()[:2].lower() for each in header.split(","))
    asked = request.query_params.get("lang", "")
    return pages.language_for((wished, asked, *accepted))


def _number(text: str) -> int:
    """Return the number that a text is; -1 if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def _here(request: Request) -> str:
    """Return how guests call this server; its name was looked at before."""
    return f"{request.url.scheme}://{request.headers['host']}"


def _page(request: Request, page: pages.Page) -> Response:
    part = request.url.path.endswith("/part")
    return HTMLResponse(page.part() if part else page.whole())


def _see(address: str) -> Response:
    return RedirectResponse(address, 303)


def _remember(answer: Response, name: str, text: str) -> None:
    answer.set_cookie(name, text, httponly=True, samesite="strict", max_age=2_592_000)
