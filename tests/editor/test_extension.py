"""The extension for VS Code: its file, and its program in Node with the real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
NODE = Path(__file__).parent / "node"


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    target = tmp_path / "houserule.vsix"
    tool = ROOT / "tools" / "editor" / "build_vsix.py"
    subprocess.run([sys.executable, tool, target], check=True)
    with ZipFile(target) as archive:
        archive.extractall(tmp_path / "vsix")
    return tmp_path / "vsix"


def test_the_extension_has_every_file_that_it_names(unpacked: Path) -> None:
    inside = unpacked / "extension"
    said = json.loads((inside / "package.json").read_text("utf-8"))
    gives = said["contributes"]
    named = [said["main"], gives["languages"][0]["configuration"]]
    named += [each["path"] for kind in ("grammars", "snippets") for each in gives[kind]]
    assert all((inside / each).is_file() for each in named)
    program = (inside / "extension.js").read_text("utf-8")
    assert all(
        (inside / f"{e}.js").is_file() for e in re.findall(r'"\./(\w+)"', program)
    )
    for each in gives["commands"]:
        assert f'register("{each["command"]}"' in program
    manifest = ElementTree.parse(unpacked / "extension.vsixmanifest").getroot()
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    identity = manifest.find(".//v:Identity", space)
    assert identity is not None
    assert identity.get("Version") == said["version"]
    for asset in manifest.iterfind(".//v:Asset", space):
        assert (unpacked / asset.attrib["Path"]).is_file()
    types = ElementTree.parse(unpacked / "[Content_Types].xml").getroot()
    known = {each.get("Extension") for each in types}
    files = [each for each in unpacked.rglob("*") if each.is_file()]
    assert {each.suffix[1:] for each in files if each.suffix != ".xml"} <= known


def test_the_extension_works_with_the_server(unpacked: Path, pig: Path) -> None:
    pytest.importorskip("pygls")
    if shutil.which("node") is None:
        if os.environ.get("HOUSERULE_PAGE") == "required":
            pytest.fail("no node")
        pytest.skip("no node")
    inside = unpacked / "extension"
    module = inside / "node_modules" / "vscode"
    module.mkdir(parents=True)
    shutil.copy(NODE / "vscode.js", module / "index.js")
    shutil.copy(NODE / "drive.js", inside)
    command = json.dumps([sys.executable, "-m", "houserule", "lsp"])
    done = subprocess.run(
        ["node", inside / "drive.js", pig / "game.rules"],
        env={**os.environ, "HOUSERULE_COMMAND": command},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["fix"] == "pot"
    assert "pott" in told["message"]
    assert "score" in told["completion"]
    assert "Points of this turn" in told["hover"]
    row = (pig / "game.rules").read_text("utf-8").split("\n")[told["definition"]]
    assert row.startswith("state pot")
    assert told["references"] > told["highlights"] > 3
    assert told["rename"] > 2
    assert "no name" in told["nothing"]
    assert (told["formatting"], told["symbols"], told["tokens"]) == ([], "pig", 0)
    assert {"1 house rule changes this", "run 4 examples"} <= {*told["lenses"]}
    assert told["cancelled"] is None
    assert told["places"] == 1
    assert told["output"].endswith("14 passed, 0 failed")
    assert "<svg" in told["html"]
