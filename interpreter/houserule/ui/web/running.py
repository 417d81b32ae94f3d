"""Running the server: its address, its names, and its database."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from houserule.base.cache import data_dir
from houserule.base.frozen import frozen
from houserule.ui.web.answers.lobby import open_table
from houserule.ui.web.database.connection import StoreError
from houserule.ui.web.guard import PATIENCE, AddressLimits, AtOnce, counted_as
from houserule.ui.web.logged import log_lines
from houserule.ui.web.notices import Notices
from houserule.ui.web.server import TableServer
from houserule.ui.web.store import TableStore

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")  # compared with, not listened at
PROXIES = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
"""Addresses of trusted proxies, which name the client of each request."""
CONNECTIONS = 1_000  # of all addresses at once; more are refused
HEAD = 10.0  # seconds in which the head of a request must arrive
BODY = PATIENCE + 2.0  # the same for its body, plus time for the error response
UNREAD = 30.0  # seconds for which a client may leave data unread
GRACE = 3  # seconds for open responses when the server stops
CIRCLES = (10_000, 10, 100)
"""Thresholds of the garbage collector, so that pauses are too short to notice; old
objects are rarely scanned."""
SWITCH = 0.001  # seconds after which a working thread yields to the event loop


@frozen
class Served:
    """The report when the server listens.

    Attributes:
        public: whether other computers can reach it.
        database: the database's location, without a password.
    """

    link: str
    public: bool
    database: str


def database_at_home() -> str:
    """Return the address of the database in the user's data folder.

    Raises:
        StoreError: the folder is missing and cannot be created.
    """
    folder = data_dir()
    if folder is None:
        raise StoreError("There is no data folder: use `--database sqlite:///FILE`.")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"`{folder}` cannot be made: {error.strerror}.") from None
    return f"sqlite:///{folder / 'tables.db'}"


def serve(
    host: str,
    port: int,
    names: Collection[str],
    database: str | None,
    *,
    limits: AddressLimits,
    proxy: bool,
    own: bool,
    bots: Sequence[str],
    keep_days: int,
    ready: Callable[[Served], None],
    opened: str = "",
    notify: Sequence[str] = (),
) -> None:
    """Serve until Ctrl-C, SIGTERM or SIGHUP; the database is always closed at the end.

    A table is open from the start if its link is given, `opened`; the printed link is
    then that of its host.

    Raises:
        StoreError: the database cannot be opened, or another server has it.
        OSError: nothing can listen there.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    hangup = getattr(signal, "SIGHUP", None)  # not on Windows
    if hangup is not None and signal.getsignal(hangup) == signal.SIG_DFL:
        signal.signal(hangup, lambda *_: signal.raise_signal(signal.SIGTERM))
    place = database or database_at_home()
    with closing(TableStore(place, alone=True, keep_days=keep_days)) as store:
        listening = listening_at(host, port)
        here = _own_names(host)
        called_so = (*LOOPBACK, *here, *names)
        at = listening.getsockname()[1]
        public = f"http://{here[0]}:{at}" if here else ""
        called = next(iter(names), "") or (here[0] if here else "127.0.0.1")
        site = f"https://{called}" if proxy and names else f"http://{called}:{at}"
        server = TableServer(
            store,
            called_so,
            limits=limits,
            own=own,
            bots=bots,
            public=public,
            notices=Notices(notify, site),
        )
        log_lines(logging.INFO)
        sys.setswitchinterval(SWITCH)
        gc.freeze()  # loaded objects stay
        gc.set_threshold(*CIRCLES)
        page = f"h/{open_table(store, opened, 'en')}" if opened else ""
        ready(Served(f"{site}/{page}", bool(public), store.place))
        running = ServingUntilTold(settings(server, proxy=proxy), server)
        running.run(sockets=[listening])


def settings(server: TableServer, *, proxy: bool) -> uvicorn.Config:
    """Return the server's settings; a `proxy` on this computer is trusted.

    The proxy names the address of each client, and whether its connection is encrypted.
    """
    proxies = PROXIES if proxy else ()
    protocol = partial(
        LimitedProtocol, AtOnce(), server.limits.connections, frozenset(proxies)
    )
    return uvicorn.Config(
        server.app,
        http=cast("type[asyncio.Protocol]", protocol),
        ws="none",
        access_log=False,  # addresses contain keys
        log_config=None,  # the lines of `log_lines`
        log_level="warning",
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=proxy,
        forwarded_allow_ips=",".join(proxies),
        server_header=False,
    )


class LimitedProtocol(H11Protocol):
    """A connection with limits on connections per address, and on time for reading.

    uvicorn has no time limit for reading: a client that sends a byte now and then would
    keep its connection indefinitely.

    Args:
        most: the maximum number of connections of an address.
        proxies: addresses without this limit, because they stand for many clients.
    """

    def __init__(
        self,
        open_at_once: AtOnce,
        most: int,
        proxies: Collection[str],
        **rest: Any,  # noqa: ANN401  # uvicorn's
    ) -> None:
        super().__init__(**rest)
        self._open_at_once, self._most, self._proxies = open_at_once, most, proxies
        self._counted: list[str] = []
        self._reading: object = None
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or close it if its address has too many."""
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        if peer not in self._proxies:
            address = counted_as(peer)
            if not self._open_at_once.take({address: self._most}):
                transport.abort()
                return
            self._counted.append(address)
        self._limit_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a closed connection."""
        self._open_at_once.release(self._counted)
        self._counted.clear()
        if self._limit is not None:
            self._limit.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Handle the received data, and limit the time for the next."""
        super().handle_events()
        self._limit_reading()

    def _limit_reading(self) -> None:
        reading = self.conn.their_state
        if reading is self._reading or self.transport.is_closing():
            return
        self._reading = reading
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        seconds = {h11.IDLE: HEAD, h11.SEND_BODY: BODY}.get(reading)
        if seconds is not None:
            self._limit = self.loop.call_later(seconds, self.transport.abort)


class ServingUntilTold(uvicorn.Server):
    """Serves until asked to stop; first ends open event streams."""

    def __init__(self, settings: uvicorn.Config, server: TableServer) -> None:
        super().__init__(settings)
        self._tables = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Release all waiting requests, then finish the open responses."""
        await self._tables.leave()
        await super().shutdown(sockets)


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 is any free port.

    Raises:
        OSError: it cannot listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol, the event loop disables buffering. Otherwise the second
    # half of a response waits for the browser's acknowledgement of the first.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it
            limit = int(UNREAD * 1000)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, limit)
        made.listen(CONNECTIONS)  # a user who follows the link at once waits a little
    except BaseException:
        made.close()
        raise
    return made


def _own_names(host: str) -> tuple[str, ...]:
    """Return the names at which this computer can be reached, best first."""
    if host not in EVERYWHERE:
        return () if host in (*LOOPBACK, "::1") else (host,)
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing: only looks up the route
            found.append(asked.getsockname()[0])
        except OSError:
            pass
    own = socket.gethostname().lower()
    with suppress(OSError):  # without a route, as in a network without internet
        known = socket.gethostbyname_ex(own)[2]
        found += [each for each in known if not each.startswith("127.")]
    return tuple(dict.fromkeys((*found, own)))
