"""Mutants of the face: each breaks one thing on the screen, and a test of it fails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.mutants import fails, mutated
from tests.support.rules_cases import cases_in
from tests.terminal import test_drawing, test_keys

MUTANTS = Path(__file__).parents[1] / "cases" / "terminal" / "mutants"
TESTS = {**vars(test_drawing), **vars(test_keys)}


@pytest.mark.parametrize("mutant", cases_in(MUTANTS))
def test_a_mutant_is_caught(
    mutant: Mapping[str, str], request: pytest.FixtureRequest
) -> None:
    test = TESTS[mutant["caught_by"]]
    assert not fails(test, request)
    with mutated(mutant["module"], mutant["right"], mutant["instead"]):
        assert fails(test, request)
