"""The partial order of steps: pairs said by `order` lines, minus released ones.

What comes before what is the transitive closure of all pairs, minus the released
ones, not closed again. A removed step still holds apart what stood around it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.merge import order_messages as messages
from houserule.compose.rules import Pair
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.items.items import Placed
    from houserule.compose.merge.draft import Draft

Edge: TypeAlias = tuple[str, str]
Edges: TypeAlias = frozenset[Edge]


def order_steps(draft: Draft) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs said and the pairs released, of steps that are there.

    Faults: E204 for a circle, E208 for a release without effect, E213 for an order
    of things that do not stand side by side.
    """
    pairs = _without_removed(draft, list(_pairs(draft, tree.Order)))
    released = [each for each in _pairs(draft, tree.Release) if _present(draft, each)]
    closure = closed((pair.before, pair.after) for pair in pairs)
    let_go = frozenset((pair.before, pair.after) for pair in released)
    _check_circles(draft, pairs, closure, let_go)
    _check_releases(draft, closure, let_go)
    return _sorted(pairs), _sorted(each for each in released if _edge(each) in closure)


def closed(edges: Iterable[Edge]) -> Edges:
    """Return the transitive closure."""
    after: dict[str, set[str]] = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
    found: set[Edge] = set()
    for start in after:
        waiting = list(after[start])
        while waiting:
            name = waiting.pop()
            if (start, name) not in found:
                found.add((start, name))
                waiting += after.get(name, ())
    return frozenset(found)


def _pairs(draft: Draft, kind: type[tree.Node]) -> Iterator[Pair]:
    """Yield the pairs of every line of a kind, whose names stand side by side."""
    for placed in draft.placed:
        if isinstance(placed.item, kind):
            names = names_of(placed.item)
            homes = {_home(draft, n.text) for n in names} - {None}
            if len(homes) > 1:
                draft.found.append(messages.not_side_by_side(placed.origin, names))
            else:
                yield from _pairs_of(draft, placed)


def names_of(item: tree.Node) -> tuple[tree.Word, ...]:
    """Return the names on an `order` or `release` line."""
    return item.names if isinstance(item, tree.Order | tree.Release) else ()


def _pairs_of(draft: Draft, placed: Placed) -> Iterator[Pair]:
    names = [n for n in names_of(placed.item) if _home(draft, n.text) is not None]
    both_ways = isinstance(placed.item, tree.Release) and placed.item.among
    for one, other in combinations(names, 2):
        span = one.span.to(other.span)
        yield Pair(one.text, other.text, span, placed.origin)
        if both_ways:
            yield Pair(other.text, one.text, span, placed.origin)


def _home(draft: Draft, name: str) -> str | None:
    """Return the phase that a step or phase stands in, also of a removed one."""
    entry = draft.entries.get(name) or draft.gone.get(name)
    return entry.phase if entry and entry.kind in {"step", "phase"} else None


def _present(draft: Draft, pair: Pair) -> bool:
    return pair.before in draft.entries and pair.after in draft.entries


def _without_removed(draft: Draft, pairs: list[Pair]) -> list[Pair]:
    """Join what stood before a removed step to what stood after it."""
    names = {name for pair in pairs for name in _edge(pair)}
    for name in sorted(names & draft.gone.keys()):
        before = [pair for pair in pairs if pair.after == name]
        after = [pair for pair in pairs if pair.before == name]
        joined = [replace(a, after=b.after) for a in before for b in after]
        pairs = [pair for pair in pairs if name not in _edge(pair)]
        pairs += [pair for pair in joined if pair.before != pair.after]
    return pairs


def _edge(pair: Pair) -> Edge:
    return pair.before, pair.after


def _sorted(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    key = {_key(each): each for each in pairs}
    return tuple(key[each] for each in sorted(key))


def _key(pair: Pair) -> tuple[str, str, str, int, int]:
    span = pair.span
    return pair.before, pair.after, pair.origin.unit, span.line, span.column


# ---- E204


def _check_circles(
    draft: Draft, pairs: list[Pair], closure: Edges, released: Edges
) -> None:
    """Report a circle for every knot of steps that wait for one another."""
    left = frozenset(edge for edge in closure - released if edge[0] != edge[1])
    knotted = closed(left)
    done: set[str] = set()
    for name in sorted({a for a, b in knotted if a == b}):
        if name in done:
            continue
        knot = {n for n, m in knotted if m == name and (name, n) in knotted}
        done |= knot
        said = {_edge(each): each for each in reversed(_sorted(pairs))}
        way = _shortest_way(frozenset(said), name, name)
        lines = [said[edge] for edge in pairwise(way)]
        single = _release_that_helps(lines, closure, released)
        draft.found.append(messages.turn_in_a_circle(lines, single, sorted(knot)))


def _release_that_helps(
    lines: list[Pair], closure: Edges, released: Edges
) -> Pair | None:
    """Return a line of the circle whose release opens it, later units first."""
    for pair in sorted(lines, key=lambda p: (p.origin.unit, p.before), reverse=True):
        less = closure - released - {_edge(pair)}
        left = frozenset(edge for edge in less if edge[0] != edge[1])
        waits = bool(_shortest_way(left, *_edge(pair)))
        if not waits and (pair.before, pair.before) not in closed(left):
            return pair
    return None


def _shortest_way(edges: Edges, start: str, end: str) -> list[str]:
    """Return a shortest way along the edges, both ends included; [] if none leads."""
    came: dict[str, str] = {}
    waiting = deque([start])
    while waiting and end not in came:
        name = waiting.popleft()
        for _, after in sorted(edge for edge in edges if edge[0] == name):
            if after not in came:
                came[after] = name
                waiting.append(after)
    if end not in came:
        return []
    way = [end]
    while len(way) == 1 or way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


# ---- E208


def _check_releases(draft: Draft, closure: Edges, released: Edges) -> None:
    """Report every release that frees nothing, or leaves one behind the other."""
    left = frozenset(edge for edge in closure - released if edge[0] != edge[1])
    for placed in draft.placed:
        if not isinstance(placed.item, tree.Release):
            continue
        pairs = [p for p in _pairs_of(draft, placed) if _present(draft, p)]
        freed = [pair for pair in pairs if _edge(pair) in closure]
        if pairs and not freed:
            draft.found.append(messages.releases_nothing(placed.origin, placed.item))
        for pair in freed:
            way = _shortest_way(left, *_edge(pair))
            if way:
                found = messages.still_behind(placed.origin, pair, way[1:-1])
                draft.found.append(found)
                break
