"""Conflict clusters: errors in which many lines take part, over all tables.

A cycle in the order of steps can involve more than two lines. So only the items that
can take part are checked, in every combination in which they can be active together.
Each combination is checked by the same merge law as a single table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.algebra.graph import cyclic_components, successors
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import listed
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.choices.configurations import Names, TooManyOutcomesError
from houserule.compiler.choices.relation_diagram import TooManySwitchesError
from houserule.compiler.compose.compose import merged
from houserule.compiler.conditions.formulas import (
    Formula,
    both,
    either,
    holds_in,
    off,
    on,
)
from houserule.compiler.items.content import bare
from houserule.compiler.items.items import Rank
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.layers import anchors, layers_of
from houserule.compiler.merge.order import Edge, closed, names_of, order_steps
from houserule.compiler.merge.resolve import Resolution
from houserule.compiler.options.options import settle_defaults
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.family.findings import Findings

Key: TypeAlias = "tuple[str, tuple[Span, ...]]"
Law: TypeAlias = "Callable[[Draft], Iterable[Diagnostic]]"


EXACT = 256  # combinations up to which all lines are distinguished
ALIKE = 4096  # combinations up to which only equal lines are merged
SAMPLES = 200  # tables that are sampled beyond that


@frozen
class Cluster:
    """Items that may cause an error together.

    Attributes:
        about: their subject, as the end of a sentence.
        items: the numbers of all relevant items.
        law: returns the errors of a draft.
        line: if given, only errors at this item count.
    """

    about: str
    items: frozenset[int]
    law: Law
    codes: frozenset[str]
    line: int | None = None


def check_clusters(resolution: Resolution, findings: Findings) -> list[Diagnostic]:
    """Report E204, E208, E209, E213, and E304 of defaults, over all tables.

    Returns:
        W403 for every cluster with too many combinations to check.
    """
    checker = _Checker(resolution, findings)
    for cluster in (
        *_of_order(resolution),
        *_of_layers(resolution),
        *_of_options(resolution),
    ):
        checker.check(cluster)
    return checker.sampled


W403 = MessageCode("W403", "check was only sampled")
"""Too many lines meet in one place to check every combination of them.

**Why.** `check` covers every combination of variants. Edits that do not affect one
another, or that commute (raises, lowers, equal values, layers of one operation), do not
need combinations, so hundreds of variants are no problem. But a circle in the order of
steps, or irregular relations between very many variants, can only be found by trying
combinations. If that would take too long, `check` samples tables at random and checks
those. It reports this, because the result is then no longer certain for all tables.

The check of names and types composes tables: each variant alone, each preset, each end
of an option. For large rules with hundreds of these, that is too much ([the
limit](../trust.md#limits) `tables`). Then several variants are on and several options
set at one table, and an error that one of them hides in another is not found. Presets
are then not composed: their variants and settings are checked, but not in their
combination. With `--pairs`, the limit is four times as high.

**For example**

```text
40 units meet in the order of deal, draw, play in too many ways to examine all of them; `check` examined 200 tables drawn
at random.
```

**Fix.** Put lines that always go together into one variant. Exclude variants that no
one should combine. Remove relations that are not needed. For very large rules, raise
`tables`: `houserule --limit tables=50000000 check my-game`.
"""  # noqa: E501


class _Checker:
    def __init__(self, resolution: Resolution, findings: Findings) -> None:
        self.resolution, self.findings = resolution, findings
        self.family, self.tables = resolution.family, findings.tables
        self.sampled: list[Diagnostic] = []

    def check(self, cluster: Cluster) -> None:
        """Apply the law to every combination of the items.

        If they are many, combinations that the law cannot distinguish are merged: equal
        lines, or raises with the same sum. If they are still too many, random tables
        are checked.
        """
        ways: dict[Key, list[Formula]] = defaultdict(list)
        for condition, here in self._ways(cluster):
            for key in self._faults(cluster, here):
                ways[key].append(condition)
        there, placed = self.family.there, self.family.placed
        for key, several in ways.items():
            # The items at which the message points.
            spans = {placed[i].item.span: i for i in cluster.items}
            own = {i for each in key[1] for span, i in spans.items() if each in span}
            units = {placed[i].origin.unit for i in own}
            usual = both(there[i] for i in sorted(own)) if len(units) == 1 else None
            build = partial(self._message, cluster, key)
            self.findings.add(either(several), build, usual=usual)

    def _ways(self, cluster: Cluster) -> list[tuple[Formula, list[int]]]:
        """Return the combinations of the items, and the active items of each."""
        steps = [(self.family.there[i], i) for i in sorted(cluster.items)]
        try:
            separated = self.tables.outcomes(
                [
                    (when, partial(frozenset[Formula].union, frozenset({when})))
                    for when in dict.fromkeys(c for c, _ in steps)
                ],
                NOTHING,
                EXACT,
            )
            return [
                (condition, [i for when, i in steps if when in held])
                for held, condition in separated.items()
            ]
        except TooManyOutcomesError:
            pass
        try:
            alike = self.tables.outcomes(
                [(when, self._effect(i)) for when, i in steps], _Meeting(), ALIKE
            )
            conditions = list(alike.values())
        except (TooManyOutcomesError, TooManySwitchesError):
            placed = [self.family.placed[i] for i in sorted(cluster.items)]
            units = sorted({p.origin.unit for p in placed if p.origin.unit})
            first = next(p.item.span for p in placed if p.origin.unit)
            message = (
                f"{len(units)} units meet in {cluster.about} in too many ways to look "
                f"at all of them; I looked at {SAMPLES} tables drawn at random."
            )
            details = [f"They are: {listed(units)}."]
            fixes = [
                "Put lines that always go together in one variant, or exclude variants "
                "that must not be combined."
            ]
            self.sampled.append(
                fault(W403, message, first, details=details, fixes=fixes)
            )
            switches = self.tables.features.variants
            random = Random(0)
            found = {self.tables.at_random(random) for _ in range(SAMPLES)}
            conditions = [
                both([on(*table), *(off(on(n)) for n in switches if n not in table)])
                for table in sorted(found, key=sorted)
            ]
        examples = ((each, self.tables.example(each)) for each in conditions)
        return [
            (each, [] if table is None else self._present(cluster, table))
            for each, table in examples
        ]

    def _present(self, cluster: Cluster, table: Names) -> list[int]:
        there = self.family.there
        return [i for i in sorted(cluster.items) if holds_in(there[i], table)]

    def _effect(self, number: int) -> Callable[[_Meeting], _Meeting]:
        """Return the effect of one more item, as far as the law can distinguish it."""
        placed = self.family.placed[number]
        match placed.item:
            case tree.Tune(target, tree.Int(amount), sign):
                return partial(_Meeting.raised, target=target.text, by=sign * amount)
            case tree.Tune():
                return partial(_Meeting.with_line, line=(number, ""))
            case tree.SetDefault(target, value):
                return partial(_Meeting.default, target=target.text, value=bare(value))
            case item:
                return partial(_Meeting.with_line, line=(bare(item), placed.phase))

    def _message(self, cluster: Cluster, key: Key, table: Names) -> Diagnostic | None:
        # The smallest table of merged combinations may differ from the checked one: the
        # same error, with another unit's line.
        found = self._faults(cluster, self._present(cluster, table))
        alike = (each for (code, _), each in found.items() if code == key[0])
        return found.get(key) or next(alike, None)

    def _faults(self, cluster: Cluster, here: list[int]) -> dict[Key, Diagnostic]:
        """Return the errors that the law finds with these items."""
        draft = merged(self.resolution, here)
        draft.lost.clear()  # items whose target is outside of the cluster
        line = cluster.line
        at = None if line is None else self.family.placed[line].item.span
        return {
            (each.code, tuple(label.span for label in each.labels)): each
            for each in cluster.law(draft)
            if each.code in cluster.codes and (at is None or each.labels[0].span in at)
        }


@frozen
class _Meeting:
    """The properties of active items that a law can distinguish.

    Attributes:
        lines: their contents; items with equal contents are one line.
        sums: the sum of raises of each option.
        defaults: the default of each option; several different ones count as one
            conflict.
    """

    lines: frozenset[object] = frozenset()
    sums: frozenset[tuple[str, int]] = frozenset()
    defaults: frozenset[tuple[str, object]] = frozenset()

    def with_line(self, line: object) -> _Meeting:
        """Add the content of an item."""
        return replace(self, lines=self.lines | {line})

    def raised(self, target: str, by: int) -> _Meeting:
        """Add a raise of an option."""
        sums = dict(self.sums)
        sums[target] = sums.get(target, 0) + by
        return replace(self, sums=frozenset(sums.items()))

    def default(self, target: str, value: object) -> _Meeting:
        """Add a default of an option."""
        known = dict(self.defaults)
        if known.setdefault(target, value) != value:
            known[target] = SEVERAL
        return replace(self, defaults=frozenset(known.items()))


SEVERAL = "several values"
NOTHING: frozenset[Formula] = frozenset()


# ---- the order of steps


def _of_order(resolution: Resolution) -> Iterator[Cluster]:
    """Yield possible cycles of steps, `release` lines, and lines about several phases.

    They follow from the greatest possible order: the pairs of all `order` lines,
    whatever table they are in.
    """
    items = [placed.item for placed in resolution.family.placed]
    lines = {
        number: tuple(word.text for word in names_of(item))
        for number, item in enumerate(items)
        if isinstance(item, tree.Order | tree.Release)
    }
    orders = (names for n, names in lines.items() if isinstance(items[n], tree.Order))
    waits = closed(edge for names in orders for edge in combinations(names, 2))
    apart: set[int] = set()  # lines whose steps may be in different phases
    for number, names in lines.items():
        said = (resolution.family.declared.get(name, ()) for name in names)
        if len({each.placed.phase for every in said for each in every}) > 1:
            apart.add(number)

    def relevant(steps: Iterable[str], some: set[int]) -> frozenset[int]:
        # Items that declare or remove the steps. A line about several phases orders
        # nothing, so the other steps in it are relevant as well.
        others = {name for number in some & apart for name in lines[number]}
        return frozenset(some | resolution.bearing_on({*steps, *others}, ("remove",)))

    def about_two(steps: set[str]) -> set[int]:
        return {n for n, names in lines.items() if len(steps & set(names)) > 1}

    def law(draft: Draft) -> Iterable[Diagnostic]:
        return order_steps(draft).faults

    for circle in cyclic_components(successors(waits)):
        about = f"the order of {', '.join(sorted(circle))}"
        involved = relevant(circle, about_two({*circle}))
        yield Cluster(about, involved, law, frozenset({"E204"}))
    for number, names in lines.items():
        if isinstance(items[number], tree.Release):
            steps = set(names)
            for pair in combinations(names, 2):
                steps |= _between(waits, pair) | _between(waits, pair[::-1])
            about = f"what {', '.join(names)} releases"
            involved = relevant(steps, about_two(steps) | {number})
            yield Cluster(about, involved, law, frozenset({"E208"}), number)
    for number, names in lines.items():
        if number in apart:
            about = f"where {', '.join(names)} stand"
            involved = relevant(names, {number})
            yield Cluster(about, involved, law, frozenset({"E213"}), number)


def _between(waits: Iterable[Edge], pair: Edge) -> set[str]:
    """Return the steps that could be between two steps."""
    first, last = pair
    edges = list(waits)
    return {b for a, b in edges if a == first} & {a for a, b in edges if b == last}


# ---- layers


def _of_layers(resolution: Resolution) -> Iterator[Cluster]:
    """Yield possible conflicts of layers, for every value with layers from outside.

    Layers of one operation commute, and layers separated by items that are always
    active have an order at every table. What remains are pairs with the layers that
    could be between them, and layers that could form a cycle.
    """
    clauses = resolution.family.clauses
    added = {
        each.one.owner
        for every in clauses.values()
        for each in every
        if isinstance(each.one.node, tree.Layer) and each.one.owner in clauses
    }
    for value in sorted(added):
        layers = {
            address.rpartition(".")[2]: every
            for address, every in clauses.items()
            if every[0].one.owner == value and every[0].one.kind == "layer"
        }
        ops: dict[str, set[str]] = {}  # of each layer
        ranked: list[tuple[Rank, str]] = []
        for name, every in layers.items():
            nodes = [each.one.node for each in every]
            kinds = (tree.Layer, tree.ValueLayer)
            ops[name] = {node.op for node in nodes if isinstance(node, kinds)}
            if isinstance(nodes[0], tree.ValueLayer):
                ranked.append((every[0].one.rank, name))
        own = [name for _, name in sorted(ranked)]
        always = set(combinations(own, 2))  # pairs in order at every table with both
        said = set(always)  # the greatest possible order
        for name, every in layers.items():
            edges = [set(anchors(each.one.node, name)) for each in every]
            said |= set().union(*edges)
            always |= set.intersection(*edges)
        waits = closed(said)
        together = list(cyclic_components(successors(waits)))
        for one, other in combinations(sorted(layers), 2):
            if len(ops[one] | ops[other]) < 2:
                continue
            # A layer that is active at some tables only may not separate them.
            near = {one, other, *own}
            steady = closed((a, b) for a, b in always if {a, b} <= near)
            if (one, other) not in steady and (other, one) not in steady:
                between = _between(waits, (one, other)) | _between(waits, (other, one))
                together.append(frozenset({one, other, *between}))

        def law(draft: Draft, value: str = value) -> Iterable[Diagnostic]:
            return layers_of(draft, value)[1] if value in draft.entries else ()

        for some in together:
            about = f"the layers {', '.join(sorted(some))} of {value}"
            names = [value, *(f"{value}.{name}" for name in {*some, *own})]
            items = frozenset(resolution.bearing_on(names, verbs=("remove",)))
            yield Cluster(about, items, law, frozenset({"E204", "E209"}))


# ---- options


def _of_options(resolution: Resolution) -> Iterator[Cluster]:
    """Yield, for every option, all items relevant to its default and its scale.

    Another unit's declaration of the same name is covered by another law.
    """
    for address, every in resolution.family.clauses.items():
        nodes = (each.one.node for each in every)
        options = [node for node in nodes if isinstance(node, tree.Option)]
        if options:
            named = [address]
            for node in options:
                named += _named_in(node.type)
            items = frozenset(resolution.bearing_on(named))
            codes = frozenset({"E304"})
            yield Cluster(f"the option {address}", items, settle_defaults, codes)


def _named_in(kind: tree.Type) -> list[str]:
    match kind:
        case tree.MaybeType(inner):
            return _named_in(inner)
        case tree.RangeType(low, high):
            return [end.text for end in (low, high) if isinstance(end, tree.Word)]
        case tree.NamedType(name) | tree.SetType(name) | tree.PartType(name):
            return [name]
        case tree.FlagType():
            return []
