"""Another process that plays: when it is under way."""

from __future__ import annotations

from pathlib import Path
from subprocess import Popen
from time import monotonic, sleep

PATIENCE = 60.0  # seconds


def wait_for_games(rows: Path, process: Popen[str]) -> None:
    """Wait until a process has written some games into a file, a row for each.

    Rows come in blocks of some kilobytes, so more than a hundred games were played.
    """
    ends = monotonic() + PATIENCE
    while not (rows.exists() and rows.stat().st_size):
        assert process.poll() is None, process.communicate()
        assert monotonic() < ends, "no games yet"
        sleep(0.02)
