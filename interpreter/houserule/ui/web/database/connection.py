"""Database connections, SQLite or PostgreSQL: open, lock, read, write, close.

No call waits long: a silent PostgreSQL server fails like one that refuses.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import (
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from functools import cache
from threading import Lock
from typing import Any

from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from houserule.play.records.appending import locked
from houserule.ui.web.database.schema import SERVING, SchemaError, migrate

POSTGRES = "postgresql+psycopg"  # the driver in the extra `postgres`
CONNECTING, ANSWERING = 5, 5  # seconds that PostgreSQL may take
FREE = 5.0  # seconds to wait for a connection of the pool
LIMITS: Mapping[str, object] = {
    "connect_timeout": CONNECTING,
    # The server ends a statement before the client gives up.
    "options": f"-c statement_timeout={ANSWERING * 1000 - 500}"
    " -c idle_in_transaction_session_timeout=60000"
    # If this computer is gone, the server releases the lock after a minute.
    " -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10"
    " -c tcp_keepalives_count=3",
    "tcp_user_timeout": ANSWERING * 1000,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""Connection parameters for PostgreSQL, unless its address has others."""
ENDING = 1.0  # seconds for a killed server to lose its lock
RECENT = 5.0  # seconds for which the result of a write check is reused
ROOM = 1_000_000  # bytes: with less, a disk counts as full
LOCK = "-serving"  # after the name of a SQLite file: the file that `serve` locks


class StoreError(OSError):
    """The database cannot be opened, read or written; nothing has changed."""


class Database:
    """An open database; safe to use from several threads.

    Args:
        url: such as `sqlite:////var/lib/houserule/tables.db` or
            `postgresql://name:password@host/database`.
        alone: lock it against a second server while it is open.

    Raises:
        StoreError: it cannot be opened, is in use, has no driver here, or belongs to
            another program or a newer Houserule.
    """

    def __init__(self, url: str, *, alone: bool = False) -> None:
        self._writer: AbstractContextManager[object] = nullcontext()
        self._probing = Lock()
        self._is_silent = self._wrote = False
        self._written = self._failed = float("-inf")  # last success, failure
        self._file_lock = -1
        self._session: Connection | None = None
        with _failing("opened"):
            try:
                # The address of a database that Houserule supports
                try:
                    read = make_url(url)
                except ArgumentError:  # its text depends on the version
                    raise StoreError(
                        "The address of the database is not valid: use"
                        " sqlite:///FILE or postgresql://USER@HOST/NAME."
                    ) from None
                if read.drivername in {"postgres", "postgresql"}:
                    read = read.set(drivername=POSTGRES)
                if read.drivername not in {"sqlite", POSTGRES}:
                    raise StoreError(
                        f"`{read.drivername}` is no database that Houserule knows: use"
                        " `sqlite:///FILE` or `postgresql://NAME:PASSWORD@HOST/DATABASE`."
                    )
                name = read.database or ":memory:"
                if read.drivername == "sqlite" and (
                    ":memory:" in name or name.startswith("file:")
                ):
                    raise StoreError(
                        "A database in memory is lost when the server ends: "
                        "name a file, `sqlite:///FILE`."
                    )
                self._engine = _engine(read)
            except ModuleNotFoundError as error:
                module = error.name or ""
                raise StoreError(
                    "PostgreSQL needs its driver: pip install 'houserule[postgres]'"
                    if module == "psycopg"
                    else f"The driver of this database is not installed: {module}"
                ) from None
            self._is_file = self._engine.dialect.name == "sqlite"
            if self._is_file:
                # One thread writes at a time. Here a waiting thread is woken at once;
                # in SQLite, it would poll with increasing pauses.
                self._writer = Lock()
            self._reads = self._engine.execution_options(reads=True)
        try:
            if alone:
                self.lock()
            with _failing("opened"), self._engine.begin() as db:
                migrate(db)
            if self._is_file:
                # Only now, because another program's file keeps its own mode.
                self._pragma("journal_mode=wal")
        except SchemaError as error:
            self.close()
            raise StoreError(str(error)) from None
        except BaseException:
            self.close()
            raise

    @property
    def place(self) -> str:
        """The database's location, without a password."""
        url = self._engine.url
        return url.database or "" if url.drivername == "sqlite" else repr(url)

    @property
    def url(self) -> str:
        """The full address of the database, with its password, if any."""
        return self._engine.url.render_as_string(hide_password=False)

    # ---- one server at a time

    def lock(self) -> None:
        """Lock the database against a second server, unless it is already locked.

        Raises:
            StoreError: another server has it.
        """
        if self._is_file and self._file_lock < 0:
            # A symbolic link leads to the same database.
            file = os.path.realpath(str(self._engine.url.database))
            try:
                self._file_lock = os.open(
                    f"{file}{LOCK}", os.O_RDWR | os.O_CREAT, 0o600
                )
                # Only the owner may read a new database, because it has the keys of all
                # seats.
                os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
                names = os.stat(file).st_nlink
            except OSError as error:
                message = f"`{self.place}` cannot be opened: {error.strerror}."
                raise StoreError(message) from None
            if names > 1:
                # https://sqlite.org/howtocorrupt.html, "Multiple links"
                raise StoreError(
                    f"`{self.place}` has a second name: a hard link. SQLite can lose"
                    " what is written under two names. Copy the file, and serve the"
                    " copy; or use a symbolic link."
                )
        until = time.monotonic() + ENDING
        while not self._is_locked():
            if time.monotonic() > until:
                raise StoreError(
                    f"Another `houserule serve` uses {self.place}. End it first, or"
                    " give this one its own database: `--database sqlite:///FILE`."
                )
            time.sleep(0.05)

    def _is_locked(self) -> bool:
        if self._is_file:
            return locked(self._file_lock)
        with _failing("locked"):
            # Lock with a PostgreSQL session; open a new one if it has ended
            if self._session is not None:
                with suppress(SQLAlchemyError):
                    self._session.execute(text("select 1"))
                    return True
                self._session.invalidate()
                self._session.close()
                self._session = None
            options = {"isolation_level": "AUTOCOMMIT"}
            session = self._engine.connect().execution_options(**options)
            wanted = text("select pg_try_advisory_lock(:key)")
            if session.execute(wanted, {"key": SERVING}).scalar_one():
                self._session = session
                return True
            session.close()
            return False

    def checkpoint(self) -> None:
        """Move SQLite's `-wal` content into the database file."""
        if self._wrote:
            self._wrote = False
            self._pragma("wal_checkpoint(passive)")

    def _pragma(self, what: str) -> None:
        """Execute a SQLite statement outside a transaction."""
        with _failing("written"), closing(self._engine.raw_connection()) as raw:
            raw.cursor().execute(f"pragma {what}")

    def close(self) -> None:
        """Close the database; a SQLite file is then complete without its `-wal`."""
        if self._session is not None:
            with suppress(SQLAlchemyError):
                self._session.invalidate()  # which ends it, and so its lock
                self._session.close()
            self._session = None
        if self._is_file and self._file_lock >= 0:
            # A process with users' own rules may still have the file open.
            with suppress(StoreError):
                self._pragma("wal_checkpoint(truncate)")
        self._engine.dispose()
        if self._file_lock >= 0:
            os.close(self._file_lock)
            self._file_lock = -1

    # ---- reading and writing

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self._answering(), _failing("written"), self._writer:
            self._written = float("-inf")  # unless it succeeds
            with self._engine.begin() as db:
                yield db
            self._wrote = self._is_file
            self._written = time.monotonic()

    def check_writes(self) -> None:
        """Try a write, unless a write succeeded or a check failed just now.

        Raises:
            StoreError: the database cannot be written.
        """
        recently = time.monotonic() - RECENT
        if self._written > recently:
            return
        if self._failed > recently:
            raise StoreError("The database cannot be written.")
        try:
            with self.writing() as db:
                db.execute(text("update houserule_schema set version = version"))
            # A small write succeeds on a full disk if its file has unused pages.
            if self._is_file and shutil.disk_usage(self.place).free < ROOM:
                raise StoreError("The disk is full.")
        except StoreError:
            self._failed = time.monotonic()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read without waiting for a writing thread."""
        with self._answering(), _failing("read"), self._reads.connect() as db:
            yield db

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Let one thread find out whether a silent server answers again.

        All others fail at once, so that they do not block the server's threads.
        """
        if self._is_file:
            yield
            return
        probes = self._is_silent
        if probes and not self._probing.acquire(blocking=False):
            raise StoreError("The database does not answer.")
        begun = time.monotonic()
        try:
            yield
            self._is_silent = False
        except StoreError:
            self._is_silent = time.monotonic() - begun >= min(CONNECTING, ANSWERING) / 2
            raise
        finally:
            if probes:
                self._probing.release()


# ---- helpers


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        limits = {key: it for key, it in LIMITS.items() if key not in url.query}
        # A connection to a file lasts as long as the file; a server's may end.
        made = create_engine(
            url,
            connect_args=limits,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_timeout=FREE,
        )
        event.listen(made, "do_connect", _impatient)
        return made
    made = create_engine(url, hide_parameters=True, pool_timeout=FREE)

    @event.listens_for(made, "connect")
    def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  # the driver's
        connection.isolation_level = None  # `begin` below begins transactions
        for pragma in (
            "synchronous=full",
            "foreign_keys=on",
            "busy_timeout=5000",
        ):
            connection.execute(f"pragma {pragma}").close()

    @event.listens_for(made, "begin")
    def begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get("reads")
        connection.exec_driver_sql("begin" if reads else "begin immediate")

    return made


def _impatient(_: object, __: object, words: Any, named: Any) -> object:  # noqa: ANN401
    """Connect to PostgreSQL with `ImpatientConnection`."""
    return _impatient_connection().connect(*words, **named)


@cache
def _impatient_connection() -> Any:  # noqa: ANN401  # the driver may not be installed
    """Return the class of connections that fail when their server is silent.

    A paused server, or a proxy, still acknowledges every packet, so `tcp_user_timeout`
    and keepalives do not notice a missing answer.
    """
    import psycopg

    class ImpatientConnection(psycopg.Connection[Any]):
        """A connection with a deadline for every answer."""

        def wait(self, gen: Any, *args: Any, **named: Any) -> Any:  # noqa: ANN401
            """Run a generator of the driver until the deadline."""
            return super().wait(self._until(gen), *args, **named)

        def _until(self, gen: Any) -> Generator[Any, Any, Any]:  # noqa: ANN401
            deadline = time.monotonic() + ANSWERING
            try:
                wanted = next(gen)
                while True:
                    ready = yield wanted
                    if not ready and time.monotonic() > deadline:
                        self.pgconn.finish()
                        raise psycopg.OperationalError("the server does not answer")
                    wanted = gen.send(ready)
            except StopIteration as done:
                return done.value

    return ImpatientConnection


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """Raise a `StoreError` without the stored data if the database fails.

    It has only the first line of the cause: the other lines, and the exception itself,
    may contain the values of the row.
    """
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        message = f"This is no database that Houserule knows: {error}"
        raise StoreError(message) from None
    except (SQLAlchemyError, sqlite3.Error) as error:  # pragmas go to the driver
        why = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise StoreError(f"The database cannot be {what}: {why}") from None
