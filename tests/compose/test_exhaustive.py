"""Three accounts of one family have to agree: all at once, by clause, by composing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.compose.random_families import random_family
from tests.compose.test_family import large_family
from tests.support.exhaustive import (
    every_table,
    faults_by_clause,
    faults_by_composing,
    names_in,
    variants_of,
)
from tests.support.rulesets import ruleset_from_folder
from tests.support.sampling import spread
from tests.support.truth_table import Space

from houserule.compiler.compose.compose import compose
from houserule.compiler.conditions.formulas import holds_in
from houserule.compiler.family.check import FamilyReport, check_family
from houserule.compiler.rules import ChosenTable
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

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


@pytest.mark.parametrize("seed", spread(range(60), 6))
def test_random_families_table_by_table(seed: int) -> None:
    ruleset = random_family(seed)
    tables = every_table(ruleset)
    assert len(tables) == check_family(ruleset).valid_tables
    assert_agreement(ruleset, tables)


def assert_same_messages(ruleset: LoadedRuleset) -> None:
    """Hold the message of every finding against composing the table that it names.

    Composing tells of all who take part in one message, so there it may point to more
    places, and where values clash nothing is told of captions (both are E201). What
    the family adds is in which tables it is so.
    """
    names = variants_of(ruleset)
    tables = [names_in(table, names) for table in every_table(ruleset)]
    for finding in check_family(ruleset).findings:
        if finding.code in FAMILY_ONLY:
            continue
        having = [on for on in tables if holds_in(finding.condition, on)]
        on = min(having, key=lambda table: (len(table), sorted(table)))
        found = compose(ruleset, ChosenTable(ruleset.id, 0, on, {}))[1]
        if any(each.code == "E205" for each in found):
            continue  # which of two declarations goes on is not said
        told = finding.diagnostic
        places = {label.span for label in told.labels}
        alike = [
            each
            for each in found
            if each.code == told.code and places <= {x.span for x in each.labels}
        ]
        behind = told.code == "E201" and any(each.code == "E201" for each in found)
        assert alike or behind, (sorted(on), told)
        exact = [each for each in alike if len(each.labels) == len(told.labels)]
        for each in exact:
            assert each.message == told.message
            assert each.fixes == told.fixes
            assert each.labels == told.labels
            assert (
                told.details[-len(each.details) :] == each.details or not each.details
            )


@pytest.mark.parametrize("seed", spread(range(100, 140), 3))
def test_the_proof_tells_what_composing_tells(seed: int) -> None:
    assert_same_messages(random_family(seed))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 5000, 100))
def test_many_random_families(start: int) -> None:
    for seed in range(start, start + 100):
        ruleset = random_family(seed, size=4, lines=4)
        assert_agreement(ruleset, every_table(ruleset))
        assert_same_messages(ruleset)


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
