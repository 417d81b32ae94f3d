"""The worker process: the same server, with the same database."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import asdict
from operator import methodcaller
from typing import Any

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.engine.state.faults import RuleFault
from houserule.ui.web.answers.yours import stands_now
from houserule.ui.web.live import LiveTable
from houserule.ui.web.logged import log_lines
from houserule.ui.web.notices import Notices
from houserule.ui.web.records.bringing import opened_with
from houserule.ui.web.server import TableServer
from houserule.ui.web.store import TableStore

LOG = logging.getLogger("houserule.web")


def answering(first: bytes) -> Callable[[bytes], bytes]:
    """Return the handler for questions of `OwnRulesAnswers`."""
    log_lines(logging.WARNING)
    settings = json.loads(first)
    store = TableStore(settings["database"], keep_days=settings["keep_days"])
    server = TableServer(
        store,
        (),
        pause=None,
        bots=settings["bots"],
        public=settings["public"],
        notices=Notices(settings["notices"], patience=None),
    )
    loop = asyncio.new_event_loop()

    def answer(question: bytes) -> bytes:
        said = json.loads(question)
        found = loop.run_until_complete(_answered(server, said))
        return json.dumps(found).encode()

    return answer


async def _answered(server: TableServer, said: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON
    """Return the answer to a question, and the table's status afterwards.

    A question is a request, a bot's turn (`bot`), a record to open a table with
    (`record`), a check whether a bot must decide (`note`), a seat's address for notices
    (`notices`), or only a query for the table's status. Any exception ends the process.
    """
    table, looked = said.get("table"), said.get("looked")
    found: dict[str, Any] = {}
    stuck = False
    try:
        if looked:

            def look(live: LiveTable) -> None:
                for seat in looked:
                    live.look(seat)

            await server.tables.do(table, look)
        if "note" in said:
            await server.tables.do(table, LiveTable.note_bot)
        if "notices" in said:
            set_notices = methodcaller("set_notices", *said["notices"])
            await server.tables.do(table, set_notices)
        if "bot" in said:
            await server.tables.do(table, LiveTable.step_bot)
    except (DiagnosticsError, RuleFault, OSError) as error:
        # Notify the table's viewers; after that, bots try again.
        LOG.warning("bots at table %s stop: %s", table, type(error).__name__)
        stuck = True
    if "path" in said:
        found = await _respond(server, said)
    if "record" in said:
        found["key"] = opened_with(server.store, **said["record"])
    if table is not None:
        found |= {"stands": None, "called": None}  # if the table cannot be read
        with suppress(DiagnosticsError, RuleFault, OSError):
            found |= await server.tables.do(table, _status)
        found["version"], asked = server.tables.stands(table)
        found["bot"] = asked and not stuck
    return found


def _status(live: LiveTable) -> dict[str, object]:
    """Return the table's entry for lists, and which seat to send a notice."""
    called = live.called
    calls = called is not None and live.calls(called)
    return {"stands": asdict(stands_now(live)), "called": called, "calls": calls}


async def _respond(server: TableServer, said: dict[str, Any]) -> dict[str, Any]:
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": said["method"],
        "scheme": said["scheme"],
        "path": said["path"],
        "raw_path": said["path"].encode(),
        "query_string": said["query"].encode("latin-1"),
        "headers": [tuple(e.encode("latin-1") for e in h) for h in said["headers"]],
        "client": None,
    }
    body: list[bytes] = [said["body"].encode("latin-1")]
    found: dict[str, Any] = {"body": ""}

    async def receive() -> dict[str, Any]:
        if not body:
            await asyncio.Event().wait()  # the client is gone
        return {"type": "http.request", "body": body.pop()}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            found["status"] = message["status"]
            headers = message.get("headers", ())
            found["headers"] = [[e.decode("latin-1") for e in h] for h in headers]
        else:
            found["body"] += message.get("body", b"").decode("latin-1")

    try:
        await server.within(scope, receive, send)
    except MemoryError:
        raise
    except Exception:  # it is logged, and a page reports it
        if "status" not in found:
            raise
    return found
