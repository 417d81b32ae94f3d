"""The meter of the site and of the language server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")
from tools.bench.reach import compressed, processor

SPINS = """
import os, subprocess, sys, time
if len(sys.argv) < 2:
    raise SystemExit(subprocess.call([sys.executable, sys.argv[0], "below"]))
while time.process_time() < 0.5:
    pass
print("done", flush=True)
time.sleep(60)
"""


def test_the_time_of_processes_below_others_counts(tmp_path: Path) -> None:
    program = tmp_path / "spins.py"
    program.write_text(SPINS, "utf-8")
    began = processor()
    with subprocess.Popen(
        [sys.executable, program], stdout=subprocess.PIPE, text=True, process_group=0
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        assert processor() - began >= 0.4
        subprocess.run(["kill", "--", f"-{running.pid}"], check=True)


def test_hosts_compress_scripts_and_no_archives(tmp_path: Path) -> None:
    for name in ("page.js", "packages.tar.xz"):
        (tmp_path / name).write_bytes(bytes(10_000))
    assert compressed(tmp_path / "page.js") < 100
    assert compressed(tmp_path / "packages.tar.xz") == 10_000
