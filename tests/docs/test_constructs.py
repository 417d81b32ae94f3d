"""Every construct of the language is used by two shipped rulesets at least."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tools.write_constructs import ROOT, constructs, used_names, without_asides


@cache
def rulesets_by_construct() -> dict[str, frozenset[str]]:
    """Return for each construct of the reference the shipped rulesets that use it."""
    used = used_names()
    names = {name for _, name, _ in constructs()}
    assert len(names) > 100
    assert len(used) > 5
    return {
        name: frozenset(ruleset for ruleset, each in used.items() if name in each)
        for name in names
    }


def used_by_fewer_than_two() -> set[str]:
    return {name for name, who in rulesets_by_construct().items() if len(who) < 2}


def test_each_construct_is_used_by_two_rulesets() -> None:
    assert not used_by_fewer_than_two()


# What has no form of its own in the grammar, but a meaning of its own.
WITHOUT_A_FORM = {
    "a change of the players": r"^change players +from",
    "a phase put into another one": r"^phase \w+\.\w+",
    "a change of the range of a column": r"^change [A-Z]\w*\.\w+ +from -?\d+\.\.",
    "a change of what a row says": r"^change [A-Z]\w*\.\w+\.\w+ +from",
    "a change of how many are chosen": r"^change \w+\.\w+ +from .+ of .+ to .+ of ",
    "a row by its name": r"^(?!change |sealed ).*\b[A-Z]\w*\.[a-z]\w*\b",
    "a member of a product by its parts": r"\b(Piece|Cell|House|Square|Field)\(\w",
    "a product whose members are named": r"^(component|dice) .* for each .* called ",
    "a product with a condition": r"^(component|dice) .* for each .* where ",
}


@pytest.mark.parametrize("what", WITHOUT_A_FORM)
def test_what_has_no_form_of_its_own_is_used_by_two_rulesets(what: str) -> None:
    line = re.compile(WITHOUT_A_FORM[what], re.MULTILINE)
    used = {
        file.relative_to(ROOT / "rulesets").parts[0]
        for file in (ROOT / "rulesets").rglob("*.rules")
        if line.search(without_asides(file.read_text(encoding="utf-8")))
    }
    assert len(used) >= 2
