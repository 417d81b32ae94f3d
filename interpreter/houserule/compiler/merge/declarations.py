"""Declarations: equal ones merge, others are E205.

Two unequal declarations of one address, or of one name in one namespace, conflict. The
first in canonical order is kept, so that other errors are found as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.base.diagnostics.wording import listed, sentence
from houserule.compiler.conditions.formulas import both
from houserule.compiler.items.index import Declaration, Family
from houserule.compiler.merge.fault import Fault, Party, Tell
from houserule.compiler.merge.messages import titled
from houserule.language.manifest.messages import E205

if TYPE_CHECKING:
    from houserule.compiler.merge.resolve import Resolution


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E205 for every two conflicting declarations."""
    family = resolution.family
    clashing: set[tuple[str, int, int]] = set()
    for address, every in family.clauses.items():
        for one, other in combinations(every, 2):
            if _differ(one, other):
                pair = (one.item, other.item)
                if (one.one.owner, *pair) not in clashing:
                    yield _clash(family, address, [one, other], ("address", address))
                clashing.add((address, *pair))
    yield from _of_one_name(family)


def _differ(one: Declaration, other: Declaration) -> bool:
    """Return whether two declarations differ, or one unit declares the same twice.

    One unit may repeat it in several `with` blocks.
    """
    if one.one.content != other.one.content:
        return True
    mine, theirs = one.placed, other.placed
    return (mine.origin.unit, mine.members) == (theirs.origin.unit, theirs.members)


def _of_one_name(family: Family) -> Iterator[Fault]:
    """Yield names that enter one namespace under two addresses."""
    groups: dict[tuple[str, str], list[Declaration]] = defaultdict(list)
    for every in family.clauses.values():
        for each in every:
            if each.one.name:
                groups[each.one.space, each.one.name].append(each)
    for key, group in groups.items():
        for one, other in combinations(group, 2):
            if one.one.address != other.one.address:
                yield _clash(family, key[1], [one, other], key)


def _clash(
    family: Family, name: str, pair: list[Declaration], key: tuple[str, str]
) -> Fault:
    when = both(family.there[each.item] for each in pair)
    return Fault(when, _tell(name, key[0] != "address"), tuple(pair), ("E205", *key))


def _tell(name: str, by_name: bool) -> Tell:
    def tell(parties: tuple[Party, ...], _table: object) -> Diagnostic:
        said = [each for each in parties if isinstance(each, Declaration)]
        said.sort(key=lambda each: each.item)
        if by_name:  # one for each address
            first = {each.one.address: each for each in reversed(said)}
            said = [first[address] for address in sorted(first)]
        return one_name_two_things(name, [each.one.kind for each in said], said)

    return tell


def one_name_two_things(
    name: str, kinds: Sequence[str], parties: Sequence[Party]
) -> Diagnostic:
    """Return E205: one name, or one address, declared for two things."""
    units = {party.origin.unit for party in parties}
    if len(units) == 1:
        message = f"{sentence(titled(parties[0].origin))} declares {name} twice."
    else:
        ordered = sorted(parties, key=lambda each: each.origin.unit)
        who = listed(dict.fromkeys(titled(each.origin) for each in ordered))
        message = f"{sentence(who)} declare {name}, and do not mean the same."
    labels = zip(parties, kinds, strict=True)
    places = sorted({(party.span, kind) for party, kind in labels})
    fixes = ["Rename one of them."]
    if len(set(kinds)) == 1 and len(units) > 1:
        fixes.append("If they mean the same thing, declare it with the same words.")
    return fault(
        E205,
        message,
        others=[Label(span, text) for span, text in places],
        details=(),
        fixes=tuple(fixes),
    )
