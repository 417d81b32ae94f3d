"""Names are renamed everywhere at once, there and back to the same bytes, or not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from houserule.authoring.renaming.plan import renaming
from houserule.authoring.renaming.targets import CannotRename, Target
from houserule.authoring.scenarios.files import example_files, read_examples, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.compiler.prepare import Programs
from houserule.language.manifest.load import open_ruleset
from houserule.ui.cli.main import run

ROOT = Path(__file__).parents[2]
CASES: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(
    (ROOT / "tests" / "cases" / "renaming.yaml").read_text("utf-8")
)


def copied(game: str, place: Path) -> Path:
    folder = place / game
    shutil.copytree(ROOT / "rulesets" / game, folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def rename(folder: Path, old: str, new: str) -> Target:
    found = renaming(open_ruleset(folder), old, new)
    left = [each.file for each in found.left if not each.line]
    assert all(each.startswith("playthroughs/") for each in left)
    for file, text in found.texts.items():
        (folder / file).write_bytes(text.encode())
    return found.target


BACK = 4
"""One of so many is renamed back in the usual run, too."""


def cases() -> list[object]:
    """Return what is renamed; in a game with very many tables it takes a minute.

    What comes of the way back is proved each time before anything is written, so of
    most names it is gone in the slow tests.
    """
    found = []
    for number, case in enumerate(CASES["renamed"]):
        slow = (pytest.mark.slow,)
        if case.get("slow"):
            found.append(pytest.param(case, True, id=case["old"], marks=slow))
            continue
        back = number % BACK == 1
        found.append(pytest.param(case, back, id=case["old"]))
        if not back:
            name = f"{case['old']}, and back"
            found.append(pytest.param(case, True, id=name, marks=slow))
    return list(found)


@pytest.mark.parametrize(("case", "back"), cases())
def test_a_name_is_renamed_there_and_back(
    case: dict[str, Any], back: bool, tmp_path: Path
) -> None:
    folder = copied(case["game"], tmp_path)
    before = contents(folder)
    target = rename(folder, case["old"], case["new"])
    for file, lines in case["at"].items():
        text = (folder / file).read_text("utf-8")
        assert not [line for line in lines if line not in text], file
    _examples_hold(folder)
    if back:
        rename(folder, target.renamed, target.name)
        assert contents(folder) == before


def _examples_hold(folder: Path) -> None:
    ruleset = open_ruleset(folder)
    programs = Programs(ruleset)
    for path in example_files(ruleset):
        for trial in trials(read_examples(path, ruleset)):
            assert run_trial(trial, programs).passed, trial.title


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["says"])
def test_a_name_is_refused(case: dict[str, Any]) -> None:
    ruleset = open_ruleset(ROOT / "rulesets" / case["game"])
    with pytest.raises(CannotRename) as error:
        renaming(ruleset, case["old"], case["new"])
    assert error.value.diagnostic.message == case["says"]


def test_line_ends_and_remarks_stay(tmp_path: Path) -> None:
    folder = copied("pig", tmp_path)
    rules = folder / "game.rules"
    text = f"\ufeff{rules.read_text('utf-8')}# the pot\n".replace("\n", "\r\n")
    rules.write_bytes(text.encode())
    found = renaming(open_ruleset(folder), "pot", "heap")
    new = found.texts["game.rules"]
    assert new.startswith("\ufeff")
    assert new.count("\r\n") == text.count("\r\n")
    assert new.endswith("# the pot\r\n")
    assert [each.file for each in found.left if each.why == "# the pot"]


def test_the_folder_may_be_the_one_that_you_are_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied("pig", tmp_path)
    monkeypatch.chdir(folder)
    assert run(["rename", ".", "pot", "heap"]) == 0
    assert "state heap" in (folder / "game.rules").read_text("utf-8")


def test_other_links_to_a_file_stay_as_they_were(tmp_path: Path) -> None:
    """A snapshot may share its files with the folder; it must keep the old text."""
    folder = copied("pig", tmp_path)
    shutil.copytree(folder, tmp_path / "snapshot", copy_function=os.link)
    before = contents(tmp_path / "snapshot")
    assert run(["rename", str(folder), "pot", "heap"]) == 0
    assert contents(folder) != before
    assert contents(tmp_path / "snapshot") == before


def test_an_error_of_the_game_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied("pig", tmp_path)
    (folder / "scenarios" / "pig.yaml").write_text("", "utf-8")
    assert run(["rename", str(folder), "pot", "heap"]) == 1
    assert "scenarios/pig.yaml" in capsys.readouterr().err


def test_an_interrupted_renaming_is_undone_by_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied("pig", tmp_path)
    before = contents(folder)
    for part in ("old", "new"):
        shutil.copytree(folder, tmp_path / part)
    rules = tmp_path / "new" / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("pot", "heap"), "utf-8")
    rules.replace(folder / "game.rules")
    for part in ("old", "new"):
        (folder / ".houserule-switch").mkdir(exist_ok=True)
        (tmp_path / part).replace(folder / ".houserule-switch" / part)
    assert run(["check", str(folder)]) == 1
    assert "rename` was interrupted" in capsys.readouterr().err
    assert run(["rename", str(folder), "nothing", "heap"]) == 1
    assert "was undone" in capsys.readouterr().err
    assert contents(folder) == before


@pytest.mark.parametrize(
    "inside", [("new/.houserule-12345678.new",), ("old/game.rules", "new/game.rules")]
)
def test_a_folder_that_an_interrupted_renaming_left_is_removed(
    inside: tuple[str, ...], tmp_path: Path
) -> None:
    folder = copied("pig", tmp_path)
    before = contents(folder)
    for file in inside:
        left = folder / ".houserule-0123abcd.new" / file
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_text("half", "utf-8")
    assert run(["rename", str(folder), "nothing", "heap"]) == 1
    assert contents(folder) == before
