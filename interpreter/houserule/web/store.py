"""What a server keeps: tables, who sits there, keys, and every line of every game.

A move is safe when its lines and the table's new version are committed, in one
transaction; nothing of it is shown before. SQLite writes to the disk at every commit.
Of keys only hashes are kept: who reads the database cannot sit down with it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from houserule.frozen import frozen
from houserule.web.passes import Pass, RememberedPasses, Role, hashed

POSTGRES = "postgresql+psycopg"  # the driver that the extra `postgres` brings
SCHEMA = 2  # the newest form of the database; `_MIGRATIONS` lead to it

_META = MetaData()
_schema = Table("houserule_schema", _META, Column("version", Integer, nullable=False))
tables = Table(
    "game_table",
    _META,
    Column("id", Integer, primary_key=True),
    Column("choice", Text, nullable=False),  # of game and house rules, as in a link
    Column("language", String(8), nullable=False),
    Column("version", Integer, nullable=False),
    Column("number", Integer, nullable=False),  # of the game at this table; 0: not yet
    Column("seats", Text, nullable=False),  # JSON: who sits there
    Column("made", Integer, nullable=False),  # seconds since 1970
    Column("changed", Integer, nullable=False),
)
_keys = Table(
    "pass_key",
    _META,
    Column("hash", String(64), primary_key=True),
    Column("table_id", ForeignKey("game_table.id"), nullable=False, index=True),
    Column("role", String(8), nullable=False),
    Column("seat", Integer),
)
_lines = Table(
    "record_line",
    _META,
    Column("table_id", ForeignKey("game_table.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Integer, primary_key=True),
    Column("text", Text, nullable=False),
)
finished_games = Table(
    "finished_game",
    _META,
    Column("table_id", ForeignKey("game_table.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("game", String(100), nullable=False),
    Column("end", String(8), nullable=False),
    Column("winners", Text, nullable=False),  # JSON: names
    Column("choices", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
)
own_texts = Table(
    "own_rules",
    _META,
    Column("digest", String(32), primary_key=True),
    Column("text", Text, nullable=False),
    Column("brought", Integer, nullable=False),  # seconds since 1970
)


class StoreError(OSError):
    """The database cannot be opened, read or written; nothing has changed."""


@frozen
class Chair:
    """One seat of a table, as the host has it.

    Attributes:
        name: of a person; of a bot its kind; '' where nobody sits yet.
        bot: whether a bot plays it.
        language: of the pages of this seat.
    """

    name: str = ""
    bot: bool = False
    language: str = "en"


@frozen
class StoredTable:
    """A table as it is kept.

    Attributes:
        id: its number in this database; no secret.
        choice: game and house rules, in the form of a link.
        version: grows by one with everything that anybody may notice.
        number: how many games were begun here; the last one is under way, or over.
        chairs: by seat.
    """

    id: int
    choice: str
    language: str
    version: int
    number: int
    chairs: tuple[Chair, ...]


class TableStore:
    """A database with tables and games; safe to use from several threads.

    Args:
        url: such as `sqlite:////var/lib/houserule/tables.db` or
            `postgresql://name:password@host/database`.

    Attributes:
        passes: what keys open, remembered; what another process changes has to be
            forgotten.

    Raises:
        StoreError: it cannot be opened, has no driver here, or is of a newer program.
    """

    def __init__(self, url: str) -> None:
        self.passes = RememberedPasses()
        self._alone: AbstractContextManager[object] = nullcontext()
        with _told("opened"):
            try:
                self._engine = _engine(url)
            except ModuleNotFoundError as error:
                raise StoreError(_missing(error.name or "")) from None
            except (ArgumentError, NoSuchModuleError) as error:
                message = f"This is no database that is known: {error}"
                raise StoreError(message) from None
            if self._engine.url.get_backend_name() == "sqlite":
                # One writes at a time. Who waits here is called at once; who waits
                # there asks again after ever longer pauses.
                self._alone = Lock()
            self._reads = self._engine.execution_options(reads=True)
            try:
                with self._engine.begin() as db:
                    _migrate(db)
            except BaseException:
                self.close()
                raise

    @property
    def place(self) -> str:
        """Where the database is, without a password."""
        url = self._engine.url
        return url.database or "" if url.drivername == "sqlite" else repr(url)

    @property
    def url(self) -> str:
        """The whole address of the database, with a password if it has one."""
        return self._engine.url.render_as_string(hide_password=False)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write, all or nothing."""
        with _told("written"), self._alone, self._engine.begin() as db:
            yield db

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read what is kept, without waiting for who writes."""
        with _told("read"), self._reads.connect() as db:
            yield db

    # ---- tables

    def new_table(
        self,
        choice: str,
        language: str,
        chairs: Sequence[Chair],
        keys: Sequence[tuple[str, Role]],
        record: str = "",
    ) -> StoredTable:
        """Keep a new table, its keys, and the `record` of its first game, if any."""
        row = {
            "choice": choice,
            "language": language,
            "version": 1,
            "number": 1 if record else 0,
            "seats": _written(chairs),
            "made": now(),
            "changed": now(),
        }
        with self.writing() as db:
            made = db.execute(insert(tables).values(row)).inserted_primary_key
            assert made is not None, "the database numbers its tables"
            for key, role in keys:
                _add_key(db, key, Pass(made[0], role, None))
            if record:
                _add_lines(db, made[0], 1, 0, record.rstrip("\n").split("\n"))
        return self.table(made[0])

    def table(self, number: int) -> StoredTable:
        """Return a table.

        Raises:
            KeyError: there is none of this number.
        """
        with self.reading() as db:
            row = db.execute(select(tables).where(tables.c.id == number)).first()
        if row is None:
            raise KeyError(number)
        return StoredTable(
            id=row.id,
            choice=row.choice,
            language=row.language,
            version=row.version,
            number=row.number,
            chairs=tuple(Chair(**each) for each in json.loads(row.seats)),
        )

    def change(
        self, table: StoredTable, chairs: Sequence[Chair] | None = None
    ) -> StoredTable:
        """Note that something changed that people may notice; return the table now."""
        version = table.version + 1
        kept = tuple(table.chairs if chairs is None else chairs)
        with self.writing() as db:
            _bump(db, table.id, version, seats=_written(kept))
        return replace(table, version=version, chairs=kept)

    def unfinished(self) -> tuple[int, ...]:
        """Return the tables at which a game is under way."""
        over = select(finished_games.c.table_id).where(
            finished_games.c.table_id == tables.c.id,
            finished_games.c.number == tables.c.number,
        )
        wanted = select(tables.c.id).where(tables.c.number > 0, ~over.exists())
        with self.reading() as db:
            return tuple(db.execute(wanted).scalars())

    # ---- keys

    def add_key(self, key: str, opens: Pass) -> None:
        """Let a key open something."""
        with self.writing() as db:
            _add_key(db, key, opens)

    def opened_by(self, key: str) -> Pass | None:
        """Return what a key opens, if anything."""
        digest, forgotten = hashed(key), self.passes.forgotten
        found = self.passes.get(digest)
        if found is None:
            with self.reading() as db:
                row = db.execute(select(_keys).where(_keys.c.hash == digest)).first()
            if row is None:
                return None
            found = Pass(row.table_id, row.role, row.seat)
            self.passes.add(digest, found, forgotten)
        return found

    def drop_keys(self, table: int, seat: int, role: Role | None = None) -> None:
        """Let the keys of a seat open nothing any more, all or those of one kind."""
        gone = delete(_keys).where(_keys.c.table_id == table, _keys.c.seat == seat)
        if role is not None:
            gone = gone.where(_keys.c.role == role)
        try:
            with self.writing() as db:
                db.execute(gone)
        finally:
            self.passes.forget(table)

    # ---- games

    def record(self, table: int, number: int) -> str:
        """Return the record of a game so far; '' if there is none."""
        wanted = (
            select(_lines.c.text)
            .where(_lines.c.table_id == table, _lines.c.number == number)
            .order_by(_lines.c.at)
        )
        with self.reading() as db:
            return "".join(f"{line}\n" for line in db.execute(wanted).scalars())

    def count(self) -> int:
        """Return how many tables there are: shows that the database answers."""
        with self.reading() as db:
            return db.execute(select(func.count()).select_from(tables)).scalar_one()


class TableLines:
    """Keeps the record of one game of a table, as a sitting wants it kept.

    Each append is one transaction with the table's next version.

    Attributes:
        path: there is no file.
        version: of the table, as it is in the database.
        chairs: who sits there from the next append on, if that changes with it.
    """

    path: Path | None = None

    def __init__(self, store: TableStore, table: StoredTable, number: int) -> None:
        self._store, self._table, self._number = store, table.id, number
        self.version = table.version
        self.chairs: Sequence[Chair] | None = None
        with store.reading() as db:
            where = _lines.c.table_id == table.id, _lines.c.number == number
            self._at = db.execute(select(func.count()).where(*where)).scalar_one()

    def append(self, line: str) -> None:
        """Keep lines, and return when they are on the disk."""
        lines, at = line.split("\n"), self._at
        chairs, self.chairs = self.chairs, None
        with self._store.writing() as db:
            _add_lines(db, self._table, self._number, at, lines)
            seats = {} if chairs is None else {"seats": _written(chairs)}
            _bump(db, self._table, self.version + 1, number=self._number, **seats)
        self._at += len(lines)
        self.version += 1

    def close(self) -> None:
        """Do nothing: one server has the database."""

    def discard(self) -> None:
        """Do nothing: what failed is not in the database."""


# ---- below


def _engine(url: str) -> Engine:
    read = make_url(url)
    if read.drivername in {"postgres", "postgresql"}:
        read = read.set(drivername=POSTGRES)
    # A connection to a file is there as long as the file is; one to a server may end.
    sqlite = read.get_backend_name() == "sqlite"
    made = create_engine(read, pool_pre_ping=not sqlite)
    if sqlite:

        @event.listens_for(made, "connect")
        def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  # a driver's
            connection.isolation_level = None  # what begins is said below
            for pragma in (
                "journal_mode=wal",
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


def _missing(module: str) -> str:
    """Say how to get the driver of a database that is not installed."""
    if module == "psycopg":
        return "PostgreSQL needs its driver: pip install 'houserule[postgres]'"
    return f"The driver of this database is not installed: {module}"


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Say in one kind of error that the database fails."""
    try:
        yield
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise StoreError(f"The database cannot be {what}: {why}") from error


def _migrate(db: Connection) -> None:
    """Bring a database to the newest form, one step after the other."""
    if inspect(db).has_table(_schema.name):
        version = db.execute(select(_schema.c.version)).scalar_one()
    else:
        version = 0
    if version > SCHEMA:
        raise StoreError(
            f"This database is of a newer Houserule (form {version}, here {SCHEMA})."
        )
    for step in _MIGRATIONS[version:]:
        step(db)
    if version == 0:
        db.execute(insert(_schema).values(version=SCHEMA))
    elif version < SCHEMA:
        db.execute(update(_schema).values(version=SCHEMA))


# The step at place n makes form n + 1 out of form n; the first makes an empty database.
_MIGRATIONS = (_META.create_all, partial(own_texts.create, checkfirst=True))


def _add_key(db: Connection, key: str, opens: Pass) -> None:
    row = {
        "hash": hashed(key),
        "table_id": opens.table,
        "role": opens.role,
        "seat": opens.seat,
    }
    db.execute(insert(_keys).values(row))


def _add_lines(
    db: Connection, table: int, number: int, at: int, lines: Sequence[str]
) -> None:
    """Add lines to a record, from a number on; note if they end the game, or do not."""
    where = {"table_id": table, "number": number}
    rows = [{**where, "at": n, "text": text} for n, text in enumerate(lines, at)]
    db.execute(insert(_lines), rows)
    for read in map(json.loads, lines):
        if "end" in read or "undo" in read:  # which takes an end back, if there was one
            same = finished_games.c.table_id == table, finished_games.c.number == number
            db.execute(delete(finished_games).where(*same))
        if "end" in read:
            head = select(_lines.c.text).where(
                _lines.c.table_id == table, _lines.c.number == number, _lines.c.at == 0
            )
            row = {
                "game": json.loads(db.execute(head).scalar_one())["game"],
                "end": read["end"],
                "winners": json.dumps(read["winners"]),
                "choices": read["choices"],
                "changed": now(),
            }
            db.execute(insert(finished_games).values(where | row))


def _bump(db: Connection, table: int, version: int, **also: object) -> None:
    """Give a table its next version.

    Raises:
        StoreError: somebody else has changed it meanwhile.
    """
    where = tables.c.id == table, tables.c.version == version - 1
    also = {"version": version, "changed": now(), **also}
    if db.execute(update(tables).where(*where).values(also)).rowcount != 1:
        raise StoreError("Another server changes this table.")


def _written(chairs: Sequence[Chair]) -> str:
    plain = [{"name": c.name, "bot": c.bot, "language": c.language} for c in chairs]
    return json.dumps(plain)


def now() -> int:
    """Return seconds since 1970."""
    return int(time.time())
