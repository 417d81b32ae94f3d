"""Directed graphs: reachability, cycles, topological order.

Nodes are names. A graph is a mapping from each node to its successors, or a set of
edges. A node without a key has no successors.
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
    """Return the graph of some edges: the successors of each node, in order."""
    found: dict[str, list[str]] = {}
    for before, after in sorted(set(edges)):
        found.setdefault(before, []).append(after)
    return found


def reachable(start: Iterable[str], graph: Graph) -> frozenset[str]:
    """Return all nodes reachable from some nodes, including these."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, ())
    return frozenset(found)


def closure(graph: Graph) -> dict[str, frozenset[str]]:
    """Return the transitive closure: all nodes that one or more edges reach.

    A node is in its own entry exactly if it is on a cycle.
    """
    return {name: reachable(after, graph) for name, after in graph.items()}


def shortest_path(graph: Graph, start: str, end: str) -> list[str]:
    """Return a shortest path of at least one edge, with both ends, or [].

    If both ends are one node, the path is its shortest cycle. Of several shortest
    paths, return the one whose edges come first in the graph.
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
    """Yield the strongly connected components that contain a cycle.

    They are in the order of their first names.
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
    """Return names in topological order: each after its dependencies.

    Ties keep the given order. Names on a cycle do not wait for each other, and
    dependencies that were not given are ignored.
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
