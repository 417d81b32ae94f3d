"""What a package index shows: links that work there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOME = "https://example.org/us/houserule"


def metadata(home: str) -> dict[str, Any]:
    pytest.importorskip("hatchling")
    shown = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata"],
        cwd=ROOT,
        env={**os.environ, "HOUSERULE_REPOSITORY": home},
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(shown.stdout)
    return found


def test_a_release_links_to_its_repository() -> None:
    found = metadata(HOME)
    tree = f"{HOME}/blob/v{found['version']}/"
    assert found["urls"]["Documentation"] == f"{tree}docs/index.md"
    links = re.findall(r"\]\(([^)]+)\)", found["readme"]["text"])
    assert len(links) > 10
    assert [each for each in links if not each.startswith("https://")] == []
    assert f"{HOME}/raw/v{found['version']}/docs/images/table.png" in links
    inside = [each.removeprefix(tree) for each in links if each.startswith(tree)]
    assert [each for each in inside if not (ROOT / each).is_file()] == []
    assert f"git clone {HOME} houserule" in found["readme"]["text"]


def test_another_build_claims_no_address() -> None:
    found = metadata("")
    assert "urls" not in found
    assert found["readme"]["text"] == (ROOT / "README.md").read_text("utf-8")
