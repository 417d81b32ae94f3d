"""Partial orders taken apart: what the parts tell is the order, no more and no less."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from houserule.compiler.merge.order import closed
from houserule.rulebook.diagram.diagram_model import (
    Arrangement,
    Free,
    Relation,
    Series,
    Single,
    Tangle,
    arranged,
    chains,
    direct,
    implied,
    in_order,
    names_of,
)

NAMES = "abcdefg"


@st.composite
def orders(draw: st.DrawFn) -> tuple[list[str], Relation]:
    """Return names in some order, and a strict partial order of them."""
    names = list(NAMES[: draw(st.integers(1, len(NAMES)))])
    pairs = list(combinations(names, 2))
    some = draw(st.lists(st.sampled_from(pairs), max_size=12)) if pairs else []
    return draw(st.permutations(names)), closed(some)


@given(orders())
def test_an_arrangement_tells_the_order(given_: tuple[list[str], Relation]) -> None:
    names, before = given_
    found = arranged(names, before)
    assert sorted(names_of(found)) == sorted(names)
    told = list(implied(found))
    assert frozenset(told) == direct(before)
    assert len(told) == len(set(told))
    assert closed(told) == before


@given(orders())
def test_direct_edges_are_as_few_as_can_be(given_: tuple[list[str], Relation]) -> None:
    _, before = given_
    edges = direct(before)
    assert closed(edges) == before
    for edge in edges:
        assert closed(edges - {edge}) != before


@given(orders())
def test_names_stand_in_a_possible_order(given_: tuple[list[str], Relation]) -> None:
    names, before = given_
    found = in_order(names, before)
    assert sorted(found) == sorted(names)
    assert all(found.index(a) < found.index(b) for a, b in before)
    assert in_order(found, before) == found


@given(orders())
def test_chains_hold_each_edge_once(given_: tuple[list[str], Relation]) -> None:
    edges = sorted(direct(given_[1]))
    told = [(a, b) for chain in chains(edges) for a, b in pairwise(chain)]
    assert sorted(told) == edges


def taken_apart(names: str, *pairs: str) -> Arrangement:
    return arranged(names, closed((pair[0], pair[1]) for pair in pairs))


def test_a_line_is_a_series() -> None:
    parts = (Single("a"), Single("b"), Single("c"))
    assert taken_apart("abc", "ab", "bc") == Series(parts)


def test_no_order_is_free() -> None:
    assert taken_apart("ab") == Free((Single("a"), Single("b")))


def test_a_line_beside_one_before_one() -> None:
    line = Series((Single("a"), Single("b")))
    found = taken_apart("abcd", "ab", "bd", "cd")
    assert found == Series((Free((line, Single("c"))), Single("d")))


def test_the_letter_n_is_a_tangle() -> None:
    edges = frozenset({("a", "c"), ("b", "c"), ("b", "d")})
    assert taken_apart("abcd", "ac", "bc", "bd") == Tangle(tuple("abcd"), edges)


def test_a_circle_keeps_its_names_as_given() -> None:
    assert in_order("abc", [("a", "b"), ("b", "a"), ("c", "a")]) == ["c", "a", "b"]
