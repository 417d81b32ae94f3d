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

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, fault
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
    for files in _files(family).values():
        for (one, when), (other, then) in combinations(sorted(files.items()), 2):
            known = {row.id: row for row in family.ruleset.tables.get(one, ())}
            together = both([either(when), either(then)])
            for row in family.ruleset.tables.get(other, ()):
                first = known.get(row.id)
                if first is not None and _values(first) != _values(row):
                    found = one_row_twice(row.id, first, row)
                    yield Fault(together, plainly(found))


def _files(family: Family) -> dict[str, dict[str, list[Formula]]]:
    """Return the files of every component, and the condition of each."""
    found: dict[str, dict[str, list[Formula]]] = defaultdict(lambda: defaultdict(list))
    for number, placed in enumerate(family.placed):
        named = rows_in(placed.item)
        if named is not None:
            component, path = named
            found[component][path].append(family.there[number])
    return found


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


def one_row_twice(name: str, one: LoadedRow, other: LoadedRow) -> Diagnostic:
    """Return E205: two files with a row of one id, and different cells."""
    message = f"Two tables have a row {name}, and the rows do not say the same."
    spans = sorted({one.span, other.span})
    return fault(E205, message, others=map(Label, spans))


# ---- at one table


def extend(draft: Draft) -> None:
    """Record the units that add rows at every component."""
    for component, hits in _extending(draft).items():
        draft.note_editors(component, "rows", hits)


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
    further = _extending(draft)
    found: dict[str, tuple[LoadedRow, ...]] = {}
    for entry in draft.of_kind("component"):
        match entry.node:
            case tree.Component(rows=own, each=()):
                paths = {own.text: None} if own is not None else {}
                items = (hit.placed.item for hit in further.get(entry.address, ()))
                more = {i.rows.text for i in items if isinstance(i, tree.ExtendRows)}
                paths |= dict.fromkeys(sorted(more))
                found[entry.address] = _joined(draft, entry.address, paths)
            case _:
                pass
    return found


def _joined(
    draft: Draft, component: str, paths: dict[str, None]
) -> tuple[LoadedRow, ...]:
    rows: dict[str, LoadedRow] = {}
    for path in paths:
        for row in draft.ruleset.tables.get(path, ()):
            rows.setdefault(row.id, row)
    for entry in draft.of_kind("cell"):
        of, name, column = entry.address.split(".")
        if of == component and entry.changed_by and name in rows:
            assert isinstance(entry.node, tree.TableCell)
            cells = {**rows[name].cells, column: as_cell(entry.node)}
            rows[name] = replace(rows[name], cells=cells)
    found = tuple(rows.values())
    for path in paths:  # most tables use one file unchanged, and then the same object
        whole = draft.ruleset.tables.get(path, ())
        if len(whole) == len(found) and all(map(is_, whole, found)):
            return whole
    return found
