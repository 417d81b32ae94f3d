"""The web table in a page: its application answers the page's service worker.

The page is the only visitor, so its cookies are kept here: browsers do not show them to
service workers. The worker in which this runs is the isolated process of users' rules.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import MutableMapping
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pyodide.ffi import to_js

from houserule.base.limits import WITHIN
from houserule.engine.bots.bot import NAMES
from houserule.ui.configurator.links import table_link
from houserule.ui.web.answers.yours import COOKIE
from houserule.ui.web.guard import HEADERS
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.server import TableServer
from houserule.ui.web.store import TableStore

HOST = "localhost"  # so that pages say that only this computer can open links
BOTS = NAMES[:-1]  # the strongest thinks for too long if there are no threads
ADDRESS = re.compile(
    rf'(\s(?:href|src|action|formaction|data-[a-z]+)=")/|(\s\w+=")http://{HOST}/'
)
SHARED = re.compile(r'(id="share" href=").*?/new/([^"]*)')
ON_SERVER = re.compile(r'<(\w+) class="on-server\b.*?</\1>', re.DOTALL)
FRAMED = tuple(
    (name.decode(), text.decode().replace("ancestors 'none'", "ancestors 'self'"))
    for name, text in HEADERS
)


class PageTables:
    """The tables of a page.

    Args:
        page: the address of the playground, with its last slash.
        bad: the path of the page whose rules took too long, or ''. A seat is then
            forgotten; all are, if it is the list of games, which visits them all.
    """

    def __init__(self, folder: str, page: str, bad: str) -> None:
        os.environ[WITHIN] = "1"
        self._page, self._jar = page, Path(folder, "cookies.json")
        self._base = base = f"{urlsplit(page).path}table"
        self._cookies: dict[str, str] = {}
        if self._jar.is_file():
            self._cookies = json.loads(self._jar.read_bytes())
        seats = self._cookies.get(COOKIE, "").split("~")
        key = bad.removeprefix(f"{base}/s/").partition("/")[0]
        if bad == f"{base}/":
            seats = []
        elif key:
            seats = [each for each in seats if not each.startswith(f"{key}.")]
        self._cookies[COOKIE] = "~".join(seats)
        store = TableStore(f"sqlite:///{folder}/tables.db")
        self._texts = OwnTexts(store)
        self._within = TableServer(store, (HOST,), bots=BOTS).within

    async def answer(self, asked: Any) -> None:  # noqa: ANN401  # from JavaScript
        """Answer a request of the page.

        Args:
            asked: has `method`, `path`, `query`, `headers` (pairs), `body`; `gone`, a
                promise; and `begin(status, headers)` and `go_on(bytes)` to call.
        """
        cookies = "; ".join(f"{name}={text}" for name, text in self._cookies.items())
        headers = [*asked.headers.to_py(), ("host", HOST), ("cookie", cookies)]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": asked.method,
            "scheme": "http",
            "root_path": "",
            "path": asked.path.removeprefix(self._base),
            "query_string": asked.query.encode(),
            "headers": [(name.encode(), text.encode()) for name, text in headers],
            "client": None,
        }
        body = [asked.body.to_bytes()]
        page: list[bytes] | None = None  # of a page, whose links are changed

        async def receive() -> dict[str, object]:
            if not body:
                await asked.gone
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": body.pop()}

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal page
            if message["type"] == "http.response.start":
                pairs = [
                    (n.decode().lower(), t.decode()) for n, t in message["headers"]
                ]
                given = self._headers(pairs)
                if given.get("content-type", "").startswith("text/html"):
                    page = []
                asked.begin(message["status"], to_js([*given.items()]))
                return
            part, more = message.get("body", b""), message.get("more_body", False)
            if page is not None:
                page.append(part)
                if more:
                    return
                text = b"".join(page).decode()
                text = ON_SERVER.sub("", text)  # such as links for other devices
                text = ADDRESS.sub(rf"\1\2{self._base}/", text)
                part = SHARED.sub(self._shared, text).encode()
            if part:
                asked.go_on(to_js(part))

        await self._within(scope, receive, send)

    def _shared(self, found: re.Match[str]) -> str:
        """Return a link to send: the host of the page has no file for a table's.

        Players' own rules are in this browser only. A link to the playground may have
        one; then it has no other choice.
        """
        link = table_link(unescape(found[2]))
        if len(link.own) != 1:
            return f"{found[1]}{self._page}#table/new/{found[2]}"
        packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
        packed = packer.compress(self._texts.text(*link.own).encode()) + packer.flush()
        text = urlsafe_b64encode(packed).decode().rstrip("=")
        return f"{found[1]}{self._page}#{link.game}.{text}"

    def _headers(self, given: list[tuple[str, str]]) -> dict[str, str]:
        """Return the headers for the browser; keep the cookies."""
        found = dict(FRAMED)
        for name, text in given:
            if name == "set-cookie":
                for cookie in SimpleCookie(text).values():
                    self._cookies.pop(cookie.key, None)
                    if cookie["max-age"] != "0":
                        self._cookies[cookie.key] = cookie.value
                self._jar.write_text(json.dumps(self._cookies), encoding="utf-8")
            elif name == "location":
                found[name] = self._base + text if text.startswith("/") else text
            elif name != "content-length":
                found[name] = text
        return found
