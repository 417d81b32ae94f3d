"""Outputs in small worlds: full disks, few addresses, places that cannot be written."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.support.attacks import attack

HERE = Path(__file__).parent
NOT_OF_THE_GAME = shutil.ignore_patterns("cases", "*.py", "__pycache__")
HOUSERULE = (sys.executable, "-m", "houserule")


def ended(command: str, addresses: int = 0) -> tuple[int, str]:
    """Run a line of a shell; return its status, and all that it writes."""

    def limit() -> None:
        if addresses:
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))

    line = command.replace("houserule", " ".join(HOUSERULE), 1)
    done = subprocess.run(
        line,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=limit,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("command", "status", "says"),
    [
        ("houserule list > /dev/full", 2, "The output cannot be written: No space"),
        ("houserule list nogame 2> /dev/full", 2, ""),
        ("houserule simulate pig --games 20 --csv /dev/full", 2, "No space left"),
        (
            "houserule compare pig --set target=50 --games 20 --csv /dev/full",
            2,
            "No space left",
        ),
        ("houserule list >&- 2>&- <&-", 0, ""),
    ],
)
def test_streams(command: str, status: int, says: str) -> None:
    found, said = ended(command)
    assert found == status, said
    assert says in said
    assert "Exception ignored" not in said


def test_few_addresses_make_games_no_other() -> None:
    command = "houserule simulate pig --games 40 --jobs 1000"
    status, said = ended(command, addresses=4_000_000_000)
    assert status == 0, said
    assert "1000 jobs are too many here" in said
    assert "reference engine" not in said
    _, plainly = ended(command)
    assert said.splitlines()[-1] == plainly.splitlines()[-1]
    assert said.splitlines()[-1].startswith("digest: ")


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    game = Path(shutil.copytree(HERE, tmp_path / "pig", ignore=NOT_OF_THE_GAME))
    manifest = (game / "ruleset.yaml").read_text("utf-8")
    every = manifest.replace("[game.rules]", '["*.rules"]')
    (game / "ruleset.yaml").write_text(every, encoding="utf-8")
    (game / os.fsdecode(b"b\xf6se.rules")).write_text("variant x for pig", "utf-8")
    outcome = attack(tmp_path, ["check", "--json", "pig"])
    assert outcome.status == 1, outcome.output
    assert '"file": "pig/b\\\\udcf6se.rules"' in outcome.output


def test_a_short_write_is_not_the_end() -> None:
    """A pipe that takes only a part at once gets the rest, without buffers too."""
    limit = resource.RLIMIT_FSIZE
    done = subprocess.run(
        [*HOUSERULE, "list", "--json"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        check=True,
    )
    with tempfile.TemporaryFile() as file:
        failed = subprocess.run(
            [*HOUSERULE, "list", "--json"],
            stdout=file,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "HOUSERULE_CACHE": ""},
            preexec_fn=lambda: _files_end_at(limit, len(done.stdout) - 1),
        )
    assert failed.returncode == 2
    assert b"cannot be written: File too large" in failed.stderr


def _files_end_at(limit: int, size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(limit, (size, size))
