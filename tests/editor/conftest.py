"""A game in a folder of its own, with texts that are not saved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from houserule.base.resources import shipped_rulesets


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    return folder
