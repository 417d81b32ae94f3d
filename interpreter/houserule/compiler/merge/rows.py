"""Rows of components: those of the declared file, then those of further files.

One id in two files is E205 unless both rows are equal. A file that was not loaded has
no rows; loading the ruleset reports it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from operator import is_
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Label, fault
from houserule.compiler.conditions.formulas import Formula, both, either
from houserule.compiler.items.cells import as_cell, rows_in
from houserule.compiler.items.index import Declaration, Family
from houserule.compiler.items.items import Declared
from houserule.compiler.merge.fault import Fault, plainly
from houserule.language.manifest.messages import E205
from houserule.language.manifest.ruleset import LoadedRow
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft
    from houserule.compiler.merge.resolve import Hit, Resolution


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E205 for unequal rows with one id in two files."""
    family = resolution.family
    # The files of every component, and the conditions of each.
    found: dict[str, dict[str, list[Formula]]] = defaultdict(lambda: defaultdict(list))
    for number, placed in enumerate(family.placed):
        if named := rows_in(placed.item):
            component, path = named
            found[component][path].append(family.there[number])
    for files in found.values():
        for (one, when), (other, then) in combinations(sorted(files.items()), 2):
            known = {row.id: row for row in family.ruleset.tables.get(one, ())}
            together = both([either(when), either(then)])
            for row in family.ruleset.tables.get(other, ()):
                first = known.get(row.id)
                if first is not None and _values(first) != _values(row):
                    message = f"Two tables have a row {row.id}, and the rows differ."
                    spans = map(Label, sorted({first.span, row.span}))
                    yield Fault(together, plainly(fault(E205, message, others=spans)))


def rows_named(family: Family) -> dict[tuple[str, str], list[Declaration]]:
    """Return the sources of each row of a table, by component and row id."""
    found: dict[tuple[str, str], list[Declaration]] = defaultdict(list)
    for number, placed in enumerate(family.placed):
        named = rows_in(placed.item)
        component, path = named or ("", "")
        for row in family.ruleset.tables.get(path, ()):
            one = Declared(
                address=f"{component}.{row.id}",
                kind="row",
                space="",
                name="",
                span=row.span,
                content=None,
                payload=None,
                node=placed.item,
                owner=component,
                clause=component,
            )
            found[component, row.id].append(Declaration(number, placed, one))
    return found


def _values(row: LoadedRow) -> dict[str, object]:
    return {column: cell.value for column, cell in row.cells.items()}


# ---- at one table


def extend(draft: Draft) -> None:
    """Record the units that add rows at every component."""
    for component, hits in _extending(draft).items():
        for hit in hits:
            draft.edited(component, hit.origin)


def _extending(draft: Draft) -> dict[str, list[Hit]]:
    return {
        address: rows
        for (address, _), hits in draft.hits_of("extend").items()
        if (rows := [h for h in hits if isinstance(h.placed.item, tree.ExtendRows)])
    }


def rows_of(draft: Draft) -> dict[str, tuple[LoadedRow, ...]]:
    """Return the rows of every component except products.

    Further files follow by name; the first row with an id is kept.
    """
    further, tables = _extending(draft), draft.ruleset.tables
    found: dict[str, tuple[LoadedRow, ...]] = {}
    for entry in draft.of_kind("component"):
        match entry.node:
            case tree.Component(rows=own, each=()):
                paths = {own.text: None} if own is not None else {}
                items = (hit.placed.item for hit in further.get(entry.address, ()))
                more = {i.rows.text for i in items if isinstance(i, tree.ExtendRows)}
                paths |= dict.fromkeys(sorted(more))
            case _:
                continue
        rows: dict[str, LoadedRow] = {}
        for path in paths:
            for row in tables.get(path, ()):
                rows.setdefault(row.id, row)
        for cell in draft.of_kind("cell"):
            of, name, column = cell.address.split(".")
            if of == entry.address and cell.changed_by and name in rows:
                assert isinstance(cell.node, tree.TableCell)
                cells = {**rows[name].cells, column: as_cell(cell.node)}
                rows[name] = replace(rows[name], cells=cells)
        joined = tuple(rows.values())
        for path in paths:  # most tables use one file unchanged, and the same object
            whole = tables.get(path, ())
            if len(whole) == len(joined) and all(map(is_, whole, joined)):
                joined = whole
                break
        found[entry.address] = joined
    return found
