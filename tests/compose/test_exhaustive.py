"""Three accounts of one family have to agree: all at once, by clause, by composing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.compose.build import ruleset_from_folder
from tests.compose.random_families import random_family
from tests.compose.test_family import large_family
from tests.support.exhaustive import (
    every_table,
    faults_by_clause,
    faults_by_composing,
    names_in,
    variants_of,
)

from houserule.compose.family.check import FamilyReport, check_family
from houserule.compose.tables.formulas import holds_in
from houserule.compose.tables.truth_table import Space
from houserule.manifest.load import load_ruleset
from houserule.manifest.ruleset import LoadedRuleset

CASES = Path(__file__).parents[1] / "cases"
RULESETS = Path(__file__).parents[2] / "rulesets"
FAMILY_ONLY = {"E104", "W404", "W405", "W406"}  # no fault of one composed table
UNCOUNTED = {"E304", "E309"}  # not looked at clause by clause


def codes_at(report: FamilyReport, table: frozenset[str]) -> set[str]:
    found = report.findings
    return {each.code for each in found if holds_in(each.condition, table)}


def assert_agreement(ruleset: LoadedRuleset, tables: Iterable[int]) -> None:
    """Compose these tables and hold all that is found against the other accounts."""
    report = check_family(ruleset)
    names, some = variants_of(ruleset), list(tables)
    clauses = faults_by_clause(ruleset, some)
    for table, composed in faults_by_composing(ruleset, some):
        on = names_in(table, names)
        by_clause = {code for code, where in clauses.items() if table in where}
        at_once = codes_at(report, on)
        if "E205" in composed:  # which of two declarations goes on is not said
            assert "E205" in at_once & by_clause, sorted(on)
            continue
        assert at_once - FAMILY_ONLY == composed - FAMILY_ONLY, sorted(on)
        assert by_clause == composed - FAMILY_ONLY - UNCOUNTED, sorted(on)


@pytest.mark.parametrize("seed", range(60))
def test_random_families_table_by_table(seed: int) -> None:
    ruleset = random_family(seed)
    tables = every_table(ruleset)
    assert len(tables) == check_family(ruleset).valid_tables
    assert_agreement(ruleset, tables)


def test_the_corpus_of_races() -> None:
    ruleset = ruleset_from_folder(CASES / "compose" / "race")
    tables = every_table(ruleset)
    assert len(tables) == check_family(ruleset).valid_tables
    assert_agreement(ruleset, tables[:: max(1, len(tables) // 100)])


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted(RULESETS.glob("*/")), ids=lambda f: f.name)
def test_shipped_rulesets_in_many_tables(folder: Path) -> None:
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    tables = every_table(ruleset)
    assert len(tables) == check_family(ruleset).valid_tables
    assert_agreement(ruleset, tables[:: max(1, len(tables) // 128)])


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted(RULESETS.glob("*/")), ids=lambda f: f.name)
def test_shipped_rulesets_clause_by_clause_in_every_table(folder: Path) -> None:
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    tables = every_table(ruleset)
    assert len(tables) == check_family(ruleset).valid_tables
    assert not faults_by_clause(ruleset, tables)


def as_bits(tables: Iterable[int], switches: int) -> int:
    data = bytearray((1 << switches) // 8 + 1)
    for table in tables:
        data[table >> 3] |= 1 << (table & 7)
    return int.from_bytes(data, "little")


@pytest.mark.slow
def test_a_large_family_in_every_table() -> None:
    ruleset = large_family(18, 20)
    report = check_family(ruleset)
    names, tables = variants_of(ruleset), every_table(ruleset)
    assert len(tables) == report.valid_tables > 100_000
    clauses = faults_by_clause(ruleset, tables)
    space, valid = Space(names), as_bits(tables, len(names))
    clashing = 0
    for each in report.findings:
        if each.code == "E201":
            clashing |= space.holds(each.condition) & valid
    assert clashing == as_bits(clauses["E201"], len(names))
    assert clauses.keys() == {"E201"}
