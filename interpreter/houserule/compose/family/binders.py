"""Variables that one variant names as another names a thing (E205).

Where both are on, the line could mean either. In one unit, or against the base game,
the check of a single table finds that.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from houserule.compose.merge import messages
from houserule.compose.tables.formulas import both
from houserule.syntax.tree.visitor import every_name_bound

if TYPE_CHECKING:
    from houserule.compose.family.findings import Findings
    from houserule.compose.family.index import Index, Said
    from houserule.syntax import tree


def check_binders(index: Index, findings: Findings) -> None:
    """Find variables of one variant that another gives to a thing of the game."""
    things: dict[str, list[Said]] = defaultdict(list)
    for every in index.said.values():
        for said in every:
            if said.one.space == "thing" and index.placed[said.number].origin.unit:
                things[said.one.name].append(said)
    for number, placed in enumerate(index.placed):
        names = {word.text: word for word in every_name_bound(placed.item)}
        for name in sorted(names.keys() & things.keys()) if placed.origin.unit else ():
            for said in things[name]:
                if index.placed[said.number].origin != placed.origin:
                    _report(index, findings, number, names[name], said)


def _report(
    index: Index, findings: Findings, number: int, word: tree.Word, said: Said
) -> None:
    variable = messages.Party(index.placed[number].origin, word.span)
    thing = messages.Party(index.placed[said.number].origin, said.one.span)
    condition = both([index.there[number], index.there[said.number]])
    kinds, parties = ["variable", said.one.kind], [variable, thing]
    findings.add(
        condition,
        lambda where, _: messages.one_name_two_things(
            word.text, kinds, parties, where=where
        ),
    )
