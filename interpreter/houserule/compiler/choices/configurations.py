"""The valid tables of a product line: counted, minimised, sampled, enumerated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import prod
from random import Random
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from houserule.base.frozen import frozen
from houserule.compiler.choices.relation_diagram import (
    TooManySwitchesError,
    relations_in_diagram,
)
from houserule.compiler.conditions.decision_diagram import (
    EVERYWHERE,
    MOST_NODES,
    NOWHERE,
    Node,
    Pair,
    TooManyNodesError,
)
from houserule.compiler.conditions.formulas import (
    ALWAYS,
    Formula,
    Settled,
    on,
    switches_in,
)

if TYPE_CHECKING:
    from houserule.compiler.choices.feature_model import Features

State = TypeVar("State")
Names: TypeAlias = frozenset[str]
Values: TypeAlias = "dict[Node | Pair, int]"


FEW_OUTCOMES = 32  # states that are kept without a satisfiability check


class TooManyOutcomesError(Exception):
    """Steps lead to more states than allowed."""


@frozen
class Occurrence:
    """The valid tables in which something happens.

    Attributes:
        smallest: the variants of the smallest such table.
        seats: its numbers of players, '' for all.
        tables: the number of such tables.
    """

    smallest: Names
    seats: str
    tables: int
    of: int

    def __str__(self) -> str:
        """Name the smallest table like a player who chooses it."""
        names = " + ".join(sorted(self.smallest)) or "nothing on"
        return f"{names}, {self.seats}" if self.seats else names


@frozen
class SwitchGroup:
    """Switches without relations to other groups.

    Attributes:
        names: variants by alphabet, then numbers of seats.
        tables: the same without seats: the sets of variants valid for some number.
        count: the number of such sets.
        least: the weight of the smallest set.
        most: the weight of the largest set, by its inactive variants.
    """

    names: tuple[str, ...]
    settings: Node
    tables: Node
    count: int
    least: int
    most: int


@frozen
class _Question:
    """The nodes of some conditions, and their context.

    Attributes:
        valid: the valid tables, restricted to the groups of the conditions.
    """

    nodes: list[Node]
    valid: Node
    groups: tuple[SwitchGroup, ...]


class Configurations:
    """The valid tables, queried by conditions over variants.

    A table is a set of variants that is valid for some number of seats. All relations
    are in one diagram. No relation connects switches of different groups, so a query
    visits only the groups of its own switches.

    The smallest table is a shortest path. Of n variants, the one with index i (from 0,
    by alphabet) has the weight 2^n - 2^(n-1-i) if it is on. So fewer variants weigh
    less, and ties go to the alphabetically first. The largest table is also a shortest
    path, where an inactive variant weighs 2^n + 2^(n-1-i).

    Attributes:
        features: the switches and their relations.
        diagram: variants in a good order, then numbers of seats.
        groups: the connected groups of switches.
    """

    def __init__(self, features: Features, most_nodes: int = MOST_NODES) -> None:
        """Build the diagram of the relations.

        Args:
            most_nodes: the limit for one group of switches, and for one question.

        Raises:
            TooManySwitchesError: the relations of a group need more.
        """
        self.features = features
        self.diagram, settings = relations_in_diagram(features, most_nodes)
        self._size = len(features.variants)
        self._unit = 1 << self._size
        self._bits = [0] * len(self.diagram.names)  # by level; seats have weight 0
        for index, name in enumerate(features.variants):
            level = self.diagram.level_of[name]
            self._bits[level] = 1 << (self._size - 1 - index)
        never = self._unit * self._unit * 4  # more than all variants together
        self._counts: Values = {NOWHERE: 0, EVERYWHERE: 1 << len(self._bits)}
        self._leasts: Values = {NOWHERE: never, EVERYWHERE: 0}
        self._mosts: Values = {NOWHERE: never, EVERYWHERE: 0}
        self._valid: dict[tuple[int, ...], Node] = {}
        self._occurrences: dict[Formula, Occurrence | None] = {}

        def without_seats(level: int, low: Node, high: Node) -> Node:
            # Seats come last, and every node but 0 is satisfiable, so a number exists.
            if level >= self._size:
                return EVERYWHERE
            return self.diagram.node(level, low, high)

        groups: list[SwitchGroup] = []
        for names, node in zip(features.groups, settings, strict=True):
            known: Values = {NOWHERE: NOWHERE, EVERYWHERE: EVERYWHERE}
            tables = self.diagram.fold(node, EVERYWHERE, without_seats, known)
            count = self._count(names, tables)
            least, most = self._least(tables), self._most(tables)
            groups.append(SwitchGroup(names, node, tables, count, least, most))
        self.groups = tuple(groups)
        self._group_of = {
            name: number
            for number, group in enumerate(self.groups)
            for name in group.names
        }
        self.count = prod(group.count for group in self.groups)

    # ---- values of nodes

    def _count(self, names: Iterable[str], node: Node, valid: Node = EVERYWHERE) -> int:
        """Count the sets of these variants that satisfy both nodes."""

        def average(_: int, low: int, high: int) -> int:
            # The fraction of settings of *all* switches that satisfy a node is the mean
            # of its branches' fractions. So it does not matter which switches a path
            # skips.
            return (low + high) >> 1

        every = self.diagram.fold(node, valid, average, self._counts)
        here = sum(self.diagram.level_of[name] < self._size for name in names)
        return every >> (len(self._bits) - here)

    def _least(self, node: Node, valid: Node = EVERYWHERE) -> int:
        def lighter(level: int, low: int, high: int) -> int:
            bit = self._bits[level]
            return min(low, high + self._unit - bit) if bit else min(low, high)

        return self.diagram.fold(node, valid, lighter, self._leasts)

    def _most(self, node: Node, valid: Node = EVERYWHERE) -> int:
        def lighter(level: int, low: int, high: int) -> int:
            bit = self._bits[level]
            return min(low + self._unit + bit, high) if bit else min(low, high)

        return self.diagram.fold(node, valid, lighter, self._mosts)

    # ---- tables that satisfy conditions

    @contextmanager
    def _asking(self, *conditions: Formula) -> Iterator[_Question]:
        """Make the nodes of conditions, and of the valid settings of their switches.

        Raises:
            TooManySwitchesError: the query needs too large a diagram.
        """
        named = frozenset[str]().union(*map(switches_in, conditions))
        names = sorted(named & self._group_of.keys())
        numbers = tuple(sorted({self._group_of[name] for name in names}))
        groups = tuple(self.groups[number] for number in numbers)
        self.diagram.grant()
        try:
            if numbers not in self._valid:
                tables = (group.tables for group in groups)
                self._valid[numbers] = self.diagram.conjunction(tables)
            valid = self._valid[numbers] if self.count else NOWHERE
            yield _Question([*map(self.diagram.holds, conditions)], valid, groups)
        except TooManyNodesError:
            raise TooManySwitchesError(tuple(names)) from None

    def possible(self, condition: Formula) -> bool:
        """Return whether some valid table satisfies the condition."""
        with self._asking(condition) as asked:
            return self.diagram.meet(asked.nodes[0], asked.valid)

    def cells(self, conditions: Sequence[Formula]) -> Iterator[tuple[bool, ...]]:
        """Yield every combination of truth values of the conditions in valid tables.

        The combinations are generated lazily, False before True, so a caller can stop
        early.

        Raises:
            TooManySwitchesError: they need too large a diagram.
        """
        with self._asking(*conditions) as asked:
            todo: list[tuple[tuple[bool, ...], Node]] = []
            if asked.valid != NOWHERE:
                todo.append(((), EVERYWHERE))
            while todo:
                held, cell = todo.pop()
                if len(held) == len(conditions):
                    yield held
                    continue
                node = asked.nodes[len(held)]
                with_it = self.diagram.if_then_else(node, cell, NOWHERE)
                without = self.diagram.if_then_else(node, NOWHERE, cell)
                for yes, part in ((True, with_it), (False, without)):
                    if self.diagram.meet(part, asked.valid):
                        todo.append(((*held, yes), part))

    def outcomes(
        self,
        steps: Sequence[tuple[Formula, Callable[[State], State]]],
        start: State,
        most: int,
    ) -> dict[State, Formula]:
        """Return every state to which steps lead, with its condition.

        Each step is taken if its condition holds. Steps must commute, and equal states
        are merged; so the outcomes are few, not one for each set of steps.

        Args:
            most: the limit of states after any step.

        Raises:
            TooManyOutcomesError: more states.
            TooManySwitchesError: the conditions need too large a diagram.
        """
        diagram, choose = self.diagram, self.diagram.if_then_else
        with self._asking(*(condition for condition, _ in steps)) as asked:
            states = {start: EVERYWHERE}
            pruned = FEW_OUTCOMES
            # From the last level upwards: then the result so far is below the next
            # switch, and a step adds a node on top instead of rebuilding everything.
            takes = zip(asked.nodes, (take for _, take in steps), strict=True)
            for node, take in sorted(takes, key=lambda step: -diagram.levels[step[0]]):
                taken: dict[State, Node] = {}
                for state, cell in states.items():
                    outcome = take(state)
                    known = taken.get(outcome, NOWHERE)
                    taken[outcome] = choose(known, EVERYWHERE, cell)
                after: dict[State, Node] = {}
                for state in {**states, **taken}:
                    before = states.get(state, NOWHERE)
                    if cell := choose(node, taken.get(state, NOWHERE), before):
                        after[state] = cell
                if len(after) > pruned:  # some may be unsatisfiable
                    after = self._possible(after, asked.valid)
                    pruned = 2 * len(after) + FEW_OUTCOMES
                if len(after) > most:
                    raise TooManyOutcomesError
                states = after
            states = self._possible(states, asked.valid)
        names = frozenset[str]().union(*(switches_in(when) for when, _ in steps))
        return {
            state: Settled(node, names, partial(diagram.holds_at, node))
            for state, node in states.items()
        }

    def _possible(self, states: dict[State, Node], valid: Node) -> dict[State, Node]:
        return {s: cell for s, cell in states.items() if self.diagram.meet(cell, valid)}

    def example(self, condition: Formula) -> Names | None:
        """Return the variants of some valid table with a condition, or None.

        Variants that affect neither the condition nor a related switch are off.
        """
        with self._asking(condition) as asked:
            found = self.diagram.example(asked.nodes[0], asked.valid)
        return None if found is None else found.intersection(self.features.variants)

    def case(self, condition: Formula) -> Occurrence | None:
        """Return the tables that satisfy the condition, or None.

        Raises:
            TooManySwitchesError: it needs too large a diagram.
        """
        if condition in self._occurrences:
            return self._occurrences[condition]
        found, smallest = None, self.smallest(condition)
        if smallest is not None:
            with self._asking(condition) as asked:
                names = [name for group in asked.groups for name in group.names]
                tables = self._count(names, asked.nodes[0], asked.valid)
            elsewhere = self.count // prod(group.count for group in asked.groups)
            # The numbers of players, if the table does not allow all.
            allowed = self.features.players_of(smallest) if self.features.seats else ()
            ranges = self.features.ranges_at(smallest)
            seats = ""
            every = {number for each in ranges for number in each.numbers}
            if allowed and not every <= {*allowed}:
                low, high = allowed[0], allowed[-1]
                numbers = ", ".join(map(str, allowed))
                if high - low + 1 == len(allowed) > 1:
                    numbers = f"{low}..{high}"
                seats = f"{numbers} players"
            found = Occurrence(smallest, seats, tables * elsewhere, self.count)
        self._occurrences[condition] = found
        return found

    def smallest(self, condition: Formula = ALWAYS) -> Names | None:
        """Return the smallest table that satisfies the condition, or None.

        It has the fewest variants; ties go to the alphabetically first.
        """
        with self._asking(condition) as asked:
            if not self.diagram.meet(asked.nodes[0], asked.valid):
                return None
            weight = self._least(asked.nodes[0], asked.valid)
        weight += sum(group.least for group in self.groups)
        weight -= sum(group.least for group in asked.groups)
        return self._with_bits(-weight)

    def largest(self, condition: Formula = ALWAYS) -> Names | None:
        """Return the table with the most variants, then first by alphabet, or None."""
        with self._asking(condition) as asked:
            if not self.diagram.meet(asked.nodes[0], asked.valid):
                return None
            weight = self._most(asked.nodes[0], asked.valid)
        weight += sum(group.most for group in self.groups)
        weight -= sum(group.most for group in asked.groups)
        return frozenset(self.features.variants) - self._with_bits(weight)

    def _with_bits(self, bits: int) -> Names:
        """Return the variants whose bits are set."""
        names = enumerate(reversed(self.features.variants))
        return frozenset(name for index, name in names if bits >> index & 1)

    def at_random(self, random: Random) -> Names:
        """Return a valid table, uniformly at random.

        Raises:
            ValueError: no table is valid.
        """
        if not self.count:
            message = "no table is valid"
            raise ValueError(message)
        chosen: set[str] = set()
        for group in self.groups:
            node = group.tables
            names = set(group.names) & set(self.features.variants)
            for level in sorted(map(self.diagram.level_of.__getitem__, names)):
                low, high = self.diagram.branches(node, level)
                before = self._counts[low]
                is_on = random.randrange(before + self._counts[high]) >= before
                node = high if is_on else low
                chosen |= {self.diagram.names[level]} if is_on else set()
        return frozenset(chosen)

    def each(self, condition: Formula = ALWAYS) -> Iterator[Names]:
        """Yield every valid table that satisfies the condition.

        Raises:
            TooManySwitchesError: all groups together need too large a diagram.
        """
        with self._asking(condition, *map(on, self.features.variants)) as asked:
            valid, node = asked.valid, asked.nodes[0]
            node = self.diagram.if_then_else(node, valid, NOWHERE)
        todo: list[tuple[int, Node, Names]] = [(0, node, frozenset())]
        while todo:
            level, node, chosen = todo.pop()
            if node == NOWHERE:
                continue
            if level == self._size:
                yield chosen
                continue
            low, high = self.diagram.branches(node, level)
            todo.append((level + 1, high, chosen | {self.diagram.names[level]}))
            todo.append((level + 1, low, chosen))
