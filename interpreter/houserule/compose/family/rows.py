"""Rows of component tables over all tables of the family: one id, two rows (E205)."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.compose.family.findings import plainly
from houserule.compose.merge import messages
from houserule.compose.tables.formulas import both, either
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.compose.family.findings import Findings
    from houserule.compose.family.index import Index
    from houserule.compose.tables.formulas import Formula
    from houserule.manifest.ruleset import LoadedRow


def check_rows(index: Index, findings: Findings) -> None:
    """Find rows of one id in two tables of a component that do not say the same."""
    for paths in _paths(index).values():
        for (one, when), (other, then) in combinations(sorted(paths.items()), 2):
            known = {row.id: row for row in index.ruleset.tables.get(one, ())}
            condition = both([either(when), either(then)])
            for row in index.ruleset.tables.get(other, ()):
                first = known.get(row.id)
                if first is not None and _values(first) != _values(row):
                    found = messages.one_row_twice(row.id, first, row)
                    findings.add(condition, plainly(found))


def _paths(index: Index) -> dict[str, dict[str, list[Formula]]]:
    """Return the tables of every component, and when each of them is in use."""
    found: dict[str, dict[str, list[Formula]]] = defaultdict(lambda: defaultdict(list))
    for number, placed in enumerate(index.placed):
        match placed.item:
            case tree.Component(name=name, rows=tree.Text(path)):
                found[name.text][path].append(index.there[number])
            case tree.ExtendRows(target=target, rows=tree.Text(path)):
                found[target.text][path].append(index.there[number])
            case _:
                pass
    return found


def _values(row: LoadedRow) -> dict[str, object]:
    return {column: cell.value for column, cell in row.cells.items()}
