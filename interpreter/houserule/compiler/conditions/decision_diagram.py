"""Binary decision diagrams (ROBDDs): conditions over switches.

A node tests one switch and has two branches: `low` if it is off, `high` if it is on.
Every path tests switches in the same order, no node has two equal branches, and no two
nodes are equal; so each condition has exactly one node (Bryant 1986). Node 0 is false,
node 1 is true.

The size of a diagram depends on the order of its switches: related switches should be
close (`switch_order`). Loosely connected conditions then need few nodes: a chain of
`requires` over 200 switches needs 200.

Traversals are loops, not recursion, so that Python's stack does not limit the number of
switches.
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
Pair: TypeAlias = tuple[Node, Node]  # the settings that satisfy both
Triple: TypeAlias = tuple[Node, Node, Node]  # if, then, else
Value = TypeVar("Value")

NOWHERE: Node = 0
EVERYWHERE: Node = 1

MOST_NODES = 100_000  # limit for one query, or for one group of relations
MOST_REMEMBERED = 500_000  # cached results of `if_then_else`


class TooManyNodesError(Exception):
    """A condition needs more nodes than allowed."""


class DecisionDiagram:
    """The nodes over some switches, shared by all conditions."""

    def __init__(self, names: Sequence[str], most_nodes: int = MOST_NODES) -> None:
        """Begin with only 0 and 1.

        Args:
            names: the switches, in the order of their levels.
            most_nodes: the limit of new nodes until `grant` is called.
        """
        self.names = tuple(names)
        self.level_of = {name: level for level, name in enumerate(self.names)}
        last = len(self.names)  # the level of 0 and 1, which have no switch
        self.levels, self.lows, self.highs = [last, last], [0, 1], [0, 1]
        self._known: dict[tuple[int, Node, Node], Node] = {}
        self._chosen: dict[Triple, Node] = {}
        self._nodes: dict[Formula, Node] = {}
        self._most_nodes, self._most_steps = most_nodes, 4 * most_nodes
        self.grant()

    def grant(self) -> None:
        """Reset the limit of new nodes."""
        self._limit = len(self.levels) + self._most_nodes

    def branches(self, node: Node, level: int) -> Pair:
        """Return the branches of a node at `level`: off, on.

        The node must not test a switch above this level.
        """
        if self.levels[node] == level:
            return self.lows[node], self.highs[node]
        return node, node

    # ---- nodes of conditions

    def node(self, level: int, low: Node, high: Node) -> Node:
        """Return the node that tests the switch at `level`.

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
        """Return the node of a condition; unknown switches are always off.

        Raises:
            TooManyNodesError: the limit is reached.
        """
        node = self._nodes.get(formula)
        if node is not None:
            return node
        match formula:
            case On(names):
                levels = [self.level_of.get(name, -1) for name in names]
                node = EVERYWHERE
                for level in sorted(levels, reverse=True):
                    node = NOWHERE if level < 0 else self.node(level, NOWHERE, node)
            case Both(parts):
                node = self.conjunction(map(self.holds, parts))
            case Either(parts):
                none = self.conjunction(self.negation(self.holds(p)) for p in parts)
                node = self.negation(none)
            case Off(part):
                node = self.negation(self.holds(part))
            case Settled(node=node):
                pass
            case _:
                assert_never(formula)
        self._nodes[formula] = node
        return node

    def negation(self, node: Node) -> Node:
        return self.if_then_else(node, NOWHERE, EVERYWHERE)

    def conjunction(self, nodes: Iterable[Node]) -> Node:
        """Return the conjunction of nodes.

        Those that begin at the last level are joined first: later ones then add a
        little on top without traversing the rest.
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
        """Return the node of "if `test` then `then` else `other`".

        Every connective has this form: `a and b` is `if a then b else 0`. First the
        triples on the way down are listed with their branches, then nodes are made from
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
                level = min([self.levels[node] for node in triple])
                (a, d), (b, e), (c, f) = [self.branches(n, level) for n in triple]
                branches[triple] = level, low, high = level, (a, b, c), (d, e, f)
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
        """Return the node of a trivial triple, else None."""
        test, then, other = triple
        if test == EVERYWHERE or then == other:
            return then
        if test == NOWHERE:
            return other
        if then == EVERYWHERE and other == NOWHERE:
            return test
        return self._chosen.get(triple)

    # ---- queries

    # Most queries are about the conjunction of a condition and the valid settings. They
    # traverse it without making its nodes, so that thousands of queries leave no nodes
    # behind.

    def meet(self, one: Node, other: Node) -> bool:
        """Return whether some setting satisfies both."""
        seen: set[Node | Pair] = set()
        todo = [_conjoined(one, other)]
        while todo:
            key = todo.pop()
            if isinstance(key, tuple):
                if key not in seen:
                    seen.add(key)
                    _, low, high = self._below(key)
                    todo += (high, low)
            elif key != NOWHERE:  # every other node is satisfiable
                return True
        return False

    def fold(
        self,
        one: Node,
        other: Node,
        combine: Callable[[int, Value, Value], Value],
        known: dict[Node | Pair, Value],
    ) -> Value:
        """Fold the settings that satisfy both nodes, bottom-up.

        Args:
            combine: computes the value of a node from its level and the values of its
                low and high branches.
            known: the cache of values, initially those of 0 and 1.

        Raises:
            TooManyNodesError: the traversal exceeds the limit.
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
        """Return the level of a node or a pair, and its branches."""
        if not isinstance(key, tuple):
            return self.levels[key], self.lows[key], self.highs[key]
        one, other = key
        level = min(self.levels[one], self.levels[other])
        low, high = self.branches(one, level)
        other_low, other_high = self.branches(other, level)
        return level, _conjoined(low, other_low), _conjoined(high, other_high)

    def restricted(self, node: Node, level: int, *, on: bool) -> Node:
        """Return a node restricted to the switch at `level` being on, or off."""

        def fixed(at: int, low: Node, high: Node) -> Node:
            if at == level:
                return high if on else low
            return self.node(at, low, high)

        known: dict[Node | Pair, Node] = {NOWHERE: NOWHERE, EVERYWHERE: EVERYWHERE}
        return self.fold(node, EVERYWHERE, fixed, known)

    def example(self, one: Node, other: Node) -> frozenset[str] | None:
        """Return the active switches of some setting that satisfies both nodes."""
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
    """Return an order of switches in which related ones are close.

    A switch is open after it is placed and before all its neighbours are. Each level of
    a diagram must remember the open switches. So the next switch is the one that leaves
    the fewest open; ties go to the one whose neighbour came last, then to the one with
    the fewest neighbours.
    """
    near: dict[str, set[str]] = {name: set() for name in names}
    for tie in ties:
        for name in tie & near.keys():
            near[name] |= tie & near.keys()
    waiting = {name: near[name] - {name} for name in names}  # neighbours to come
    closes = dict.fromkeys(names, 0)  # open switches that wait for it alone
    touched = dict.fromkeys(names, 0)  # when a neighbour was placed last
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
