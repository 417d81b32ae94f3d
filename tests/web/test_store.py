"""What a server keeps: nothing lost, nothing doubled, no key to be read."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from tests.web.databases import Postgres, postgres

import houserule
from houserule.base.source import Source
from houserule.play.seat.session import Sitting
from houserule.ui.web.database.connection import StoreError
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.passes import Pass, RememberedPasses, hashed
from houserule.ui.web.records.history import finished
from houserule.ui.web.store import (
    DAY,
    Chair,
    DamagedTableError,
    TableLines,
    TableStore,
    now,
)

PATIENCE = 20.0  # seconds
KEY = "a-key-that-nobody-guesses"
FULL = {
    "sqlite": (
        "create trigger full_disk before insert on record_line"
        " begin select raise(abort, 'disk full'); end",
    ),
    "postgresql": (
        "create function full_disk() returns trigger language plpgsql"
        " as $$ begin raise 'disk full'; end $$",
        "create trigger full_disk before insert on record_line"
        " execute function full_disk()",
    ),
}
"""Statements after which no line can be kept."""
EMPTIED = {
    "sqlite": "drop trigger full_disk",
    "postgresql": "drop trigger full_disk on record_line",
}
CHAIRS = (Chair("Ann"), Chair("greedy", bot=True))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    made: Postgres = request.getfixturevalue("server")
    return made.new_database()


@pytest.fixture
def store(url: str) -> Iterator[TableStore]:
    made = TableStore(url)
    yield made
    made.close()


def begun(store: TableStore, number: int) -> Sitting:
    """Begin a game of nim at a table."""
    lines = TableLines(store, store.table(number), 1)
    rules = houserule.load("nim").table()._rules
    return Sitting.begin(rules, ("Ann", "greedy"), 3, keeper=lines)


def play_to_end(sitting: Sitting) -> None:
    while sitting.decision is not None:
        sitting.choose(sitting.decision.seat, sitting.hint(sitting.decision.seat))


def test_a_table_is_read_as_it_was_kept(store: TableStore) -> None:
    made = store.new_table("nim", "de", CHAIRS, [(KEY, "host")])
    assert store.table(made.id) == made
    seated = store.change(made, [Chair("Ann"), Chair("Böb", language="fr")])
    assert seated.version == made.version + 1
    assert store.table(made.id) == seated
    assert store.count() == 1
    with pytest.raises(KeyError):
        store.table(made.id + 1)


def test_a_key_opens_what_it_was_made_for_and_cannot_be_read(
    store: TableStore,
) -> None:
    table = store.new_table("nim", "en", CHAIRS, [(KEY, "host")])
    store.add_key("other", Pass(table.id, "seat", 1))
    assert store.opened_by(KEY) == Pass(table.id, "host", None)
    assert store.opened_by("other") == Pass(table.id, "seat", 1)
    assert store.opened_by("") is None
    assert store.opened_by(hashed(KEY)) is None
    store.drop_keys(table.id, 1)
    assert store.opened_by("other") is None
    assert store.opened_by(KEY) is not None


def test_no_key_stands_in_the_file(file: Path) -> None:
    store = TableStore(f"sqlite:///{file}")
    table = store.new_table("nim", "en", CHAIRS, [(KEY, "host")])
    store.add_key(KEY * 2, Pass(table.id, "seat", 1))
    store.close()
    assert all(KEY.encode() not in each.read_bytes() for each in file.parent.iterdir())


def test_a_game_is_kept_line_by_line_and_goes_on(store: TableStore, url: str) -> None:
    table = store.new_table("nim", "en", CHAIRS, [])
    sitting = begun(store, table.id)
    sitting.choose(0, sitting.hint(0))
    assert store.record(table.id, 1) == sitting.text
    assert store.table(table.id).number == 1
    assert store.bots_due() == (table.id,)
    other = TableStore(url)
    again = other.table(table.id)
    source = Source("again", other.record(table.id, 1))
    resumed = Sitting.go_on(source, TableLines(other, again, 1))
    play_to_end(resumed)
    assert len(resumed.made) > len(sitting.made)
    assert other.record(table.id, 1) == resumed.text
    assert other.bots_due() == (table.id,)  # a game by itself does not say who is asked
    (ended,) = finished(other, table.id)
    assert (ended.game, ended.end) == ("nim", "won")
    assert ended.choices == len(resumed.made)
    assert len(ended.winners) == 1
    other.close()


def test_each_change_makes_the_version_grow(store: TableStore) -> None:
    table = store.new_table("nim", "en", CHAIRS, [])
    sitting = begun(store, table.id)
    versions = [store.table(table.id).version]
    while sitting.decision is not None:
        seat = sitting.decision.seat
        sitting.choose(seat, sitting.hint(seat), bots_at_most=0)
        versions.append(store.table(table.id).version)
    assert versions == list(range(2, len(sitting.made) + 3))


def test_two_servers_cannot_change_one_table(store: TableStore, url: str) -> None:
    table = store.new_table("nim", "en", CHAIRS, [])
    sitting = begun(store, table.id)
    other = TableStore(url)
    other.change(other.table(table.id))
    before = store.record(table.id, 1), len(sitting.made)
    with pytest.raises(StoreError, match="Another server"):
        sitting.choose(0, sitting.hint(0))
    assert (store.record(table.id, 1), len(sitting.made)) == before
    other.close()


def test_a_key_that_is_dropped_opens_nothing_though_it_was_asked_before(
    store: TableStore, url: str
) -> None:
    table = store.new_table("nim?players=2", "en", CHAIRS, [])
    store.add_key(KEY, Pass(table.id, "seat", 0))
    assert store.opened_by(KEY) == Pass(table.id, "seat", 0)
    store.drop_keys(table.id, 0)
    assert store.opened_by(KEY) is None
    store.add_key(KEY, Pass(table.id, "seat", 1))
    other = TableStore(url)
    assert store.opened_by(KEY) == Pass(table.id, "seat", 1)
    other.drop_keys(table.id, 1)
    other.close()
    store.passes.forget(table.id)
    assert store.opened_by(KEY) is None


def test_what_was_read_before_a_key_was_dropped_is_not_remembered() -> None:
    passes = RememberedPasses()
    before = passes.forgotten
    passes.forget(7)
    passes.add("digest", Pass(7, "seat", 0), before)
    assert passes.get("digest") is None


def test_so_many_keys_are_remembered_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("houserule.ui.web.passes.MOST", 2)
    passes = RememberedPasses()
    for number in range(3):
        passes.add(str(number), Pass(number, "watch", None), 0)
    assert [passes.get(str(number)) is not None for number in range(3)] == [
        *(False, False, True)
    ]


def test_who_reads_does_not_wait_for_who_writes(store: TableStore) -> None:
    table = store.new_table("nim?players=2", "en", CHAIRS, [(KEY, "host")])
    with store.writing():
        assert store.opened_by(KEY) is not None
        assert store.table(table.id) == table


def test_who_writes_a_file_waits_to_be_called(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two who want to write are not left to the file, where the second sleeps."""
    store, began = TableStore(f"sqlite:///{file}"), list[str]()
    begin = store._engine.begin

    def noted() -> AbstractContextManager[Connection]:
        began.append(threading.current_thread().name)
        return begin()

    monkeypatch.setattr(store._engine, "begin", noted)

    def write() -> None:
        with store.writing():
            pass

    second = threading.Thread(target=write, name="second")
    with store.writing():
        second.start()
        second.join(0.05)
        assert second.is_alive()
        assert "second" not in began
    second.join(PATIENCE)
    assert began[-1] == "second"
    store.close()


def test_what_cannot_be_written_was_not_done(store: TableStore) -> None:
    table = store.new_table("nim", "en", CHAIRS, [])
    sitting = begun(store, table.id)
    before = sitting.text, len(sitting.made), store.table(table.id)
    with store._engine.begin() as db:
        for statement in FULL[db.dialect.name]:
            db.execute(text(statement))
    with pytest.raises(StoreError, match="disk full"):
        sitting.choose(0, sitting.hint(0))
    assert (sitting.text, len(sitting.made), store.table(table.id)) == before
    with store._engine.begin() as db:
        db.execute(text(EMPTIED[db.dialect.name]))
    sitting.choose(0, sitting.hint(0), bots_at_most=0)
    assert store.record(table.id, 1) == sitting.text


def test_an_end_that_cannot_be_kept_undoes_the_move(store: TableStore) -> None:
    """Lines, version and end are one transaction: all are kept, or nothing is."""
    table = store.new_table("nim", "en", CHAIRS, [])
    sitting = begun(store, table.id)
    with store._engine.begin() as db:
        db.execute(text("drop table finished_game"))
    with pytest.raises(StoreError):
        play_to_end(sitting)
    assert sitting.decision is not None
    assert store.record(table.id, 1) == sitting.text
    assert '"end"' not in sitting.text


def test_every_commit_goes_to_the_disk(file: Path) -> None:
    store = TableStore(f"sqlite:///{file}")
    with store._engine.connect() as db:
        mode = db.execute(text("pragma journal_mode")).scalar_one()
        syncs = db.execute(text("pragma synchronous")).scalar_one()
    assert (mode, syncs) == ("wal", 2)
    store.close()


def test_a_server_that_was_away_is_there_again(server: Postgres) -> None:
    """What was acknowledged survives its fall; what came meanwhile was not done."""
    store = TableStore(server.new_database())
    table = store.new_table("nim", "en", CHAIRS, [])
    sitting = begun(store, table.id)
    sitting.choose(0, sitting.hint(0), bots_at_most=0)
    before = sitting.text
    server.kill()
    with pytest.raises(StoreError):
        sitting.advance(1)
    server.start()
    assert store.record(table.id, 1) == sitting.text == before
    play_to_end(sitting)
    assert store.record(table.id, 1) == sitting.text
    store.close()


def test_a_table_that_no_one_opens_expires(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, used, newest = (
        store.new_table("nim", "en", CHAIRS, [(f"{KEY}{n}", "host")]).id
        for n in range(3)
    )
    play_to_end(begun(store, old))
    today = now()
    at = "houserule.ui.web.store.now"
    monkeypatch.setattr(at, lambda: today + 364 * DAY)
    assert store.expire() == 0
    store.use([used])
    monkeypatch.setattr(at, lambda: today + 366 * DAY)
    assert store.expire() == 1
    with pytest.raises(KeyError):
        store.table(old)
    assert store.record(old, 1) == ""
    assert finished(store, old) == ()
    assert store.opened_by(f"{KEY}0") is None
    assert store.table(used).id == used
    assert store.table(newest).id == newest  # so its number is given to no other table
    assert store.new_table("nim", "en", CHAIRS, []).id == newest + 1


def test_more_tables_expire_than_one_transaction_deletes(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(6):
        store.new_table("nim", "en", CHAIRS, [])
    monkeypatch.setattr("houserule.ui.web.store.AT_ONCE", 2)
    today = now()
    monkeypatch.setattr("houserule.ui.web.store.now", lambda: today + 366 * DAY)
    assert store.expire() == 5
    assert store.count() == 1


def test_it_is_kept_after_2038(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = 2**31 + 5
    for module in ("store", "own.rules_store"):
        monkeypatch.setattr(f"houserule.ui.web.{module}.now", lambda: later)
    table = store.new_table("nim", "en", CHAIRS, [])
    play_to_end(begun(store, table.id))
    assert [each.ended for each in finished(store, table.id)] == [later]
    assert store.table(table.id).used == later
    assert OwnTexts(store).text(OwnTexts(store).keep("a text")) == "a text"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seats", "nonsense"),
        ("seats", "7"),
        ("seats", '[{"nom": "Ann"}]'),
        ("seats", '[{"name": 7}]'),
        ("seats", "[null]"),
        ("claims", "nonsense"),
        ("claims", "[]"),
        ("claims", '{"p1": "done"}'),
        ("used", "nonsense"),
        ("version", "nonsense"),
        ("choice", b"nim"),
    ],
)
def test_a_damaged_row_is_named(
    store: TableStore, column: str, value: str | bytes
) -> None:
    if column not in {"seats", "claims"} and store.url.startswith("postgresql"):
        pytest.skip("PostgreSQL refuses such a value")
    table = store.new_table("nim", "en", CHAIRS, [])
    with store.writing() as db:
        db.execute(text(f"update game_table set {column} = :value"), {"value": value})
    with pytest.raises(
        DamagedTableError, match=rf"Table {table.id} .*`game_table.{column}`"
    ):
        store.table(table.id)
