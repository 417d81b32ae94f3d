"""The tables of the database, and the migrations to this schema."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    inspect,
    text,
)

from houserule.base.frozen import frozen

META = MetaData()
_schema = Table("houserule_schema", META, Column("version", Integer, nullable=False))
tables = Table(
    "game_table",
    META,
    Column("id", Integer, primary_key=True),
    Column("choice", Text, nullable=False),  # game and house rules, as in a link
    Column("language", String(8), nullable=False),
    Column("version", Integer, nullable=False),
    Column("number", Integer, nullable=False),  # of its last game; 0: none yet
    Column("seats", Text, nullable=False),  # JSON: the chairs
    Column("made", BigInteger, nullable=False),  # seconds since 1970
    Column("changed", BigInteger, nullable=False),
    # Seconds since 1970, rounded to the day: when a person last opened it.
    Column("used", BigInteger, nullable=False, server_default="0"),
    # Whether a bot may have to decide, so that a restarted server continues here.
    Column("bot_due", Boolean, nullable=False, server_default=false()),
    # Who sees the chat: "off", "seats", or "all", with watchers.
    Column("chat", String(8), nullable=False, server_default="seats"),
    # The clock as text, such as "decision 60 bot"; empty without one.
    Column("clock", String(24), nullable=False, server_default=""),
    # JSON: the claims of the last game that are not in its record yet, by seat.
    Column("claims", Text, nullable=False, server_default="{}"),
)
chat_lines = Table(
    "chat_line",
    META,
    Column("table_id", ForeignKey("game_table.id"), primary_key=True),
    Column("at", Integer, primary_key=True),  # its number at its table, from 1
    Column("seat", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
)
pass_keys = Table(
    "pass_key",
    META,
    Column("hash", String(64), primary_key=True),
    Column("table_id", ForeignKey("game_table.id"), nullable=False, index=True),
    Column("role", String(8), nullable=False),
    Column("seat", Integer),
)
record_lines = Table(
    "record_line",
    META,
    Column("table_id", ForeignKey("game_table.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Integer, primary_key=True),
    Column("text", Text, nullable=False),
)
finished_games = Table(
    "finished_game",
    META,
    Column("table_id", ForeignKey("game_table.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("game", String(100), nullable=False),
    Column("end", String(8), nullable=False),
    Column("winners", Text, nullable=False),  # JSON: names
    Column("choices", Integer, nullable=False),
    Column("changed", BigInteger, nullable=False),
    # JSON: the people at the end by seat, without bots; "{}" if it is not known.
    Column("people", Text, nullable=False, server_default="{}"),
)
own_texts = Table(
    "own_rules",
    META,
    Column("digest", String(32), primary_key=True),
    Column("text", Text, nullable=False),
    Column("brought", BigInteger, nullable=False),  # seconds since 1970
)


class SchemaError(Exception):
    """The database has no schema that this program supports."""


@frozen
class SchemaStep:
    """SQL statements that migrate the previous schema to the next one.

    They never refer to the tables above, which describe only the newest schema.

    Attributes:
        all: for every database; `{serial}` is the type of an automatic number.
        postgres: only for PostgreSQL, after those.
    """

    all: Sequence[str]
    postgres: Sequence[str] = ()

    def take(self, db: Connection) -> None:
        """Execute the statements."""
        ours = db.dialect.name == "postgresql"
        for statement in (*self.all, *(self.postgres if ours else ())):
            serial = "serial" if ours else "integer"
            db.execute(text(statement.replace("{serial}", serial)))


STEPS: tuple[SchemaStep, ...] = (
    SchemaStep(
        (
            "create table houserule_schema (version integer not null)",
            "insert into houserule_schema (version) values (0)",
            "create table game_table (id {serial} not null primary key,"
            " choice text not null, language varchar(8) not null,"
            " version integer not null, number integer not null,"
            " seats text not null, made integer not null, changed integer not null)",
            "create table pass_key (hash varchar(64) not null primary key,"
            " table_id integer not null references game_table (id),"
            " role varchar(8) not null, seat integer)",
            "create index ix_pass_key_table_id on pass_key (table_id)",
            "create table record_line ("
            "table_id integer not null references game_table (id),"
            " number integer not null, at integer not null, text text not null,"
            " primary key (table_id, number, at))",
            "create table finished_game ("
            "table_id integer not null references game_table (id),"
            " number integer not null, game varchar(100) not null,"
            ' "end" varchar(8) not null, winners text not null,'
            " choices integer not null, changed integer not null,"
            " primary key (table_id, number))",
        )
    ),
    SchemaStep(
        (
            "create table own_rules (digest varchar(32) not null primary key,"
            " text text not null, brought integer not null)",
        )
    ),
    # SQLite's integers already have 64 bits, whatever their type is called.
    SchemaStep(
        (
            "alter table game_table add column used bigint not null default 0",
            "update game_table set used = changed",
            "alter table game_table add column bot_due boolean not null default false",
            # A start loads such a table once, and corrects this if no bot must decide.
            "update game_table set bot_due = true"
            " where number > 0 and seats like '%\"bot\": true%'",
        ),
        postgres=(
            "alter table game_table alter column made type bigint,"
            " alter column changed type bigint",
            "alter table finished_game alter column changed type bigint",
            "alter table own_rules alter column brought type bigint",
        ),
    ),
    SchemaStep(
        (
            "alter table game_table add column chat varchar(8)"
            " not null default 'seats'",
            "create table chat_line ("
            "table_id integer not null references game_table (id),"
            " at integer not null, seat integer not null, name text not null,"
            " text text not null, primary key (table_id, at))",
        )
    ),
    SchemaStep(
        ("alter table game_table add column clock varchar(24) not null default ''",)
    ),
    SchemaStep(
        ("alter table finished_game add column people text not null default '{}'",)
    ),
    SchemaStep(
        ("alter table game_table add column claims text not null default '{}'",)
    ),
)
"""The step at index *n* makes schema *n* + 1; schema 0 is an empty database."""


def migrate(db: Connection, steps: Sequence[SchemaStep] = STEPS) -> None:
    """Migrate a database to the newest schema, step by step.

    Raises:
        SchemaError: it belongs to another program, to a newer Houserule, or is damaged.
    """
    if db.dialect.name == "postgresql":
        # Two starting servers wait for each other; rewriting a large table may take
        # long.
        db.execute(text("set local statement_timeout = '10min'"))
        db.execute(text("select pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    version = _version(db)
    if version > len(steps):
        raise SchemaError(
            f"This database was written by a newer Houserule (schema {version}; this"
            f" one reads up to {len(steps)}). Install the newer Houserule."
        )
    for step in steps[version:]:
        step.take(db)
    if version < len(steps):
        db.execute(_schema.update().values(version=len(steps)))
    if steps is STEPS:
        there = inspect(db)
        names = there.get_table_names()
        for table in META.sorted_tables:
            columns = there.get_columns(table.name) if table.name in names else []
            missing = {*table.columns.keys()} - {each["name"] for each in columns}
            if missing:
                raise SchemaError(
                    f"The table `{table.name}` is damaged: it has no column"
                    f" `{min(missing)}`. Restore a copy of the database."
                )


MIGRATING, SERVING = 0x686F7573_01, 0x686F7573_02
"""Keys of PostgreSQL's advisory locks: for migrations, and for serving."""


def _version(db: Connection) -> int:
    """Return the schema of a database; 0 if it is empty."""
    found = inspect(db).get_table_names()
    if _schema.name not in found:
        if found:
            raise SchemaError(
                f"This database belongs to another program: it has a table"
                f" `{found[0]}`. Give Houserule a database for itself."
            )
        return 0
    try:
        (version,) = db.execute(text("select version from houserule_schema")).scalars()
        if isinstance(version, int) and version >= 1:
            return version
        damage = f"its version is {version!r}"
    except ValueError:
        damage = "it needs exactly one row"
    raise SchemaError(
        f"The table `houserule_schema` is damaged: {damage}. Restore a copy of the"
        " database, or set the version that the copy has."
    )
