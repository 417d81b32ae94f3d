"""The example of many games at once learns to beat chance."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLE = "docs/examples/learning/vectorised_network.py"


def example() -> ModuleType:
    path = Path(__file__).parents[2] / EXAMPLE
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_a_network_learns_in_a_moment() -> None:
    before, after = example().main(updates=150, tried=300)
    assert after > before + 0.2


@pytest.mark.slow
def test_a_network_beats_chance() -> None:
    _, after = example().main()
    assert after > 0.95
