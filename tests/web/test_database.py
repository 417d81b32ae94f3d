"""A database is upgraded, locked, and refused in words; its failures keep secrets."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import Engine
from sqlalchemy.pool import NullPool
from tests.web.databases import OURS, Postgres, postgres
from tests.web.serving import open_table, served

import houserule
from houserule.play.seat.session import Sitting
from houserule.ui.web.database import connection
from houserule.ui.web.database.connection import Database, StoreError
from houserule.ui.web.database.schema import META, STEPS, SchemaStep, migrate
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.passes import Pass, hashed
from houserule.ui.web.store import Chair, TableLines, TableStore

CASES = Path(__file__).parents[1] / "cases" / "databases"
KINDS = ("sqlite", "postgresql")
KEY = "a-key-that-nobody-guesses"


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as found:
        yield found


@pytest.fixture
def new(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Returns the address of an empty database of a kind."""

    def made(kind: str) -> str:
        if kind == "sqlite":
            return f"sqlite:///{tmp_path / 'tables.db'}"
        server: Postgres = request.getfixturevalue("server")
        return server.new_database()

    return made


def engine(url: str) -> Engine:
    """Return what is not the program's own way to a database."""
    address = url.replace("postgresql:", "postgresql+psycopg:")
    return create_engine(address, poolclass=NullPool)


def execute(url: str, script: str) -> None:
    """Execute several statements."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as db:
            db.executescript(script)
        return
    with engine(url).begin() as db:
        db.exec_driver_sql(script)


def schema_of(url: str) -> dict[str, Any]:
    """Return tables, columns, keys and indexes of a database."""
    found = inspect(engine(url))
    # All integers of SQLite have 64 bits.
    alike = {"BIGINT": "INTEGER"} if url.startswith("sqlite") else {}
    return {
        table: {
            "columns": {
                each["name"]: (
                    alike.get(str(each["type"]), str(each["type"])),
                    each["nullable"],
                )
                for each in found.get_columns(table)
            },
            "key": found.get_pk_constraint(table)["constrained_columns"],
            "leads": [
                (each["constrained_columns"], each["referred_table"])
                for each in found.get_foreign_keys(table)
            ],
            "indexes": [
                (each["name"], each["column_names"])
                for each in found.get_indexes(table)
            ],
        }
        for table in sorted(found.get_table_names())
    }


def expected(url: str) -> dict[str, Any]:
    """Return the schema as the program's tables describe it."""
    with engine(url).begin() as db:
        META.create_all(db)
    return schema_of(url)


# ---- schemas


@pytest.mark.parametrize("kind", KINDS)
def test_the_steps_make_the_tables_of_the_program(
    new: Callable[[str], str], kind: str, tmp_path: Path
) -> None:
    url = new(kind)
    Database(url).close()
    other = f"sqlite:///{tmp_path / 'other.db'}" if kind == "sqlite" else new(kind)
    assert schema_of(url) == expected(other)


def test_every_earlier_schema_has_a_database_to_upgrade() -> None:
    names = {f"{kind}-{n}.sql" for kind in KINDS for n in range(1, len(STEPS))}
    assert {path.name for path in CASES.iterdir()} == names


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("schema", range(1, len(STEPS)))
def test_a_database_of_an_earlier_schema_is_upgraded(
    new: Callable[[str], str], kind: str, schema: int, tmp_path: Path
) -> None:
    url = new(kind)
    execute(url, (CASES / f"{kind}-{schema}.sql").read_text(encoding="utf-8"))
    for _ in range(2):
        store = TableStore(url)
        assert [store.table(n).number for n in (1, 2, 3)] == [1, 1, 0]
        assert store.table(2).chairs == (Chair("Ann"), Chair("Böb", language="fr"))
        assert store.record(2, 1).count("\n") == 13
        assert store.opened_by(f"{KEY}-of-ann") == Pass(1, "seat", 0)
        assert store.bots_due() == (1,)
        assert store.table(1).used > 1_700_000_000
        rules = houserule.load("nim").table()._rules
        table = store.new_table("nim", "en", (Chair("Ann"), Chair("Bob")), [])
        lines = TableLines(store, table, 1)
        sitting = Sitting.begin(rules, ("Ann", "Bob"), 3, keeper=lines)
        sitting.choose(0, sitting.hint(0))
        assert store.record(table.id, 1) == sitting.text
        assert OwnTexts(store).text(OwnTexts(store).keep("a text")) == "a text"
        store.close()
    other = f"sqlite:///{tmp_path / 'other.db'}" if kind == "sqlite" else new(kind)
    assert schema_of(url) == expected(other)


@pytest.mark.parametrize("kind", KINDS)
def test_a_later_step_upgrades_new_and_old_databases_alike(
    new: Callable[[str], str], kind: str
) -> None:
    """It adds a column, which no step before it may have made already."""
    url = new(kind)
    later = SchemaStep(("alter table game_table add column later integer",))
    with engine(url).begin() as db:
        migrate(db, STEPS[:1])
    for steps in (STEPS, (*STEPS, later), (*STEPS, later)):
        with engine(url).begin() as db:
            migrate(db, steps)
    with engine(url).begin() as db:
        versions = db.execute(text("select version from houserule_schema")).scalars()
        assert list(versions) == [len(STEPS) + 1]
        assert db.execute(text("select later from game_table")).all() == []


def test_two_starts_on_an_empty_server_do_not_collide(server: Postgres) -> None:
    url, failed = server.new_database(), list[BaseException]()
    ready = threading.Barrier(4)

    def start() -> None:
        ready.wait()
        try:
            Database(url).close()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


# ---- what is refused


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "is not valid"),
        ("oracle9://x", "no database that Houserule knows"),
        ("mysql://ann@localhost/tables", "no database that Houserule knows"),
        ("sqlite:////no/such/folder/t.db", "cannot be opened"),
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("sqlite:///file:x?mode=memory&uri=true", "in memory"),
    ],
)
def test_what_is_no_database_is_said(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says):
        Database(url)


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("size", [0, 40, 100, 2000, 5000])
def test_a_file_that_is_no_database_is_left_as_it_is(
    tmp_path: Path, size: int, alone: bool
) -> None:
    file = tmp_path / "tables.db"
    if size:
        file.write_text("my diary\n" * (size // 9), encoding="utf-8")
    else:
        file.mkdir()
    before = size and file.read_bytes()
    with pytest.raises(StoreError, match=r"not a database|cannot be opened|directory"):
        Database(f"sqlite:///{file}", alone=alone)
    assert (size and file.read_bytes()) == before


def test_a_database_that_was_cut_is_said(new: Callable[[str], str]) -> None:
    url = new("sqlite")
    Database(url).close()
    file = Path(url.removeprefix("sqlite:///"))
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(StoreError, match=r"malformed|damaged"):
        Database(url, alone=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", ["recipes (id integer)", "game_table (id integer)"])
def test_another_program_s_database_is_left_as_it_is(
    new: Callable[[str], str], kind: str, table: str, tmp_path: Path
) -> None:
    url = new(kind)
    execute(url, f"create table {table}")
    before = schema_of(url), [each.read_bytes() for each in tmp_path.iterdir()]
    with pytest.raises(StoreError, match="belongs to another program"):
        Database(url)
    assert (schema_of(url), [e.read_bytes() for e in tmp_path.iterdir()]) == before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("update houserule_schema set version = 99", "newer Houserule"),
        ("update houserule_schema set version = -1", "damaged: its version is -1"),
        ("delete from houserule_schema", "damaged: it needs exactly one row"),
        ("insert into houserule_schema values (1)", "damaged: it needs exactly one"),
        ("drop table pass_key", "`pass_key` is damaged: it has no column `hash`"),
        ("alter table game_table drop column clock", "it has no column `clock`"),
    ],
)
def test_a_damaged_schema_is_refused(
    new: Callable[[str], str], kind: str, damage: str, says: str
) -> None:
    url = new(kind)
    Database(url).close()
    execute(url, damage)
    with pytest.raises(StoreError, match=says):
        Database(url)


def test_a_version_that_is_a_text_is_damaged(new: Callable[[str], str]) -> None:
    url = new("sqlite")
    Database(url).close()
    execute(url, "update houserule_schema set version = 'three'")
    with pytest.raises(StoreError, match="damaged: its version is 'three'"):
        Database(url)


def test_an_address_says_nothing_of_its_password(server: Postgres) -> None:
    address = server.new_database().replace(f"{OURS}@", f"{OURS}:se-cret@")
    store = Database(address)
    assert "se-cret" not in store.place
    assert "postgresql" in store.place
    store.close()


def test_a_driver_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'houserule\[postgres\]'"):
        Database("postgresql://ann@localhost/tables")


# ---- one server


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_server_is_refused_until_the_first_ends(
    new: Callable[[str], str], kind: str
) -> None:
    url = new(kind)
    first = Database(url, alone=True)
    first.lock()  # which is no second time
    with pytest.raises(StoreError, match="Another `houserule serve` uses"):
        Database(url, alone=True)
    Database(url).close()  # a process with rules of people's own
    with pytest.raises(StoreError, match="Another `houserule serve` uses"):
        Database(url, alone=True)
    first.close()
    Database(url, alone=True).close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_new_file_is_its_owners_alone_and_has_one_name(tmp_path: Path) -> None:
    file, link = tmp_path / "tables.db", tmp_path / "link.db"
    url = f"sqlite:///{file}"
    Database(url, alone=True).close()
    assert file.stat().st_mode & 0o777 == 0o600
    link.hardlink_to(file)
    for each in (url, f"sqlite:///{link}"):
        with pytest.raises(StoreError, match="a hard link"):
            Database(each, alone=True)
    link.unlink()
    link.symlink_to(file)
    first = Database(f"sqlite:///{link}", alone=True)
    with pytest.raises(StoreError, match="Another `houserule serve` uses"):
        Database(url, alone=True)
    first.close()


def test_a_server_locks_again_when_its_database_was_away(server: Postgres) -> None:
    url = server.new_database()
    first = Database(url, alone=True)
    server.kill()
    with pytest.raises(StoreError):
        first.lock()
    server.start()
    first.lock()
    with pytest.raises(StoreError, match="Another `houserule serve` uses"):
        Database(url, alone=True)
    first.close()


# ---- what a failure tells


NAME, SEED, CARD = "Wilhelmina", 1367318418357649, "two_of_spades"
LINE = f'{{"players": ["{NAME}"], "seed": {SEED}, "do": "{CARD}"}}'


def same_table(store: TableStore) -> None:
    """Fails as there is a table with this choice, by the index below."""
    store.new_table("nim", "en", (Chair(NAME),), [])


def same_key(store: TableStore) -> None:
    store.add_key(KEY, Pass(1, "host", None))


def same_line(store: TableStore) -> None:
    """Fails as there is this line already, by the index below."""
    lines = TableLines(store, store.table(1), 1)
    lines.append(LINE)
    lines.append(LINE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fails", [same_table, same_key, same_line])
def test_a_failure_tells_no_names_keys_seeds_or_choices(
    new: Callable[[str], str], kind: str, fails: Callable[[TableStore], None]
) -> None:
    url = new(kind)
    store = TableStore(url)
    execute(url, "create unique index one_choice on game_table (choice)")
    execute(url, "create unique index one_text on record_line (text)")
    store.new_table("nim", "en", (Chair("Ann"),), [(KEY, "host")])
    with pytest.raises(StoreError) as failed:
        fails(store)
    logged = "".join(traceback.format_exception(failed.value))
    assert "unique" in logged.lower()
    for secret in (NAME, str(SEED), CARD, KEY, hashed(KEY)):
        assert secret not in logged
    store.close()


# ---- a server that is silent


class Proxy:
    """Stands before a PostgreSQL server; it can pass nothing on, and stay connected."""

    def __init__(self, at: Path) -> None:
        self._at, self.is_silent = at, threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            behind = socket.socket(socket.AF_UNIX)
            behind.connect(str(self._at))
            for one, other in ((client, behind), (behind, client)):
                threading.Thread(
                    target=self._pass_on, args=(one, other), daemon=True
                ).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                while self.is_silent.is_set() and not self._ended.is_set():
                    time.sleep(0.02)
                other.sendall(data)
        except OSError:
            pass
        finally:
            for each in (one, other):
                with closing(each):
                    pass

    def close(self) -> None:
        self._ended.set()
        self._listening.close()


@contextmanager
def proxied(server: Postgres) -> Iterator[tuple[Proxy, str]]:
    """Return a proxy before a server, and the address of a new database through it."""
    proxy = Proxy(server.folder / ".s.PGSQL.5432")
    name = re.search(r"/(tables\d+)\?", server.new_database())
    assert name is not None
    try:
        yield proxy, f"postgresql://{OURS}@127.0.0.1:{proxy.port}/{name[1]}"
    finally:
        proxy.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits are short, so that the test is."""
    monkeypatch.setattr(connection, "ANSWERING", 1)
    monkeypatch.setattr(connection, "CONNECTING", 2)
    monkeypatch.setattr(
        connection, "LIMITS", {**connection.LIMITS, "connect_timeout": 2}
    )


@pytest.mark.usefixtures("impatient")
def test_a_silent_server_fails_soon_and_is_found_again(server: Postgres) -> None:
    with proxied(server) as (proxy, url):
        store = TableStore(url)
        table = store.new_table("nim", "en", (Chair("Ann"),), [(KEY, "host")])
        proxy.is_silent.set()
        begun = time.monotonic()
        with pytest.raises(StoreError):
            store.table(table.id)
        assert time.monotonic() - begun < 6
        held = threading.Thread(target=_tolerant(store.count))
        held.start()  # it finds out whether the server answers again
        time.sleep(0.2)
        with pytest.raises(StoreError, match="does not answer"):
            store.table(table.id)
        assert held.is_alive()  # nobody else waits meanwhile
        held.join()
        proxy.is_silent.clear()
        until = time.monotonic() + 20
        while _tolerant(store.count)() != 1:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert store.table(table.id) == table
        store.close()


def _tolerant(work: Callable[[], int]) -> Callable[[], int]:
    def done() -> int:
        try:
            return work()
        except StoreError:
            return -1

    return done


@pytest.mark.usefixtures("impatient")
def test_a_silent_database_does_not_freeze_the_server(
    server: Postgres, tmp_path: Path
) -> None:
    """Not even if strangers ask for more keys than there are threads."""
    with (
        proxied(server) as (proxy, url),
        served(tmp_path, url=url) as tables,
        ThreadPoolExecutor(30) as strangers,
    ):
        table, other = (open_table(tables, "nim", ["Ann", "Bob"]) for _ in range(2))
        asked_seat, move = table.asked, table.a_move()
        version = str(table.version(asked_seat))
        assert other.part(0)  # so its key is remembered
        proxy.is_silent.set()
        guests = [tables.guest() for _ in range(20)]
        asked = [
            strangers.submit(guest.get, f"/s/nonsense{n}")
            for n, guest in enumerate(guests)
        ]
        clicked = strangers.submit(
            table.post, asked_seat, "choose", move, version=version
        )
        time.sleep(0.3)
        answers = 0
        while not all(each.done() for each in asked):
            assert tables.guest().get("/").status_code == 200
            assert other.part(0)
            answers += not all(each.done() for each in asked)
        assert answers > 2, "others wait for those who ask the database"
        assert {each.result().status_code for each in asked} == {503}
        assert clicked.result().status_code == 503
        proxy.is_silent.clear()
        until = time.monotonic() + 20
        while (
            table.post(asked_seat, "choose", move, version=version).status_code != 200
        ):
            assert time.monotonic() < until
            time.sleep(0.1)


def test_a_long_statement_is_ended(server: Postgres) -> None:
    store = Database(server.new_database())
    begun = time.monotonic()
    with pytest.raises(StoreError), store.reading() as db:
        db.execute(text("select pg_sleep(60)"))
    assert time.monotonic() - begun < 20
    store.close()
