"""A server in a thread, and guests who talk to it as browsers without scripts do."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from sqlalchemy import event
from tools.clicking import VERSION

from houserule.engine.bots.bot import NAMES
from houserule.ui.web.guard import AddressLimits
from houserule.ui.web.notices import Notices
from houserule.ui.web.running import ServingUntilTold, listening_at, settings
from houserule.ui.web.server import TableServer
from houserule.ui.web.store import TableStore

UNLIMITED = AddressLimits(100_000, 1_000, 1_000, 100_000)


@dataclass
class Served:
    """A server that runs in this process."""

    server: TableServer
    store: TableStore
    address: str
    guests: list[httpx.Client] = field(default_factory=list)

    @property
    def netloc(self) -> str:
        return urlsplit(self.address).netloc

    def guest(self, language: str = "en") -> httpx.Client:
        """Return a browser of its own, which tells where its posts come from."""
        headers = {"origin": self.address, "accept-language": language}
        made = httpx.Client(
            base_url=self.address,
            headers=headers,
            follow_redirects=True,
            timeout=20,
            verify=False,  # nothing is encrypted here: no certificates are read
        )
        self.guests.append(made)
        return made


LOOP = "event loop"  # the thread of the server


@contextmanager
def served(
    folder: Path,
    pause: float = 0.0,
    *,
    own: bool = True,
    bots: Sequence[str] = NAMES,
    url: str = "",
    limits: AddressLimits = UNLIMITED,
    proxy: bool = False,
    public: str = "",
    notices: Notices | None = None,
) -> Iterator[Served]:
    """Serve tables until the end of the block: those in a folder, or at a `url`."""
    store = TableStore(url or f"sqlite:///{folder / 'tables.db'}")
    if not url:
        _wait_for_no_disk(store)
    in_the_loop = statements_in_the_loop(store)
    listening = listening_at("127.0.0.1", 0)
    hosts = ["127.0.0.1", "localhost"]
    server = TableServer(
        store,
        hosts,
        pause,
        limits=limits,
        own=own,
        bots=bots,
        public=public,
        notices=notices,
    )
    config = settings(server, proxy=proxy)
    config.timeout_graceful_shutdown = 1
    running = ServingUntilTold(config, server)
    thread = threading.Thread(
        target=running.run, args=([listening],), name=LOOP, daemon=True
    )
    thread.start()
    while not running.started:
        time.sleep(0.005)
    try:
        port = listening.getsockname()[1]
        found = Served(server, store, f"http://127.0.0.1:{port}")
        yield found
    finally:
        for guest in found.guests:
            guest.close()
        running.should_exit = True
        thread.join(10)
        store.close()
        listening.close()
    assert in_the_loop == [], "a slow database would freeze the server"


def statements_in_the_loop(store: TableStore) -> list[str]:
    """Note the statements that are executed in the thread of the event loop."""
    found: list[str] = []

    @event.listens_for(store._engine, "before_cursor_execute")
    def note(_: Any, __: Any, statement: str, *___: Any) -> None:  # noqa: ANN401
        if threading.current_thread().name == LOOP:
            found.append(statement)

    return found


def _wait_for_no_disk(store: TableStore) -> None:
    """Let the system write when it likes: a disk that is busy makes a test wait."""

    @event.listens_for(store._engine, "connect")
    def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  # a driver's
        connection.execute("pragma synchronous=off").close()

    store._engine.dispose()  # connections that there are already


# ---- a table, and who sits at it


@dataclass
class OpenTable:
    """A table with its people, each with a browser and the address of the seat."""

    served: Served
    host: str
    host_browser: httpx.Client
    guests: list[httpx.Client] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)

    @cached_property
    def watcher(self) -> str:
        """The address of somebody who watches."""
        return self.link("watch")

    @property
    def id(self) -> int:
        found = self.served.store.opened_by(self.host.rpartition("/")[2])
        assert found is not None
        return found.table

    @property
    def kept(self) -> tuple[object, str]:
        """All that the store has of the table and its game."""
        table = self.served.store.table(self.id)
        return table, self.served.store.record(self.id, table.number)

    def link(self, what: str) -> str:
        """Return a link that the host gets: `invite` or `watch`."""
        page = self.host_browser.get(self.host)
        letter = {"invite": "j", "watch": "w"}[what]
        found = re.search(rf"/{letter}/[\w-]+", page.text)
        assert found is not None, page.text
        return found[0]

    def begin(self) -> None:
        """Begin the game, as the host."""
        begun = self.host_browser.post(f"{self.host}/begin")
        assert begun.status_code == 200, begun.text

    def post(
        self, seat: int, what: str, path: Sequence[str] = (), **fields: str
    ) -> httpx.Response:
        """Send what a form or a script of a seat sends."""
        if "version" not in fields:
            fields["version"] = str(self.version(seat))
        body = [*fields.items(), *(("path", each) for each in path)]
        return self.guests[seat].post(
            f"{self.seats[seat]}/{what}",
            content=urlencode(body),
            headers={
                "content-type": "application/x-www-form-urlencoded",
                "x-part": "1",
            },
        )

    def part(self, seat: int, path: Sequence[str] = ()) -> str:
        """Return what a seat sees."""
        answer = self.guests[seat].get(
            f"{self.seats[seat]}/part", params={"path": list(path)}
        )
        assert answer.status_code == 200, answer.text
        return answer.text

    @property
    def asked(self) -> int:
        """The seat that has to decide."""
        live = self.served.server.tables._live[self.id]
        assert live.sitting is not None
        assert live.sitting.decision is not None
        return live.sitting.decision.seat

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.served.server.tables._live[self.id].over

    def a_move(self, random: Random | None = None) -> list[str]:
        """Return the path of a choice that is possible now: the first, or any."""
        live = self.served.server.tables._live[self.id]
        seat, path = self.asked, list[str]()
        while (step := live.step(seat, path)) is not None:
            options = [*step.options, *(e for g in step.groups for e in g.options)]
            if not options:
                break
            option = random.choice(options) if random else options[0]
            path = [*step.path, option.key]
        return path

    def version(self, seat: int) -> int:
        found = VERSION.search(self.part(seat))
        assert found is not None
        return int(found[1])


def open_table(
    served: Served,
    choice: str,
    people: Sequence[str],
    bot: str = "greedy",
    *,
    begin: bool = True,
) -> OpenTable:
    """Open a table, seat people, fill the other seats with bots, and `begin`."""
    host = served.guest()
    page = host.post("/tables", data={"choice": choice})
    assert page.status_code == 200, page.text
    table = OpenTable(served, page.url.path, host)
    invite = table.link("invite")
    for seat, name in enumerate(people):
        browser = served.guest()
        answer = browser.post(invite, data={"seat": str(seat), "name": name})
        assert answer.url.path.startswith("/s/"), answer.text
        table.guests.append(browser)
        table.seats.append(answer.url.path)
    for seat in range(len(people), len(served.store.table(table.id).chairs)):
        host.post(f"{table.host}/bot", data={"seat": str(seat), "kind": bot})
    if begin:
        table.begin()
    return table
