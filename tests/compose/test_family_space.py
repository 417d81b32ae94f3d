"""Truth tables against plain counting: both have to give the same answer."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houserule.compose.tables.formulas import (
    ALWAYS,
    NEVER,
    Both,
    Either,
    Formula,
    Off,
    On,
    both,
    either,
    holds_in,
    off,
    on,
    switches_in,
)
from houserule.compose.tables.truth_table import Space

NAMES = ("ace", "bid", "cut", "deal", "end")

formulas = st.recursive(
    st.frozensets(st.sampled_from(NAMES), max_size=3).map(On),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: Both(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: Either(tuple(parts))),
        inner.map(Off),
    ),
    max_leaves=8,
)


def every_table() -> list[frozenset[str]]:
    return [
        frozenset(chosen)
        for size in range(len(NAMES) + 1)
        for chosen in combinations(NAMES, size)
    ]


@given(formulas)
def test_a_truth_table_agrees_with_counting(formula: Formula) -> None:
    space = Space(NAMES)
    bits = space.holds(formula)
    wanted = [table for table in every_table() if holds_in(formula, table)]
    assert sorted(map(sorted, space.each(bits))) == sorted(map(sorted, wanted))
    assert space.count(bits) == len(wanted)


@given(formulas)
def test_the_smallest_has_fewest_and_then_comes_first_by_alphabet(
    formula: Formula,
) -> None:
    space = Space(NAMES)
    bits = space.holds(formula)
    wanted = [table for table in every_table() if holds_in(formula, table)]
    if not wanted:
        with pytest.raises(ValueError, match="no setting"):
            space.smallest(bits)
        return
    # combinations() already yields them by size, then by alphabet
    assert space.smallest(bits) == wanted[0]
    assert len(space.largest(bits)) == len(wanted[-1])


@given(formulas, st.integers(0, 4))
def test_switches_left_out_of_counts(formula: Formula, counted: int) -> None:
    space = Space(NAMES, counted)
    variants = set(NAMES[:counted])
    wanted = {t & variants for t in every_table() if holds_in(formula, t)}
    assert space.count(space.holds(formula)) == len(wanted)


@given(formulas)
def test_building_conditions_simplifies_and_keeps_the_meaning(formula: Formula) -> None:
    for table in every_table():
        held = holds_in(formula, table)
        assert holds_in(both([formula, ALWAYS]), table) == held
        assert holds_in(either([formula, NEVER]), table) == held
        assert holds_in(off(off(formula)), table) == held
        assert holds_in(both([formula, on("ace")]), table) == (held and "ace" in table)
    assert switches_in(formula) <= set(NAMES)


def test_plain_cases_stay_plain() -> None:
    assert both([on("ace"), on("bid")]) == on("ace", "bid")
    assert either([on("ace")]) == on("ace")
    assert both([]) == ALWAYS
    assert either([]) == NEVER
    assert off(ALWAYS) == NEVER


@settings(max_examples=20)
@given(formulas)
def test_random_settings_are_settings(formula: Formula) -> None:
    space = Space(NAMES)
    bits = space.holds(formula)
    listed = list(space.each(bits))
    assert [space.nth(bits, i) for i in range(len(listed))] == listed
    if listed:
        assert space.at_random(bits, Random(1)) in listed


def test_random_settings_are_uniform() -> None:
    space = Space(NAMES)
    bits = space.holds(either([on("ace"), on("bid", "cut")]))
    random = Random(7)
    seen: dict[frozenset[str], int] = {}
    for _ in range(8000):
        table = space.at_random(bits, random)
        seen[table] = seen.get(table, 0) + 1
    assert len(seen) == bits.bit_count() == 20
    assert min(seen.values()) > 300
    assert max(seen.values()) < 500


def test_twenty_five_switches_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        Space([f"s{i}" for i in range(25)])
