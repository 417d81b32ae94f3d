"""Variables that one variant names as another names a thing (E205).

Where both are on, the line could mean either. In one unit, or against the base game,
the check of a single table finds that.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from typing import TYPE_CHECKING

from houserule.compose.merge import messages
from houserule.compose.tables.formulas import both
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.compose.family.findings import Findings
    from houserule.compose.family.index import Index, Said


def check_binders(index: Index, findings: Findings) -> None:
    """Find variables of one variant that another gives to a thing of the game."""
    things: dict[str, list[Said]] = defaultdict(list)
    for every in index.said.values():
        for said in every:
            if said.one.space == "thing" and index.placed[said.number].origin.unit:
                things[said.one.name].append(said)
    for number, placed in enumerate(index.placed):
        names = {word.text: word for word in bound_words(placed.item)}
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


def bound_words(node: object) -> Iterator[tree.Word]:
    """Yield every name that an item binds for itself: parameters, `for`, `let`."""
    match node:
        case tuple():
            for each in node:
                yield from bound_words(each)
        case tree.Binder(names=names) | tree.Typed(names=names):
            yield from (each for each in names)
        case tree.Reaction(params=params, old=old, new=new):
            yield from (each for each in (*(params or ()), old, new) if each)
        case tree.Adjust(params=params):
            yield from params
        case tree.Let(name=name) | tree.Share(count=name) | tree.Reached(name=name):
            yield name
        case tree.ForWhom(name=name):
            yield name
        case _:
            pass
    if isinstance(node, tree.Node):
        for field in fields(node):
            value = getattr(node, field.name)
            if isinstance(value, tuple | tree.Node):
                yield from bound_words(value)
