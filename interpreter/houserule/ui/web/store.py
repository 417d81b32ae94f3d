"""A server's data: tables, seats, keys, and every line of every game.

A move is safe when its lines and the table's new version are committed, in one
transaction; nothing of it is shown before. SQLite writes to the disk at every commit.
The database has hashes of keys alone: no one who reads it can sit down with them.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, delete, func, insert, select, update

from houserule.base.frozen import frozen
from houserule.ui.web.database.connection import Database, StoreError
from houserule.ui.web.database.schema import (
    finished_games,
    pass_keys,
    record_lines,
    tables,
)
from houserule.ui.web.passes import Pass, RememberedPasses, Role, hashed

KEEP_DAYS = 365  # days after which a table that no one opens is deleted
DAY = 86_400  # seconds
AT_ONCE = 500  # tables that one transaction deletes


class DamagedTableError(StoreError):
    """The row of one table cannot be read; the other tables are not affected."""


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
        used: when a person last opened it, in seconds since 1970, to the day.
    """

    id: int
    choice: str
    language: str
    version: int
    number: int
    chairs: tuple[Chair, ...]
    used: int


class TableStore(Database):
    """A database with tables and games; safe to use from several threads.

    Args:
        url, alone: as of `Database`.
        keep_days: how many days a table is kept that no one opens.

    Attributes:
        passes: what keys open, remembered; what another process changes has to be
            forgotten.

    Raises:
        StoreError: as of `Database`.
    """

    def __init__(
        self, url: str, *, alone: bool = False, keep_days: int = KEEP_DAYS
    ) -> None:
        self.passes, self.keep_days = RememberedPasses(), keep_days
        # Requests with unknown keys wait here for a slow database, and nowhere else.
        self._looking = ThreadPoolExecutor(2, "keys")
        super().__init__(url, alone=alone)

    def close(self) -> None:
        """Close the database; a SQLite file then has everything by itself."""
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
        """Keep a new table, its keys, and the `record` of its first game, if any."""
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
                _add_lines(db, made[0], 1, 0, record.rstrip("\n").split("\n"))
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
        return StoredTable(
            id=row.id,
            choice=row.choice,
            language=row.language,
            version=row.version,
            number=row.number,
            chairs=_read_chairs(number, row.seats),
            used=row.used,
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

    def bots_due(self) -> tuple[int, ...]:
        """Return the tables at which a bot may be asked, the last changed first."""
        wanted = select(tables.c.id).where(tables.c.bot_due)
        wanted = wanted.order_by(tables.c.changed.desc(), tables.c.id.desc())
        with self.reading() as db:
            return tuple(db.execute(wanted).scalars())

    def no_bot_due(self, table: int) -> None:
        """Note that a table asks no bot; its version stays."""
        with self.writing() as db:
            db.execute(update(tables).where(tables.c.id == table).values(bot_due=False))

    def use(self, found: Collection[int]) -> None:
        """Note that people use some tables, if that was not noted today."""
        old = tables.c.id.in_(found), tables.c.used < now() - DAY
        with self.writing() as db:
            db.execute(update(tables).where(*old).values(used=now()))

    def expire(self) -> int:
        """Delete tables that no one opened for `keep_days`; return how many.

        The newest table stays, so that no number is given to a second table.
        """
        old = tables.c.used < now() - self.keep_days * DAY
        old &= tables.c.id < select(func.max(tables.c.id)).scalar_subquery()
        wanted = select(tables.c.id).where(old).limit(AT_ONCE).with_for_update()
        deleted, some = 0, AT_ONCE
        while some == AT_ONCE:
            with self.writing() as db:
                gone = db.execute(wanted).scalars().all()
                for each in (record_lines, finished_games, pass_keys):
                    db.execute(delete(each).where(each.c.table_id.in_(gone)))
                db.execute(delete(tables).where(tables.c.id.in_(gone)))
            for table in gone:
                self.passes.forget(table)
            some = len(gone)
            deleted += some
        return deleted

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
                row = db.execute(
                    select(pass_keys).where(pass_keys.c.hash == digest)
                ).first()
            if row is None:
                return None
            found = Pass(row.table_id, row.role, row.seat)
            self.passes.add(digest, found, forgotten)
        return found

    async def opens(self, key: str) -> Pass | None:
        """Return what a key opens, if anything; for the event loop."""
        found = self.passes.get(hashed(key))
        if found is None:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._looking, self.opened_by, key)
        return found

    def drop_keys(self, table: int, seat: int, role: Role | None = None) -> None:
        """Let the keys of a seat open nothing any more, all or those of one kind."""
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
        """Return how many tables there are: shows that the database answers."""
        with self.reading() as db:
            return db.execute(select(func.count()).select_from(tables)).scalar_one()


class TableLines:
    """Keeps the record of one game of a table, as a sitting wants it kept.

    Each append is one transaction with the table's next version.

    Attributes:
        path: None; there is no file.
        version: of the table, as it is in the database.
        chairs: the chairs from the next append on, if that changes them.
        asked: returns the seat that the game asks, also while a line is kept; None
            until that is known.
    """

    path: Path | None = None

    def __init__(self, store: TableStore, table: StoredTable, number: int) -> None:
        self._store, self._table, self._number = store, table.id, number
        self.version = table.version
        self.chairs: Sequence[Chair] | None = None
        self.asked: Callable[[], int | None] | None = None
        self._bots = _bots(table.chairs)
        with store.reading() as db:
            where = record_lines.c.table_id == table.id, record_lines.c.number == number
            self._at = db.execute(select(func.count()).where(*where)).scalar_one()

    def append(self, line: str) -> None:
        """Keep lines, and return when they are on the disk."""
        lines, at = line.split("\n"), self._at
        chairs, self.chairs = self.chairs, None
        with self._store.writing() as db:
            _add_lines(db, self._table, self._number, at, lines)
            also: dict[str, object] = {"number": self._number}
            if chairs is not None:
                self._bots = _bots(chairs)
                also["seats"] = _written(chairs)
            also["bot_due"] = (
                bool(self._bots) if self.asked is None else self.asked() in self._bots
            )
            _bump(db, self._table, self.version + 1, **also)
        self._at += len(lines)
        self.version += 1

    def close(self) -> None:
        """Do nothing: one server has the database."""

    def discard(self) -> None:
        """Do nothing: what failed is not in the database."""


# ---- below


def _add_key(db: Connection, key: str, opens: Pass) -> None:
    row = {
        "hash": hashed(key),
        "table_id": opens.table,
        "role": opens.role,
        "seat": opens.seat,
    }
    db.execute(insert(pass_keys).values(row))


def _add_lines(
    db: Connection, table: int, number: int, at: int, lines: Sequence[str]
) -> None:
    """Add lines to a record, from a number on; note if they end the game, or do not."""
    where = {"table_id": table, "number": number}
    rows = [{**where, "at": n, "text": text} for n, text in enumerate(lines, at)]
    db.execute(insert(record_lines), rows)
    for read in map(json.loads, lines):
        if "end" in read or "undo" in read:  # which takes an end back, if there was one
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
    plain = [{"name": c.name, "bot": c.bot, "language": c.language} for c in chairs]
    return json.dumps(plain)


def _bots(chairs: Sequence[Chair]) -> frozenset[int]:
    return frozenset(seat for seat, chair in enumerate(chairs) if chair.bot)


def _read_chairs(table: int, kept: str) -> tuple[Chair, ...]:
    """Return the chairs of a table.

    Raises:
        DamagedTableError: the database does not say.
    """
    try:
        found = tuple(Chair(**each) for each in json.loads(kept))
        if all(isinstance(each.name, str) for each in found):
            return found
        why = "a name is no text"
    except (TypeError, ValueError) as error:
        why = f"{type(error).__name__}"
    message = f"Table {table} is damaged: `game_table.seats` cannot be read ({why})."
    raise DamagedTableError(message)


def now() -> int:
    """Return seconds since 1970."""
    return int(time.time())
