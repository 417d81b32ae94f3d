"""Declarations: equal ones merge, others are E205.

Two unequal declarations of one address, or of one name in one namespace, conflict. The
first in canonical order is kept, so that other errors are found as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.base.diagnostics.wording import listed, sentence
from houserule.compiler.conditions.formulas import both
from houserule.compiler.items.index import Declaration
from houserule.compiler.merge.fault import Fault, Party
from houserule.compiler.merge.messages import titled
from houserule.language.manifest.messages import E205
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import CLAUSE_KINDS, parts_of
from houserule.language.syntax.write.expressions import print_expr
from houserule.language.syntax.write.items import short_payload

if TYPE_CHECKING:
    from houserule.compiler.merge.resolve import Resolution


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E205 for every two conflicting declarations."""
    there = resolution.family.there

    def clash(pair: list[Declaration], name: str, space: str) -> Fault:
        when = both(there[each.item] for each in pair)
        tell = partial(_tell, name, space)
        return Fault(when, tell, tuple(pair), ("E205", space, name))

    by_name: dict[tuple[str, str], list[Declaration]] = defaultdict(list)
    clashing: set[tuple[str, int, int]] = set()
    for address, every in resolution.family.clauses.items():
        for one, other in combinations(every, 2):
            mine, theirs = one.placed, other.placed
            # One unit may repeat a declaration only in several `with` blocks.
            twice = mine.origin.unit == theirs.origin.unit
            twice = twice and mine.members == theirs.members
            # An exception with the address of a clause lacks its own name: E103.
            kinds = {one.one.kind, other.one.kind}
            unnamed = "or" in kinds and kinds & CLAUSE_KINDS
            if (twice or one.one.content != other.one.content) and not unnamed:
                pair = (one.item, other.item)
                if (one.one.owner, *pair) not in clashing:
                    yield clash([one, other], address, "address")
                clashing.add((address, *pair))
        for each in every:
            if each.one.name:
                by_name[each.one.space, each.one.name].append(each)
    for (space, name), group in by_name.items():
        for one, other in combinations(group, 2):
            if one.one.address != other.one.address:
                yield clash([one, other], name, space)


def _tell(
    name: str, space: str, parties: tuple[Party, ...], _: frozenset[str]
) -> Diagnostic:
    said = [each for each in parties if isinstance(each, Declaration)]
    said.sort(key=lambda each: each.item)
    if space != "address":  # one for each address
        first = {each.one.address: each for each in reversed(said)}
        said = [first[address] for address in sorted(first)]
    return one_name_two_things(name, [each.one.kind for each in said], said)


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
        message = f"{sentence(who)} declare {name}, with different meanings."
    labels = zip(parties, kinds, strict=True)
    places = sorted({(party.span, kind) for party, kind in labels})
    fixes = ["Rename one of them."]
    again = [each for each in parties if each.origin.unit]
    if len(again) == 1 and len({*kinds}) == 1:  # the base game has it already
        one, other = sorted(parties, key=lambda each: each.origin.unit)
        if isinstance(one, Declaration) and isinstance(other, Declaration):
            fixes[:0] = _edits(name, one.one.node, other.one.node)
            places.sort(key=lambda place: place[0] != other.span)
    if len(set(kinds)) == 1 and len(units) > 1:
        fixes.append("If they mean the same thing, declare it with the same words.")
    return fault(
        E205,
        message,
        others=[Label(span, text) for span, text in places],
        details=(),
        fixes=tuple(fixes),
    )


def _edits(address: str, base: tree.Node, new: tree.Node) -> list[str]:
    """Return edits that make one declaration equal to another, if they are short."""
    if isinstance(new, tree.Option):
        return [f"default {address}: {print_expr(new.normally)}"]
    before, after = parts_of(base), parts_of(new)
    edits = []
    for word in before.keys() & after.keys():
        old, now = short_payload(before[word]), short_payload(after[word])
        if old is None or now is None:
            return []
        if old != now:
            place = ".".join(filter(None, (address, word)))
            edits.append(f"change {place} from {old} to {now}")
    return ["\n".join(sorted(edits))] if edits else []
