"""Which tables are valid: counts, witnesses, cells, and families of hundreds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.feature_model import (
    Features,
    Relation,
    SeatRange,
    at_most_one,
    exactly_one,
)
from houserule.compiler.choices.relation_diagram import (
    TooManySwitchesError,
    contradiction,
)
from houserule.compiler.conditions.formulas import (
    ALWAYS,
    Both,
    Either,
    Formula,
    Off,
    On,
    either,
    holds_in,
    off,
    on,
)

NAMES = tuple("abcdefg")
SEATS = (SeatRange(2, 2), SeatRange(3, 5), SeatRange(6, 6))


def requires(user: str, *wanted: str) -> Relation:
    holds = either([off(on(user)), on(*wanted)])
    says = f"{user} requires {', '.join(wanted)}"
    return Relation("requires", holds, says, user, frozenset({user}), frozenset(wanted))


def excludes(user: str, other: str) -> Relation:
    holds = off(on(user, other))
    says = f"{user} excludes {other}"
    return Relation("excludes", holds, says, user, frozenset({user}))


def one_of(*names: str) -> Relation:
    return Relation("exactly one", exactly_one(names), f"one of {', '.join(names)}")


def one_or_none(*names: str) -> Relation:
    return Relation("at most one", at_most_one(names), f"one of {', '.join(names)}")


def needs(user: str, low: int, high: int, seats: tuple[SeatRange, ...]) -> Relation:
    liked = (on(each.name) for each in seats if low <= each.low and each.high <= high)
    holds = either([off(on(user)), *liked])
    return Relation("needs players", holds, "", user, frozenset({user}))


def family(*relations: Relation, names: tuple[str, ...] = NAMES) -> Features:
    return Features(tuple(sorted(names)), (2, 4), (), relations)


def seated(
    *relations: Relation,
    names: tuple[str, ...] = NAMES,
    seats: tuple[SeatRange, ...] = SEATS,
) -> Features:
    one = Relation("seats", exactly_one(each.name for each in seats), "one number")
    span = seats[0].low, seats[-1].high
    return Features(tuple(sorted(names)), span, seats, (one, *relations))


switch = st.sampled_from(NAMES)
two = st.permutations(NAMES).map(lambda names: names[:2])
some = st.frozensets(switch, min_size=2, max_size=4).map(sorted)
relations = st.lists(
    st.one_of(
        two.map(lambda names: requires(*names)),
        two.map(lambda names: excludes(*names)),
        some.map(lambda names: one_of(*names)),
        some.map(lambda names: one_or_none(*names)),
        st.tuples(switch, st.integers(2, 6), st.integers(2, 6)).map(
            lambda each: needs(each[0], min(each[1:]), max(each[1:]), SEATS)
        ),
    ),
    max_size=7,
).map(lambda said: seated(*said))
conditions = st.recursive(
    st.frozensets(switch, max_size=2).map(On),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: Both(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: Either(tuple(parts))),
        inner.map(Off),
    ),
    max_leaves=8,
)


def valid_tables(features: Features) -> list[frozenset[str]]:
    """Return all valid tables, the smallest first, then by alphabet."""
    return [
        frozenset(chosen)
        for size in range(len(features.variants) + 1)
        for chosen in combinations(features.variants, size)
        if features.is_valid(frozenset(chosen))
    ]


# ---- against trying every table


@given(relations, conditions)
def test_a_diagram_agrees_with_plain_counting(
    features: Features, condition: Formula
) -> None:
    tables = Configurations(features)
    every = valid_tables(features)
    assert tables.count == len(every)
    wanted = [table for table in every if holds_in(condition, table)]
    assert tables.possible(condition) == bool(wanted)
    assert sorted(map(sorted, tables.each(condition))) == sorted(map(sorted, wanted))
    case = tables.case(condition)
    if not wanted:
        assert case is None
        assert tables.smallest(condition) is tables.largest(condition) is None
        return
    assert case is not None
    assert (case.tables, case.of) == (len(wanted), len(every))
    assert case.smallest == tables.smallest(condition) == wanted[0]
    largest = max(map(len, wanted))
    first = next(table for table in wanted if len(table) == largest)
    assert tables.largest(condition) == first


@given(relations, st.lists(conditions, max_size=4))
def test_cells_are_the_ways_in_which_conditions_hold_together(
    features: Features, several: list[Formula]
) -> None:
    found = list(Configurations(features).cells(several))
    wanted = {
        tuple(holds_in(each, table) for each in several)
        for table in valid_tables(features)
    }
    assert found == sorted(wanted)


@given(relations, st.randoms(use_true_random=False))
def test_a_random_table_is_valid(features: Features, random: Random) -> None:
    tables = Configurations(features)
    if tables.count:
        assert features.is_valid(tables.at_random(random))
    else:
        with pytest.raises(ValueError, match="no table"):
            tables.at_random(random)


def test_random_tables_are_uniform() -> None:
    seats = (SeatRange(2, 2), SeatRange(3, 6))
    said = requires("a", "b"), one_or_none("c", "d"), needs("e", 3, 6, seats)
    tables = Configurations(seated(*said, names=tuple("abcde"), seats=seats))
    random = Random(7)
    seen = Counter(tables.at_random(random) for _ in range(200 * tables.count))
    assert len(seen) == tables.count == 3 * 3 * 2
    assert min(seen.values()) > 150
    assert max(seen.values()) < 250


@given(relations, conditions)
@settings(max_examples=30)
def test_a_contradiction_needs_each_of_its_relations(
    features: Features, condition: Formula
) -> None:
    tables = Configurations(features)
    if tables.possible(condition):
        return
    condition = condition if tables.count else ALWAYS
    lines = contradiction(features, condition)
    settings = [
        frozenset(chosen)
        for size in range(len(features.switches) + 1)
        for chosen in combinations(features.switches, size)
    ]

    def agree(relations: list[Relation]) -> bool:
        every = [condition, *(each.holds for each in relations)]
        return any(all(holds_in(each, table) for each in every) for table in settings)

    assert not agree([*lines])
    for line in lines:
        assert agree([each for each in lines if each is not line])


# ---- examples


def test_what_comes_along() -> None:
    features = family(requires("a", "b"), requires("b", "c"), excludes("d", "e"))
    assert features.closed({"a"}) == {"a", "b", "c"}
    assert features.closed({"d"}) == {"d"}
    assert ("d", "e") in features.groups


def test_numbers_of_players_are_not_counted_twice() -> None:
    seats = few, many = SeatRange(2, 3), SeatRange(4, 4)
    said = needs("a", 4, 4, seats), needs("b", 2, 3, seats)
    features = seated(*said, names=("a", "b"), seats=seats)
    tables = Configurations(features)
    assert tables.count == 3
    assert tables.case(on("a", "b")) is None
    case = tables.case(on("a"))
    assert case is not None
    assert (case.seats, str(case)) == ("4 players", "a, 4 players")
    assert features.players_of(frozenset("b")) == (2, 3)
    assert set(tables.each()) == {frozenset(), frozenset("a"), frozenset("b")}
    assert features.groups == (("a", "b", few.name, many.name),)


def test_nothing_on_is_a_table_too() -> None:
    tables = Configurations(family(names=()))
    assert tables.count == 1
    assert tables.case(ALWAYS) is not None
    assert tables.case(on("a")) is None
    assert list(tables.each()) == [frozenset()]
    assert list(tables.cells([on("a"), ALWAYS])) == [(False, True)]
    assert tables.at_random(Random(0)) == frozenset()


def test_where_no_table_is_valid_nothing_is_possible() -> None:
    tables = Configurations(family(one_of("a"), excludes("a", "b"), one_of("b")))
    assert tables.count == 0
    assert not tables.possible(on("g"))
    assert not list(tables.cells([on("g")]))
    assert not list(tables.each())


def test_a_contradiction_leaves_out_what_does_not_matter() -> None:
    loop = requires("a", "b"), requires("b", "c"), excludes("c", "a")
    features = family(excludes("c", "d"), requires("a", "d"), *loop, requires("a", "e"))
    said = [each.says for each in contradiction(features, on("a"))]
    assert said == ["a requires b", "b requires c", "c excludes a"]


# ---- hundreds of variants

# Each has some work to do that grows with the number of nodes, so these are bounded.


def many(number: int) -> tuple[str, ...]:
    names = [f"v{i:03}" for i in range(number)]
    Random(number).shuffle(names)
    return tuple(names)


TWO_HUNDRED = many(200)
CHAIN = [requires(a, b) for a, b in pairwise(TWO_HUNDRED)]
STAR = [requires(name, TWO_HUNDRED[0]) for name in TWO_HUNDRED[1:]]
FIVE = tuple(SeatRange(i, i) for i in range(2, 7))
PLAYERS = [
    needs(each, 2 + i % 4, 3 + i % 4 + i % 2, FIVE)
    for i, each in enumerate(TWO_HUNDRED)
]


@pytest.mark.parametrize(
    ("features", "count", "smallest", "most_nodes"),
    [
        (family(names=TWO_HUNDRED), 2**200, 2, 10),
        (family(*CHAIN, names=TWO_HUNDRED), 201, 200, 2000),
        (family(*STAR, names=TWO_HUNDRED), 2**199 + 1, 2, 30_000),
        (family(one_of(*TWO_HUNDRED), names=TWO_HUNDRED), 200, None, 2000),
        (seated(*PLAYERS, names=TWO_HUNDRED, seats=FIVE), None, 2, 10_000),
        (seated(*PLAYERS, *CHAIN, names=TWO_HUNDRED, seats=FIVE), None, None, 10_000),
    ],
    ids=["free", "chain", "star", "one", "players", "players and chain"],
)
def test_two_hundred(
    features: Features, count: int | None, smallest: int | None, most_nodes: int
) -> None:
    tables = Configurations(features)
    assert len(tables.diagram.levels) <= most_nodes
    assert count is None or tables.count == count
    case = tables.case(on(TWO_HUNDRED[0], TWO_HUNDRED[4]))
    assert (case and len(case.smallest)) == smallest
    assert case is None or 0 < case.tables <= case.of == tables.count
    wide = either(on(each) for each in TWO_HUNDRED)
    none = tables.case(off(wide))
    other = tables.case(wide)
    assert (none.tables if none else 0) + (other.tables if other else 0) == tables.count
    assert features.is_valid(tables.at_random(Random(1)))
    largest = tables.largest()
    assert largest is not None
    assert features.is_valid(largest)


def test_mixtures_of_hundreds() -> None:
    names = many(300)
    said = [one_of(*names[i : i + 5]) for i in range(0, 100, 5)]
    said += [requires(names[i], names[i // 2]) for i in range(100, 200)]
    said += [excludes(names[i], names[i + 1]) for i in range(200, 260)]
    tables = Configurations(family(*said, names=names))
    assert len(tables.diagram.levels) < 10_000
    smallest = tables.smallest()
    assert smallest is not None
    assert len(smallest) == 20
    assert sum(1 for _ in tables.cells([on(each) for each in names[:5]])) == 5


def test_loose_ends_are_tied_up_first() -> None:
    # An order that does not close what it has opened passes the limit here.
    random, names = Random(0), many(200)
    said = []
    for _ in range(180):
        relation = random.choice((requires, excludes))
        said.append(relation(*random.sample(names, 2)))
    tables = Configurations(family(*said, names=names))
    assert len(tables.diagram.levels) < 25_000


def test_cells_come_one_by_one() -> None:
    tables = Configurations(family(names=TWO_HUNDRED))
    cells = tables.cells([on(each) for each in sorted(TWO_HUNDRED)])
    assert next(cells) == (False,) * 200
    assert next(cells) == (*(False,) * 199, True)


def test_a_real_knot_is_named_and_what_hangs_on_it_is_not() -> None:
    # A square with one variant in every row and column: a node for each set of columns.
    side = range(10)
    square = [tuple(f"s{i}_{j}" for j in side) for i in side]
    said = [one_of(*row) for row in square]
    said += [one_of(*column) for column in zip(*square, strict=True)]
    inside = {name for row in square for name in row}
    tail = ("s0_0", *many(50))
    said += [requires(a, b) for a, b in pairwise(tail)]
    features = family(*said, names=(*inside, *tail[1:]))
    assert Configurations(features).smallest(on("v007")) is not None
    with pytest.raises(TooManySwitchesError) as raised:
        Configurations(features, most_nodes=2000)
    assert set(raised.value.names) <= inside
    assert len(raised.value.names) > 30


def test_a_condition_that_is_a_knot_is_named() -> None:
    names = sorted(many(80))
    tables = Configurations(family(names=tuple(names)), most_nodes=2000)
    apart = zip(names[:40], names[40:], strict=True)
    with pytest.raises(TooManySwitchesError, match="80 switches"):
        tables.case(either(on(a, b) for a, b in apart))
    assert tables.case(on(*names)) is not None


def test_what_is_named_together_stands_together() -> None:
    names = sorted(many(80))
    apart = list(zip(names[:40], names[40:], strict=True))
    together = tuple(frozenset(pair) for pair in apart)
    tables = Configurations(Features(tuple(names), (2, 4), (), (), together))
    case = tables.case(either(on(a, b) for a, b in apart))
    assert case is not None
    assert case.tables == 4**40 - 3**40
