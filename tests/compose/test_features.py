"""Which tables are valid: groups, counts, witnesses, numbers of players."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.compose.tables.configurations import Configurations, TooManySwitchesError
from houserule.compose.tables.feature_model import Features, Relation, SeatRange
from houserule.compose.tables.formulas import (
    ALWAYS,
    Formula,
    On,
    both,
    either,
    holds_in,
    off,
    on,
)
from houserule.compose.tables.truth_table import MOST_SWITCHES

NAMES = tuple("abcdefg")


def requires(user: str, *wanted: str) -> Relation:
    holds = either([off(on(user)), on(*wanted)])
    says = "requires " + ", ".join(wanted)
    return Relation("requires", holds, says, user, frozenset({user}), frozenset(wanted))


def excludes(user: str, other: str) -> Relation:
    holds = off(on(user, other))
    return Relation("excludes", holds, f"excludes {other}", user, frozenset({user}))


def family(*relations: Relation, names: tuple[str, ...] = NAMES) -> Features:
    return Features(names, (2, 4), (), relations)


relations = st.lists(
    st.tuples(st.booleans(), st.sampled_from(NAMES), st.sampled_from(NAMES))
    .filter(lambda each: each[1] != each[2])
    .map(lambda each: (requires if each[0] else excludes)(*each[1:])),
    max_size=6,
)
conditions = st.tuples(
    st.frozensets(st.sampled_from(NAMES), max_size=3),
    st.frozensets(st.sampled_from(NAMES), min_size=1, max_size=2),
).map(lambda each: both([On(each[0]), off(On(each[1]))]))


def valid_tables(features: Features) -> list[frozenset[str]]:
    return [
        frozenset(chosen)
        for size in range(len(features.variants) + 1)
        for chosen in combinations(features.variants, size)
        if features.is_valid(frozenset(chosen))
    ]


@given(relations, conditions)
def test_groups_agree_with_plain_counting(
    said: list[Relation], condition: Formula
) -> None:
    features = family(*said)
    tables = Configurations(features)
    every = valid_tables(features)
    assert tables.count == len(every)
    wanted = [table for table in every if holds_in(condition, table)]
    case = tables.case(condition)
    if case is None:
        assert not wanted
    else:
        assert case.tables == len(wanted)
        assert case.smallest == wanted[0]
    assert set(tables.each(condition)) == set(wanted)


def test_what_comes_along() -> None:
    features = family(requires("a", "b"), requires("b", "c"), excludes("d", "e"))
    assert features.closed({"a"}) == {"a", "b", "c"}
    assert features.closed({"d"}) == {"d"}
    assert ("d", "e") in features.groups


def test_two_large_groups_are_not_joined() -> None:
    first = tuple(f"a{i:02}" for i in range(14))
    second = tuple(f"b{i:02}" for i in range(14))
    said = [requires(name, group[0]) for group in (first, second) for name in group[1:]]
    tables = Configurations(family(*said, names=first + second))
    assert tables.count == (2**13 + 1) ** 2
    case = tables.case(both([on("a05", "b07"), off(on("a06"))]))
    assert case is not None
    assert case.smallest == {"a00", "a05", "b00", "b07"}
    assert case.tables == 2**11 * 2**12
    assert str(case) == "a00 + a05 + b00 + b07"
    assert tables.case(off(on("a00", "b00"))) is not None
    assert tables.case(both([on("a05"), off(on("a00"))])) is None


def test_a_group_of_more_than_24_is_refused() -> None:
    names = tuple(f"s{i:02}" for i in range(MOST_SWITCHES + 1))
    said = [requires(name, names[0]) for name in names[1:]]
    with pytest.raises(TooManySwitchesError, match="25 switches"):
        Configurations(family(*said, names=names))


def test_numbers_of_players_are_not_counted_twice() -> None:
    few, many = SeatRange(2, 3), SeatRange(4, 4)
    one = Relation(
        "seats",
        both([either([on(few.name), on(many.name)]), off(on(few.name, many.name))]),
        "one number of seats",
    )
    big = Relation("needs players", either([off(on("a")), on(many.name)]), "", "a")
    small = Relation("needs players", either([off(on("b")), on(few.name)]), "", "b")
    features = Features(("a", "b"), (2, 4), (few, many), (one, big, small))
    tables = Configurations(features)
    assert tables.count == 3
    assert tables.case(on("a", "b")) is None
    case = tables.case(on("a"))
    assert case is not None
    assert (case.seats, str(case)) == ("4 players", "a, 4 players")
    assert features.players_of(frozenset("b")) == (2, 3)
    assert set(tables.each()) == {frozenset(), frozenset("a"), frozenset("b")}


def test_nothing_on_is_a_table_too() -> None:
    tables = Configurations(family(names=()))
    assert tables.count == 1
    assert tables.case(ALWAYS) is not None
    assert tables.case(on("a")) is None
    assert list(tables.each()) == [frozenset()]
    assert tables.at_random((), Random(0)) == frozenset()
