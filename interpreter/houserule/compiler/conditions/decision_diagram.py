"""Binary decision diagrams: conditions over switches, reduced and ordered.

A node asks whether one switch is on, and leads to two further nodes: `low` where it is
off, `high` where it is on. Every path asks in the same order, no node has two equal
branches, and no two nodes are alike; so each condition has exactly one node, whatever
way it was written (Bryant 1986). Node 0 never holds, node 1 always does.

The size of a diagram depends on the order of its switches: those of which conditions
speak together should stand close (`switch_order`). Conditions of many switches that are
tied loosely then need few nodes: 200 switches in a chain of `requires` need 200.

Walks through nodes are loops, not recursion, so that Python's stack does not bound the
number of switches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeAlias, TypeVar, assert_never

from houserule.compiler.conditions.formulas import (
    Both,
    Either,
    Formula,
    Off,
    On,
    Settled,
)

Node: TypeAlias = int
Pair: TypeAlias = tuple[Node, Node]  # the settings in which both hold
Triple: TypeAlias = tuple[Node, Node, Node]  # where the first holds the second, else …
Value = TypeVar("Value")

NOWHERE: Node = 0
EVERYWHERE: Node = 1

MOST_NODES = 100_000  # that one question, or one group of relations, may add
MOST_REMEMBERED = 500_000  # results of `if_then_else` that are kept


class TooManyNodesError(Exception):
    """A condition needs more nodes than allowed."""


class DecisionDiagram:
    """Nodes over some switches, shared by all conditions on them."""

    def __init__(self, names: Sequence[str], most_nodes: int = MOST_NODES) -> None:
        """Begin with 0 and 1 alone.

        Args:
            names: the switches, in the order in which nodes ask for them.
            most_nodes: how many nodes may be added until `grant` is called.
        """
        self.names = tuple(names)
        self.level_of = {name: level for level, name in enumerate(self.names)}
        last = len(self.names)  # the level of 0 and 1, which ask for nothing
        self.levels, self.lows, self.highs = [last, last], [0, 1], [0, 1]
        self._known: dict[tuple[int, Node, Node], Node] = {}
        self._chosen: dict[Triple, Node] = {}
        self._nodes: dict[Formula, Node] = {}
        self._most_nodes, self._most_steps = most_nodes, 4 * most_nodes
        self.grant()

    def grant(self) -> None:
        """Allow as many new nodes as at the beginning."""
        self._limit = len(self.levels) + self._most_nodes

    def branches(self, node: Node, level: int) -> Pair:
        """Return where a node leads if the switch at `level` is off, and if it is on.

        The node asks for no switch above this one.
        """
        if self.levels[node] == level:
            return self.lows[node], self.highs[node]
        return node, node

    # ---- nodes of conditions

    def node(self, level: int, low: Node, high: Node) -> Node:
        """Return the node that asks for the switch at `level`.

        Raises:
            TooManyNodesError: the limit is reached.
        """
        if low == high:
            return low
        key = (level, low, high)
        found = self._known.get(key)
        if found is None:
            found = len(self.levels)
            if found >= self._limit:
                raise TooManyNodesError
            self._known[key] = found
            self.levels.append(level)
            self.lows.append(low)
            self.highs.append(high)
        return found

    def holds(self, formula: Formula) -> Node:
        """Return the node of a condition; a switch that is not here is never on.

        Raises:
            TooManyNodesError: the limit is reached.
        """
        node = self._nodes.get(formula)
        if node is None:
            node = self._nodes[formula] = self._translated(formula)
        return node

    def _translated(self, formula: Formula) -> Node:
        match formula:
            case On(names):
                levels = [self.level_of.get(name, -1) for name in names]
                node = EVERYWHERE
                for level in sorted(levels, reverse=True):
                    node = NOWHERE if level < 0 else self.node(level, NOWHERE, node)
                return node
            case Both(parts):
                return self.conjunction(map(self.holds, parts))
            case Either(parts):
                none = self.conjunction(self.negation(self.holds(p)) for p in parts)
                return self.negation(none)
            case Off(part):
                return self.negation(self.holds(part))
            case Settled(node=node):
                return node
            case _:
                assert_never(formula)

    def negation(self, node: Node) -> Node:
        """Return where a node does not hold."""
        return self.if_then_else(node, NOWHERE, EVERYWHERE)

    def conjunction(self, nodes: Iterable[Node]) -> Node:
        """Return where all these nodes hold.

        Those that begin at the last level are joined first: what follows then adds a
        little on top, and need not walk through all that is there already.
        """
        result = EVERYWHERE
        by_level = sorted(set(nodes), key=lambda node: (-self.levels[node], node))
        for _, group in groupby(by_level, key=self.levels.__getitem__):
            layer = EVERYWHERE
            for node in group:
                layer = self.if_then_else(node, layer, NOWHERE)
            result = self.if_then_else(layer, result, NOWHERE)
        return result

    def if_then_else(self, test: Node, then: Node, other: Node) -> Node:
        """Return where `then` holds if `test` does, and `other` if it does not.

        Every connective has this form: `a and b` is `if a then b else 0`. The triples
        met on the way down are noted with their two branches; then nodes are made from
        the last level upwards.

        Raises:
            TooManyNodesError: the limit is reached.
        """
        start = (test, then, other)
        branches: dict[Triple, tuple[int, Triple, Triple]] = {}
        todo = [start]
        while todo:
            triple = todo.pop()
            if triple not in branches and self._settled(triple) is None:
                branches[triple] = level, low, high = self._branches(triple)
                todo += (low, high)
                if len(branches) > self._most_steps:
                    raise TooManyNodesError
        for triple in sorted(branches, key=lambda each: -branches[each][0]):
            level, low, high = branches[triple]
            off, on = self._settled(low), self._settled(high)
            assert off is not None
            assert on is not None
            self._chosen[triple] = self.node(level, off, on)
        node = self._settled(start)
        assert node is not None
        if len(self._chosen) > MOST_REMEMBERED:
            self._chosen.clear()
        return node

    def _settled(self, triple: Triple) -> Node | None:
        """Return the node of a triple that needs no further step, else None."""
        test, then, other = triple
        if test == EVERYWHERE or then == other:
            return then
        if test == NOWHERE:
            return other
        if then == EVERYWHERE and other == NOWHERE:
            return test
        return self._chosen.get(triple)

    def _branches(self, triple: Triple) -> tuple[int, Triple, Triple]:
        """Return the first level that a triple asks for, and what is below it."""
        level = min([self.levels[node] for node in triple])
        (a, d), (b, e), (c, f) = [self.branches(node, level) for node in triple]
        return level, (a, b, c), (d, e, f)

    # ---- questions

    # Most questions are about a condition together with the valid settings. The
    # conjunction of the two is walked through without making its nodes, so that
    # thousands of questions leave nothing behind.

    def meet(self, one: Node, other: Node) -> bool:
        """Say whether some setting fulfils both."""
        seen: set[Node | Pair] = set()
        todo = [_conjoined(one, other)]
        while todo:
            key = todo.pop()
            if isinstance(key, tuple):
                if key not in seen:
                    seen.add(key)
                    _, low, high = self._below(key)
                    todo += (high, low)
            elif key != NOWHERE:  # every other node holds somewhere
                return True
        return False

    def fold(
        self,
        one: Node,
        other: Node,
        combine: Callable[[int, Value, Value], Value],
        known: dict[Node | Pair, Value],
    ) -> Value:
        """Work out a value of the settings that fulfil both nodes, from below upwards.

        Args:
            one: a node.
            other: another.
            combine: returns the value of a node from its level, the value of its low
                branch, and that of its high branch.
            known: values of nodes, to begin with those of 0 and 1; values of further
                nodes are added.

        Raises:
            TooManyNodesError: the walk is longer than the limit allows.
        """
        start = _conjoined(one, other)
        branches: dict[Node | Pair, tuple[int, Node | Pair, Node | Pair]] = {}
        todo = [start]
        while todo:
            key = todo.pop()
            if key not in known and key not in branches:
                branches[key] = _, low, high = self._below(key)
                todo += (low, high)
                if len(branches) > self._most_steps:
                    raise TooManyNodesError
        for key in sorted(branches, key=lambda each: -branches[each][0]):
            level, low, high = branches[key]
            known[key] = combine(level, known[low], known[high])
        value = known[start]
        for key in branches:
            if isinstance(key, tuple):
                del known[key]
        return value

    def _below(self, key: Node | Pair) -> tuple[int, Node | Pair, Node | Pair]:
        """Return the level that a node or a pair asks for, and its two branches."""
        if not isinstance(key, tuple):
            return self.levels[key], self.lows[key], self.highs[key]
        one, other = key
        level = min(self.levels[one], self.levels[other])
        low, high = self.branches(one, level)
        other_low, other_high = self.branches(other, level)
        return level, _conjoined(low, other_low), _conjoined(high, other_high)

    def restricted(self, node: Node, level: int, *, on: bool) -> Node:
        """Return what is left of a node where the switch at `level` is on, or off."""

        def fixed(at: int, low: Node, high: Node) -> Node:
            if at == level:
                return high if on else low
            return self.node(at, low, high)

        known: dict[Node | Pair, Node] = {NOWHERE: NOWHERE, EVERYWHERE: EVERYWHERE}
        return self.fold(node, EVERYWHERE, fixed, known)

    def example(self, one: Node, other: Node) -> frozenset[str] | None:
        """Return the switches that are on in some setting that fulfils both nodes."""
        seen: set[Node | Pair] = set()
        todo: list[tuple[Node | Pair, frozenset[int]]] = [
            (_conjoined(one, other), frozenset())
        ]
        while todo:
            key, on = todo.pop()
            if key == EVERYWHERE:
                return frozenset(self.names[level] for level in on)
            if key != NOWHERE and key not in seen:
                seen.add(key)
                level, low, high = self._below(key)
                todo += ((high, on | {level}), (low, on))
        return None

    def holds_at(self, node: Node, switches: frozenset[str]) -> bool:
        """Say whether a node holds when exactly these switches are on."""
        while node > EVERYWHERE:
            is_on = self.names[self.levels[node]] in switches
            node = (self.highs if is_on else self.lows)[node]
        return node == EVERYWHERE

    def literals(self, node: Node) -> tuple[int, int]:
        """Return the levels that can be off, and those that can be on, as bits.

        A path that skips a level leaves its switch free: it can be both.
        """
        may_be = [0, 0]
        seen = {NOWHERE}
        todo = [(-1, node)]
        while todo:
            above, at = todo.pop()
            if at != NOWHERE:
                free = (1 << self.levels[at]) - (1 << above + 1)
                may_be = [bits | free for bits in may_be]
            if at not in seen and at != EVERYWHERE:
                seen.add(at)
                for value, branch in enumerate((self.lows[at], self.highs[at])):
                    may_be[value] |= (branch != NOWHERE) << self.levels[at]
                    todo.append((self.levels[at], branch))
        return may_be[0], may_be[1]


def _conjoined(one: Node, other: Node) -> Node | Pair:
    """Return the node of a conjunction if it is one of the two, else the pair."""
    if one == NOWHERE or other == NOWHERE:
        return NOWHERE
    if one in (EVERYWHERE, other):
        return other
    if other == EVERYWHERE:
        return one
    return (one, other) if one < other else (other, one)


def switch_order(
    names: Sequence[str], ties: Iterable[frozenset[str]]
) -> tuple[str, ...]:
    """Return the switches in an order in which those tied together stand close.

    A switch is open while it stands in the order and one of its neighbours does not.
    A level of a diagram has to remember the open switches, so the next switch is
    always the one that leaves fewest open; among equals, the one whose neighbour came
    last, then the one with fewest neighbours.

    Args:
        names: the switches; the first of equals comes first.
        ties: switches of which something speaks together.
    """
    near: dict[str, set[str]] = {name: set() for name in names}
    for tie in ties:
        for name in tie & near.keys():
            near[name] |= tie & near.keys()
    waiting = {name: near[name] - {name} for name in names}  # neighbours to come
    closes = dict.fromkeys(names, 0)  # how many open switches wait for this one alone
    touched = dict.fromkeys(names, 0)  # when a neighbour last took its place
    left = dict.fromkeys(names)
    order: list[str] = []
    while left:
        step = len(names) - len(left) + 1
        chosen = min(
            left,
            key=lambda name: (
                bool(waiting[name]) - closes[name],
                -touched[name],
                len(near[name]),
            ),
        )
        del left[chosen]
        for name in near[chosen] - {chosen}:
            waiting[name].discard(chosen)
            touched[name] = step
        for name in near[chosen] | {chosen}:
            if name not in left and len(waiting[name]) == 1:
                closes[next(iter(waiting[name]))] += 1
        order.append(chosen)
    return tuple(order)
