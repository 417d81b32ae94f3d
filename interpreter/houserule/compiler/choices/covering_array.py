"""Covering arrays: few tables with every pair, or triple, of switch settings.

The algorithm is greedy: each table is the best of several tries. Each try sets the
switches in random order to the values that cover most new combinations. It only chooses
among valid tables, so no table is discarded.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule.compiler.choices.configurations import Configurations, Names
    from houserule.compiler.conditions.decision_diagram import Node

TRIES = {2: 24, 3: 10}
LARGE = 16  # switches in a group from which fewer tries are made


def covering_tables(
    tables: Configurations, strength: int, seed: int = 0
) -> list[Names]:
    """Return valid tables that cover every possible pair (or triple) of settings.

    Args:
        seed: breaks ties among equally good tables.
    """
    cover = _Cover(tables, strength, Random(seed))
    found: list[Names] = []
    while cover.left:
        found.append(cover.next_table())
    return found


class _Cover:
    """The combinations that are not covered yet.

    A literal is a number: twice the switch, plus one if it is on. For every literal
    (every pair of literals, for triples) `left` has the literals not yet covered with
    it, as bits.
    """

    def __init__(self, tables: Configurations, strength: int, random: Random) -> None:
        self.tables, self.random = tables, random
        self.diagram = tables.diagram
        self.names: list[str] = []
        self.group: list[int] = []  # of a switch
        for number, group in enumerate(tables.groups):
            self.names += group.names
            self.group += [number] * len(group.names)
        self.level = [self.diagram.level_of[name] for name in self.names]
        self._literals: dict[Node, tuple[int, int]] = {}
        self._restricted: dict[tuple[Node, int], Node] = {}
        largest = max((len(group.names) for group in tables.groups), default=0)
        self.tries = max(2, TRIES[strength] >> max(0, (largest - LARGE) // 2))
        self.left: dict[tuple[int, ...], int] = {}
        # The switches per combination; fewer if there are fewer.
        size = self.size = min(strength, len(self.names)) if tables.count else 0
        for switches in combinations(range(len(self.names)), size) if size else ():
            for signs in range(1 << size):
                literals = [2 * s + (signs >> i & 1) for i, s in enumerate(switches)]
                left = self._with_literals(literals[:-1])
                if left is not None and self._may_be(left, literals[-1]):
                    for last in literals:
                        rest = tuple(each for each in literals if each != last)
                        self.left[rest] = self.left.get(rest, 0) | 1 << last

    def _with_literals(self, literals: Iterable[int]) -> dict[int, Node] | None:
        """Return the restricted groups of these literals, or None if unsatisfiable."""
        left: dict[int, Node] = {}
        for literal in literals:
            if not self._may_be(left, literal):
                return None
            self._restrict(left, literal)
        return left

    # `left` has the nodes of the groups with choices so far.

    def _settings(self, left: dict[int, Node], literal: int) -> Node:
        group = self.group[literal // 2]
        return left.get(group, self.tables.groups[group].settings)

    def _may_be(self, left: dict[int, Node], literal: int) -> bool:
        """Return whether a literal is possible in its restricted group."""
        node = self._settings(left, literal)
        if node not in self._literals:
            self._literals[node] = self.diagram.literals(node)
        return bool(self._literals[node][literal & 1] >> self.level[literal // 2] & 1)

    def _restrict(self, left: dict[int, Node], literal: int) -> None:
        if self._may_be(left, literal ^ 1):  # else nothing changes
            node = self._settings(left, literal)
            key = (node, literal)
            if key not in self._restricted:
                self.diagram.grant()
                self._restricted[key] = self.diagram.restricted(
                    node, self.level[literal // 2], on=bool(literal & 1)
                )
            left[self.group[literal // 2]] = self._restricted[key]

    # ---- one more table

    def next_table(self) -> Names:
        """Return the best of several tries and mark its combinations as covered."""
        tries = [self._try() for _ in range(self.tries)]
        best = max(tries, key=lambda each: (each[0], sorted(each[1])))[1]
        mask = sum(1 << literal for literal in best)
        for rest in combinations(sorted(best), self.size - 1):
            if rest in self.left:
                self.left[rest] &= ~mask
                if not self.left[rest]:
                    del self.left[rest]
        on = (self.names[literal // 2] for literal in best if literal & 1)
        return frozenset(on) & frozenset(self.tables.features.variants)

    def _try(self) -> tuple[int, set[int]]:
        start, others = min(self.left.items())
        if self.random.random() < 0.5:
            start, others = self.random.choice(list(self.left.items()))
        chosen = {*start, (others & -others).bit_length() - 1}
        left = self._with_literals(chosen)
        assert left is not None
        mask = sum(1 << literal for literal in chosen)
        rest = [s for s in range(len(self.names)) if not mask >> 2 * s & 3]
        self.random.shuffle(rest)
        shown = 1
        for switch in rest:
            literals = [2 * switch, 2 * switch + 1]
            self.random.shuffle(literals)
            gains = [
                (self._gain(each, chosen, mask), each)
                for each in literals
                if self._may_be(left, each)
            ]
            gain, literal = max(gains, key=lambda each: each[0])
            self._restrict(left, literal)
            chosen.add(literal)
            mask |= 1 << literal
            shown += gain
        return shown, chosen

    def _gain(self, literal: int, chosen: set[int], mask: int) -> int:
        if self.size < 3:
            return (self.left.get((literal,), 0) & mask).bit_count()
        pairs = (tuple(sorted((literal, other))) for other in chosen)
        return sum((self.left.get(pair, 0) & mask).bit_count() for pair in pairs)
