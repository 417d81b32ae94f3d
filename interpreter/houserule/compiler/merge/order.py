"""The phases of phases and steps, and the partial order of steps.

The order is the transitive closure of all declared pairs, minus the released ones, not
closed again. A removed step still separates its neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
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
from houserule.compiler.merge.fault import Fault, Party
from houserule.compiler.merge.messages import Speaker, labels_of, titled, with_on
from houserule.compiler.rules import Pair
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


LINES = (tree.Order, tree.Release)
MOST_ORDERS = 500  # of one ruleset


def _orders(ruleset: LoadedRuleset) -> dict[tuple[object, ...], StepOrder]:
    return {}


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


def _order(draft: Draft, every: list[Placed]) -> StepOrder:
    found: list[Diagnostic] = []
    lines: list[Placed] = []
    for line in every:
        names = names_of(line.item)
        if len({_home(draft, name.text) for name in names} - {None}) < 2:
            lines.append(line)
            continue
        said = listed(name.text for name in names)
        who = sentence(titled(line.origin))
        message = f"{who} orders {said}, which are not in one phase."
        span = names[0].span.to(names[-1].span)
        fixes = [
            "Order their phases.",
            "Put what is yours into the phase of the other:  phase PHASE.NAME ...",
        ]
        found.append(fault(E213, message, span, fixes=fixes))

    pairs = _pairs(draft, lines, tree.Order)
    # Connect the steps before and after a removed step.
    steps = {name for pair in pairs for name in _edge(pair)}
    for name in sorted(steps & draft.gone.keys()):
        before = [pair for pair in pairs if pair.after == name]
        after = [pair for pair in pairs if pair.before == name]
        joined = [replace(a, after=b.after) for a in before for b in after]
        pairs = [pair for pair in pairs if name not in _edge(pair)]
        pairs += [pair for pair in joined if pair.before != pair.after]
    released = [p for p in _pairs(draft, lines, tree.Release) if _present(draft, p)]
    waits = closed(map(_edge, pairs))
    let_go = frozenset(map(_edge, released))
    left = successors(edge for edge in waits - let_go if edge[0] != edge[1])

    # A cycle for every group of steps that wait for each other.
    declared = {_edge(each): each for each in reversed(_sorted(pairs))}
    for group in cyclic_components(left):
        way = shortest_path(successors(declared), min(group), min(group))
        circle = [declared[edge] for edge in pairwise(way)]
        one = f"release order among {', '.join(sorted(group))}"
        # Is there a line whose release opens the cycle? Later units first.
        by_unit = sorted(circle, key=lambda p: (p.origin.unit, p.before))
        for pair in reversed(by_unit):
            less = waits - let_go - {_edge(pair)}
            rest = successors(edge for edge in less if edge[0] != edge[1])
            still = shortest_path(rest, *_edge(pair))
            if not still and not shortest_path(rest, pair.before, pair.before):
                one = f"release {pair.before} then {pair.after}"
                break
        texts = [f"{each.before} before {each.after}" for each in circle]
        width = max(map(len, texts))
        said = "\n".join(
            f"  {text:{width}}    {each.span.file}:{each.span.line}"
            for text, each in zip(texts, circle, strict=True)
        )
        parties = [Speaker(each.origin, each.span) for each in circle]
        found.append(
            fault(
                E204,
                f"{with_on(parties)}, these steps each wait for the next:\n{said}",
                others=map(Label, sorted(each.span for each in circle)),
                details=("Remove one of these lines, or release it:",),
                fixes=(one,),
            )
        )

    # Releases without effect, or with a remaining indirect order.
    for line in every:
        if not isinstance(line.item, tree.Release):
            continue
        some = [pair for pair in _pairs_of(draft, line) if _present(draft, pair)]
        freed = [pair for pair in some if _edge(pair) in waits]
        start = f"{sentence(titled(line.origin))} releases"
        if some and not freed:
            texts = [name.text for name in line.item.names]
            said = f"{texts[0]} then {texts[1]}, but {texts[1]} does not wait"
            if line.item.among:
                said = f"{listed(texts)}, but none of them waits for another"
            span = line.item.names[0].span.to(line.item.names[-1].span)
            fixes = ["Remove the line, or name the steps that wait."]
            found.append(fault(E208, f"{start} {said}.", span, fixes=fixes))
        for pair in freed:
            way = shortest_path(left, *_edge(pair))
            if way:
                one, other = _edge(pair)
                said = f"{one} then {other}, but {other} still waits for {one}"
                message = f"{start} {said} through {listed(way[1:-1])}."
                fixes = [f"Release that too:  release order among {', '.join(way)}"]
                found.append(fault(E208, message, pair.span, fixes=fixes))
                break

    in_effect = (each for each in released if _edge(each) in waits)
    return StepOrder(_sorted(pairs), _sorted(in_effect), tuple(found))


def closed(edges: Iterable[Edge]) -> Edges:
    """Return the transitive closure."""
    after = closure(successors(edges))
    return frozenset((a, b) for a, reached in after.items() for b in reached)


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


def _edge(pair: Pair) -> Edge:
    return pair.before, pair.after


def _sorted(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return pairs in order; of equal ones, the last."""
    by_key = {
        (*_edge(each), each.origin.unit, each.span.line, each.span.column): each
        for each in pairs
    }
    return tuple(by_key[key] for key in sorted(by_key))


# ---- phases in a cycle


E215 = MessageCode("E215", "cyclic phases")
"""Some phases contain each other in a circle.

**Why.** A phase is played when the phase that contains it reaches it. A phase that
contains itself, even through others, is never reached.

**For example**

```text
phase bids.market            # in one variant
phase market.bids            # in another
```

**Fix.** Move one of them into another phase of the game, or to the top level.
"""


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
            partial(_in_each_other, way),
            tuple(link[0] for link in links),
        )


def _in_each_other(
    way: list[str], parties: tuple[Party, ...], _: frozenset[str]
) -> Diagnostic:
    said = "\n".join(f"  {one} in {other}" for one, other in pairwise(way))
    return fault(
        E215,
        f"{with_on(parties)}, these phases stand in each other:\n{said}",
        others=labels_of(parties),
        details=("So none of them stands in the game.",),
        fixes=(f"Put one into another phase:  phase ELSEWHERE.{way[0]} ...",),
    )
