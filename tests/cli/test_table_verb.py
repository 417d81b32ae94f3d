"""The verb `table`: what it changes in a file, what it leaves, and what it advises."""

from __future__ import annotations

import errno
import json
import os
import shlex
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.compiler.table_files.editing import KeptTable
from houserule.compiler.table_files.planned import TableStep
from houserule.language.manifest.yaml.edit import written
from houserule.ui.cli.arguments import plain_value
from houserule.ui.cli.main import run

CASES = Path(__file__).parents[1] / "cases" / "tables"
READER = YAML(typ="safe")
KEPT = READER.load((CASES / "kept.yaml").read_text("utf-8"))
FIXES = READER.load((CASES / "fixes.yaml").read_text("utf-8"))
FORMS = [
    *KEPT["files"].values(),
    *(t.replace("\n", "\r\n") for t in KEPT["files"].values()),
]


def step_of(said: str) -> TableStep:
    verb, *words = said.split()
    if verb == "set":
        pairs = (word.split("=") for word in words)
        return TableStep(
            "set", settings={key: plain_value(value) for key, value in pairs}
        )
    return TableStep("add" if verb == "add" else "remove", tuple(words))


def remarks(text: str) -> list[str]:
    """Return the remarks of a text in which no quotes hold a `#`."""
    return [f"#{part}" for line in text.splitlines() for part in line.split("#", 1)[1:]]


def check_step(table: KeptTable, step: TableStep) -> KeptTable:
    """Do a step; whatever it does not speak of has to stay as it was."""
    after = table.done(step)
    assert remarks(after.raw) == remarks(table.raw)
    check_lines(table.raw, after.raw, [*step.names, *step.settings])
    variants = set(table.features.variants) & set(step.names)
    if step.verb == "add":
        assert variants <= after.on
    else:
        assert not variants & after.on
    presets = {table.choice.preset, after.choice.preset}
    if len(presets) == 1:
        assert after.on ^ table.on <= variants
    gone = {} if step.verb == "add" else dict.fromkeys(step.names)
    wanted = {**table.choice.settings, **step.settings, "players": None}
    kept = {key: value for key, value in wanted.items() if key not in gone}
    assert {**after.choice.settings, "players": None} == {**kept, "players": None}
    players = step.settings.get("players", table.choice.players)
    assert after.choice.players == (None if "players" in gone else players)
    assert after.choice == KeptTable.of(table.path, after.raw, table).choice
    return after


def check_lines(before: str, after: str, names: list[str]) -> None:
    """Let no line be another but those of what a step speaks of, and of its list."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    match = SequenceMatcher(None, old, new, autojunk=False)
    kept = sum(block.size for block in match.get_matching_blocks())
    assert len(old) - kept <= 3 * len(names)
    assert len(new) - kept <= 4 * len(names)
    ends = {line[len(line.rstrip("\r\n")) :] for line in new[:-1]}
    assert len(ends) == 1


@pytest.mark.parametrize("text", FORMS, ids=range(len(FORMS)))
def test_a_file_is_changed_fifty_times(text: str) -> None:
    assert len(KEPT["steps"]) == 50
    table = KeptTable.of(Path("friday.yaml"), text)
    for said in KEPT["steps"]:
        table = check_step(table, step_of(said))


@settings(max_examples=4)
@given(st.sampled_from(FORMS), st.integers(0, 10**6))
def test_or_in_any_order(text: str, seed: int) -> None:
    table = KeptTable.of(Path("friday.yaml"), text)
    for said in Random(seed).sample(KEPT["steps"], 16):
        try:
            table.done(step_of(said))
        except DiagnosticsError:  # nothing there to remove
            continue
        table = check_step(table, step_of(said))


# ---- advice


@pytest.mark.parametrize("case", FIXES, ids=lambda case: case["name"])
def test_what_is_wrong_is_told_with_what_mends_it(
    case: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "t.yaml"
    text = "".join(f"{key}: {written(value)}\n" for key, value in case["table"].items())
    file.write_text(text, encoding="utf-8")
    assert run(["table", "show", "t.yaml", "--json"]) == 1
    faults = json.loads(capsys.readouterr().out)["faults"]
    found = [[each["code"], *map(short, each["fixes"])] for each in faults]
    assert found == [[each["code"], *each.get("fixes", [])] for each in case["faults"]]
    for each in faults:
        for fix in each["fixes"]:
            file.write_text(text, encoding="utf-8")
            run(shlex.split(fix)[1:])
            left = KeptTable.read(file).faults
            assert len(left) < len(faults)
            assert each["message"] not in [fault.message for fault in left]


def short(command: str) -> str:
    start, _, rest = command.partition(" t.yaml ")
    return f"{start.removeprefix('houserule table ')} {rest}"


# ---- files


@pytest.fixture
def friday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "friday.yaml"
    file.write_bytes(b"game: pig  # ours\r\nplayers: 3\r\n")
    return file


@cache
def refused() -> dict[str, tuple[int, str]]:
    """Return what may not be written: the status, and a word of the message."""
    return {
        "add no_erly_hold": (1, "no_early_hold"),
        "add no_early_hold nothing": (1, "called nothing"),
        "add nowhere.rules": (2, "nowhere.rules"),
        "remove player": (1, "players"),
        "set targe=50": (1, "target"),
        "set target=55": (1, "Nearest: 50, 60"),
        "set players=many": (1, "whole number"),
        "set target": (2, "key=value"),
        "show other": (2, "other"),
    }


@pytest.mark.parametrize("said", refused())
def test_what_cannot_be_is_not_written(
    said: str, friday: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = friday.read_bytes()
    verb, *words = said.split()
    status, word = refused()[said]
    assert run(["table", verb, "friday.yaml", *words]) == status
    assert word in capsys.readouterr().err
    assert friday.read_bytes() == before


def test_a_byte_that_is_no_text_is_left_alone(
    friday: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    friday.write_bytes(b"game: pig\n# \xff\n")
    assert run(["table", "set", "friday.yaml", "players=4"]) == 1
    assert "friday.yaml:2" in capsys.readouterr().err
    assert friday.read_bytes() == b"game: pig\n# \xff\n"


def test_a_full_disk_loses_nothing(
    friday: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    before = friday.read_bytes()
    assert run(["table", "set", "friday.yaml", "players=4"]) == 2
    assert "No space left" in capsys.readouterr().err
    assert [each.read_bytes() for each in friday.parent.iterdir()] == [before]


@pytest.mark.skipif(os.name == "nt", reason="there are no such modes")
def test_a_file_keeps_its_mode_and_its_name(friday: Path) -> None:
    friday.chmod(0o640)
    link = friday.with_name("link.yaml")
    link.symlink_to(friday)
    assert run(["table", "set", "link.yaml", "players=4"]) == 0
    assert link.is_symlink()
    assert friday.stat().st_mode & 0o777 == 0o640
    assert friday.read_bytes() == b"game: pig  # ours\r\nplayers: 4\r\n"


def test_without_a_file_it_is_that_of_the_folder(
    friday: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = friday.parent / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert run(["table", "set", "players=4"]) == 2
    assert "houserule.yaml" in capsys.readouterr().err
    default = friday.rename(friday.with_name("houserule.yaml"))
    assert run(["table", "set", "players=4", "--lang", "de"]) == 0
    assert capsys.readouterr().out.startswith("Spieler: 4\n")
    assert default.read_bytes() == b"game: pig  # ours\r\nplayers: 4\r\n"
    assert run(["table", "set", "players=9"]) == 1
    fix = "houserule table set ../../houserule.yaml players=6"
    assert fix in capsys.readouterr().err


def test_rules_of_a_group_come_and_go(
    friday: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = friday.with_name("our rules")
    own.mkdir()
    own.joinpath("slow.rules").write_text("variant slow for pig\n", encoding="utf-8")
    assert run(["table", "add", "friday.yaml", "our rules/slow.rules", "slow"]) == 0
    after = b'game: pig  # ours\r\nrules: ["our rules/slow.rules"]\r\nwith: [slow]\r\n'
    assert friday.read_bytes() == after + b"players: 3\r\n"
    assert run(["table", "remove", "friday.yaml", "our rules/slow.rules"]) == 1
    assert "houserule table remove friday.yaml slow" in capsys.readouterr().err
    assert run(["table", "remove", "friday.yaml", "slow"]) == 0
    assert KeptTable.read(friday).on == frozenset()


def test_nothing_is_written_where_nothing_is_new(friday: Path) -> None:
    for words, stays in (["players=4"], False), (["players=4"], True):
        os.utime(friday, (1, 1))
        assert run(["table", "set", "friday.yaml", *words]) == 0
        assert (friday.stat().st_mtime == 1) == stays


def test_no_new_file_is_written_in_a_language_that_the_game_has_not(
    friday: Path,
) -> None:
    fresh = friday.with_name("fresh.yaml")
    assert run(["table", "new", str(fresh), "pig", "--lang", "it"]) == 2
    assert not fresh.exists()


def test_a_new_file_says_what_the_flags_say(friday: Path) -> None:
    own = friday.parent / "own"
    own.mkdir()
    own.joinpath("slow.rules").write_text("variant slow for pig\n", encoding="utf-8")
    words = [
        "--rules",
        "own",
        "--players",
        "4",
        "--set",
        "target=50",
        "--with",
        "slow,no_early_hold",
    ]
    assert run(["table", "new", "tables/a.yaml", "pig", *words]) == 2
    friday.with_name("tables").mkdir()
    assert run(["table", "new", "tables/a.yaml", "pig", *words]) == 0
    assert friday.with_name("tables").joinpath("a.yaml").read_text("utf-8") == (
        "game: pig\nrules: [../own]\nwith: [slow, no_early_hold]\n"
        "set: {target: 50}\nplayers: 4\n"
    )
    assert run(["table", "new", "tables/a.yaml", "pig"]) == 2
