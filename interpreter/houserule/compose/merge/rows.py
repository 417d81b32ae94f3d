"""Rows of components: those of the declared table, then those of further tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge import messages
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.compose.merge.draft import Draft
    from houserule.manifest.ruleset import LoadedRow


def rows_of(draft: Draft) -> dict[str, tuple[LoadedRow, ...]]:
    """Return the rows of every component that is no product.

    Further tables follow by name of the file; one id in two tables is E205 unless
    both rows say the same. A table that was not loaded has no rows; whoever loads
    the ruleset reports it.
    """
    found: dict[str, tuple[LoadedRow, ...]] = {}
    for entry in draft.of("component"):
        match entry.node:
            case tree.Component(rows=own, each=()):
                paths = [own.text] if own is not None else []
                paths += _further(draft, entry.address)
                found[entry.address] = _union(draft, dict.fromkeys(paths))
            case _:
                pass
    return found


def _further(draft: Draft, component: str) -> list[str]:
    paths: set[str] = set()
    for hits in draft.hits_of("extend").values():
        for hit in hits:
            item = hit.placed.item
            if isinstance(item, tree.ExtendRows) and hit.address == component:
                paths.add(item.rows.text)
                draft.edited(component, hit.origin)
    return sorted(paths)


def _union(draft: Draft, paths: dict[str, None]) -> tuple[LoadedRow, ...]:
    rows: dict[str, LoadedRow] = {}
    for path in paths:
        for row in draft.ruleset.tables.get(path, ()):
            known = rows.setdefault(row.id, row)
            if known is not row and _values(known) != _values(row):
                draft.found.append(messages.one_row_twice(row.id, known, row))
    return tuple(rows.values())


def _values(row: LoadedRow) -> dict[str, object]:
    return {column: cell.value for column, cell in row.cells.items()}
