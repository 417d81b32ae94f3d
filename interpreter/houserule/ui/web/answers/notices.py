"""Request handlers for notices that reach a player without an open page."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from houserule.ui.web.answers.asking import Answer, form_of, pass_of, see
from houserule.ui.web.live import LiveTable
from houserule.ui.web.notices import NoticeError
from houserule.ui.web.pages import notice_in
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import render


class NoticeAnswers:
    """Request handlers for a player's address for notices."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.store

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
        assert found.seat is not None, "a seat's key names it"
        seat, base = found.seat, f"/s/{request.path_params['key']}"
        notice = request.query_params.get("notice", "")

        def show(table: LiveTable) -> str:
            language = table.language_of(seat)
            return render(
                "notices.html",
                language,
                base=base,
                title=table.sentence(language),
                address=table.stored.chairs[seat].notices,
                places=sorted(self.tables.notices.places),
                notice=notice_in(notice, language),
            )

        return HTMLResponse(await self.tables.do(found.table, show))

    async def set(self, request: Request) -> Response:
        """Send a test to an address, and keep the address if that works."""
        found = await pass_of(self.store, request)
        assert found.seat is not None, "a seat's key names it"
        seat, notices = found.seat, self.tables.notices
        address = (await form_of(request)).get("address", "").strip()

        def said(table: LiveTable) -> str:
            language = table.language_of(seat)
            return notices.text("notices_test", language, table.sentence(language))

        notice = "notices_off"
        try:
            if address:
                text = await self.tables.do(found.table, said)
                await notices.post(found.table, address, text)
                notice = "notices_sent"
            await self.tables.do(found.table, lambda t: t.set_notices(seat, address))
        except NoticeError as error:
            notice = str(error)
        key = request.path_params["key"]
        return see(f"/s/{key}/notices?{urlencode({'notice': notice})}")
