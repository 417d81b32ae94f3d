"""Directed graphs: what is reached, what waits for itself, what comes first.

Nodes are names. A graph is either a mapping from each node to those it leads to, or
a set of edges; a node that is no key of a mapping leads nowhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush
from typing import TypeAlias

Edge: TypeAlias = tuple[str, str]
Graph: TypeAlias = Mapping[str, Collection[str]]


def successors(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """Return the graph of some edges: for each node, in order, those it leads to."""
    found: dict[str, list[str]] = {}
    for before, after in sorted(set(edges)):
        found.setdefault(before, []).append(after)
    return found


def reachable(start: Iterable[str], graph: Graph) -> frozenset[str]:
    """Return everything that is reached from some nodes, these included."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, ())
    return frozenset(found)


def closure(graph: Graph) -> dict[str, frozenset[str]]:
    """Return the transitive closure: for each node, all that one or more edges reach.

    A node is in its own entry exactly if it stands in a cycle.
    """
    return {name: reachable(after, graph) for name, after in graph.items()}


def shortest_path(graph: Graph, start: str, end: str) -> list[str]:
    """Return a shortest path of at least one edge, both ends included; [] if none is.

    With one node as both ends that is its shortest cycle. Of several shortest paths
    it is the one whose edges come first in the graph.
    """
    came_from: dict[str, str] = {}
    waiting = deque([start])
    while waiting and end not in came_from:
        name = waiting.popleft()
        for after in graph.get(name, ()):
            if after not in came_from:
                came_from[after] = name
                waiting.append(after)
    if end not in came_from:
        return []
    path = [end, came_from[end]]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]


def cyclic_components(graph: Graph) -> Iterator[frozenset[str]]:
    """Yield each largest set of nodes that all reach each other, and themselves.

    They come in the order of their first names.
    """
    after = closure(graph)
    done: set[str] = set()
    for name in sorted(after):
        if name in after[name] and name not in done:
            component = frozenset(
                each for each in after[name] if name in after.get(each, ())
            )
            done |= component
            yield component


def in_order(names: Sequence[str], waits_for: Graph) -> list[str]:
    """Return names in topological order: each after all that it waits for.

    Of those that may come next, the first as given does. Names in one cycle do not wait
    for each other, and no name waits for one that was not given.
    """
    place = {name: number for number, name in enumerate(names)}
    group_of = {
        name: component
        for component in cyclic_components(waits_for)
        for name in component
    }
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for name in names:
        earlier = [each for each in waits_for.get(name, ()) if each in place]
        sorter.add(name, *(e for e in earlier if e not in group_of.get(name, ())))
    sorter.prepare()
    ready = [place[name] for name in sorter.get_ready()]
    heapify(ready)
    done: list[str] = []
    while ready:
        done.append(names[heappop(ready)])
        sorter.done(done[-1])
        for name in sorter.get_ready():
            heappush(ready, place[name])
    return done
