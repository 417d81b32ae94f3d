"""Minimal HTTP/1.1 clients for the load benchmark.

The clients use time of the cores on which the server is measured. So they parse only
the status, the new address and the text of an answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

REUSED = 2.0  # seconds for which a connection is reused; the server keeps it 5
FORM = "application/x-www-form-urlencoded"
LARGEST = 1 << 24  # bytes of a head or a line


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of the server.

    Attributes:
        location: the redirect's target, or ''.
    """

    status: int
    location: str
    text: str


@dataclass(slots=True)
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    used: float

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


class Browser:
    """The client of one person, with connections for pages and one for events.

    Args:
        address: of the server, such as `http://127.0.0.1:8000`.
        cookie: the cookie to send.
    """

    def __init__(self, address: str, cookie: str = "") -> None:
        found = urlsplit(address)
        self._host, self._port = found.hostname or "", found.port or 80
        self._says = f"Host: {found.netloc}\r\nOrigin: {address}\r\n"
        if cookie:
            self._says += f"Cookie: {cookie}\r\n"
        self._kept: list[_Connection] = []

    async def get(self, path: str) -> Answered:
        """Fetch a page.

        Raises:
            OSError, asyncio.IncompleteReadError: the server does not answer.
        """
        return await self._asked(f"GET {path} HTTP/1.1\r\n{self._says}\r\n".encode())

    async def post(self, path: str, body: str = "", **more: str) -> Answered:
        """Post a form with more headers, `_` in their names for `-`; errors as `get`.

        Redirects are not followed.
        """
        sent = body.encode()
        said = "".join(f"{k.replace('_', '-')}: {v}\r\n" for k, v in more.items())
        head = (
            f"POST {path} HTTP/1.1\r\n{self._says}{said}Content-Type: {FORM}\r\n"
            f"Content-Length: {len(sent)}\r\n\r\n"
        )
        return await self._asked(head.encode() + sent)

    async def send(self, path: str, fields: Mapping[str, str]) -> Answered:
        """Send a form as without scripts; errors as `get`."""
        return await self.post(path, urlencode(fields))

    async def news(self, path: str) -> AsyncGenerator[str, None]:
        """Yield the events of a stream until it ends; errors as `get`."""
        made = await self._connect()
        try:
            made.writer.write(f"GET {path} HTTP/1.1\r\n{self._says}\r\n".encode())
            await made.reader.readuntil(b"\r\n\r\n")
            while line := await made.reader.readline():
                if line.startswith(b"data: "):
                    yield line[6:].decode().strip()
        finally:
            await made.close()

    async def close(self) -> None:
        """Close the connections for pages."""
        while self._kept:
            await self._kept.pop().close()

    async def _connect(self) -> _Connection:
        opened = await asyncio.open_connection(self._host, self._port, limit=LARGEST)
        return _Connection(*opened, time.monotonic())

    async def _asked(self, request: bytes) -> Answered:
        """Send a request on an idle, recently used connection, or on a new one."""
        oldest = time.monotonic() - REUSED
        while self._kept and self._kept[-1].used < oldest:
            await self._kept.pop().close()
        made = self._kept.pop() if self._kept else await self._connect()
        try:
            made.writer.write(request)
            head = (await made.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            status, _, lines = head.partition("\r\n")
            pairs = (line.partition(":") for line in lines.split("\r\n"))
            headers = {name.lower(): said.strip() for name, _, said in pairs}
            body = await made.reader.readexactly(int(headers["content-length"]))
        except BaseException:
            await made.close()
            raise
        made.used = time.monotonic()
        self._kept.append(made)
        said = headers.get("location", "")
        return Answered(int(status.split()[1]), said, body.decode())


async def answers(address: str, path: str) -> bool:
    """Return whether a server answers."""
    browser = Browser(address)
    with suppress(OSError, asyncio.IncompleteReadError):
        await browser.get(path)
        await browser.close()
        return True
    return False
