"""What the page about editors gives to editors does what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.docs.fences import ROOT, fences_of

from houserule.ui.cli.main import run

EXTENSION = ROOT / "tools" / "editor"


def test_the_task_finds_every_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "game", "dash"]) == 0
    text = Path("dash/text/en.yaml").read_text("utf-8")
    wrong = text.replace("things:", "thingz:").replace("text.json", "table.json")
    Path("dash/text/en.yaml").write_text(wrong, "utf-8")
    capsys.readouterr()
    (fence,) = (
        each
        for each in fences_of(ROOT / "docs" / "editors.md")
        if each.language == "json"
    )
    (task,) = json.loads(fence.text)["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    monkeypatch.chdir(tmp_path / "dash")
    assert run(task["command"].split()[1:]) == 1
    found = [
        (line[pattern["file"]], line[pattern["severity"]], line[pattern["code"]])
        for line in map(
            re.compile(pattern["regexp"]).match, capsys.readouterr().err.splitlines()
        )
        if line is not None
    ]
    assert found == [
        ("text/en.yaml", "error", "E031"),
    ]


def test_the_extension_names_its_files() -> None:
    said = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]
    (language,), (grammar,) = said["languages"], said["grammars"]
    highlighter = json.loads((EXTENSION / grammar["path"]).read_text("utf-8"))
    assert grammar["scopeName"] == highlighter["scopeName"]
    assert grammar["language"] == language["id"]
    assert [f".{each}" for each in highlighter["fileTypes"]] == language["extensions"]
    assert set(grammar["embeddedLanguages"]) <= set(
        re.findall(r"meta\.embedded[\w.]+", json.dumps(highlighter))
    )
    settings = json.loads((EXTENSION / language["configuration"]).read_text("utf-8"))
    assert settings["comments"]["lineComment"] == "#"
