"""Where wasmtime does not run, the reference engine plays, and a note says why."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess, run

import pytest
from tests.support.sampling import spread

WAYS = {
    "it is not there": (
        "raise ModuleNotFoundError(\"No module named 'wasmtime'\", name='wasmtime')",
        "note: Wasmtime is not installed, so the reference engine plays.",
    ),
    "another kind of machine": (
        "raise RuntimeError('unsupported architecture: riscv64')",
        "note: Wasmtime does not run on this machine (unsupported architecture: "
        "riscv64), so the reference engine plays.",
    ),
    "no library for the platform": (
        "raise OSError('libwasmtime.so: no such file')",
        "note: Wasmtime does not run on this machine (libwasmtime.so: no such file), "
        "so the reference engine plays.",
    ),
    "one that is damaged": (
        "raise ImportError('undefined symbol')",
        "note: Wasmtime does not run on this machine (undefined symbol), "
        "so the reference engine plays.",
    ),
}
"""What importing it does, and the note."""


def houserule(*words: str, path: Path | None = None) -> CompletedProcess[str]:
    before = [str(path)] if path else []
    search = os.pathsep.join([*before, *sys.path])
    return run(
        [sys.executable, "-m", "houserule", *words],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("jobs", "way"),
    spread([(jobs, way) for jobs in ("1", "2") for way in WAYS], 7, name="-".join),
)
def test_the_reference_engine_plays(way: str, jobs: str, tmp_path: Path) -> None:
    fails, note = WAYS[way]
    (tmp_path / "wasmtime.py").write_text(fails, encoding="utf-8")
    words = ["simulate", "pig", "--games", "4", "--jobs", jobs]
    done = houserule(*words, path=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (0, note)
    digest = done.stdout.splitlines()[-1]
    assert digest.startswith("digest: ")
    assert digest == digest_of_pig()


@cache
def digest_of_pig() -> str:
    """Return the digest of the same games on the compiled engine."""
    done = houserule("simulate", "pig", "--games", "4", "--jobs", "1")
    assert not done.stderr
    return done.stdout.splitlines()[-1]


def test_asked_for_by_name_it_is_told_too(tmp_path: Path) -> None:
    fails, note = WAYS["another kind of machine"]
    (tmp_path / "wasmtime.py").write_text(fails, encoding="utf-8")
    words = ["compare", "x_pasch", "--with", "harder_sliding", "--games", "2"]
    done = houserule(*words, "--engine", "compiled", path=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (0, note)
