"""A load test of the server: from a click to another player's screen.

Usage: `python -m tools.bench.load [--tables N …] [--seconds S] [--think S]
[--write PAGE]`

It starts a server with an empty database. Each table has two simulated people, and
greedy bots in all other seats; the tables are those of every built-in game with the
most seats. Each person has a page open, subscribes to events, and fetches updates like
the browser's script. The person to decide thinks for a while, then clicks at random. A
click is timed until the other person has the update, and until the clicking person has
the answer. The simulated people use time of the same cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from urllib.parse import urlencode

from tools.bench.browsers import Browser, answers
from tools.bench.pages import tell
from tools.clicking import VERSION, Clickable

import houserule

PEOPLE = ("Ann", "Bob")
PATIENCE = 60.0  # seconds to wait for the server to start
HEAD = (
    *("tables", "clicks", "other's screen ms", "99 of 100"),
    *("own screen ms", "99 of 100", "kB a table", "late"),
    *("CPU ms a click", "of who clicks"),
)
LATE = 0.3  # seconds after which a click is late on the other's screen
TURN = "data-turn"  # in the part of a page whose viewer must decide


def _choice_in(part: str) -> str:
    """Return the part of a page that a choice needs, since parsing all of it is slow.

    It is the head, the form's hidden fields, and the choice.
    """
    head, _, rest = part.partition('<div class="notices">')
    choice = rest[rest.index('id="choice"') :]
    return head + choice[: choice.index("</section>")]


@dataclass(frozen=True)
class Row:
    """The results: milliseconds to a screen, kilobytes of memory per table.

    Attributes:
        late: the share of clicks that were late on the other's screen, in per cent.
        cpu: the server's milliseconds of CPU time per click, including the bots' moves.
        clicking: the clients' milliseconds of CPU time per click, on the same cores.
    """

    tables: int
    clicks: int
    other: float
    other_most: float
    own: float
    own_most: float
    memory: float
    late: float
    cpu: float
    clicking: float

    def cells(self) -> list[str]:
        """Return the cells of the row."""
        numbers = [f"{each:.0f}" for each in asdict(self).values()]
        return [*numbers[:-3], f"{self.late:.1f}%", *numbers[-2:]]


@dataclass
class Waits:
    """The response time of each click, in seconds."""

    own: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    refused: int = 0


@dataclass
class Person:
    """A person with the page of a seat open.

    Attributes:
        part: the content of the page.
        version: the version of the table on the page.
        renewed: set when an update has arrived.
    """

    web: Browser
    address: str
    part: str = ""
    version: int = 0
    renewed: asyncio.Event = field(default_factory=asyncio.Event)

    async def get(self, path: Sequence[str] = ()) -> str:
        """Return the content of the page during a choice with several steps."""
        query = urlencode([("path", each) for each in path])
        address = f"{self.address}/part"
        return (await self.web.get(f"{address}?{query}" if query else address)).text

    def show(self, part: str) -> None:
        """Put an update into the page, unless the page is newer."""
        found = VERSION.search(part)
        if found is not None and int(found[1]) >= self.version:
            self.part, self.version = part, int(found[1])
            self.renewed.set()

    async def look_on(self) -> None:
        """Receive events, and fetch the updates."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                async with aclosing(self.web.news(f"{self.address}/events")) as news:
                    async for said in news:
                        if int(said) > self.version:
                            self.show(await self.get())

    async def choice(self, random: Random) -> str:
        """Return a random whole choice as the form sends it; '' if there is none."""
        if TURN not in self.part:
            return ""
        path: tuple[str, ...] = ()
        page = Clickable(_choice_in(self.part))
        while True:
            ways = [link for link in page.links if len(link) > len(path)]
            if page.buttons and (not ways or random.random() < 0.5):
                return urlencode(random.choice(page.buttons))
            if not ways:
                return ""
            path = random.choice(ways)
            page = Clickable(_choice_in(await self.get(path)))

    async def send(self, what: str, body: str) -> int:
        """Send a form, and show the answer; return the status."""
        answer = await self.web.post(f"{self.address}/{what}", body, X_Part="1")
        if answer.status == 200:
            self.show(answer.text)
        return answer.status


async def play(
    people: Sequence[Person], think: float, random: Random, waits: Waits
) -> None:
    """Let the people at one table play, game after game."""
    while True:
        await asyncio.sleep(random.expovariate(1 / think))
        for person, other in (people, people[::-1]):
            body = await person.choice(random)
            if not body:
                continue
            before = person.version
            other.renewed.clear()
            start = time.perf_counter()
            status = await person.send("choose", body)
            if status != 200:
                waits.refused += 1
                continue
            waits.own.append(time.perf_counter() - start)
            while other.version <= before:
                await other.renewed.wait()
                other.renewed.clear()
            waits.other.append(time.perf_counter() - start)
        if "/rematch" in people[0].part:
            await people[0].send("rematch", "")


async def sit_down(address: str, choice: str, number: int) -> list[Person]:
    """Open a table at a server's address, and seat people and bots."""
    web = Browser(address)
    host = (await web.send("/tables", {"choice": choice})).location
    people = []
    for seat, name in enumerate(PEOPLE):
        seated = await web.send(f"{host}/sit", {"seat": str(seat), "name": name})
        own = Browser(address, f"browser={number:08x}{seat:08x}")
        people.append(Person(own, seated.location))
    seat, notice = len(PEOPLE), ""
    while not notice:  # a notice means that no seat is left
        answer = await web.send(f"{host}/bot", {"seat": str(seat), "kind": "greedy"})
        notice = "" if answer.status == 303 else answer.text
        seat += 1
    begun = await web.post(f"{host}/begin")
    assert begun.status == 303, begun.text
    await web.close()
    for person in people:
        person.show(await person.get())
    return people


async def leave(people: Sequence[Person]) -> None:
    """Let people close their browsers."""
    for person in people:
        await person.web.close()


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[tuple[str, int]]:
    """Run a server; yield its address and its process id."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    database = f"sqlite:///{folder / 'tables.db'}"
    words = ["serve", "--port", str(port), "--database", database]
    for limit in ("--rate", "--connections", "--streams", "--new-tables"):
        words += [limit, "1000000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "houserule", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + PATIENCE
        while not await answers(address, "/health"):
            assert time.monotonic() < until, "the server does not answer"
            await asyncio.sleep(0.05)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


def memory(process: int) -> int:
    """Return the current memory of a process, in kilobytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def cpu_time(process: int) -> float:
    """Return the CPU time of a process so far, in seconds, with its children."""
    found = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(map(int, found[11:15]))  # own and of ended children, user and system
    return ticks / os.sysconf("SC_CLK_TCK")


def choices() -> list[str]:
    """Return a link to the table with the most seats of every built-in game."""
    return [
        f"{game.id}?players={max(houserule.load(game.id).players)}"
        for game in houserule.shipped()
    ]


@asynccontextmanager
async def playing(
    everybody: Sequence[Sequence[Person]], think: float, waits: Waits
) -> AsyncIterator[None]:
    """Let people watch and play; raise the first error of any of them."""
    tasks = [
        asyncio.create_task(person.look_on())
        for people in everybody
        for person in people
    ]
    tasks += [
        asyncio.create_task(play(people, think, Random(at), waits))
        for at, people in enumerate(everybody)
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        for people in everybody:
            await leave(people)
    for each in done:
        if isinstance(each, Exception):
            raise each


async def measure(tables: int, seconds: float, think: float) -> Row:
    """Open tables and let people play for a while."""
    waits, known = Waits(), choices()
    with tempfile.TemporaryDirectory() as place:
        async with server(Path(place)) as (address, process):
            for number, choice in enumerate(known):  # programs are compiled first
                await leave(await sit_down(address, choice, number))
            before = memory(process)
            everybody = [
                await sit_down(address, known[number % len(known)], len(known) + number)
                for number in range(tables)
            ]
            async with playing(everybody, think, waits):
                await asyncio.sleep(think)
                waits.own.clear()
                waits.other.clear()
                worked, clicked = cpu_time(process), time.process_time()
                await asyncio.sleep(seconds)
                worked = cpu_time(process) - worked
                clicked = time.process_time() - clicked
                grown = memory(process) - before
    clicks = len(waits.other)
    return Row(
        tables,
        clicks,
        *_spread(waits.other),
        *_spread(waits.own),
        memory=grown / tables,
        late=100 * sum(wait > LATE for wait in waits.other) / clicks,
        cpu=1000 * worked / clicks,
        clicking=1000 * clicked / clicks,
    )


def _spread(times: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile, in milliseconds."""
    return 1000 * median(times), 1000 * quantiles(times, n=100)[98]


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[200])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=10.0)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(words)
    rows = [
        asyncio.run(measure(tables, chosen.seconds, chosen.think))
        for tables in chosen.tables
    ]
    cells = [row.cells() for row in rows]
    tell("load", HEAD, cells, [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main()
