"""Hostile files as data: a folder, a command, its exit status and what it says.

A case of `cases/*.yaml` begins from the game in this folder. Its keys:

- `case`: what is tried; `finding`: its number in the list of attacks, if it has one.
- `instead`: texts of `game.rules` and what stands in their place; `rules`: lines added.
- `manifest`: lines added to `ruleset.yaml`; `files`: further files below the folder of
  the game, with their text; `bytes`: files whose name and text are Latin-1, for any
  bytes; `links`: links, with what they lead to; `pipes`: named pipes.
- In all these texts `<<TEXT * 400>>` is TEXT so many times, `{n}` in it the number of
  each from 1, and `{m}` the number before that.
- `run`: the command, word by word as in a shell; `environment`: variables; `input`:
  what standard input gives, in Latin-1.
- `streams`: `stdin`, `stdout` or `stderr`: closed, or full; `encoding`: of outputs.
- `status`: its exit status; `says`: what it writes; `says_not`: what it does not.
- `unchanged`: that all files are as before; `leaves`: files and their text afterwards.
- `lines`: so many lines at most; `memory` (bytes): if not as usual.
- `slow`: that it is tried with the slow tests alone.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.support.attacks import MEMORY, attack

REPEATED = re.compile(r"<<(.*?) \* (\d+)>>", re.DOTALL)
HERE = Path(__file__).parent
CASES = [
    pytest.param(
        case,
        id=f"{path.stem}-{case['case']}".replace(" ", "_"),
        marks=[pytest.mark.slow] if case.get("slow") else [],
    )
    for path in sorted((HERE / "cases").glob("*.yaml"))
    for case in YAML(typ="safe").load(path)
]
KEYS = {
    *("case", "finding", "instead", "rules", "manifest", "files", "bytes", "run"),
    *("environment", "status", "says", "says_not", "lines", "memory"),
    *("streams", "slow"),
    *("links", "pipes", "input", "unchanged", "leaves"),
}


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict, tmp_path: Path) -> None:  # type: ignore[type-arg]
    assert case.keys() <= KEYS
    write_game(case, tmp_path / "pig")
    put(tmp_path / ".input", case.get("input", "").encode("latin-1"))
    before = contents(tmp_path / "pig")
    outcome = attack(
        tmp_path,
        shlex.split(case["run"]),
        {"HOUSERULE_CACHE": str(tmp_path / "cache"), **case.get("environment", {})},
        case.get("memory", MEMORY),
        case.get("streams"),
    )
    assert not outcome.is_ours, outcome
    assert outcome.status == case["status"], outcome.output
    flat = " ".join(outcome.output.split())
    for words in case.get("says", ()):
        assert words in flat, outcome.output
    for words in case.get("says_not", ()):
        assert words not in flat, outcome.output
    assert len(outcome.output.splitlines()) <= case.get("lines", 1000)
    after = contents(tmp_path / "pig")
    if "unchanged" in case:
        assert after == before
    for name, text in case.get("leaves", {}).items():
        assert (tmp_path / "pig" / name).read_text("utf-8") == text


def write_game(case: dict, folder: Path) -> None:  # type: ignore[type-arg]
    """Write the game of a case to a folder."""
    rules = (HERE / "game.rules").read_text("utf-8")
    for old, new in case.get("instead", {}).items():
        assert rules.count(old) == 1, f"{old} stands {rules.count(old)} times"
        rules = rules.replace(old, new)
    manifest = (HERE / "ruleset.yaml").read_text("utf-8")
    texts = {
        "game.rules": rules + case.get("rules", ""),
        "ruleset.yaml": manifest + case.get("manifest", ""),
        **case.get("files", {}),
    }
    for name, text in texts.items():
        put(folder / name, written_out(text).encode("utf-8"))
    for name, text in case.get("bytes", {}).items():
        name = os.fsdecode(name.encode("latin-1"))
        put(folder / name, text.encode("latin-1"))
    for name, target in case.get("links", {}).items():
        target = os.fsdecode(target.encode("latin-1"))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(target)
    for name in case.get("pipes", ()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(folder / name)


def contents(folder: Path) -> dict[Path, bytes]:
    """Return what is in each plain file of a folder, links not followed."""
    files = (each for each in folder.rglob("*") if not each.is_symlink())
    return {each: each.read_bytes() for each in files if each.is_file()}


def written_out(text: str) -> str:
    """Return a text with what it repeats written out."""
    return REPEATED.sub(
        lambda found: "".join(
            found[1].replace("{n}", str(n)).replace("{m}", str(n - 1))
            for n in range(1, int(found[2]) + 1)
        ),
        text,
    )


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
