"""Request handlers for deputies, and for handing over a seat."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from houserule.ui.web import pages
from houserule.ui.web.answers.asking import (
    Answer,
    form_of,
    here,
    language_of,
    number_in,
    pass_of,
    see,
    shown,
)
from houserule.ui.web.live import LiveTable
from houserule.ui.web.pages import notice_in, picture_of
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import render


class PeopleAnswers:
    """Requests of a host who acts for a player, or hands over a seat."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.store

    @property
    def gets(self) -> Mapping[str, Answer]:
        """Return the GET handlers, by address."""
        return {
            "/h/{key}/act": self.ask_to_act,
            "/s/{key}/hand": self.hand,
            "/t/{key}": self.offer,
            "/t/{key}/part": self.offer,
        }

    @property
    def posts(self) -> Mapping[str, Answer]:
        """Return the POST handlers, by address."""
        return {
            "/h/{key}/act": self.act,
            "/s/{key}/hand": self.make_link,
            "/t/{key}": self.take_over,
        }

    # ---- deputies

    async def ask_to_act(self, request: Request) -> Response:
        """Ask the host to confirm acting for a player; explain the consequences."""
        found = await pass_of(self.store, request)
        base = f"/h/{request.path_params['key']}"
        seat = number_in(request.query_params.get("seat", ""))
        notice = request.query_params.get("notice", "")

        def show(table: LiveTable) -> str:
            language, own = table.stored.language, _seat_at(table, seat)
            return render(
                "act.html",
                language,
                base=base,
                title=table.sentence(language),
                seat=own,
                who=table.stored.chairs[own].name,
                may=table.may_act_for(own),
                notice=notice_in(notice, language),
            )

        return HTMLResponse(await self.tables.do(found.table, show))

    async def act(self, request: Request) -> Response:
        """Let the host act for an absent player; notify everyone."""
        found = await pass_of(self.store, request)
        form = await form_of(request)
        seat = number_in(form.get("seat", ""))

        def work(table: LiveTable) -> str:
            return table.act_for(_seat_at(table, seat), form.get("name", ""))

        try:
            return see(f"/a/{await self.tables.do(found.table, work)}")
        except ValueError as error:
            said = urlencode({"seat": seat, "notice": str(error)})
            return see(f"/h/{request.path_params['key']}/act?{said}")

    # ---- handing over a seat

    async def hand(self, request: Request) -> Response:
        """Show how to hand over a seat, or the link for it."""
        found = await pass_of(self.store, request)
        assert found.seat is not None, "a seat's key names it"
        seat, key = found.seat, request.query_params.get("heir", "")
        opens = await self.store.opens(key)
        valid = opens is not None and (opens.role, opens.seat) == ("heir", seat)
        link = f"{here(request)}/t/{key}" if valid else ""
        base = f"/s/{request.path_params['key']}"

        def show(table: LiveTable) -> str:
            language = table.language_of(seat)
            return render(
                "hand.html",
                language,
                base=base,
                title=table.sentence(language),
                link=link,
                picture=picture_of(link),
            )

        return HTMLResponse(await self.tables.do(found.table, show))

    async def make_link(self, request: Request) -> Response:
        """Make the link for the new player of a seat."""
        found = await pass_of(self.store, request)
        seat = found.seat
        key = await self.tables.do(found.table, lambda table: table.key("heir", seat))
        return see(f"/s/{request.path_params['key']}/hand?heir={key}")

    async def offer(self, request: Request) -> Response:
        """Show a seat to its next player."""
        found = await pass_of(self.store, request)
        base = f"/t/{request.path_params['key']}"
        language, notice = language_of(request), request.query_params.get("notice", "")

        def show(table: LiveTable) -> pages.Page:
            return pages.join_page(table, base, language, notice, found.seat)

        return shown(request, await self.tables.do(found.table, show))

    async def take_over(self, request: Request) -> Response:
        """Give a seat to its next player; its old keys expire."""
        found = await pass_of(self.store, request)
        assert found.seat is not None, "an heir's key names a seat"
        form, seat = await form_of(request), found.seat
        language = language_of(request, form.get("language", ""))
        key = request.path_params["key"]

        def work(table: LiveTable) -> str:
            if self.store.opened_by(key) != found:
                raise HTTPException(404)  # another player was faster
            spoken = table.rules.ruleset.language_for(language)
            return table.hand_on(seat, form.get("name", ""), spoken)

        try:
            return see(f"/s/{await self.tables.do(found.table, work)}")
        except ValueError as error:
            return see(f"/t/{key}?{urlencode({'notice': str(error)})}")


def _seat_at(table: LiveTable, seat: int) -> int:
    if not 0 <= seat < len(table.seats):
        raise HTTPException(404)
    return seat
