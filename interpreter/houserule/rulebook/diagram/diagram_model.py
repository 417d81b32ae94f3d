"""What there is to draw: phases with their steps and actions, order, and who did it.

`added` names the units (variants, bridges) that brought something in, none for what the
base game has; `changed` those that edit it. A unit is named by its id.

The order of the children of a phase is a partial order. An `Arrangement` takes it apart
into parts that follow one another and parts that do not wait for one another, and so on
inside these; what neither cuts apart is a tangle, and is drawn edge by edge.
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
    """Parts that follow one another: all of a part comes before all of the next."""

    parts: tuple[Arrangement, ...]


@frozen
class Free:
    """Parts that do not wait for one another."""

    parts: tuple[Arrangement, ...]


@frozen
class Tangle:
    """Names in a possible order, and which of them directly follow which."""

    names: tuple[str, ...]
    edges: Relation


Arrangement: TypeAlias = Single | Series | Free | Tangle


def arranged(names: Sequence[str], before: Relation) -> Arrangement:
    """Return names as parts in series, free parts and tangles.

    Args:
        names: at least one, each once.
        before: a strict order, transitive; of other names nothing is read.
    """
    # What no comparable pair joins is free (parallel); what no incomparable pair joins
    # is in series. Where both join everything, the order holds an N, which neither can
    # show: it is a tangle.
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
    """Return the names in an arrangement, in the order in which they are drawn."""
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
    """Return the names that wait for no other one in an arrangement."""
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
    """Return the names for which no other one in an arrangement waits."""
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
    """Yield every direct edge that the drawing of an arrangement shows."""
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
    """Return the edges of a relation that no other two of its edges imply."""
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
    """Return names so that earlier ones come first, else as they were given.

    Names that wait for each other, before some lines of order were released, come as
    they were given, and all of them after what any of them waits for: so this is not
    `graph.in_order`, which takes each as soon as it can.
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
    """Return edges as ways, as few as a plain reading gives, each edge in one."""
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
    """Return the connected components of names, of which some two are `together`."""
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
    """Who had a hand in something."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@frozen
class DiagramAction:
    """An action as it may be taken; `by` says who takes it, if not the seat in turn."""

    name: str
    caption: str
    by: str
    hands: Hands
    cites: tuple[str, ...]


@frozen
class DiagramStep:
    """A step. `mode` is how often it may be used, "automatic" if it runs by itself."""

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
    by: tuple[str, ...]  # empty: the base game says so


@frozen
class DiagramPhase:
    """A phase and all that stands in it.

    Attributes:
        title: what players call it.
        conditions: in words, over what it runs, until when, whether at all.
        actions: those that may be taken anywhere in it.
        order: what directly comes before what.
        released: all that came before, and need not any more.
        drawn: those released edges that the others follow from.
    """

    name: str
    title: str
    caption: str
    conditions: tuple[str, ...]
    actions: tuple[DiagramAction, ...]
    items: tuple[Item, ...]
    arrangement: Arrangement | None  # None: nothing stands in it
    order: tuple[DiagramEdge, ...]
    released: tuple[DiagramEdge, ...]
    drawn: tuple[DiagramEdge, ...]
    hands: Hands
    cites: tuple[str, ...]

    def item(self, name: str) -> Item:
        """Return the step or phase of that name that stands directly in this one."""
        return next(item for item in self.items if item.name == name)

    def title_of(self, name: str) -> str:
        """Return what players call a step or phase that stands directly in this one."""
        return self.item(name).title

    def edge(self, before: str, after: str) -> DiagramEdge:
        """Return the direct edge between two items."""
        wanted = (before, after)
        return next(e for e in self.order if (e.before, e.after) == wanted)


Item: TypeAlias = DiagramStep | DiagramPhase


@frozen
class Removed:
    """Something that the base game has, and this table has not."""

    name: str
    kind: str  # "phase", "step" or "action"
    title: str
    by: tuple[str, ...]


@frozen
class Diagram:
    """The flow of one table; `root` is the game itself, or the phase asked for."""

    game: str
    title: str
    players: int
    language: str
    units: tuple[DiagramUnit, ...]
    root: DiagramPhase
    removed: tuple[Removed, ...]

    def titles(self, units: Iterable[str]) -> str:
        """Return what people call these units, with commas between them."""
        known = {unit.id: unit.title for unit in self.units}
        return ", ".join(known.get(unit, unit) for unit in units)

    def phases(self) -> list[DiagramPhase]:
        """Return every phase that is drawn, outer ones first, the root among them."""
        return list(_phases(self.root))

    def all_hands(self) -> Iterator[Hands]:
        """Yield who had a hand in each phase, step and action."""
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
