"""The tables at which a browser has a seat, for returning to them.

The browser stores the keys of its last seats in a cookie that scripts cannot read and
that is not sent to other sites, each with the last seen version of the table.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.executors import in_thread
from houserule.base.frozen import frozen
from houserule.base.resources import LANGUAGES
from houserule.engine.state.faults import RuleFault
from houserule.ui.web.answers.asking import Answer, form_of, pass_of, remember, see
from houserule.ui.web.games import NotHereError
from houserule.ui.web.live import LiveTable
from houserule.ui.web.notices import NoticeError
from houserule.ui.web.pages import notice_in
from houserule.ui.web.passes import Pass
from houserule.ui.web.store import Chair
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import render

COOKIE = "seats"
LISTED = 8  # tables on the first page
MOST = 24  # seats stored in a browser
Stands: TypeAlias = Literal[
    "your turn", "others turn", "under way", "over", "not begun"
]
_KEPT = re.compile(r"([\w-]{16,64})\.(\d{1,12})", re.ASCII)


@frozen
class YourTable:
    """A table at which a browser has a seat.

    Attributes:
        title: the game and its house rules.
        stands: the game's status for the seat.
        news: the number of events since the browser last looked.
    """

    title: str
    address: str
    name: str
    stands: Stands
    news: int


@frozen
class TableStands:
    """The status of a table, for any viewer.

    Attributes:
        titles: the game and its house rules, by language.
        asked: the seats that must decide; several while claims are asked of all.
        begun: whether there is a game; without `asked`, it is over.
    """

    titles: Mapping[str, str]
    asked: Sequence[int]
    begun: bool

    def for_seat(self, seat: int) -> Stands:
        if not self.begun:
            return "not begun"
        if not self.asked:
            return "over"
        return "your turn" if seat in self.asked else "others turn"


class PlayedElsewhere(Protocol):
    """The tables that are played in separate processes."""

    async def stands(self, table: int) -> TableStands | None:
        """Return the status of a table; None if it does not arrive soon."""

    def title(self, table: int, language: str) -> str:
        """Return its description without its rules; '' if it is not played."""

    async def set_notices(self, table: int, seat: int, address: str) -> None:
        """Set where a seat's notices go; an empty text is nowhere."""


def stands_now(table: LiveTable) -> TableStands:
    """Return the status of a table in this process."""
    sitting = table.sitting
    seats = range(len(table.seats) if sitting is not None else 0)
    return TableStands(
        titles={each: table.sentence(each) for each in LANGUAGES},
        asked=[seat for seat in seats if sitting and sitting.asked_game(seat)],
        begun=sitting is not None,
    )


def seats_in(request: Request) -> dict[str, int]:
    """Return the keys stored in a browser, the last used first, with versions."""
    kept = request.cookies.get(COOKIE, "").split("~")
    found = filter(None, map(_KEPT.fullmatch, kept))
    return {each[1]: int(each[2]) for each in list(found)[:MOST]}


def keep_seat(request: Request, answer: Response, key: str, version: int) -> None:
    """Store a seat's key and its last seen version in a browser."""
    seats = {key: version} | seats_in(request) | {key: version}
    kept = [f"{each}.{seen}" for each, seen in seats.items()]
    remember(answer, COOKIE, "~".join(kept[:MOST]))


class YourTables:
    """Finds the tables at which a browser has a seat, and sets where notices go.

    This process does so for every table, and sends the test of a notice.

    Args:
        elsewhere: the tables that are played in other processes.
    """

    def __init__(self, tables: Tables, elsewhere: PlayedElsewhere) -> None:
        self.tables, self.store = tables, tables.store
        self._elsewhere = elsewhere

    @property
    def routes(self) -> Mapping[str, Answer]:
        """Return the handlers, by method and address."""
        found: dict[str, Answer] = {"POST /forget": self.forget}
        if self.tables.notices.places:
            at = "/s/{key}/notices"
            found |= {f"GET {at}": self.ask_for_notices, f"POST {at}": self.set_notices}
        return found

    async def forget(self, _: Request) -> Response:
        """Remove all seats from a browser; their addresses stay valid."""
        answer = see("/")
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    async def of(self, request: Request, language: str) -> list[YourTable]:
        """Return a visitor's tables, except those with expired keys."""
        kept = list(seats_in(request).items())[:LISTED]
        lines = (self._line(key, version, language) for key, version in kept)
        found = [each for each in await asyncio.gather(*lines) if each is not None]
        return sorted(found, key=lambda each: each.stands != "your turn")

    async def _line(self, key: str, seen: int, language: str) -> YourTable | None:
        """Return the table of a key; None if there is none, or it cannot be read."""
        opens = await self.store.opens(key)
        if opens is None or opens.role != "seat" or opens.seat is None:
            return None
        stands: TableStands | None
        try:
            stands = await self.tables.do(opens.table, stands_now)
        except (DiagnosticsError, RuleFault, OSError):
            return None  # the table's page reports the error
        except NotHereError:
            stands = await self._elsewhere.stands(opens.table)
        stored = await in_thread(self.store.table, opens.table)
        if stands is None:
            of = self._elsewhere.title
            title = await in_thread(of, opens.table, language)
        else:
            title = stands.titles[language]
        if not title:
            return None
        return YourTable(
            title=title,
            address=f"/s/{key}",
            name=stored.chairs[opens.seat].name,
            stands="under way" if stands is None else stands.for_seat(opens.seat),
            news=max(0, stored.version - seen),
        )

    # ---- notices that reach a player without an open page

    async def ask_for_notices(self, request: Request) -> Response:
        """Show a player's address, and where notices may go."""
        found = await pass_of(self.store, request)
        chair, title = await self._chair(found)
        notice = request.query_params.get("notice", "")
        page = render(
            "notices.html",
            chair.language,
            base=f"/s/{request.path_params['key']}",
            title=title,
            address=chair.notices,
            places=sorted(self.tables.notices.places),
            notice=notice_in(notice, chair.language),
        )
        return HTMLResponse(page)

    async def set_notices(self, request: Request) -> Response:
        """Send a test to an address, and keep the address if that works."""
        found = await pass_of(self.store, request)
        assert found.seat is not None, "a seat's key names it"
        table, seat, notices = found.table, found.seat, self.tables.notices
        address = (await form_of(request)).get("address", "").strip()
        notice = "notices_off"
        try:
            if address:
                chair, title = await self._chair(found)
                text = notices.text("notices_test", chair.language, title)
                await notices.post(table, address, text)
                notice = "notices_sent"
            try:
                await self.tables.do(
                    table, lambda live: live.set_notices(seat, address)
                )
            except NotHereError:
                await self._elsewhere.set_notices(table, seat, address)
        except NoticeError as error:
            notice = str(error)
        key = request.path_params["key"]
        return see(f"/s/{key}/notices?{urlencode({'notice': notice})}")

    async def _chair(self, found: Pass) -> tuple[Chair, str]:
        """Return a player's chair, and the title of the game."""
        assert found.seat is not None, "a seat's key names it"
        stored = await in_thread(self.store.table, found.table)
        chair = stored.chairs[found.seat]
        try:
            title = await self.tables.do(
                found.table, lambda live: live.sentence(chair.language)
            )
        except NotHereError:
            title = await in_thread(self._elsewhere.title, found.table, chair.language)
        return chair, title
