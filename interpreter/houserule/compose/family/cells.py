"""Faults in which many lines take part, over all tables: order, layers, options.

A circle in the order of steps is no matter of two lines. So only the lines that can
take part are looked at, and only the ways in which they can be there together; each
way is composed as one table would be, with these lines alone.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.family.findings import told
from houserule.compose.family.order import OrderLines
from houserule.compose.items.fields import MAIN
from houserule.compose.merge.changes import change_clauses
from houserule.compose.merge.declarations import enter_declarations
from houserule.compose.merge.draft import Draft, Hit
from houserule.compose.merge.layers import layers_of
from houserule.compose.merge.options import settle_defaults
from houserule.compose.merge.order import order_steps
from houserule.compose.merge.removals import remove_clauses
from houserule.compose.tables.formulas import ALWAYS, both, either, holds_in, off
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from houserule.compose.family.findings import Findings
    from houserule.compose.family.index import Index
    from houserule.compose.merge.messages import Where
    from houserule.compose.tables.configurations import Names
    from houserule.compose.tables.formulas import Formula
    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.source import Span

Key: TypeAlias = "tuple[str, tuple[Span, ...]]"
Run: TypeAlias = "Callable[[Draft], object]"


def check_together(index: Index, findings: Findings) -> None:
    """Find E204, E208, E209, E213, and E304 and E309 of defaults, over all tables."""
    cells = _Cells(index, findings)
    order = OrderLines(index)
    for numbers in order.knots():
        cells.check(numbers, order_steps, {"E204"})
    for line, numbers in order.releases():
        cells.check(numbers, order_steps, {"E208"}, line)
    for line, numbers in order.apart():
        cells.check(numbers, order_steps, {"E213"}, line)
    for value, numbers in _layered(index).items():
        cells.check(numbers, _layers(value), {"E204", "E209"})
    for numbers in _options(index).values():
        cells.check(numbers, settle_defaults, {"E304", "E309"})


def _layers(value: str) -> Run:
    return lambda draft: layers_of(draft, value) if value in draft.entries else ()


class _Cells:
    def __init__(self, index: Index, findings: Findings) -> None:
        self.index, self.findings = index, findings
        self.hits: dict[int, list[tuple[int, Hit]]] = defaultdict(list)
        for each in index.hits:
            placed, said = index.placed[each.number], each.said
            hit = Hit(placed, each.edit, said.clause, said.word)
            self.hits[each.number].append((said.number, hit))

    def check(
        self, numbers: Iterable[int], run: Run, codes: set[str], line: int | None = None
    ) -> None:
        """Compose some items alone, in every way that they can be there together.

        Args:
            numbers: the items.
            run: what finds the faults.
            codes: the faults that are looked for.
            line: only faults at this item count.
        """
        items = sorted(set(numbers))
        there = self.index.there
        conditions = [c for c in dict.fromkeys(there[i] for i in items) if c != ALWAYS]
        ways: dict[Key, list[Formula]] = defaultdict(list)

        def found_in(table_has: Callable[[Formula], bool]) -> dict[Key, Diagnostic]:
            here = [i for i in items if there[i] == ALWAYS or table_has(there[i])]
            return self._found(here, run, codes, line)

        for held in self.findings.tables.cells(conditions):
            cell = dict(zip(conditions, held, strict=True))
            way = both(c if yes else off(c) for c, yes in cell.items())
            for key in found_in(cell.__getitem__):
                ways[key].append(way)
        for key, several in ways.items():
            self._add(either(several), key, found_in, items)

    def _add(
        self,
        condition: Formula,
        key: Key,
        found_in: Callable[[Callable[[Formula], bool]], dict[Key, Diagnostic]],
        items: list[int],
    ) -> None:
        def build(where: Where | None, table: Names) -> Diagnostic | None:
            found = found_in(lambda formula: holds_in(formula, table))
            return told(found[key], where) if key in found else None

        own = self._own_items(key, items)
        units = {self.index.placed[i].origin.unit for i in own}
        usual = both(self.index.there[i] for i in own) if len(units) == 1 else None
        self.findings.add(condition, build, usual=usual)

    def _own_items(self, key: Key, items: list[int]) -> list[int]:
        """Return the items that the message points to."""
        spans = {self.index.placed[i].item.span: i for i in items}
        inside = [
            i for each in key[1] for span, i in spans.items() if _within(each, span)
        ]
        return sorted(set(inside))

    def _found(
        self, here: list[int], run: Run, codes: set[str], line: int | None
    ) -> dict[Key, Diagnostic]:
        index = self.index
        items = tuple(index.placed[i] for i in here)
        draft = Draft(index.ruleset, frozenset(), items)
        enter_declarations(draft)
        present = set(here)
        draft.hits = [h for i in here for said, h in self.hits[i] if said in present]
        remove_clauses(draft)
        change_clauses(draft)
        draft.found = []
        run(draft)
        at = None if line is None else index.placed[line].item.span
        return {
            (each.code, tuple(label.span for label in each.labels)): each
            for each in draft.found
            if each.code in codes and (at is None or _within(each.labels[0].span, at))
        }


def _within(inner: Span, outer: Span) -> bool:
    start = (outer.file, outer.line, outer.column)
    end = (outer.end_line, outer.end_column)
    return (
        inner.file == outer.file
        and start <= (inner.file, inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= end
    )


# ---- which items take part


def _layered(index: Index) -> dict[str, set[int]]:
    """Return, for every value that gets layers from outside, all that bears on them."""
    found: dict[str, set[int]] = {}
    for said in index.said.values():
        for each in said:
            value = each.one.owner
            if isinstance(each.one.node, tree.Layer) and value in index.said:
                if value not in found:
                    layers = (
                        a for a, s in index.said.items() if s[0].one.owner == value
                    )
                    found[value] = index.bearing_on([value, *layers])
                found[value].add(each.number)
    return found


def _options(index: Index) -> dict[str, set[int]]:
    """Return, for every option, all that bears on its default and its scale."""
    found: dict[str, set[int]] = {}
    for address, said in index.said.items():
        if said[0].one.kind == "option" and said[0].word == MAIN:
            named = [address]
            for each in said:
                assert isinstance(each.one.node, tree.Option)
                named += _named_in(each.one.node.type)
            found[address] = index.bearing_on(named)
    return found


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
