"""Notices that it is a player's turn, for players who have no page open.

A player gives an address, such as a topic of ntfy.sh, and the server posts a line of
text to it. It sends no key of the table: the line has the address of the first page,
where each browser lists its tables.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import time
from collections import deque
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from houserule.base.executors import thread_pool
from houserule.base.resources import Phrases

PUBLIC = "public"
"""As a place for notices: every host with a public address, by HTTPS."""
LONGEST = 200  # characters of an address
SLOWEST = 5.0  # seconds for a connection, and for an answer
AT_ONCE = 2  # slow addresses hold up other notices, and nothing else
MOST, HOUR = 30, 3_600.0  # notices of a table in these seconds
USUAL_PORTS = {"http": 80, "https": 443}
PLAIN = re.compile(r"[!-~]+")


class NoticeError(ValueError):
    """An address gets no notices; the text is a phrase."""


class Notices:
    """Posts lines of text to the addresses of players.

    Args:
        places: the hosts that may get them, `NAME` or `NAME:PORT`, or `PUBLIC`. A
            `NAME` alone has the usual port of HTTP or HTTPS.
        patience: seconds for a decision before a notice is sent; None if another
            process sends them.
    """

    def __init__(
        self,
        places: Sequence[str] = (),
        site: str = "",
        patience: float | None = 60.0,
    ) -> None:
        self.places, self.site = frozenset(map(str.lower, places)), site
        self.patience = patience
        self._sent: dict[int, deque[float]] = {}
        self._posts = thread_pool(AT_ONCE, "notices")

    def checked(self, address: str) -> SplitResult:
        """Return the parts of an address that may get notices.

        Raises:
            NoticeError: it may not.
        """
        if not PLAIN.fullmatch(address) or len(address) > LONGEST:
            raise NoticeError("notices_wrong")
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            raise NoticeError("notices_wrong") from None
        host = (parts.hostname or "").lower()
        if not host or "@" in parts.netloc or parts.scheme not in ("http", "https"):
            raise NoticeError("notices_wrong")
        if not self._is_named(parts) and (
            PUBLIC not in self.places or parts.scheme != "https" or port is not None
        ):
            raise NoticeError("notices_where")
        return parts

    def _is_named(self, parts: SplitResult) -> bool:
        """Return whether the server names the host of an address, at its port."""
        host, port = (parts.hostname or "").lower(), _port_of(parts)
        usual = {host} if port == USUAL_PORTS[parts.scheme] else set()
        return not self.places.isdisjoint({f"{host}:{port}"} | usual)

    def text(self, phrase: str, language: str, game: str) -> str:
        """Return a line for a player of a game, with the address of the first page."""
        return f"{Phrases('web', language).say(phrase, game=game)} {self.site}".strip()

    async def post(self, table: int, address: str, text: str) -> None:
        """Send a line in a thread of its own; errors as for `send`."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._posts, self.send, table, address, text)

    def send(self, table: int, address: str, text: str) -> None:
        """Post a line to an address; it takes at most some seconds.

        Raises:
            NoticeError: the address may get no notices, does not take them, or its
                table sent too many.
        """
        parts = self.checked(address)
        host = (parts.hostname or "").lower()
        port = _port_of(parts)
        sent, now = self._sent.setdefault(table, deque(maxlen=MOST)), time.monotonic()
        if len(sent) == MOST and now - sent[0] < HOUR:
            raise NoticeError("notices_many")
        sent.append(now)
        body = text.encode()
        head = (
            f"POST {parts._replace(scheme='', netloc='', fragment='').geturl() or '/'} "
            f"HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
        )
        try:
            # The checked address is the one that is called: a name may change.
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            at = str(found[0][4][0]), port
            if not self._is_named(parts) and not all(
                _is_outside(each[4][0]) for each in found
            ):
                raise NoticeError("notices_where")
            with socket.create_connection(at, SLOWEST) as plain:
                opened = plain
                if parts.scheme == "https":
                    context = ssl.create_default_context()
                    opened = context.wrap_socket(plain, server_hostname=host)
                with opened:
                    opened.sendall(head.encode() + body)
                    status = opened.recv(64).partition(b" ")[2][:1]
        except (OSError, UnicodeError):
            raise NoticeError("notices_lost") from None
        if status != b"2":
            raise NoticeError("notices_lost")


def _port_of(parts: SplitResult) -> int:
    return USUAL_PORTS[parts.scheme] if parts.port is None else parts.port


def _is_outside(address: object) -> bool:
    """Return whether an address is in the internet, and of one computer."""
    found = ip_address(str(address))
    return found.is_global and not found.is_multicast
