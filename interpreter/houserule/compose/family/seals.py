"""Seals over all tables: edits of sealed clauses, and seals of nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.family.findings import plainly
from houserule.compose.merge import seal_messages as messages
from houserule.compose.merge.seals import misplaced
from houserule.compose.tables.formulas import On, both

if TYPE_CHECKING:
    from houserule.compose.family.findings import Findings
    from houserule.compose.family.index import Index, Said
    from houserule.compose.items.items import EditOf


def check_seals(index: Index, findings: Findings) -> None:
    """Find E214, and seals that seal nothing (E101, E103)."""
    for placed, found in misplaced(index.placed):
        present = On(placed.members)
        findings.add(present, plainly(found), usual=present)
    for aimed in index.aimed:
        if not aimed.reason:
            _check(index, findings, aimed.number, aimed.edit, aimed.said)
    for number, edit in index.edits:
        if edit.verb == "mute":
            for said in index.clauses_first(edit.target):
                _check(index, findings, number, edit, said)


def _check(
    index: Index, findings: Findings, number: int, edit: EditOf, said: Said
) -> None:
    why = index.refusal(number, edit, said)
    if why is not None:
        origin = index.placed[number].origin
        kind = "" if edit.verb == "mute" else said.one.kind
        found = messages.sealed(origin, edit, why, kind)
        there = index.there[number]
        meets = both([there, index.there[said.number]])
        findings.add(meets, plainly(found), usual=there)
