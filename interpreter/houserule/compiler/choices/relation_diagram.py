"""The diagram of all relations between variants, or a cluster that is too large.

A cluster is a connected set of relations that needs too large a diagram alone. Parts
that are connected through a single switch are not in the cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from houserule.compiler.conditions.decision_diagram import (
    MOST_NODES,
    DecisionDiagram,
    Node,
    TooManyNodesError,
    switch_order,
)
from houserule.compiler.conditions.formulas import Formula, switches_in

if TYPE_CHECKING:
    from houserule.compiler.choices.feature_model import Features, Relation


class TooManySwitchesError(Exception):
    """Switches have too many relations for a diagram."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(f"{len(names)} switches are tied together")
        self.names = names


def relations_in_diagram(
    features: Features, most_nodes: int
) -> tuple[DecisionDiagram, list[Node]]:
    """Return a diagram, and the node of the valid settings of each group of switches.

    Variants come first, in an order that suits the relations, then numbers of seats. So
    a level only has to remember which numbers are left.

    Raises:
        TooManySwitchesError: a cluster is too large.
    """
    # Relations without switches are in all groups.
    group_of = {name: i for i, names in enumerate(features.groups) for name in names}
    grouped: list[list[Relation]] = [[] for _ in features.groups]
    for relation in features.relations:
        tied = switches_in(relation.holds) & group_of.keys()
        for number in {group_of[name] for name in tied} or range(len(grouped)):
            grouped[number].append(relation)
    if features.together:
        try:  # if possible, keep switches of one item together
            diagram = _diagram(features, features.together, most_nodes)
            return diagram, [_valid(diagram, group) for group in grouped]
        except TooManyNodesError:
            pass
    diagram = _diagram(features, (), most_nodes)
    settings: list[Node] = []
    for group in grouped:
        try:
            settings.append(_valid(diagram, group))
        except TooManyNodesError:
            few = _connected(replace(features, relations=tuple(group)), most_nodes)
            raise TooManySwitchesError(few) from None
    return diagram, settings


def _diagram(
    features: Features,
    together: Iterable[frozenset[str]] = (),
    most_nodes: int = MOST_NODES,
) -> DecisionDiagram:
    ties = [*(switches_in(each.holds) for each in features.relations), *together]
    seats = (each.name for each in features.seats)
    return DecisionDiagram([*switch_order(features.variants, ties), *seats], most_nodes)


def _valid(diagram: DecisionDiagram, relations: Iterable[Relation]) -> Node:
    diagram.grant()
    return diagram.conjunction(diagram.holds(each.holds) for each in relations)


# ---- contradictions


def contradiction(features: Features, wish: Formula) -> tuple[Relation, ...]:
    """Return a minimal set of relations that contradict a wish.

    If no table is valid at all, the wish must be `ALWAYS`.
    """
    wished = switches_in(wish)
    groups = (set(each) for each in features.groups if not wished or wished & {*each})
    near = frozenset[str]().union(*groups)
    relations = [r for r in features.relations if switches_in(r.holds) <= near]
    diagram = _diagram(replace(features, relations=tuple(relations)))
    kept = dict.fromkeys(range(len(relations)))
    blocks = [range(len(relations))]
    # Like leaving out each in turn, but unneeded blocks go at once.
    while blocks:
        block = blocks.pop()
        rest = [relations[number] for number in kept if number not in block]
        try:
            unneeded = not diagram.meet(_valid(diagram, rest), diagram.holds(wish))
        except TooManyNodesError:
            unneeded = False  # a line too many does less harm than a missing one
        if unneeded:
            kept = {number: None for number in kept if number not in block}
        elif len(block) > 1:
            middle = len(block) // 2
            blocks += [block[middle:], block[:middle]]
    return tuple(relations[number] for number in kept)


# ---- connected relations


def _connected(features: Features, most_nodes: int) -> tuple[str, ...]:
    """Return the variants of a small connected set of relations that does not fit."""

    def fits(relations: Sequence[Relation]) -> bool:
        part = replace(features, relations=tuple(relations))
        try:
            _valid(_diagram(part, (), most_nodes), relations)
        except TooManyNodesError:
            return False
        return True

    # The relations from the most connected switch outwards.
    relations = features.relations
    said_of: dict[str, list[int]] = {}
    for number, relation in enumerate(relations):
        for name in sorted(switches_in(relation.holds)):
            said_of.setdefault(name, []).append(number)
    reached = sorted(said_of, key=lambda name: (-len(said_of[name]), name))[:1]
    order: dict[int, None] = {}
    for name in reached:  # grows during the loop
        for number in said_of[name]:
            if number not in order:
                order[number] = None
                reached += sorted(switches_in(relations[number].holds) - set(reached))
    every = [relations[number] for number in order]
    few, many = 0, len(every)  # the bounds of the search
    while many - few > 1 + many // 8:
        middle = (few + many) // 2
        if fits(every[:middle]):
            few = middle
        else:
            many = middle
    cluster, before = every[:many], -1
    while len(cluster) != before:  # remove parts connected through a single switch
        before = len(cluster)
        ties = Counter(name for each in cluster for name in switches_in(each.holds))
        cluster = [
            each
            for each in cluster
            if sum(ties[name] > 1 for name in switches_in(each.holds)) > 1
        ]
    cluster = every[:many] if fits(cluster) else cluster
    names = frozenset[str]().union(*(switches_in(each.holds) for each in cluster))
    return tuple(name for name in features.variants if name in names)
