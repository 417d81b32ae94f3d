"""Request handlers of the lobby: seating, before and during a game.

The host opens a table, seats people and bots, and begins; guests use an invitation. A
host may act for a player, and a player may hand over a seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from houserule.base.executors import in_thread
from houserule.ui.configurator.links import table_link
from houserule.ui.web import pages
from houserule.ui.web.answers.asking import (
    Answer,
    form_of,
    here,
    language_of,
    number_in,
    pass_of,
    remember,
    see,
    shown,
)
from houserule.ui.web.answers.yours import seats_in
from houserule.ui.web.games import messages_of, rules_of
from houserule.ui.web.live import LiveTable, StaleMoveError, new_key
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.pages import notice_in, picture_of, usual_of
from houserule.ui.web.passes import Pass
from houserule.ui.web.store import Chair, TableStore
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import render


def open_table(store: TableStore, choice: str, language: str) -> str:
    """Open a table, and return the host's key; errors as for `rules_of`."""
    rules = rules_of(choice, OwnTexts(store))
    spoken = rules.ruleset.language_for(table_link(choice).language or language)
    chairs = [Chair(language=spoken)] * rules.program.seats
    key = new_key()
    store.new_table(choice, spoken, chairs, [(key, "host")])
    return key


class LobbyAnswers:
    """Request handlers for hosts and guests, for deputies and for handed over seats."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.store

    @property
    def routes(self) -> Mapping[str, Answer]:
        """Return the handlers, by method and address."""
        return {
            "GET /h/{key}": self.host,
            "GET /h/{key}/part": self.host,
            "GET /h/{key}/act": self.ask_to_act,
            "GET /j/{key}": self.join,
            "GET /j/{key}/part": self.join,
            "GET /s/{key}/hand": self.hand,
            "GET /t/{key}": self.offer,
            "GET /t/{key}/part": self.offer,
            "POST /tables": self.new_table,
            "POST /h/{key}/act": self.act,
            "POST /h/{key}/{what}": self.host_does,
            "POST /j/{key}": self.sit,
            "POST /s/{key}/hand": self.make_link,
            "POST /t/{key}": self.take_over,
        }

    # ---- new tables

    async def new_table(self, request: Request) -> Response:
        """Open a table, and show its host page."""
        form = await form_of(request)
        choice, language = form.get("choice", ""), language_of(request)

        key = await in_thread(open_table, self.store, choice, language)
        return see(f"/h/{key}")

    async def host(self, request: Request) -> Response:
        """Show the host's page."""
        found = await pass_of(self.store, request)
        key, own = request.path_params["key"], await self._own_seat(request, found)
        notice = request.query_params.get("notice", "")

        def check() -> str:
            game = table_link(self.store.table(found.table).choice).game
            return messages_of(game).text

        messages = await in_thread(check)

        def show(table: LiveTable) -> pages.Page:
            invite = pages.invitation(table, key, here(request))
            assert invite is not None, "it is the host's key"
            return pages.host_page(
                table, f"/h/{key}", invite, own, notice, self.tables.bots, messages
            )

        page = await self.tables.do(found.table, show)
        answer = shown(request, page)
        remember(answer, f"host{found.table}", key)
        return answer

    async def _own_seat(self, request: Request, found: Pass) -> str:
        """Return the address of the host's own seat; '' if the host has none here."""
        for key in seats_in(request):
            opens = await self.store.opens(key)
            if opens and (opens.table, opens.role) == (found.table, "seat"):
                return f"/s/{key}"
        return ""

    async def host_does(self, request: Request) -> Response:
        """Let the host seat a player, or begin a game; that leads to the host's seat.

        A game can also begin with bots in all free seats.
        """
        found = await pass_of(self.store, request)
        own = await self._own_seat(request, found)
        base = f"/h/{request.path_params['key']}"
        form = await form_of(request)
        seat = number_in(form.get("seat", "0"))
        version = number_in(form.get("version", ""))
        what = request.path_params["what"]

        def work(table: LiveTable) -> str:
            if not 0 <= seat < len(table.seats):
                raise HTTPException(404)
            match what:
                case "bot":
                    table.seat_bot(seat, form.get("kind", ""), self.tables.bots)
                case "free":
                    table.free(seat)
                case "sit":
                    language = table.stored.language
                    return f"/s/{table.sit(seat, form.get('name', ''), language)}"
                case "begin":
                    if "fill" in form:
                        table.fill(usual_of(self.tables.bots), self.tables.bots)
                    table.begin()
                    return own or base
                case "chat":
                    table.set_chat(form.get("mode", ""))
                case "clock":
                    parts = [form.get(name, "") for name in ("per", "seconds", "then")]
                    table.set_clock(" ".join(parts) if parts[0] else "")
                case "agree" | "refuse":
                    name, agree = form.get("name", ""), what == "agree"
                    table.answer_for(seat, version, name, agree=agree)
                case _:
                    raise HTTPException(404)
            return base

        try:
            return see(await self.tables.do(found.table, work))
        except StaleMoveError:
            notice = "stale"
        except ValueError as error:
            notice = str(error)
        return see(f"{base}?{urlencode({'notice': notice})}")

    # ---- taking a seat

    async def join(self, request: Request) -> Response:
        """Show the free seats to a guest with an invitation."""
        found = await pass_of(self.store, request)
        base = f"/j/{request.path_params['key']}"
        language, notice = language_of(request), request.query_params.get("notice", "")

        def show(table: LiveTable) -> pages.Page:
            return pages.join_page(table, base, language, notice)

        return shown(request, await self.tables.do(found.table, show))

    async def sit(self, request: Request) -> Response:
        """Let a guest take a seat, and show it."""
        found = await pass_of(self.store, request)
        form = await form_of(request)
        language = language_of(request, form.get("language", ""))
        seat = number_in(form.get("seat", "0"))

        def work(table: LiveTable) -> str:
            if not 0 <= seat < len(table.seats):
                raise HTTPException(404)
            spoken = table.rules.ruleset.language_for(language)
            return f"/s/{table.sit(seat, form.get('name', ''), spoken)}"

        try:
            return see(await self.tables.do(found.table, work))
        except ValueError as error:
            base = f"/j/{request.path_params['key']}"
            return see(f"{base}?{urlencode({'notice': str(error)})}")

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
