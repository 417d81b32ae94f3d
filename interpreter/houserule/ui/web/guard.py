"""Request limits: reject forged requests, and too many from one address.

`docs/hosting.md` lists the limits. This is plain ASGI, below all pages.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import (
    Awaitable,
    Callable,
    Hashable,
    Iterable,
    Mapping,
    MutableMapping,
)
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from houserule.base.frozen import frozen

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

FORM = 64_000  # bytes of a form
UPLOAD = 1_000_000  # bytes of uploaded rules or records
PATIENCE = 10.0  # seconds in which a body must arrive
ENOUGH = 0.5  # seconds to read the body of a rejected request
BURST = 6.0  # seconds of unused rate that an address may use at once
KNOWN = 10_000  # addresses in memory

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
HSTS = b"strict-transport-security", b"max-age=15552000"  # half a year
_PORT = re.compile(r":\d+$")


@frozen
class AddressLimits:
    """The limits for one address.

    Attributes:
        rate: requests per second.
        connections: open at once; behind a proxy, requests in progress.
        streams: event streams open at once.
        tables: new tables per hour.
    """

    rate: float = 20.0
    connections: int = 60
    streams: int = 24
    tables: int = 60


def counted_as(host: str) -> str:
    """Return the address that limits count: for IPv6, the first 64 bits.

    One computer has all addresses with the same 64 bits.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), 64), strict=False))


def sender_of(scope: Scope) -> str:
    """Return the address that a request counts for; '' if it came from no network."""
    client = scope.get("client")
    return counted_as(client[0]) if client else ""


class Allowance:
    """A token bucket for each address.

    Args:
        often: the rate per second.
        clock: returns seconds.
    """

    def __init__(
        self,
        often: float,
        most: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._often, self._most, self._clock = often, most, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token from an address; return whether it had one."""
        now = self._clock()
        left, since = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - since) * self._often)
        allowed = left >= 1
        self._left[address] = left - 1 if allowed else left, now
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return allowed


class AtOnce:
    """Counts the open resources of each holder."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()

    def take(self, most: Mapping[Hashable, int]) -> bool:
        """Count one more for each holder, unless one of them is at its maximum."""
        if any(self._open[each] >= limit for each, limit in most.items()):
            return False
        self._open.update(most.keys())
        return True

    def release(self, holders: Iterable[Hashable]) -> None:
        """Count one less for each holder."""
        for each in holders:
            self._open[each] -= 1
            if not self._open[each]:
                del self._open[each]


class FrontDoor:
    """Rejects forged requests, and sets headers on every response.

    Args:
        hosts: the allowed names of the server; any port.
    """

    def __init__(
        self,
        app: Application,
        hosts: Iterable[str],
        limits: AddressLimits,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._limits, self._in_progress = limits, AtOnce()
        self._allowance = Allowance(limits.rate, limits.rate * BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        sender, path = sender_of(scope), str(scope["path"])
        send = _with_headers(send, path, encrypted=scope["scheme"] == "https")
        refused = self._refusal(scope, sender)
        if refused is None and not self._in_progress.take(
            {sender: self._limits.connections}
        ):
            refused = 429, "Too many requests at once: wait a little."
        if refused is not None:
            # Read the body to its end, if that comes soon.
            bounded = _bounded(receive, FORM, ENOUGH)
            with suppress(TooLargeError):
                while (await bounded()).get("more_body", False):
                    pass
            await _answer(send, *refused)
            return
        most = UPLOAD if path.endswith(("/own", "/records")) else FORM
        try:
            await self._app(scope, _bounded(receive, most, PATIENCE), send)
        finally:
            self._in_progress.release([sender])

    def _refusal(self, scope: Scope, sender: str) -> tuple[int, str] | None:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        host = headers.get("host", "").lower()
        if _PORT.sub("", host) not in self._hosts:
            return 421, "This server is not called that."
        if not self._allowance.take(sender):
            return 429, "Too many requests: wait a little."
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return 405, "Only GET and POST are answered."
        if scope["method"] == "POST":
            site = headers.get("sec-fetch-site")
            origin = headers.get("origin", "null")
            known = urlsplit(origin).netloc.lower() == host
            if not (
                known
                if site is None
                else site == "same-origin" and (known or origin == "null")
            ):
                return 403, "Only pages of this server may send this."
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > UPLOAD:
                return 413, "This is too large."
        return None


class TooLargeError(Exception):
    """A body is too large, or does not arrive."""


def _bounded(receive: Receive, most: int, patience: float) -> Receive:
    """Return a reader of a body with limits of size and time."""
    seen = 0
    until = time.monotonic() + patience
    whole = False

    async def discard() -> None:
        """Read on for a moment: a client cut off while sending sees no response."""
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
        if whole:  # now only its end can come, which may take any time
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


def _with_headers(send: Send, path: str, *, encrypted: bool) -> Send:
    """Return a sender of responses with protective headers.

    If the browser's connection is `encrypted`, it must always be from now on.
    """
    kept = path.startswith("/static/")
    cache = b"public, max-age=31536000, immutable" if kept else b"no-store"

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = [*message.get("headers", ())]
            names = {name.lower() for name, _ in given}
            more = [*HEADERS, (b"cache-control", cache)]
            if encrypted:
                more.append(HSTS)
                given = [
                    (
                        name,
                        text + b"; Secure" if name.lower() == b"set-cookie" else text,
                    )
                    for name, text in given
                ]
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
    ]
    start = {"type": "http.response.start", "status": status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body})
