"""Routes requests for tables and menus with users' own rules to processes."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from houserule.base.executors import in_thread
from houserule.base.limits import is_isolated
from houserule.base.resources import known_rulesets
from houserule.play.records.reading import ParsedRecord
from houserule.ui.configurator.book import house_book
from houserule.ui.configurator.links import own_in, table_link
from houserule.ui.web.answers.asking import Answer
from houserule.ui.web.answers.yours import TableStands
from houserule.ui.web.games import ruleset_of
from houserule.ui.web.own.bringing import BringingAnswers
from houserule.ui.web.own.rules_store import OwnTexts, UnknownTextError
from houserule.ui.web.own.workers import OwnGame, OwnProcesses, OwnRulesError
from houserule.ui.web.tables import Called, Tables

LOG = logging.getLogger("houserule.web")
GOING_ON = 3  # tables with playing bots at once after a restart
SOON = 3.0  # seconds for which a list of tables waits for a process
LOOK = 0.05  # seconds between checks whether the client still waits
TABLES = 10_000  # tables whose rules are cached


class OwnRulesAnswers:
    """Users' own rules on a server.

    Args:
        public: the server's address for other computers, if it is known.

    Attributes:
        kept: their store; None if they are not allowed.
    """

    def __init__(
        self, tables: Tables, *, allowed: bool = True, public: str = ""
    ) -> None:
        self.tables, self.texts = tables, OwnTexts(tables.store)
        self.allowed = allowed
        self.kept = self.texts if allowed else None
        self._bringing = BringingAnswers(self.texts)
        self.workers = OwnProcesses(
            {
                "database": tables.store.url,
                "own": allowed,
                "bots": tables.bots,
                "keep_days": tables.store.keep_days,
                "public": public,
                "notices": [*tables.notices.places],
            }
        )
        self._bots: dict[int, asyncio.Task[None]] = {}
        self._stands: OrderedDict[int, TableStands] = OrderedDict()
        self._asked: dict[int, asyncio.Task[object]] = {}
        self._games: dict[int, OwnGame | None] = {}

    @property
    def routes(self) -> Mapping[str, Answer]:
        """Return the handlers, by method and address."""
        return self._bringing.routes if self.allowed else {}

    def around(self, answer: Answer) -> Answer:
        """Wrap a handler to run in a process under limits if the rules need one."""
        if is_isolated():
            return answer

        async def either(request: Request) -> Response:
            here = request.url.path.endswith(("/events", "/notices"))
            if "key" not in request.path_params or here:
                table = None
            else:
                found = await self.tables.store.opens(request.path_params["key"])
                table = None if found is None else found.table
            game = await self._game(request, table)
            if game is None:
                return await answer(request)
            question = {
                "method": request.method,
                "scheme": request.url.scheme,
                "path": request.url.path,
                "query": request.scope["query_string"].decode("latin-1"),
                "headers": [
                    [name.decode("latin-1"), value.decode("latin-1")]
                    for name, value in request.scope["headers"]
                ],
                "body": (await request.body()).decode("latin-1"),
            }
            asked = asyncio.create_task(self._ask(game, question, table))
            while not (await asyncio.wait({asked}, timeout=LOOK))[0]:
                if game.apart and await request.is_disconnected():
                    self.workers.end(game)
            told = asked.result()
            response = Response(told["body"].encode("latin-1"), told["status"])
            response.raw_headers = [
                (name.encode("latin-1"), value.encode("latin-1"))
                for name, value in told["headers"]
            ]
            return response

        return either

    async def close(self) -> None:
        """End all processes."""
        tasks = [*self._bots.values(), *self._asked.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.workers.close()

    # ---- a table with the game of an uploaded record

    async def open_with(
        self, record: ParsedRecord, own: tuple[str, ...], language: str
    ) -> str:
        """Open a table with a record and its own rules, which are stored.

        Returns:
            The key to the host's page.

        Raises:
            OwnRulesError: the process does not answer.
        """
        game = OwnGame(record.head.game, tuple(sorted(own)))
        said = {"text": record.source.text, "own": game.own, "language": language}
        found = await self.workers.ask(game, {"record": said})
        key: str = found["key"]
        return key

    # ---- tables without a visitor since the restart

    async def go_on(self) -> None:
        """Let bots continue at the tables that were active when the server stopped.

        Only a few tables play at a time; more would end each other's processes.
        """
        for table in await self.tables.bots_due():
            game = await in_thread(self._game_to_go_on, table)
            if game is None:
                continue
            while len(self._bots) >= GOING_ON:
                await asyncio.sleep(LOOK)
            try:
                await self._ask(game, {"note": True}, table)
            except OwnRulesError as error:
                # The table's page shows the reason; the other tables continue.
                LOG.warning("table %s cannot go on: %s", table, error.why)

    def _game_to_go_on(self, table: int) -> OwnGame | None:
        try:
            found = self._game_at(table)
            return found if self._is_kept(found) else None
        except Exception as error:  # a damaged table does not affect the others
            LOG.warning("table %s cannot go on: %s", table, type(error).__name__)
            return None

    def _is_kept(self, game: OwnGame | None) -> bool:
        """Return whether all rules of a game are stored here and allowed."""
        if game is None or not self.allowed or game.game not in known_rulesets():
            return False
        with suppress(UnknownTextError):
            return all(self.texts.text(digest) for digest in game.own)
        return False

    async def stands(self, table: int) -> TableStands | None:
        """Return a table's status; None if its process does not answer soon."""
        game = await in_thread(self._game_at, table)
        if table not in self._stands and table not in self._asked:
            if game is None or not await in_thread(self._is_kept, game):
                return None
            asking = asyncio.create_task(self._ask(game, {}, table))
            self._asked[table] = asking
            asking.add_done_callback(partial(self._was_asked, table))
        if table in self._asked:
            await asyncio.wait({self._asked[table]}, timeout=SOON)
        return self._stands.get(table)

    def _was_asked(self, table: int, asked: asyncio.Task[object]) -> None:
        self._asked.pop(table, None)
        if not asked.cancelled() and (error := asked.exception()) is not None:
            LOG.warning("table %s does not tell how it stands: %s", table, error)

    def title(self, table: int, language: str) -> str:
        """Return a table's description without its rules; '' if it is not played.

        It names the game, and mentions that there are own rules.
        """
        game = self._game_at(table)
        if game is None or not self.allowed:
            return ""
        book = house_book(ruleset_of(game.game), language)
        return f"{book.offers.title} · {book.words.say('own rules')}"

    # ---- notices, which this process sends

    async def set_notices(self, table: int, seat: int, address: str) -> None:
        """Set where a seat's notices go; an empty text is nowhere.

        Raises:
            OwnRulesError: the process does not answer.
        """
        game = await in_thread(self._game_at, table)
        if game is None or not await in_thread(self._is_kept, game):
            raise OwnRulesError("not here")
        await self._ask(game, {"notices": [seat, address]}, table)

    async def _calls_still(
        self, game: OwnGame, table: int, called: Called, language: str
    ) -> str | None:
        with suppress(OwnRulesError):
            found = await self._ask(game, {}, table)
            if found["called"] == [*called] and found["calls"]:
                return await in_thread(self.title, table, language)
        return None

    # ---- the requested game

    async def _game(self, request: Request, table: int | None) -> OwnGame | None:
        """Return the requested game with own rules; None for other requests.

        Raises:
            BadLinkError: an address is invalid.
            UnknownTextError: it names rules that are not stored here.
            OwnRulesError: this server does not allow own rules.
        """
        if table is not None:
            found = self._games.get(table)
            if table not in self._games:
                found = await in_thread(self._game_at, table)
        elif request.url.path.endswith("/own"):
            return None
        elif "game" in request.path_params:
            game, own = request.path_params["game"], own_in(request.url.query)
            apart = request.url.path.endswith("/effect")
            found = OwnGame(game, own, apart) if own else None
        elif request.method == "POST" and request.url.path == "/tables":
            body = (await request.body()).decode("utf-8", "replace")
            fields = dict(parse_qsl(body, max_num_fields=200))
            found = _named(fields.get("choice", ""))
        else:
            return None
        if found is None or found.game not in known_rulesets():
            return None
        if not self.allowed:
            raise OwnRulesError("not here")
        if table is None:
            for digest in found.own:
                await in_thread(self.texts.text, digest)
        return found

    def _game_at(self, table: int) -> OwnGame | None:
        """Return the game with own rules at a table; not for the event loop."""
        if table not in self._games:
            if len(self._games) >= TABLES:
                self._games.clear()
            found = _named(self.tables.store.table(table).choice)
            self._games[table] = found
            return found
        return self._games.get(table)

    # ---- requests to its process

    async def _ask(
        self, game: OwnGame, question: dict[str, object], table: int | None
    ) -> dict[str, Any]:
        """Send a question about a table, if any; notify viewers and let bots play."""
        if table is None:
            return await self.workers.ask(game, question)
        question |= {"table": table, "looked": [*self.tables.who_looked(table)]}
        try:
            found = await self.workers.ask(game, question)
        finally:
            self.tables.store.passes.forget(table)
        self.tables.hear(table, found["version"])
        if found["stands"] is not None:
            self._stands[table] = TableStands(**found["stands"])
            self._stands.move_to_end(table)
            if len(self._stands) > TABLES:
                self._stands.popitem(last=False)
        called = found["called"] and tuple(found["called"])
        self.tables.call(table, called, partial(self._calls_still, game, table))
        if found["bot"] and table not in self._bots:
            playing = asyncio.create_task(self._play_bots(game, table))
            self._bots[table] = playing
        return found

    async def _play_bots(self, game: OwnGame, table: int) -> None:
        try:
            asked = True
            while asked:
                await asyncio.sleep(self.tables.pause or 0.0)
                asked = (await self._ask(game, {"bot": True}, table))["bot"]
        except OwnRulesError:
            return  # viewers are notified
        finally:
            self._bots.pop(table, None)


def _named(choice: str) -> OwnGame | None:
    link = table_link(choice)
    return OwnGame(link.game, link.own) if link.own else None
