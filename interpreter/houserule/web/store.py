"""What a server keeps: tables, who sits there, keys, and every line of every game.

A move is safe when its lines and the table's new version are committed, in one
transaction; nothing of it is shown before. SQLite writes to the disk at every commit.
Of keys only hashes are kept: who reads the database cannot sit down with it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

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

Role: TypeAlias = Literal["host", "join", "seat", "watch"]
"""What a key opens: the host's page, a free chair, a seat, the place of a watcher."""
SCHEMA = 1  # the newest form of the database; `_MIGRATIONS` lead to it

_META = MetaData()
_schema = Table("houserule_schema", _META, Column("version", Integer, nullable=False))
_tables = Table(
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
_finished = Table(
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


class StoreError(OSError):
    """The database cannot be opened, read or written; nothing has changed."""


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Pass:
    """What a key opens."""

    table: int
    role: Role
    seat: int | None


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """How a game ended."""

    game: str
    end: str
    winners: tuple[str, ...]
    choices: int


def hashed(key: str) -> str:
    """Return what is kept of a key."""
    return sha256(key.encode()).hexdigest()


class TableStore:
    """A database with tables and games; safe to use from several threads.

    Args:
        url: as SQLAlchemy has it, such as `sqlite:////var/lib/houserule/tables.db` or
            `postgresql+psycopg://…`.

    Raises:
        StoreError: it cannot be opened, or is of a newer program.
    """

    def __init__(self, url: str) -> None:
        with _told("opened"):
            try:
                self._engine = _engine(url)
            except (ArgumentError, NoSuchModuleError, ImportError) as error:
                message = f"This is no database that is known: {error}"
                raise StoreError(message) from None
            with self._engine.begin() as db:
                _migrate(db)

    @property
    def place(self) -> str:
        """Where the database is, without a password."""
        url = self._engine.url
        return url.database or "" if url.drivername == "sqlite" else repr(url)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with _told("written"), self._engine.begin() as db:
            yield db

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _told("read"), self._engine.connect() as db:
            yield db

    # ---- tables

    def new_table(
        self,
        choice: str,
        language: str,
        chairs: Sequence[Chair],
        keys: Sequence[tuple[str, Role]],
    ) -> StoredTable:
        """Keep a new table, and the keys that open it."""
        row = {
            "choice": choice,
            "language": language,
            "version": 1,
            "number": 0,
            "seats": _written(chairs),
            "made": _now(),
            "changed": _now(),
        }
        with self._writing() as db:
            made = db.execute(insert(_tables).values(row)).inserted_primary_key
            assert made is not None, "the database numbers its tables"
            for key, role in keys:
                _add_key(db, key, Pass(made[0], role, None))
        return StoredTable(made[0], choice, language, 1, 0, tuple(chairs))

    def table(self, number: int) -> StoredTable:
        """Return a table.

        Raises:
            KeyError: there is none of this number.
        """
        with self._reading() as db:
            row = db.execute(select(_tables).where(_tables.c.id == number)).first()
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
        with self._writing() as db:
            _bump(db, table.id, version, seats=_written(kept))
        return StoredTable(
            table.id, table.choice, table.language, version, table.number, kept
        )

    def unfinished(self) -> tuple[int, ...]:
        """Return the tables at which a game is under way."""
        over = select(_finished.c.table_id).where(
            _finished.c.table_id == _tables.c.id, _finished.c.number == _tables.c.number
        )
        wanted = select(_tables.c.id).where(_tables.c.number > 0, ~over.exists())
        with self._reading() as db:
            return tuple(db.execute(wanted).scalars())

    # ---- keys

    def add_key(self, key: str, opens: Pass) -> None:
        """Let a key open something."""
        with self._writing() as db:
            _add_key(db, key, opens)

    def opened_by(self, key: str) -> Pass | None:
        """Return what a key opens, if anything."""
        with self._reading() as db:
            row = db.execute(select(_keys).where(_keys.c.hash == hashed(key))).first()
        return None if row is None else Pass(row.table_id, row.role, row.seat)

    def drop_keys(self, table: int, seat: int) -> None:
        """Let the keys of a seat open nothing any more."""
        gone = delete(_keys).where(_keys.c.table_id == table, _keys.c.seat == seat)
        with self._writing() as db:
            db.execute(gone)

    # ---- games

    def record(self, table: int, number: int) -> str:
        """Return the record of a game so far; '' if there is none."""
        wanted = (
            select(_lines.c.text)
            .where(_lines.c.table_id == table, _lines.c.number == number)
            .order_by(_lines.c.at)
        )
        with self._reading() as db:
            return "".join(f"{line}\n" for line in db.execute(wanted).scalars())

    def finished(self, game: str) -> tuple[FinishedGame, ...]:
        """Return how games of a name ended, the last first."""
        wanted = (
            select(_finished)
            .where(_finished.c.game == game)
            .order_by(_finished.c.changed.desc())
        )
        with self._reading() as db:
            rows = db.execute(wanted).all()
        return tuple(
            FinishedGame(row.game, row.end, tuple(json.loads(row.winners)), row.choices)
            for row in rows
        )

    def count(self) -> int:
        """Return how many tables there are: shows that the database answers."""
        with self._reading() as db:
            return db.execute(select(func.count()).select_from(_tables)).scalar_one()


class TableLines:
    """Keeps the record of one game of a table, as a sitting wants it kept.

    Each append is one transaction with the table's next version.

    Attributes:
        path: there is no file.
        version: of the table, as it is in the database.
    """

    path: Path | None = None

    def __init__(self, store: TableStore, table: StoredTable, number: int) -> None:
        self._store, self._table, self._number = store, table.id, number
        self.version = table.version
        with store._reading() as db:
            where = _lines.c.table_id == table.id, _lines.c.number == number
            self._at = db.execute(select(func.count()).where(*where)).scalar_one()

    def append(self, line: str) -> None:
        """Keep lines, and return when they are on the disk."""
        lines, at = line.split("\n"), self._at
        rows = [
            {"table_id": self._table, "number": self._number, "at": n, "text": text}
            for n, text in enumerate(lines, at)
        ]
        with self._store._writing() as db:
            db.execute(insert(_lines), rows)
            _bump(db, self._table, self.version + 1, number=self._number)
            for end in filter(None, map(_end_in, lines)):
                self._finish(db, end, at + len(lines))
        self._at += len(lines)
        self.version += 1

    def _finish(self, db: Connection, end: dict[str, Any], lines: int) -> None:
        head = select(_lines.c.text).where(
            _lines.c.table_id == self._table,
            _lines.c.number == self._number,
            _lines.c.at == 0,
        )
        game = json.loads(db.execute(head).scalar_one())["game"]
        where = (
            _finished.c.table_id == self._table,
            _finished.c.number == self._number,
        )
        db.execute(delete(_finished).where(*where))  # an end may have been taken back
        row = {
            "table_id": self._table,
            "number": self._number,
            "game": game,
            "end": end["end"],
            "winners": json.dumps(end["winners"]),
            "choices": lines - 2,
            "changed": _now(),
        }
        db.execute(insert(_finished).values(row))

    def close(self) -> None:
        """Do nothing: one server has the database."""

    def discard(self) -> None:
        """Do nothing: what failed is not in the database."""


# ---- below


def _engine(url: str) -> Engine:
    made = create_engine(make_url(url), pool_pre_ping=True)
    if made.dialect.name == "sqlite":

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
            connection.exec_driver_sql("begin immediate")

    return made


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
_MIGRATIONS = (_META.create_all,)


def _add_key(db: Connection, key: str, opens: Pass) -> None:
    row = {
        "hash": hashed(key),
        "table_id": opens.table,
        "role": opens.role,
        "seat": opens.seat,
    }
    db.execute(insert(_keys).values(row))


def _bump(db: Connection, table: int, version: int, **also: object) -> None:
    """Give a table its next version.

    Raises:
        StoreError: somebody else has changed it meanwhile.
    """
    where = _tables.c.id == table, _tables.c.version == version - 1
    also = {"version": version, "changed": _now(), **also}
    if db.execute(update(_tables).where(*where).values(also)).rowcount != 1:
        raise StoreError("Another server changes this table.")


def _written(chairs: Sequence[Chair]) -> str:
    plain = [{"name": c.name, "bot": c.bot, "language": c.language} for c in chairs]
    return json.dumps(plain)


def _end_in(line: str) -> dict[str, Any] | None:
    read = json.loads(line)
    return read if "end" in read else None


def _now() -> int:
    return int(time.time())
