"""`serve` as a process: how it ends, and what its files then have."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from tools.clicking import Clickable

from houserule.ui.web.store import Chair, TableStore

PATIENCE = 60.0


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Let `serve` run over a file in a folder; it is killed at the end of the block."""
    command = [sys.executable, "-m", "houserule", "serve", "--port", "0", *words]
    url = f"sqlite:///{folder / 'tables.db'}"
    with subprocess.Popen(
        [*command, "--database", url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"https?://\S+", process.stdout.readline())
            yield process, found[0].rstrip("/") if found else ""
        finally:
            process.kill()
            process.wait()


def play(address: str) -> str:
    """Let two people at a table choose once each; return the host's key."""
    with httpx.Client(
        base_url=address, headers={"origin": address}, follow_redirects=True, timeout=60
    ) as browser:
        host = browser.post("/tables", data={"choice": "nim"}).url.path
        seats = [
            browser.post(f"{host}/sit", data={"seat": str(n), "name": name}).url.path
            for n, name in enumerate(("Ann", "Bob"))
        ]
        assert browser.post(f"{host}/begin").status_code == 200
        for seat in seats:
            path: tuple[str, ...] = ()
            while not (found := Clickable(part_of(browser, seat, path))).buttons:
                longer = [link for link in found.links if len(link) > len(path)]
                if not longer:
                    break  # the other one is asked
                path = longer[0]
            else:
                browser.post(
                    f"{seat}/choose",
                    content=urlencode(found.buttons[0]),
                    headers={"content-type": "application/x-www-form-urlencoded"},
                )
    return host.rpartition("/")[2]


def part_of(browser: httpx.Client, seat: str, path: tuple[str, ...]) -> str:
    return browser.get(f"{seat}/part", params={"path": list(path)}).text


def copied(folder: Path) -> TableStore:
    """Open a copy of the one file of a database."""
    other = folder / "copy"
    other.mkdir()
    shutil.copy(folder / "tables.db", other)
    return TableStore(f"sqlite:///{other / 'tables.db'}")


@pytest.mark.parametrize("how", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_its_file_has_everything_when_it_was_ended(tmp_path: Path, how: str) -> None:
    if signal.getsignal(getattr(signal, how)) == signal.SIG_IGN:
        pytest.skip(f"{how} is ignored here, as `nohup` does it")
    with serving(tmp_path) as (process, address):
        key = play(address)
        process.send_signal(getattr(signal, how))
        process.communicate(timeout=PATIENCE)
    assert process.returncode == (130 if how == "SIGINT" else 0)
    assert not (tmp_path / "tables.db-wal").exists()
    with_all = copied(tmp_path)
    assert with_all.opened_by(key) is not None
    assert with_all.record(1, 1).count("\n") == 3
    with_all.close()


def test_its_file_has_nearly_everything_while_it_runs(
    tmp_path: Path,
) -> None:
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    store.new_table("nim", "en", [Chair("", False, "en")] * 2, [("a-key", "host")])
    store.checkpoint()
    other = copied(tmp_path)
    assert other.count() == 1
    other.close()
    store.close()


def test_a_second_one_says_that_there_is_a_first(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, address):
        assert address
        with serving(tmp_path) as (second, nothing):
            assert nothing == ""
            _, said = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert "Another `houserule serve` uses" in said


def test_one_that_is_killed_leaves_no_lock(tmp_path: Path) -> None:
    for _ in range(2):
        with serving(tmp_path) as (process, address):
            assert address
            process.kill()
