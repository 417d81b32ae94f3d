"""The model of a diagram: phases with steps and actions, their order, and their origin.

`added` names the units (variants, bridges) that added something, and is empty for the
base game; `changed` names those that edit it. Units are named by id.

The items of a phase are partially ordered. An `Arrangement` splits them recursively
into series (parts that follow one another) and free parts (in any order). A tangle is a
part that neither can split; it is drawn edge by edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias, assert_never

from houserule.base.algebra.graph import Edge
from houserule.base.frozen import frozen

Relation: TypeAlias = frozenset[Edge]


@frozen
class Single:
    """One step or phase."""

    name: str


@frozen
class Series:
    """Parts in sequence: all of a part comes before all of the next."""

    parts: tuple[Arrangement, ...]


@frozen
class Free:
    """Parts in any order."""

    parts: tuple[Arrangement, ...]


@frozen
class Tangle:
    """Names in a possible order, and their direct edges."""

    names: tuple[str, ...]
    edges: Relation


Arrangement: TypeAlias = Single | Series | Free | Tangle


def arranged(names: Sequence[str], before: Relation) -> Arrangement:
    """Return names as parts in series, free parts and tangles.

    Args:
        names: at least one, without duplicates.
        before: a strict, transitive order; other names are ignored.
    """
    # The components of comparable pairs are free (parallel), those of incomparable
    # pairs are in series. If both graphs are connected, the order contains an N, which
    # neither can show: it is a tangle.
    if len(names) == 1:
        return Single(names[0])
    free = _joined(names, lambda a, b: (a, b) in before or (b, a) in before)
    if len(free) > 1:
        return Free(tuple(arranged(part, before) for part in free))
    stuck = _joined(names, lambda a, b: (a, b) not in before and (b, a) not in before)
    if len(stuck) > 1:
        stuck.sort(key=lambda part: sum((n, part[0]) in before for n in names))
        return Series(tuple(arranged(part, before) for part in stuck))
    ordered = in_order(names, before)
    within = frozenset(edge for edge in before if {*edge} <= {*names})
    return Tangle(tuple(ordered), direct(within))


def names_of(arrangement: Arrangement) -> tuple[str, ...]:
    """Return the names in an arrangement, in drawing order."""
    match arrangement:
        case Single(name):
            return (name,)
        case Tangle(names):
            return names
        case Series(parts) | Free(parts):
            return tuple(name for part in parts for name in names_of(part))
        case _:
            assert_never(arrangement)


def first_of(arrangement: Arrangement) -> tuple[str, ...]:
    """Return the names without a predecessor in an arrangement."""
    match arrangement:
        case Single(name):
            return (name,)
        case Series(parts):
            return first_of(parts[0])
        case Free(parts):
            return tuple(name for part in parts for name in first_of(part))
        case Tangle(names, edges):
            later = {after for _, after in edges}
            return tuple(name for name in names if name not in later)
        case _:
            assert_never(arrangement)


def last_of(arrangement: Arrangement) -> tuple[str, ...]:
    """Return the names without a successor in an arrangement."""
    match arrangement:
        case Single(name):
            return (name,)
        case Series(parts):
            return last_of(parts[-1])
        case Free(parts):
            return tuple(name for part in parts for name in last_of(part))
        case Tangle(names, edges):
            earlier = {before for before, _ in edges}
            return tuple(name for name in names if name not in earlier)
        case _:
            assert_never(arrangement)


def between(one: Arrangement, next_: Arrangement) -> tuple[Edge, ...]:
    """Return the direct edges from a part of a series to the next."""
    return tuple(product(last_of(one), first_of(next_)))


def implied(arrangement: Arrangement) -> Iterator[Edge]:
    """Yield every direct edge shown by an arrangement."""
    match arrangement:
        case Single():
            return
        case Tangle(_, edges):
            yield from sorted(edges)
        case Free(parts):
            for part in parts:
                yield from implied(part)
        case Series(parts):
            for place, part in enumerate(parts):
                yield from implied(part)
                yield from between(parts[place - 1], part) if place else ()
        case _:
            assert_never(arrangement)


def direct(relation: Relation) -> Relation:
    """Return the transitive reduction of a relation."""
    after: dict[str, set[str]] = {}
    for a, b in relation:
        after.setdefault(a, set()).add(b)
    return frozenset(
        (a, c)
        for a, c in relation
        if a != c
        and not any(c in after.get(b, ()) for b in after[a] if b not in {a, c})
    )


def in_order(names: Sequence[str], before: Iterable[Edge]) -> list[str]:
    """Return names in topological order, otherwise in the given order.

    Names on a cycle, before some lines of order were released, come as given, after
    everything that any of them waits for. This differs from `graph.in_order`, which
    takes each name as early as possible.
    """
    known = set(names)
    waits = {name: {a for a, b in before if b == name and a in known} for name in names}
    for name in names:
        waits[name].discard(name)
    left, done = list(names), list[str]()
    while left:
        free = (name for name in left if not waits[name] & set(left))
        chosen = next(free, left[0])
        left.remove(chosen)
        done.append(chosen)
    return done


def chains(edges: Iterable[Edge]) -> list[list[str]]:
    left = list(edges)
    found: list[list[str]] = []
    while left:
        chain = list(left.pop(0))
        while step := next((each for each in left if each[0] == chain[-1]), None):
            left.remove(step)
            chain.append(step[1])
        found.append(chain)
    return found


def _joined(
    names: Sequence[str], together: Callable[[str, str], bool]
) -> list[list[str]]:
    """Return the connected components of names; edges are pairs that are `together`."""
    left, groups = list(names), list[list[str]]()
    while left:
        group, waiting = set[str](), [left[0]]
        while waiting:
            name = waiting.pop()
            group.add(name)
            waiting += [n for n in left if n not in group and together(name, n)]
        groups.append([name for name in left if name in group])
        left = [name for name in left if name not in group]
    return groups


# ---- the model


@frozen
class DiagramUnit:
    """A variant or a bridge of the table."""

    id: str
    kind: str  # "variant" or "bridge"
    title: str


@frozen
class Hands:
    """The units that added or changed something."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@frozen
class DiagramAction:
    """An action as it is available."""

    name: str
    caption: str
    hands: Hands
    cites: tuple[str, ...]


@frozen
class DiagramStep:
    """A step. `mode` is how often it may be used, or "automatic"."""

    name: str
    title: str
    caption: str
    mode: str
    conditions: tuple[str, ...]
    actions: tuple[DiagramAction, ...]
    hands: Hands
    cites: tuple[str, ...]


@frozen
class DiagramEdge:
    """`before` comes before `after`, or did before some units released it."""

    before: str
    after: str
    by: tuple[str, ...]  # empty for the base game


@frozen
class DiagramPhase:
    """A phase and its contents.

    Attributes:
        conditions: in words: what it repeats over, until when, and if it runs at all.
        actions: those available anywhere in it.
        released: all edges that no longer apply.
        drawn: those released edges that imply the others.
    """

    name: str
    title: str
    caption: str
    conditions: tuple[str, ...]
    actions: tuple[DiagramAction, ...]
    items: tuple[Item, ...]
    arrangement: Arrangement | None  # None if it is empty
    order: tuple[DiagramEdge, ...]
    released: tuple[DiagramEdge, ...]
    drawn: tuple[DiagramEdge, ...]
    hands: Hands
    cites: tuple[str, ...]

    def item(self, name: str) -> Item:
        """Return the direct child of that name."""
        return next(item for item in self.items if item.name == name)

    def title_of(self, name: str) -> str:
        """Return the name of a direct child for players."""
        return self.item(name).title

    def edge(self, before: str, after: str) -> DiagramEdge:
        """Return the direct edge between two items."""
        wanted = (before, after)
        return next(e for e in self.order if (e.before, e.after) == wanted)


Item: TypeAlias = DiagramStep | DiagramPhase


@frozen
class Removed:
    """Something of the base game that this table does not have."""

    name: str
    kind: str  # "phase", "step" or "action"
    title: str
    by: tuple[str, ...]


@frozen
class Diagram:
    """The flow of one table; `root` is the game itself, or the requested phase."""

    game: str
    title: str
    players: int
    language: str
    units: tuple[DiagramUnit, ...]
    root: DiagramPhase
    removed: tuple[Removed, ...]

    def titles(self, units: Iterable[str]) -> str:
        """Return the titles of these units, separated by commas."""
        known = {unit.id: unit.title for unit in self.units}
        return ", ".join(known.get(unit, unit) for unit in units)

    def phases(self) -> list[DiagramPhase]:
        """Return every drawn phase, outer ones first, including the root."""
        return list(_phases(self.root))

    def all_hands(self) -> Iterator[Hands]:
        """Yield the units behind each phase, step and action."""
        for phase in self.phases():
            yield phase.hands
            yield from (action.hands for action in phase.actions)
            for item in phase.items:
                if isinstance(item, DiagramStep):
                    yield item.hands
                    yield from (action.hands for action in item.actions)


def _phases(phase: DiagramPhase) -> Iterator[DiagramPhase]:
    yield phase
    for item in phase.items:
        if isinstance(item, DiagramPhase):
            yield from _phases(item)
