"""What the page about editors gives to editors does what it says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.docs.fences import ROOT, fences_of

from houserule.ui.cli.main import run

EXTENSION = ROOT / "tools" / "editor"


def written(language: str) -> list[str]:
    """Return the files of a language that the page shows."""
    fences = fences_of(ROOT / "docs" / "editors.md")
    return [each.text for each in fences if each.language == language]


def test_the_settings_start_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    helix, extension, language, _ = map(tomllib.loads, written("toml"))
    server = helix["language-server"]["houserule"]
    assert [server["command"], *server["args"]] == ["houserule", "lsp"]
    assert all("houserule" in each["language-servers"] for each in helix["language"])
    assert extension["grammars"].keys() == {language["grammar"]}
    assert language["name"] in extension["language_servers"]["houserule"]["languages"]
    said = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]
    settings, _ = map(json.loads, written("json"))
    assert settings.keys() == said["configuration"]["properties"].keys()
    (default,) = (e["default"] for e in said["configuration"]["properties"].values())
    assert default == ["houserule", "lsp"]
    (neovim,) = written("lua")
    assert 'cmd = { "houserule", "lsp" }' in neovim
    compiler = shutil.which("luac") or shutil.which("luac5.4")
    if compiler is not None:
        (tmp_path / "init.lua").write_text(neovim)
        subprocess.run([compiler, "-p", tmp_path / "init.lua"], check=True)
    assert run(["lsp", "--help"]) == 0
    assert "Language Server Protocol" in capsys.readouterr().out


def test_the_task_finds_every_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "game", "dash"]) == 0
    text = Path("dash/text/en.yaml").read_text("utf-8")
    wrong = text.replace("things:", "thingz:").replace("text.json", "table.json")
    Path("dash/text/en.yaml").write_text(wrong, "utf-8")
    capsys.readouterr()
    _, tasks = written("json")
    (task,) = json.loads(tasks)["tasks"]
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
