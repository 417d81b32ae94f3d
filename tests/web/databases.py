"""A PostgreSQL server of the tests' own, with an empty database for whoever asks."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

REQUIRED = "HOUSERULE_POSTGRES"  # set to `required` where a missing server is a fault
PATIENCE = 30.0  # seconds for a server to be there
OURS = "houserule"  # who connects


def programs() -> Path:
    """Return the folder of the server's programs; skip the test where there is none."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        return installed[-1].parent
    if os.environ.get(REQUIRED) == "required":
        pytest.fail("there is no PostgreSQL server, and one is required here")
    pytest.skip("no PostgreSQL on this system: apt-get install postgresql")


@dataclass
class Postgres:
    """A server with a folder of its own; it listens in that folder alone."""

    programs: Path
    folder: Path
    owner: str
    process: subprocess.Popen[bytes] | None = None
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def _command(self, name: str, *words: str) -> list[str]:
        return [str(self.programs / name), "-D", str(self.folder / "data"), *words]

    def initialise(self) -> None:
        """Make the files of an empty server."""
        words = ("-A", "trust", "-U", OURS, "-E", "UTF8", "--locale=C", "--no-sync")
        subprocess.run(
            self._command("initdb", *words),
            user=self.owner,
            cwd=self.folder,
            check=True,
            capture_output=True,
        )

    def start(self) -> None:
        """Start the server, and return when it answers."""
        # What a killed process has written is there without a sync of the disk.
        words = ("-k", str(self.folder), "-c", "listen_addresses=", "-F")
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command("postgres", *words),
                user=self.owner,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.say("postgres", "select 1")
            except OperationalError:
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        """End the server at once, with nothing written that was not written before."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)  # it takes its children with it
            self.process.wait()
            self.process = None

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{OURS}@/{database}?host={self.folder}"

    def say(self, database: str, statement: str) -> None:
        """Execute a statement by itself."""
        address = self.url(database).replace("postgresql:", "postgresql+psycopg:")
        engine = create_engine(
            address, isolation_level="AUTOCOMMIT", poolclass=NullPool
        )
        with engine.connect() as connection:
            connection.execute(text(statement))

    def new_database(self) -> str:
        """Make an empty database, and return its address."""
        name = f"tables{next(self._numbers)}"
        self.say("postgres", f"create database {name}")
        return self.url(name)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Let a server run until the end of the block; nothing is left of it."""
    found = programs()
    # The server refuses to be run by root; the package has made a user for it.
    owner = "postgres" if os.geteuid() == 0 else getpass.getuser()
    with tempfile.TemporaryDirectory(prefix="houserule-") as place:
        folder = Path(place)
        shutil.chown(folder, owner)
        made = Postgres(found, folder, owner)
        made.initialise()
        made.start()
        try:
            yield made
        finally:
            made.kill()
