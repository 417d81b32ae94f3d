"""Whole units back to text, as a rules file that says the same."""

from __future__ import annotations

from collections.abc import Iterable

from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import caption, names, notes
from houserule.language.syntax.write.items import item_lines
from houserule.language.syntax.write.statements import beside


def print_units(units: Iterable[tree.Unit]) -> str:
    """Return a rules file that says the same as these units, without comments."""
    return "\n".join("\n".join([*_unit(unit), ""]) for unit in units)


def _unit(unit: tree.Unit) -> list[str]:
    head = f"{unit.kind} {names(unit.names)}"
    if unit.kind != "game":
        head += f" for {unit.game.text}"
    lines = beside(head + caption(unit.caption), notes(unit.notes))
    for item in unit.items:
        found = item_lines(item, 0)
        if len(found) > 1 and len(lines) > 1:
            lines.append("")
        lines += found
    return lines
