"""A server's data: tables, seats, keys, and every line of every game.

A move is safe when its lines and the table's new version are committed, in one
transaction; nothing of it is shown earlier. SQLite writes to the disk at every commit.
The database only has hashes of keys: they do not let a reader take a seat.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from sqlalchemy import Connection, delete, func, insert, select, update

from houserule.base.executors import thread_pool
from houserule.base.frozen import frozen
from houserule.ir.declarations import seat_ids
from houserule.play.records.choice_words import SaidChoice
from houserule.ui.web.database.connection import Database, StoreError
from houserule.ui.web.database.schema import (
    chat_lines,
    finished_games,
    pass_keys,
    record_lines,
    tables,
)
from houserule.ui.web.passes import Pass, RememberedPasses, Role, hashed

Claims: TypeAlias = Mapping[int, SaidChoice]
ChatMode: TypeAlias = Literal["off", "seats", "all"]
CHAT_MODES: tuple[ChatMode, ...] = get_args(ChatMode)
CHAT_LINES = 200  # of a table; older ones are deleted
KEEP_DAYS = 365  # days after which a table that no one opens is deleted
DAY = 86_400  # seconds
AT_ONCE = 500  # tables that one transaction deletes


class DamagedTableError(StoreError):
    """The row of one table cannot be read; the other tables are not affected."""


@frozen
class Chair:
    """One seat of a table, as set by the host.

    Attributes:
        name: a person's name; for a bot, its kind; '' if the seat is free.
        language: the language of this seat's pages.
        notices: where to send a line when the person must decide; '' is nowhere.
    """

    name: str = ""
    bot: bool = False
    language: str = "en"
    notices: str = ""


@frozen
class StoredTable:
    """A stored table.

    Attributes:
        id: its number in this database; no secret.
        choice: the game and its house rules, in the form of a link.
        version: grows by one with every visible change.
        number: how many games were begun here; the last one is running, or over.
        used: when a person last opened it, in seconds since 1970, to the day.
        clock: its clock as text; empty without one.
        claims: the claims of its last game that are not in the record yet, by seat.
    """

    id: int
    choice: str
    language: str
    version: int
    number: int
    chairs: tuple[Chair, ...]
    used: int
    chat: ChatMode
    clock: str = ""
    claims: Claims = field(default_factory=dict)


@frozen
class ChatLine:
    """A message of a player in the chat of a table.

    Attributes:
        at: its number at the table, from 1.
        name: the player's name at the time.
    """

    at: int
    seat: int
    name: str
    text: str


class TableStore(Database):
    """A database of tables and games; safe to use from several threads.

    Args:
        url, alone: as for `Database`.
        keep_days: days after which a table that no one opens is deleted.

    Attributes:
        passes: the cached rights of keys; changes by another process must be forgotten.

    Raises:
        StoreError: as for `Database`.
    """

    def __init__(
        self, url: str, *, alone: bool = False, keep_days: int = KEEP_DAYS
    ) -> None:
        self.passes, self.keep_days = RememberedPasses(), keep_days
        # Only requests with unknown keys wait here for a slow database.
        self._looking = thread_pool(2, "keys")
        super().__init__(url, alone=alone)

    def close(self) -> None:
        """Close the database; a SQLite file is then complete without its `-wal`."""
        self._looking.shutdown(wait=False, cancel_futures=True)
        super().close()

    # ---- tables

    def new_table(
        self,
        choice: str,
        language: str,
        chairs: Sequence[Chair],
        keys: Sequence[tuple[str, Role]],
        record: str = "",
    ) -> StoredTable:
        """Store a new table, its keys, and the `record` of its first game, if any."""
        row = {
            "choice": choice,
            "language": language,
            "version": 1,
            "number": 1 if record else 0,
            "seats": _written(chairs),
            "made": now(),
            "changed": now(),
            "used": now(),
            "bot_due": bool(record and _bots(chairs)),
        }
        with self.writing() as db:
            made = db.execute(insert(tables).values(row)).inserted_primary_key
            assert made is not None, "the database numbers its tables"
            for key, role in keys:
                _add_key(db, key, Pass(made[0], role, None))
            if record:
                _add_lines(db, made[0], 1, 0, record.rstrip("\n").split("\n"), {})
        return self.table(made[0])

    def table(self, number: int) -> StoredTable:
        """Return a table.

        Raises:
            KeyError: unknown number.
            DamagedTableError: its row cannot be read.
        """
        with self.reading() as db:
            row = db.execute(select(tables).where(tables.c.id == number)).first()
        if row is None:
            raise KeyError(number)
        for column in tables.c:  # SQLite keeps any value in any column
            value = row._mapping[column.name]
            if not isinstance(value, column.type.python_type):
                raise damaged(number, column.name, type(value).__name__)
        return StoredTable(
            id=row.id,
            choice=row.choice,
            language=row.language,
            version=row.version,
            number=row.number,
            chairs=_read_chairs(number, row.seats),
            used=row.used,
            chat=row.chat if row.chat in CHAT_MODES else "off",
            clock=row.clock,
            claims=_read_claims(number, row.claims),
        )

    def change(
        self,
        table: StoredTable,
        chairs: Sequence[Chair] | None = None,
        claims: Claims | None = None,
    ) -> StoredTable:
        """Store a visible change; return the table with its new version."""
        version = table.version + 1
        kept = tuple(table.chairs if chairs is None else chairs)
        also = {} if claims is None else {"claims": json.dumps(claims)}
        with self.writing() as db:
            _bump(db, table.id, version, seats=_written(kept), **also)
        return replace(table, version=version, chairs=kept)

    def bots_due(self) -> tuple[int, ...]:
        """Return the tables where a bot may have to decide, the last changed first."""
        wanted = select(tables.c.id).where(tables.c.bot_due)
        wanted = wanted.order_by(tables.c.changed.desc(), tables.c.id.desc())
        with self.reading() as db:
            return tuple(db.execute(wanted).scalars())

    def no_bot_due(self, table: int) -> None:
        """Note that no bot must decide at a table; its version stays."""
        with self.writing() as db:
            db.execute(update(tables).where(tables.c.id == table).values(bot_due=False))

    def use(self, found: Collection[int]) -> None:
        """Note that people use some tables, once a day."""
        old = tables.c.id.in_(found), tables.c.used < now() - DAY
        with self.writing() as db:
            db.execute(update(tables).where(*old).values(used=now()))

    def expire(self) -> int:
        """Delete tables that no one opened for `keep_days`; return how many.

        The newest table stays, so that its number is not used again.
        """
        old = tables.c.used < now() - self.keep_days * DAY
        old &= tables.c.id < select(func.max(tables.c.id)).scalar_subquery()
        wanted = select(tables.c.id).where(old).limit(AT_ONCE).with_for_update()
        deleted, some = 0, AT_ONCE
        while some == AT_ONCE:
            with self.writing() as db:
                gone = db.execute(wanted).scalars().all()
                for each in (record_lines, finished_games, pass_keys, chat_lines):
                    db.execute(delete(each).where(each.c.table_id.in_(gone)))
                db.execute(delete(tables).where(tables.c.id.in_(gone)))
            for table in gone:
                self.passes.forget(table)
            some = len(gone)
            deleted += some
        return deleted

    # ---- chat; it is kept with the table, and is in no record

    def chat(self, table: int) -> tuple[ChatLine, ...]:
        """Return the last lines of a table's chat, in order."""
        at = chat_lines.c
        wanted = select(at.at, at.seat, at.name, at.text).where(at.table_id == table)
        with self.reading() as db:
            rows = db.execute(wanted.order_by(at.at)).all()
        return tuple(ChatLine(*row) for row in rows)

    def add_chat(self, table: int, line: ChatLine) -> None:
        """Store a line of a table's chat, and delete the oldest."""
        row = {"at": line.at, "seat": line.seat, "name": line.name, "text": line.text}
        old = chat_lines.c.at <= line.at - CHAT_LINES
        with self.writing() as db:
            db.execute(insert(chat_lines).values(table_id=table, **row))
            db.execute(delete(chat_lines).where(chat_lines.c.table_id == table, old))

    def set_chat(self, table: StoredTable, mode: ChatMode) -> StoredTable:
        """Set who sees the chat; return the table with its new version."""
        version = table.version + 1
        with self.writing() as db:
            _bump(db, table.id, version, chat=mode)
        return replace(table, version=version, chat=mode)

    def set_clock(self, table: StoredTable, clock: str) -> StoredTable:
        """Set the clock; return the table with its new version."""
        version = table.version + 1
        with self.writing() as db:
            _bump(db, table.id, version, clock=clock)
        return replace(table, version=version, clock=clock)

    # ---- keys

    def add_key(self, key: str, opens: Pass) -> None:
        with self.writing() as db:
            _add_key(db, key, opens)

    def opened_by(self, key: str) -> Pass | None:
        digest, forgotten = hashed(key), self.passes.forgotten
        found = self.passes.get(digest)
        if found is None:
            with self.reading() as db:
                row = db.execute(
                    select(pass_keys).where(pass_keys.c.hash == digest)
                ).first()
            if row is None:
                return None
            found = Pass(row.table_id, row.role, row.seat)
            self.passes.add(digest, found, forgotten)
        return found

    async def opens(self, key: str) -> Pass | None:
        """Return the rights of a key, if any; for the event loop."""
        found = self.passes.get(hashed(key))
        if found is None:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._looking, self.opened_by, key)
        return found

    def drop_keys(self, table: int, seat: int, role: Role | None = None) -> None:
        gone = delete(pass_keys).where(
            pass_keys.c.table_id == table, pass_keys.c.seat == seat
        )
        if role is not None:
            gone = gone.where(pass_keys.c.role == role)
        try:
            with self.writing() as db:
                db.execute(gone)
        finally:
            self.passes.forget(table)

    # ---- games

    def record(self, table: int, number: int) -> str:
        """Return the record of a game so far; '' if there is none."""
        wanted = (
            select(record_lines.c.text)
            .where(record_lines.c.table_id == table, record_lines.c.number == number)
            .order_by(record_lines.c.at)
        )
        with self.reading() as db:
            return "".join(f"{line}\n" for line in db.execute(wanted).scalars())

    def count(self) -> int:
        """Return the number of tables, to check that the database answers."""
        with self.reading() as db:
            return db.execute(select(func.count()).select_from(tables)).scalar_one()


class TableLines:
    """Stores the record of one game of a table, as the keeper of a session.

    Each append is one transaction with the table's next version.

    Attributes:
        path: None, because there is no file.
        version: the table's version in the database.
        chairs: the new chairs, if the next append changes them.
        asked: returns the seat that must decide, even while a line is stored; None
            until it is known.
        claims: returns the claims that are not in the record after the append.
    """

    path: Path | None = None

    def __init__(self, store: TableStore, table: StoredTable, number: int) -> None:
        self._store, self._table, self._number = store, table.id, number
        self._chairs = table.chairs
        self.version = table.version
        self.chairs: Sequence[Chair] | None = None
        self.asked: Callable[[], int | None] | None = None
        self.claims: Callable[[], Claims] = dict
        self._bots = _bots(table.chairs)
        with store.reading() as db:
            where = record_lines.c.table_id == table.id, record_lines.c.number == number
            self._at = db.execute(select(func.count()).where(*where)).scalar_one()

    def append(self, line: str) -> None:
        """Store lines, and return when they are on the disk."""
        lines, at = line.split("\n"), self._at
        chairs, self.chairs = self.chairs, None
        with self._store.writing() as db:
            sitting = self._chairs if chairs is None else tuple(chairs)
            named = zip(seat_ids(len(sitting)), sitting, strict=True)
            people = {seat: chair.name for seat, chair in named if not chair.bot}
            _add_lines(db, self._table, self._number, at, lines, people)
            also: dict[str, object] = {
                "number": self._number,
                "claims": json.dumps(self.claims()),
            }
            if chairs is not None:
                self._bots = _bots(chairs)
                also["seats"] = _written(chairs)
            also["bot_due"] = (
                bool(self._bots) if self.asked is None else self.asked() in self._bots
            )
            _bump(db, self._table, self.version + 1, **also)
        self._at, self._chairs = self._at + len(lines), sitting
        self.version += 1

    def close(self) -> None:
        """Do nothing: one server has the database."""

    def discard(self) -> None:
        """Do nothing: a failed write is not in the database."""


# ---- helpers


def _add_key(db: Connection, key: str, opens: Pass) -> None:
    row = {
        "hash": hashed(key),
        "table_id": opens.table,
        "role": opens.role,
        "seat": opens.seat,
    }
    db.execute(insert(pass_keys).values(row))


def _add_lines(
    db: Connection,
    table: int,
    number: int,
    at: int,
    lines: Sequence[str],
    people: Mapping[str, str],
) -> None:
    """Add lines to a record at a number, and update the results of finished games."""
    where = {"table_id": table, "number": number}
    rows = [{**where, "at": n, "text": text} for n, text in enumerate(lines, at)]
    db.execute(insert(record_lines), rows)
    for read in map(json.loads, lines):
        if "end" in read or "undo" in read:  # an undo removes an earlier end
            same = finished_games.c.table_id == table, finished_games.c.number == number
            db.execute(delete(finished_games).where(*same))
        if "end" in read:
            head = select(record_lines.c.text).where(
                record_lines.c.table_id == table,
                record_lines.c.number == number,
                record_lines.c.at == 0,
            )
            row = {
                "game": json.loads(db.execute(head).scalar_one())["game"],
                "end": read["end"],
                "winners": json.dumps(read["winners"]),
                "choices": read["choices"],
                "changed": now(),
                "people": json.dumps(people),
            }
            db.execute(insert(finished_games).values(where | row))


def _bump(db: Connection, table: int, version: int, **also: object) -> None:
    """Give a table its next version.

    Raises:
        StoreError: another process changed it meanwhile.
    """
    where = tables.c.id == table, tables.c.version == version - 1
    also = {"version": version, "changed": now(), **also}
    if db.execute(update(tables).where(*where).values(also)).rowcount != 1:
        raise StoreError("Another server changes this table.")


def _written(chairs: Sequence[Chair]) -> str:
    names = "name", "bot", "language"
    plain = [
        {name: getattr(chair, name) for name in names}
        | ({"notices": chair.notices} if chair.notices else {})
        for chair in chairs
    ]
    return json.dumps(plain)


def _bots(chairs: Sequence[Chair]) -> frozenset[int]:
    return frozenset(seat for seat, chair in enumerate(chairs) if chair.bot)


def _read_chairs(table: int, kept: str) -> tuple[Chair, ...]:
    """Return the chairs of a table.

    Raises:
        DamagedTableError: the row cannot be read.
    """
    try:
        found = tuple(Chair(**each) for each in json.loads(kept))
        if found and all(isinstance(each.name, str) for each in found):
            return found
        why = "a name is no text" if found else "there are no seats"
    except (TypeError, ValueError) as error:
        why = f"{type(error).__name__}"
    raise damaged(table, "seats", why)


def _read_claims(table: int, kept: str) -> Claims:
    """Return the claims of a table; errors as for `_read_chairs`."""
    try:
        return {int(seat): claim for seat, claim in json.loads(kept).items()}
    except (AttributeError, ValueError) as error:
        raise damaged(table, "claims", type(error).__name__) from None


def damaged(table: int, column: str, why: str) -> DamagedTableError:
    """Return the error for a row that cannot be read."""
    return DamagedTableError(
        f"Table {table} is damaged: `game_table.{column}` cannot be read ({why})."
    )


def now() -> int:
    """Return seconds since 1970."""
    return int(time.time())
