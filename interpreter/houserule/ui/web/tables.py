"""Active tables: one change at a time, visible to all viewers.

A table is read from the store when a person opens it or a bot must decide, and is
replayed from its record. It is unloaded when no person uses it; nothing is lost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias, TypeVar

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.executors import in_thread, thread_pool
from houserule.engine.bots.bot import NAMES
from houserule.engine.compiled.bots.compiled_bots import end_searches
from houserule.engine.state.faults import RuleFault
from houserule.play.seat.seated import Thought
from houserule.ui.web.database.connection import StoreError
from houserule.ui.web.games import NotHereError
from houserule.ui.web.live import LiveTable
from houserule.ui.web.notices import NoticeError, Notices
from houserule.ui.web.passes import Pass
from houserule.ui.web.store import DAY, TableStore, now

LOG = logging.getLogger("houserule.web")
RESULT = TypeVar("RESULT")
IDLE = 900.0  # seconds without a user after which a table is unloaded
TIDY = 60.0  # seconds between checkpoints of the database, and unloading
EXPIRE = 3600.0  # seconds between deletions of expired tables
LATER = 0.5  # seconds for which bots give way to people
BUSY = 0.05  # seconds of delay of bots that show an overloaded server
TOGETHER = 0.1  # seconds for which bots then decide in one go

Called: TypeAlias = tuple[int, int, int]
StillCalls: TypeAlias = Callable[[Called, str], Awaitable[str | None]]

AT_ONCE = 4  # one thread works while others wait for the disk


class Tables:
    """All tables of a server; for the event loop.

    Args:
        pause: seconds between decisions of bots, for people to follow; None if another
            process runs the bots.
        bots: the names of the bots that hosts may seat.
        notices: sends lines of text to players without an open page.
    """

    def __init__(
        self,
        store: TableStore,
        pause: float | None = 0.7,
        bots: Sequence[str] = NAMES,
        notices: Notices | None = None,
    ) -> None:
        self.store, self.pause, self.bots = store, pause, tuple(bots)
        self.notices = notices or Notices()
        self._called: dict[int, Called | None] = {}
        self._calls: set[asyncio.Task[None]] = set()
        self._elsewhere: dict[int, int] = {}
        self._looked: dict[int, set[int | None]] = {}
        self._live: dict[int, LiveTable] = {}
        self._turns = Turns()
        self._news: dict[int, asyncio.Event] = {}
        self._bots: dict[int, asyncio.Task[None]] = {}
        self._thoughts: dict[int, Thought] = {}
        self._alarms: dict[int, asyncio.Task[None]] = {}
        # Bots think in separate threads, so that requests are answered meanwhile.
        self._minds = thread_pool(AT_ONCE, "bots")
        self._closing = asyncio.Event()

    async def do(
        self,
        table: int,
        work: Callable[[LiveTable], RESULT],
        patience: float = 0.0,
    ) -> RESULT:
        """Run work on a table in a thread, exclusively; then notify viewers.

        With `patience`, it gives way to more urgent work for that many seconds.

        Raises:
            KeyError: unknown table.
            StoreError: it cannot be read or stored; also any error of the work.
        """
        async with self._turns.at(table, patience):
            live = self._live.get(table)
            before = 0 if live is None else live.news
            if live is None:
                live = await in_thread(self._read, table)
                before = live.news
                self._live[table] = live
                self._forget()
            if not patience:  # bots alone do not keep a table loaded
                live.used = time.monotonic()
            try:
                return await in_thread(work, live)
            except StoreError:
                # The store is right: the next request reads the table from it.
                self._live.pop(table, None)
                raise
            finally:
                if live.news != before:
                    self._tell(table)
                thought = self._thoughts.get(table)
                if thought is not None and not live.awaits(thought):
                    thought.give_up()
                self._let_bots_play(live)
                self.call(table, live.called, partial(self._calls_still, table))
                alarm = self._alarms.get(live.id)
                if alarm is not None and alarm is not asyncio.current_task():
                    alarm.cancel()
                    del self._alarms[live.id]
                off = self.pause is None or self._closing.is_set()
                if live.due is not None and not off:
                    late = asyncio.create_task(self._time_out(live.id, live.due))
                    self._alarms[live.id] = late

    def _read(self, table: int) -> LiveTable:
        stored = self.store.table(table)
        if stored.used < now() - DAY:
            with suppress(StoreError):  # a read-only database can still be read
                self.store.use([table])
        return LiveTable(self.store, stored)

    def _forget(self) -> None:
        """Unload the tables that no person has used for a while."""
        idle = time.monotonic() - IDLE
        for number, live in list(self._live.items()):
            waited = number in self._bots or self._turns.wanted(number)
            waited = waited or number in self._alarms
            if live.used < idle and not waited:
                del self._live[number]
                self._called.pop(number, None)

    async def tidy(self) -> None:
        """Unload tables, checkpoint the database, delete expired tables; repeat."""
        expired = -EXPIRE
        while True:
            self._forget()
            used = {*self._live, *self._looked}
            is_due = time.monotonic() - expired >= EXPIRE
            try:
                await in_thread(self._tidy_store, used, is_due)
                expired = time.monotonic() if is_due else expired
            except StoreError as error:
                LOG.warning("the database cannot be tidied: %s", error)
            except Exception:
                LOG.exception("the database cannot be tidied")
            await asyncio.sleep(TIDY)

    def _tidy_store(self, used: set[int], is_due: bool) -> None:
        if is_due:
            self.store.use(used)
            if deleted := self.store.expire():
                LOG.info("deleted %d tables that no one opened", deleted)
        self.store.checkpoint()
        self.store.lock()

    # ---- viewers

    def _tell(self, table: int) -> None:
        self._news.pop(table, asyncio.Event()).set()

    async def beyond(self, table: int, version: int, patience: float) -> int:
        """Wait until a table has a newer version; return the current one."""
        if table not in self._elsewhere and table not in self._live:
            try:
                await self.do(table, lambda _: None)
            except NotHereError:
                kept = await in_thread(self.store.table, table)
                self._elsewhere.setdefault(table, kept.version)
        if self._version(table) <= version and not self._closing.is_set():
            news = self._news.setdefault(table, asyncio.Event())
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(news.wait(), patience)
        return self._version(table)

    def _version(self, table: int) -> int:
        live = self._live.get(table)
        return self._elsewhere.get(table, 0) if live is None else live.news

    # ---- tables that are played in another process

    def hear(self, table: int, version: int) -> None:
        """Note the version of a table that another process plays."""
        if version > self._elsewhere.get(table, 0):
            self._elsewhere[table] = version
            self._tell(table)

    def who_looked(self, table: int) -> set[int | None]:
        """Return the viewers of such a table since the last call."""
        return self._looked.pop(table, set())

    def stands(self, table: int) -> tuple[int, bool]:
        """Return a table's news in this process, and whether a bot must decide."""
        live = self._live.get(table)
        if live is None:
            return 0, False
        return live.news, live.sitting is not None and live.sitting.asks_bot()

    def note(self, found: Pass) -> None:
        """Note that a viewer still looks."""
        live = self._live.get(found.table)
        seat = found.seat if found.role == "seat" else None
        if live is not None:
            live.look(seat)
        elif found.table in self._elsewhere:
            self._looked.setdefault(found.table, set()).add(seat)

    # ---- bots

    def _let_bots_play(self, live: LiveTable) -> None:
        if self.pause is None or live.id in self._bots or self._closing.is_set():
            return
        if self.stands(live.id)[1]:
            playing = asyncio.create_task(self._play_bots(live.id, self.pause))
            self._bots[live.id] = playing

    # ---- notices

    def call(self, table: int, called: Called | None, asks: StillCalls) -> None:
        """Send a notice if `asks` confirms after a while that a table calls a player.

        Args:
            called: the seat, the game and the decision.
            asks: returns the game's title in a language; None if the player has
                decided, or has a page open.
        """
        patience = self.notices.patience
        if patience is None or self._called.get(table) == called:
            return
        self._called[table] = called
        if called is not None:
            call = asyncio.create_task(self._call(table, called, asks, patience))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _call(
        self, table: int, called: Called, asks: StillCalls, patience: float
    ) -> None:
        await asyncio.sleep(patience)
        with suppress(NoticeError, DiagnosticsError, OSError, KeyError):
            chair = (await in_thread(self.store.table, table)).chairs[called[0]]
            title = await asks(called, chair.language)
            if title is not None and chair.notices:
                text = self.notices.text("notices_turn", chair.language, title)
                await self.notices.post(table, chair.notices, text)

    async def _calls_still(
        self, table: int, called: Called, language: str
    ) -> str | None:
        def title(live: LiveTable) -> str | None:
            return live.sentence(language) if live.calls(called) else None

        return await self.do(table, title, LATER)

    # ---- clocks

    async def _time_out(self, table: int, due: float) -> None:
        """Wait until the time of a decision runs out, then end it."""
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        try:
            await self.do(table, LiveTable.time_out, LATER)
        except (DiagnosticsError, RuleFault, OSError) as error:
            LOG.warning("the clock of table %s stops: %s", table, _named(error))
        finally:
            if self._alarms.get(table) is asyncio.current_task():
                del self._alarms[table]

    async def _play_bots(self, table: int, pause: float) -> None:
        """Let bots decide; they think while others use the table."""
        try:
            planned = time.monotonic()
            asked = await self.do(table, partial(_step, None, planned), LATER)
            while asked is not None:
                due = time.monotonic() + pause
                await self._think(table, *asked)
                planned = max(due, time.monotonic())
                await asyncio.sleep(planned - time.monotonic())
                step = partial(_step, asked[0], planned)
                asked = await self.do(table, step, LATER)
        except (DiagnosticsError, RuleFault, OSError) as error:
            # The next person who opens the table lets the bots try again.
            LOG.warning("bots at table %s stop: %s", table, _named(error))
        finally:
            self._bots.pop(table, None)

    async def _think(self, table: int, thought: Thought, is_late: bool) -> None:
        """Compute a thought in a thread; cancel it if nobody awaits the result."""

        def more() -> bool:
            return is_late and time.monotonic() - begun < TOGETHER

        begun, self._thoughts[table] = time.monotonic(), thought
        try:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._minds, thought.think, more)
        finally:
            del self._thoughts[table]

    async def bots_due(self) -> tuple[int, ...]:
        """Return the tables where a bot may be to move; none if unreadable."""
        try:
            return await in_thread(self.store.bots_due)
        except StoreError as error:
            LOG.warning("bots cannot go on: %s", error)
            return ()

    async def go_on(self) -> None:
        """Let bots continue at the tables that were active when the server stopped."""
        for table in await self.bots_due():
            try:
                await self.do(table, LiveTable.note_bot, LATER)
            except NotHereError:
                continue  # the table's own process continues it
            except Exception as error:  # a damaged table does not affect the others
                # The table's page shows the reason.
                LOG.warning("table %s cannot go on: %s", table, _named(error))

    async def close(self) -> None:
        """Cancel all waiting tasks."""
        self._closing.set()
        for news in self._news.values():
            news.set()
        tasks = [*self._bots.values(), *self._alarms.values(), *self._calls]
        for task in tasks:
            task.cancel()
        for thought in self._thoughts.values():
            thought.give_up()
        end_searches()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._minds.shutdown(wait=False, cancel_futures=True)


def _named(error: Exception) -> str:
    """Format an error for the log; only a `StoreError`'s text has no names."""
    return str(error) if isinstance(error, StoreError) else type(error).__name__


def _step(
    thought: Thought | None, planned: float, live: LiveTable
) -> tuple[Thought, bool] | None:
    """Let bots decide as planned; return their next problem, if any.

    Also return whether the server is overloaded, that is, whether this starts much
    later than planned: then bots think on, so that several decisions are stored and
    drawn once.
    """
    is_late = time.monotonic() - planned >= BUSY
    if thought is not None:
        live.follow(thought)
    following = live.think()
    return None if following is None else (following, is_late)


# ---- fair scheduling: one task per table at a time, urgent tasks first


class Turns:
    """Schedules work at tables; for the event loop.

    Args:
        at_once: the maximum number of tables at a time.
        clock: returns seconds.
    """

    def __init__(
        self, at_once: int = AT_ONCE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._clock, self._numbers = at_once, clock, count()
        self._waiting: list[tuple[float, int, int, asyncio.Future[None]]] = []
        self._taken: set[int] = set()

    @asynccontextmanager
    async def at(self, table: int, patience: float = 0.0) -> AsyncIterator[None]:
        """Wait until a table and a thread are free; the block has them exclusively.

        First come, first served. `patience` counts as that many seconds of later
        arrival, so that others go first, but not indefinitely.
        """
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        due = self._clock() + patience
        heappush(self._waiting, (due, next(self._numbers), table, called))
        self._call()
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave(table)
            raise
        try:
            yield
        finally:
            self._leave(table)

    def wanted(self, table: int) -> bool:
        """Return whether a task uses a table, or waits for it."""
        return table in self._taken or any(each[2] == table for each in self._waiting)

    def _leave(self, table: int) -> None:
        self._taken.discard(table)
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Start waiting tasks while threads are free."""
        passed = []
        while self._free and self._waiting:
            waiting = heappop(self._waiting)
            _, _, table, called = waiting
            if called.done():
                continue  # the waiting client is gone
            if table in self._taken:
                passed.append(waiting)
                continue
            self._taken.add(table)
            self._free -= 1
            called.set_result(None)
        for waiting in passed:
            heappush(self._waiting, waiting)
