"""Rules that ask for more than a machine has, in a process of its own with little.

A case of `explosions.yaml` begins from the game in this folder and has the keys of
`test_cases.py`. Besides: `limits`, ceilings by name; `ends`, how it may end, one of
these or several:

- a code: with status 1, and a message that has it;
- `status 1`: with status 1, and messages without a code;
- `fine`: with status 0;
- `memory`, `time`: the limit of the process ended it.

With the ceilings of the program set as far up as they go, the process itself has to
hold, whichever way it ends. To whoever called it nothing of it is left: no memory, no
open file, no process, no folder.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.hostile.test_cases import HERE, KEYS, write_game

from houserule.base.isolation import Isolated, isolated
from houserule.base.limits import LIMITS

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the system heeds no such limits"
)
LITTLE = {"memory": 300_000_000, "seconds": 3}
PATIENT = {"seconds": 60}  # where it has to end by itself, on a slow machine too
OF_THE_PROCESS = {*LITTLE, "open_files", "output"}
FAR = {name: each.most for name, each in LIMITS.items() if name not in OF_THE_PROCESS}
GROWN = 60_000_000  # bytes that the caller may hold more: what was written is kept
CASES = YAML(typ="safe").load(HERE / "explosions.yaml")
QUICK = {
    "a product of 1,000 times 1,000 times 1,000",
    "999,999,999 players",
    "aliases of aliases",
}


def named(case: dict) -> str:  # type: ignore[type-arg]
    return str(case["case"])


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            each, id=named(each), marks=[] if named(each) in QUICK else pytest.mark.slow
        )
        for each in CASES
    ],
)
def test_an_explosion_ends_as_it_should(case: dict, tmp_path: Path) -> None:  # type: ignore[type-arg]
    assert case.keys() <= {*KEYS, "limits", "ends"}
    ends = case["ends"] if isinstance(case["ends"], list) else [case["ends"]]
    limits = {**LITTLE, **({} if "time" in ends else PATIENT), **case.get("limits", {})}
    done = exploded(case, limits, tmp_path)
    assert ways(done) & {*ends}, done
    for words in case.get("says", ()):
        assert words in done.output + done.errors, done


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=named)
def test_an_explosion_hurts_nobody_else(case: dict, tmp_path: Path) -> None:  # type: ignore[type-arg]
    exploded(case, {**FAR, **LITTLE}, tmp_path)


def exploded(
    case: dict,  # type: ignore[type-arg]
    limits: Mapping[str, int],
    folder: Path,
) -> Isolated:
    """Run a case; it ends by itself or by its limits, and leaves its caller alone."""
    write_game(case, folder / "pig")
    with unharmed(folder / "temporary"):
        done = isolated(*shlex.split(case["run"]), folder=folder, limits=limits)
    assert done.ended in ("finished", "memory", "time"), done
    assert done.status in (0, 1), done
    assert "Traceback" not in done.errors
    return done


def ways(done: Isolated) -> set[str]:
    """Return what is to be said of an end: how it was, or its codes."""
    if done.ended != "finished":
        return {done.ended}
    if done.status == 0:
        return {"fine"}
    codes = {*re.findall(r"\b[EWF]\d{2,3}\b", done.errors + done.output)}
    return codes or {"status 1"}


@contextmanager
def unharmed(temporary: Path) -> Iterator[None]:
    """Look that the block leaves nothing; a new folder is that for temporary files."""
    temporary.mkdir()
    gc.freeze()  # what other tests left is not looked through behind the block
    before, usual, tempfile.tempdir = held(), tempfile.tempdir, str(temporary)
    try:
        yield
    finally:
        tempfile.tempdir = usual
    gc.collect()
    after = held()
    assert after["memory"] - before["memory"] < GROWN
    assert after["files"] <= before["files"]
    assert after["processes"] <= before["processes"]
    assert not [*temporary.iterdir()]


def held() -> dict[str, int]:
    """Return the memory, open files and processes of this process."""
    status = Path("/proc/self/status").read_text("utf-8")
    data = re.search(r"VmData:\s+(\d+) kB", status)
    assert data is not None
    tasks = Path("/proc/self/task").glob("*/children")
    return {
        "memory": 1024 * int(data[1]),
        "files": len(os.listdir("/proc/self/fd")),
        "processes": sum(len(each.read_text("utf-8").split()) for each in tasks),
    }
