"""The phases of phases and steps, and the partial order of steps.

The order is the transitive closure of all declared pairs, minus the released ones, not
closed again. A removed step still separates its neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.algebra.graph import (
    closure,
    cyclic_components,
    shortest_path,
    successors,
)
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import listed, sentence
from houserule.base.frozen import frozen
from houserule.compiler.conditions.formulas import both, either
from houserule.compiler.merge.fault import Fault, Party, Tell
from houserule.compiler.merge.messages import Speaker, labels_of, titled, with_on
from houserule.compiler.rules import Origin, Pair
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.items.index import Declaration
    from houserule.compiler.items.items import Placed
    from houserule.compiler.merge.draft import Draft, Entry
    from houserule.compiler.merge.resolve import Resolution

Edge: TypeAlias = tuple[str, str]
Edges: TypeAlias = frozenset[Edge]


@frozen
class StepOrder:
    """The declared and the released pairs of active steps.

    `faults` are E204 for a cycle, E208 for a release without effect, E213 for an order
    of steps in different phases.
    """

    pairs: tuple[Pair, ...]
    released: tuple[Pair, ...]
    faults: tuple[Diagnostic, ...]


def order_steps(draft: Draft) -> StepOrder:
    """Return the order of the steps of a draft, and its errors.

    Most tables have the same steps and the same lines about them.
    """
    lines = [each for each in draft.placed if isinstance(each.item, LINES)]
    known = draft.ruleset.derived(_orders)
    # Lines are kept with the ruleset, so that no identity is reused.
    present, gone = draft.of_kind("step", "phase"), draft.gone.values()
    key = (tuple(map(id, lines)), _homes(present), _homes(gone))
    if key not in known:
        if len(known) >= MOST_ORDERS:
            known.clear()
        known[key] = _order(draft, lines)
    return known[key]


def _homes(entries: Iterable[Entry]) -> tuple[tuple[str, str, str], ...]:
    """Return names, kinds, and the phases that contain them."""
    return tuple((each.address, each.kind, each.phase) for each in entries)


MOST_ORDERS = 500  # of one ruleset


def _orders(ruleset: LoadedRuleset) -> dict[tuple[object, ...], StepOrder]:
    return {}


def _order(draft: Draft, lines: list[Placed]) -> StepOrder:
    apart = [each for each in lines if _stand_apart(draft, each)]
    lines = [each for each in lines if each not in apart]
    pairs = _without_removed(draft, _pairs(draft, lines, tree.Order))
    released = [p for p in _pairs(draft, lines, tree.Release) if _present(draft, p)]
    waits = closed(_edge(pair) for pair in pairs)
    let_go = frozenset(_edge(pair) for pair in released)
    left = frozenset(edge for edge in waits - let_go if edge[0] != edge[1])
    found = [not_side_by_side(each.origin, names_of(each.item)) for each in apart]
    found += _circles(pairs, waits, let_go)
    found += _idle_releases(draft, waits, left)
    in_effect = (each for each in released if _edge(each) in waits)
    return StepOrder(_sorted(pairs), _sorted(in_effect), tuple(found))


LINES = (tree.Order, tree.Release)


def closed(edges: Iterable[Edge]) -> Edges:
    """Return the transitive closure."""
    after = closure(successors(edges))
    return frozenset((a, b) for a, reached in after.items() for b in reached)


def _stand_apart(draft: Draft, line: Placed) -> bool:
    """Return whether the steps of a line are in different phases."""
    homes = {_home(draft, name.text) for name in names_of(line.item)}
    return len(homes - {None}) > 1


def _pairs(draft: Draft, lines: Iterable[Placed], kind: type[tree.Node]) -> list[Pair]:
    some = (each for each in lines if isinstance(each.item, kind))
    return [pair for each in some for pair in _pairs_of(draft, each)]


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
    """Return the phase of a step or phase, even of a removed one."""
    entry = draft.entries.get(name) or draft.gone.get(name)
    return entry.phase if entry and entry.kind in {"step", "phase"} else None


def _present(draft: Draft, pair: Pair) -> bool:
    return pair.before in draft.entries and pair.after in draft.entries


def _without_removed(draft: Draft, pairs: list[Pair]) -> list[Pair]:
    """Connect the steps before and after a removed step."""
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


def _circles(pairs: list[Pair], waits: Edges, released: Edges) -> Iterator[Diagnostic]:
    """Yield a cycle for every group of steps that wait for each other."""
    left = frozenset(edge for edge in waits - released if edge[0] != edge[1])
    said = {_edge(each): each for each in reversed(_sorted(pairs))}
    for group in cyclic_components(successors(left)):
        way = shortest_path(successors(said), min(group), min(group))
        lines = [said[edge] for edge in pairwise(way)]
        single = _release_that_helps(lines, waits, released)
        yield turn_in_a_circle(lines, single, sorted(group))


def _release_that_helps(
    lines: list[Pair], waits: Edges, released: Edges
) -> Pair | None:
    """Return a line of the cycle whose release opens it, later units first."""
    for pair in sorted(lines, key=lambda p: (p.origin.unit, p.before), reverse=True):
        less = waits - released - {_edge(pair)}
        left = successors(edge for edge in less if edge[0] != edge[1])
        still = bool(shortest_path(left, *_edge(pair)))
        if not still and not shortest_path(left, pair.before, pair.before):
            return pair
    return None


E204 = MessageCode("E204", "cyclic order")
"""Steps or layers each wait for the next, in a circle.

**Why.** `order a then b` is a relation between two steps. In a circle, none can begin.

**For example**

```rules
order laying then swapping
order swapping then laying
```

**Fix.** Release one of the orders: `release placing then founding`.
"""


def turn_in_a_circle(
    lines: Sequence[Pair], single: Pair | None, group: Sequence[str]
) -> Diagnostic:
    """Return E204: steps that each wait for the next.

    Args:
        lines: the pairs of the cycle, in order.
        single: one of them whose release opens the cycle, if any.
        group: all the steps that wait for each other.
    """
    parties = [Speaker(each.origin, each.span) for each in lines]
    width = max(len(f"{each.before} before {each.after}") for each in lines)
    said = "\n".join(
        f"  {f'{each.before} before {each.after}':{width}}    "
        f"{each.span.file}:{each.span.line}"
        for each in lines
    )
    all_of_them = f"release order among {', '.join(group)}"
    one = f"release {single.before} then {single.after}" if single else all_of_them
    return fault(
        E204,
        f"{with_on(parties)}, these steps each wait for the next:\n{said}",
        others=map(Label, sorted(each.span for each in lines)),
        details=("Leave one of these lines out, or release it:",),
        fixes=(one,),
    )


# ---- E208


def _idle_releases(draft: Draft, waits: Edges, left: Edges) -> Iterator[Diagnostic]:
    """Yield every release without effect, or with a remaining indirect order."""
    graph = successors(left)
    for placed in draft.placed:
        if not isinstance(placed.item, tree.Release):
            continue
        pairs = [p for p in _pairs_of(draft, placed) if _present(draft, p)]
        freed = [pair for pair in pairs if _edge(pair) in waits]
        if pairs and not freed:
            yield releases_nothing(placed.origin, placed.item)
        for pair in freed:
            way = shortest_path(graph, *_edge(pair))
            if way:
                yield still_behind(placed.origin, pair, way[1:-1])
                break


E208 = MessageCode("E208", "release without effect")
"""A release removes nothing, or the steps are still in order without it.

**Why.** `order a then b then c` also puts a before c. Releasing one pair does not help
if another path remains.

**For example**

```text
release founding then sliding      # founding … placing … sliding remains
```

**Fix.** Release all pairs among them: `release order among founding, placing, sliding`.
"""


def releases_nothing(origin: Origin, release: tree.Release) -> Diagnostic:
    """Return E208: a release of steps that have no order."""
    names = [name.text for name in release.names]
    if release.among:
        said = f"{listed(names)}, but none of them waits for another"
    else:
        said = f"{names[0]} then {names[1]}, but {names[1]} does not wait"
    return fault(
        E208,
        f"{sentence(titled(origin))} releases {said}.",
        release.names[0].span.to(release.names[-1].span),
        fixes=["Leave the line out, or name the steps that wait."],
    )


def still_behind(origin: Origin, pair: Pair, between: Sequence[str]) -> Diagnostic:
    """Return E208: a release of steps that are still ordered through a third."""
    through = listed(between)
    names = ", ".join([pair.before, *between, pair.after])
    return fault(
        E208,
        f"{sentence(titled(origin))} releases {pair.before} then {pair.after}, but "
        f"{pair.after} still waits for {pair.before} through {through}.",
        pair.span,
        fixes=[f"Release that too:  release order among {names}"],
    )


# ---- E213


E213 = MessageCode("E213", "steps of different phases")
"""An order names steps that are not in the same phase.

**Why.** An order is a relation between the children of one phase.

**For example**

```rules
order rolling then laying      # one in the setup, the other in a turn
```

**Fix.** Order the phases that contain them, or put your step or phase into the other
one's phase: `step round.paying`, `phase round.market`.
"""


def not_side_by_side(origin: Origin, names: Sequence[tree.Word]) -> Diagnostic:
    """Return E213: an order of steps in different phases."""
    said = listed(name.text for name in names)
    return fault(
        E213,
        f"{sentence(titled(origin))} orders {said}, which do not stand in one phase.",
        names[0].span.to(names[-1].span),
        fixes=[
            "Order the phases they stand in.",
            "Put what is yours into the phase of the other:  phase PHASE.NAME ...",
        ],
    )


# ---- E215


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E215 for phases in a cycle."""
    homes: dict[tuple[str, str], list[Declaration]] = defaultdict(list)
    for address, every in resolution.family.clauses.items():
        for each in every:
            if isinstance(each.one.node, tree.Phase) and each.placed.phase:
                homes[address, each.placed.phase].append(each)
    graph = successors(homes)
    for group in cyclic_components(graph):
        way = shortest_path(graph, min(group), min(group))
        links = [homes[edge] for edge in pairwise(way)]
        yield Fault(
            both(either(resolution.stands(each) for each in link) for link in links),
            _tell(way),
            tuple(link[0] for link in links),
        )


def _tell(way: list[str]) -> Tell:
    def tell(parties: tuple[Party, ...], _table: object) -> Diagnostic:
        return in_each_other(way, [Speaker(p.origin, p.span) for p in parties])

    return tell


E215 = MessageCode("E215", "cyclic phases")
"""Some phases contain each other in a circle.

**Why.** A phase is played when the phase that contains it reaches it. A phase that
contains itself, even through others, is never reached.

**For example**

```text
phase bids.market            # in one variant
phase market.bids            # in another
```

**Fix.** Put one of them into a phase of the game, or next to those.
"""


def in_each_other(way: list[str], parties: list[Speaker]) -> Diagnostic:
    """Return E215: phases in a cycle.

    Args:
        way: their names, each put into the next; the first one is repeated at the end.
        parties: the items that put them there.
    """
    said = "\n".join(f"  {one} in {other}" for one, other in pairwise(way))
    return fault(
        E215,
        f"{with_on(parties)}, these phases stand in each other:\n{said}",
        others=labels_of(parties),
        details=("So none of them stands in the game.",),
        fixes=(f"Put one into another phase:  phase ELSEWHERE.{way[0]} ...",),
    )
