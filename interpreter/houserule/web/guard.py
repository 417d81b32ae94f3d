"""What a server lets in: known hosts, its own pages' posts, and not too much of it.

The list behind this is in `docs/serving.md`. It is plain ASGI, below all pages.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import urlsplit

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

FORM = 64_000  # bytes of a form
UPLOAD = 1_000_000  # bytes of rules or of a record that somebody brings
PATIENCE = 10.0  # seconds in which a body has to be here
ENOUGH = 0.5  # seconds in which the body of what is refused anyway is read
BURST = 6.0  # seconds for which an address may ask without a pause
KNOWN = 10_000  # addresses that are remembered

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        b" connect-src 'self'; form-action 'self'; base-uri 'none';"
        b" frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_PORT = re.compile(r":\d+$")


class Allowance:
    """How often each address may still ask; it fills up again as time goes by.

    Args:
        often: requests a second that go on for ever; some seconds of them may come at
            once.
        clock: tells seconds.
    """

    def __init__(
        self,
        often: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._often, self._most, self._clock = often, often * BURST, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take one request from an address; say whether it may be answered."""
        now = self._clock()
        left, since = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - since) * self._often)
        allowed = left >= 1
        self._left[address] = left - 1 if allowed else left, now
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return allowed


class FrontDoor:
    """Refuses what no page of ours sends, and sets headers on every answer.

    Args:
        app: what answers the rest.
        hosts: names by which the server may be called; any port.
        allowance: how often addresses may ask.
    """

    def __init__(
        self,
        app: Application,
        hosts: Iterable[str],
        allowance: Allowance,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._allowance = allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await _heard_out(receive)
            await _answer(send, *refused)
            return
        path = str(scope["path"])
        most = UPLOAD if path.endswith(("/own", "/records")) else FORM
        await self._app(
            scope, _bounded(receive, most, PATIENCE), _with_headers(send, path)
        )

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = _headers(scope)
        host = headers.get("host", "").lower()
        if _PORT.sub("", host) not in self._hosts:
            return 421, "This server is not called that."
        client = scope.get("client")
        if not self._allowance.take(client[0] if client else ""):
            return 429, "Too many requests: wait a little."
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return 405, "Only GET and POST are answered."
        if scope["method"] == "POST":
            if not _own_page(headers, host):
                return 403, "Only pages of this server may send this."
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > UPLOAD:
                return 413, "This is too large."
        return None


def _own_page(headers: dict[str, str], host: str) -> bool:
    """Say whether a page of this server sends something, as browsers tell it.

    Pages that tell no site where they were have forms without an origin, `null`: then
    what the browser says of the two sites decides alone.
    """
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin", "null")
    known = urlsplit(origin).netloc.lower() == host
    return (
        known if site is None else site == "same-origin" and (known or origin == "null")
    )


def _headers(scope: Scope) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in scope["headers"]
    }


class TooLargeError(Exception):
    """A body is larger than it may be, or does not come."""


def _bounded(receive: Receive, most: int, patience: float) -> Receive:
    """Return what reads a body, as long as it is not too large or too slow."""
    seen = 0
    until = time.monotonic() + patience
    whole = False

    async def discard() -> None:
        """Read on for a moment: who is cut off while sending hears no answer."""
        nonlocal seen
        until = time.monotonic() + ENOUGH
        with suppress(TimeoutError):
            while seen < 2 * UPLOAD:
                left = max(0.0, until - time.monotonic())
                message = await asyncio.wait_for(receive(), left)
                seen += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return

    async def read() -> MutableMapping[str, Any]:
        nonlocal seen, whole
        if whole:  # only its end can come now, and that takes as long as it takes
            return await receive()
        try:
            left = max(0.0, until - time.monotonic())
            message = await asyncio.wait_for(receive(), left)
        except TimeoutError:
            raise TooLargeError from None
        seen += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if seen > most:
            if not whole:
                await discard()
            raise TooLargeError
        return message

    return read


async def _heard_out(receive: Receive) -> None:
    """Read a body to its end, if that comes soon."""
    bounded = _bounded(receive, FORM, ENOUGH)
    try:
        while (await bounded()).get("more_body", False):
            pass
    except TooLargeError:
        return


def _with_headers(send: Send, path: str) -> Send:
    kept = path.startswith("/static/")
    cache = b"public, max-age=31536000, immutable" if kept else b"no-store"

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = [*message.get("headers", ())]
            names = {name.lower() for name, _ in given}
            more = [*HEADERS, (b"cache-control", cache)]
            given += [each for each in more if each[0] not in names]
            message = {**message, "headers": given}
        await send(message)

    return sent


async def _answer(send: Send, status: int, text: str) -> None:
    body = f"{text}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *HEADERS,
    ]
    start = {"type": "http.response.start", "status": status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body})
