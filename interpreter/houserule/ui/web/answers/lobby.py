"""Request handlers of the lobby: seating, before and during a game.

The host opens a table, seats people and bots, and begins; guests use an invitation.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

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
from houserule.ui.web.pages import usual_of
from houserule.ui.web.passes import Pass
from houserule.ui.web.store import Chair, TableStore
from houserule.ui.web.tables import Tables


def open_table(store: TableStore, choice: str, language: str) -> str:
    """Open a table, and return the host's key; errors as for `rules_of`."""
    rules = rules_of(choice, OwnTexts(store))
    spoken = rules.ruleset.language_for(table_link(choice).language or language)
    chairs = [Chair(language=spoken)] * rules.program.seats
    key = new_key()
    store.new_table(choice, spoken, chairs, [(key, "host")])
    return key


class LobbyAnswers:
    """Request handlers for hosts and guests."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.store

    @property
    def gets(self) -> Mapping[str, Answer]:
        """Return the GET handlers, by address."""
        return {
            "/h/{key}": self.host,
            "/h/{key}/part": self.host,
            "/j/{key}": self.join,
            "/j/{key}/part": self.join,
        }

    @property
    def posts(self) -> Mapping[str, Answer]:
        """Return the POST handlers, by address."""
        return {
            "/tables": self.new_table,
            "/h/{key}/{what}": self.host_does,
            "/j/{key}": self.sit,
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
