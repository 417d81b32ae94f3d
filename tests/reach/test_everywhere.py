"""The product runs where Python has no threads, processes, users and native wheels."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from subprocess import run
from sys import executable

import pytest

from houserule.ui.site.parts import npm_packages, python_wheels

from .everywhere import a_little_of_everything, digests

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

BARE = """
import os, sys, threading

def refuse(*_, **__):
    raise RuntimeError("there is none here")

threading.Thread.start = refuse
os.fork = os.posix_spawn = refuse
for name in ("geteuid", "getuid", "getpwuid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("wasmtime", "rapidfuzz", "_posixsubprocess"):
    sys.modules[name] = None
import pydantic, sysconfig
sysconfig.get_config_vars()
sys.platform = "emscripten"
sys.path.insert(0, sys.argv[1])
import houserule, json
from everywhere import a_little_of_everything
print(json.dumps(a_little_of_everything()))
"""


def test_without_threads_processes_users_and_native_wheels(tmp_path: Path) -> None:
    env = {**os.environ, "HOUSERULE_CACHE": str(tmp_path / "cache")}
    for _ in range(2):  # with an empty cache, and with a full one
        done = run(
            [executable, "-c", BARE, str(HERE)], capture_output=True, text=True, env=env
        )
        assert not done.returncode, done.stderr
        assert json.loads(done.stdout) == a_little_of_everything()


def test_in_pyodide_all_games_have_the_same_digests(tmp_path: Path) -> None:
    """Python and the modules it writes run in the WebAssembly of Node."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        if os.environ.get("HOUSERULE_PAGE") == "required":
            pytest.fail("no node or npm")
        pytest.skip("no node or npm")
    parts = tmp_path / "parts"
    pyodide = npm_packages(parts) / "pyodide"
    wheels = python_wheels(parts / "wheels", pyodide)
    make = [executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    run([*make, "-w", str(tmp_path / "ours"), str(ROOT)], check=True)
    ours = (tmp_path / "ours").glob("*.whl")
    command = [node, HERE / "run.mjs", parts, HERE / "everywhere.py", *wheels, *ours]
    done = run([*map(str, command)], capture_output=True, text=True)
    assert not done.returncode, done.stderr[-4000:]
    there = json.loads(done.stdout.splitlines()[-1])
    assert there == [a_little_of_everything(), digests()]
