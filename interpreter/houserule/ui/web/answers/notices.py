"""Request handlers for notices that reach a player without an open page."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from houserule.base.executors import in_thread
from houserule.ui.web.answers.asking import Answer, form_of, pass_of, see
from houserule.ui.web.answers.yours import PlayedElsewhere
from houserule.ui.web.games import NotHereError
from houserule.ui.web.notices import NoticeError
from houserule.ui.web.pages import notice_in
from houserule.ui.web.passes import Pass
from houserule.ui.web.store import Chair
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import render


class NoticeAnswers:
    """Request handlers for a player's address for notices.

    This process answers them for every table, and sends the test.

    Args:
        elsewhere: the tables that are played in other processes.
    """

    def __init__(self, tables: Tables, elsewhere: PlayedElsewhere) -> None:
        self.tables, self.store = tables, tables.store
        self._elsewhere = elsewhere

    @property
    def gets(self) -> Mapping[str, Answer]:
        """Return the GET handlers, by address; none if the server sends no notices."""
        return {"/s/{key}/notices": self.ask} if self.tables.notices.places else {}

    @property
    def posts(self) -> Mapping[str, Answer]:
        """Return the POST handlers, by address."""
        return {"/s/{key}/notices": self.set} if self.tables.notices.places else {}

    async def ask(self, request: Request) -> Response:
        """Show a player's address, and where notices may go."""
        found = await pass_of(self.store, request)
        chair, title = await self._of(found)
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

    async def set(self, request: Request) -> Response:
        """Send a test to an address, and keep the address if that works."""
        found = await pass_of(self.store, request)
        assert found.seat is not None, "a seat's key names it"
        table, seat, notices = found.table, found.seat, self.tables.notices
        address = (await form_of(request)).get("address", "").strip()
        notice = "notices_off"
        try:
            if address:
                chair, title = await self._of(found)
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

    async def _of(self, found: Pass) -> tuple[Chair, str]:
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
