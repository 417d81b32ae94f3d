"""Graphs: each function against the plainest way to say what it returns."""

from __future__ import annotations

from itertools import pairwise, permutations

from hypothesis import given
from hypothesis import strategies as st

from houserule.base.algebra.graph import (
    closure,
    cyclic_components,
    in_order,
    reachable,
    shortest_path,
    successors,
)

NAMES = "abcde"
EDGES = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)))
Edges = set[tuple[str, str]]


def paths(edges: Edges, start: str, end: str) -> list[list[str]]:
    """Return every path without a repeated node inside, shortest first."""
    inside = [name for name in NAMES if name not in {start, end}]
    ways = [
        [start, *middle, end]
        for length in range(len(inside) + 1)
        for middle in permutations(inside, length)
    ]
    return [way for way in ways if all(e in edges for e in pairwise(way))]


@given(EDGES)
def test_the_closure_has_what_a_path_leads_to(edges: Edges) -> None:
    found = closure(successors(edges))
    for start in NAMES:
        wanted = {end for end in NAMES if paths(edges, start, end)}
        assert found.get(start, frozenset()) == wanted
        assert reachable([start], successors(edges)) == wanted | {start}


@given(EDGES)
def test_no_path_is_shorter_than_the_shortest(edges: Edges) -> None:
    for start in NAMES:
        for end in NAMES:
            every = paths(edges, start, end)
            found = shortest_path(successors(edges), start, end)
            assert found in every if every else found == []
            assert not every or len(found) == len(every[0])


def test_of_equal_paths_the_first_edges_win() -> None:
    assert shortest_path({"a": ["c", "b"], "b": "d", "c": "d"}, "a", "d") == [*"acd"]


@given(EDGES)
def test_a_knot_has_all_that_reach_each_other(edges: Edges) -> None:
    after = closure(successors(edges))
    tied = {
        frozenset(b for b in NAMES if b in after[a] and a in after.get(b, ()))
        for a in after
        if a in after[a]
    }
    found = list(cyclic_components(successors(edges)))
    assert set(found) == tied
    assert found == sorted(found, key=min)


@given(EDGES, st.permutations(NAMES))
def test_an_order_waits_and_else_keeps_what_was_given(
    edges: Edges, names: list[str]
) -> None:
    waits_for = successors((after, before) for before, after in edges)
    found = in_order(names, waits_for)
    knotted = {name: knot for knot in cyclic_components(waits_for) for name in knot}
    left = list(names)
    for name in found:
        free = [
            each
            for each in left
            if not any(
                e in left and e not in knotted.get(each, ())
                for e in waits_for.get(each, ())
            )
        ]
        assert name == free[0]
        left.remove(name)
    assert not left


def test_a_name_that_was_not_given_is_waited_for_by_none() -> None:
    assert in_order(["b", "a"], {"b": ["x"]}) == ["b", "a"]
