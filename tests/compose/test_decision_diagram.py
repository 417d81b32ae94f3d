"""Decision diagrams against plain counting, and against truth tables."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.truth_table import Space

from houserule.compiler.conditions.decision_diagram import (
    EVERYWHERE,
    NOWHERE,
    DecisionDiagram,
    Node,
    Pair,
    TooManyNodesError,
    switch_order,
)
from houserule.compiler.conditions.formulas import (
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

NAMES = tuple("abcdefghij")


def formulas(*names: str) -> st.SearchStrategy[Formula]:
    """Return conditions over these switches and one that there is not."""
    some = st.frozensets(st.sampled_from((*names, "nobody")), max_size=3)
    return st.recursive(
        some.map(On),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(lambda parts: Both(tuple(parts))),
            st.lists(inner, max_size=3).map(lambda parts: Either(tuple(parts))),
            inner.map(Off),
        ),
        max_leaves=12,
    )


orders = st.permutations(NAMES)
any_formula = formulas(*NAMES)


def tables_in(diagram: DecisionDiagram, node: Node) -> int:
    """Return the settings in which a node holds, as the bits of a truth table."""
    space = Space(NAMES)
    known: dict[Node | Pair, int] = {NOWHERE: 0, EVERYWHERE: space.every}

    def choose(level: int, low: int, high: int) -> int:
        is_on = space.switch(diagram.names[level])
        return high & is_on | low & ~is_on

    return diagram.fold(node, EVERYWHERE, choose, known)


@given(any_formula, orders)
def test_a_node_holds_where_its_condition_does(
    formula: Formula, order: list[str]
) -> None:
    diagram = DecisionDiagram(order)
    assert tables_in(diagram, diagram.holds(formula)) == Space(NAMES).holds(formula)


@given(formulas("a", "b", "c", "d"))
def test_truth_tables_agree_with_plain_counting(formula: Formula) -> None:
    space = Space("abcd")
    every = (frozenset(some) for n in range(5) for some in combinations("abcd", n))
    wanted = {table for table in every if holds_in(formula, table)}
    assert set(space.each(space.holds(formula))) == wanted


@given(any_formula, any_formula, orders)
def test_conditions_that_mean_the_same_are_one_node(
    one: Formula, other: Formula, order: list[str]
) -> None:
    diagram, space = DecisionDiagram(order), Space(NAMES)
    same = space.holds(one) == space.holds(other)
    assert (diagram.holds(one) == diagram.holds(other)) == same
    assert diagram.holds(Off(Both((one, other)))) == diagram.holds(
        Either((Off(other), Off(one)))
    )


@given(any_formula, any_formula, orders)
def test_two_nodes_are_walked_through_as_their_conjunction(
    one: Formula, other: Formula, order: list[str]
) -> None:
    diagram = DecisionDiagram(order)
    nodes = diagram.holds(one), diagram.holds(other)
    together = diagram.conjunction(nodes)
    assert diagram.meet(*nodes) == (together != NOWHERE)
    known: dict[Node | Pair, int] = {NOWHERE: 0, EVERYWHERE: 1 << len(NAMES)}
    count = diagram.fold(*nodes, lambda _, low, high: (low + high) // 2, known)
    space = Space(NAMES)
    assert count == (space.holds(one) & space.holds(other)).bit_count()
    assert not any(isinstance(key, tuple) for key in known)


@given(any_formula, orders, st.integers(0, len(NAMES) - 1))
def test_literals_and_what_is_left_with_each(
    formula: Formula, order: list[str], level: int
) -> None:
    diagram, space = DecisionDiagram(order), Space(NAMES)
    node, name = diagram.holds(formula), order[level]
    may_be = diagram.literals(node)
    for is_on, literal in ((False, off(on(name))), (True, on(name))):
        wanted = space.holds(formula) & space.holds(literal)
        assert bool(may_be[is_on] >> level & 1) == bool(wanted)
        left = diagram.restricted(node, level, on=is_on)
        assert tables_in(diagram, left) & space.holds(literal) == wanted
        assert diagram.restricted(left, level, on=not is_on) == left


@given(formulas("a", "b", "c"))
def test_building_conditions_simplifies_and_keeps_the_meaning(formula: Formula) -> None:
    space = Space("abc")
    assert space.holds(both([formula, ALWAYS])) == space.holds(formula)
    assert space.holds(either([formula, NEVER])) == space.holds(formula)
    assert space.holds(off(off(formula))) == space.holds(formula)
    assert space.holds(both([formula, on("a")])) == space.holds(
        Both((formula, on("a")))
    )
    assert switches_in(formula) <= {*"abc", "nobody"}


def test_plain_cases_stay_plain() -> None:
    assert both([on("a"), on("b")]) == on("a", "b")
    assert either([on("a")]) == on("a")
    assert both([]) == ALWAYS
    assert either([]) == NEVER
    assert off(ALWAYS) == NEVER


# ---- sizes


def size(diagram: DecisionDiagram, node: Node) -> int:
    known: dict[Node | Pair, Node] = {NOWHERE: NOWHERE, EVERYWHERE: EVERYWHERE}
    diagram.fold(node, EVERYWHERE, diagram.node, known)
    return len(known)


def many(number: int, seed: int = 0) -> list[str]:
    names = [f"v{i:03}" for i in range(number)]
    Random(seed).shuffle(names)
    return names


def test_two_hundred_that_are_tied_loosely_need_few_nodes() -> None:
    names = many(200)
    chain = both(either([off(on(a)), on(b)]) for a, b in pairwise(names))
    star = both(either([off(on(a)), on(names[0])]) for a in names[1:])
    tree = both(either([off(on(a)), on(names[i // 2])]) for i, a in enumerate(names))
    every = sorted(names)
    for formula, most in (
        (either(map(on, names)), 202),
        (off(on(*names)), 202),
        (both(off(on(name)) for name in names), 202),
        (chain, 402),
        (star, 402),
        (tree, 3000),
    ):
        parts = formula.parts if isinstance(formula, Both) else ()
        diagram = DecisionDiagram(switch_order(every, map(switches_in, parts)))
        assert size(diagram, diagram.holds(formula)) <= most


def test_a_diagram_deeper_than_the_stack() -> None:
    names = many(3000)
    diagram = DecisionDiagram(names)
    node = diagram.holds(either([on(*names), both(off(on(name)) for name in names)]))
    assert size(diagram, node) == 2 * 3000 + 1
    assert diagram.meet(node, diagram.holds(on(names[-1])))


def test_the_limit_is_on_new_nodes_until_more_are_granted() -> None:
    # Without one order for all, a pairing of far switches needs 2^n nodes.
    names = many(24)
    apart = either(on(a, b) for a, b in zip(names[:12], names[12:], strict=True))
    diagram = DecisionDiagram(names, most_nodes=1000)
    with pytest.raises(TooManyNodesError):
        diagram.holds(apart)
    diagram.grant()
    assert size(diagram, diagram.holds(on(*names))) == 26
    near = [name for pair in zip(names[:12], names[12:], strict=True) for name in pair]
    diagram = DecisionDiagram(near, most_nodes=1000)
    assert size(diagram, diagram.holds(apart)) == 26


@given(st.lists(st.frozensets(st.sampled_from((*NAMES, "nobody")), max_size=4)))
def test_an_order_has_every_switch_once(ties: list[frozenset[str]]) -> None:
    order = switch_order(NAMES, ties)
    assert sorted(order) == sorted(NAMES)
    assert order == switch_order(NAMES, list(ties))


def test_in_an_order_neighbours_stand_close() -> None:
    names = many(100)
    ties = [frozenset(pair) for pair in pairwise(names)]
    order = switch_order(sorted(names), ties)
    assert order in (tuple(names), tuple(reversed(names)))
