"""`remove` deletes a clause and all its descendants; E202 if one is edited.

Removing a cost removes its factor with its payment. Naming a removed step in an order
does not edit it; neither does a unit's clause below its own declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import listed
from houserule.compiler.conditions.formulas import both
from houserule.compiler.items.index import muted_at
from houserule.compiler.merge.fault import Fault, Party
from houserule.compiler.merge.messages import (
    NO_ORDER,
    VERBS,
    all_on,
    labels_of,
    titled,
    ways_to_settle,
)
from houserule.compiler.merge.resolve import Hit, Resolution, hits_among
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import MAIN

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft

HARMLESS = frozenset({"remove", "order", "release"})


E202 = MessageCode("E202", "changed and removed")
"""One variant changes or hooks a clause that another one removes.

**Why.** With both on, nothing decides whether the clause is removed or changed.

**For example**

```rules
change draw.room from size(hand(me)) at most 7 to size(hand(me)) at most 5
remove draw.room
```

**Fix.** Write a bridge that mutes one of them, or `excludes`.
"""


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E202 for every edit of a target that some `remove` deletes."""
    for hit in resolution.hits:
        declared = resolution.family.clauses.get(hit.address, ())
        own = any(each.origin == hit.origin for each in declared)
        if hit.edit.verb in HARMLESS or (own and hit.edit.verb in {"add", "layer"}):
            continue
        for remover, when in resolution.removals(hit.address, hit.word):
            yield Fault(
                both([when, hit.applies_when]),
                partial(_changed_and_removed, hit, resolution),
                (remover,),
                ("E202", hit),
                disputed=hit.address,
                against=(hit,),
            )


def _changed_and_removed(
    hit: Hit, resolution: Resolution, parties: tuple[Party, ...], _: frozenset[str]
) -> Diagnostic:
    """Return E202: the parties remove the target of an edit."""
    removers = hits_among(parties)
    target, removed = hit.target, removers[0].target
    who = list(dict.fromkeys(titled(each.origin) for each in removers))
    remove = "removes" if len(who) == 1 else "remove"
    gone = removed if removed != target else "it"
    all_ = [*removers, hit]
    verb = VERBS[hit.edit.verb]
    what = f"{titled(hit.origin)} {verb} {target}, and {listed(who)} {remove} {gone}"
    # An addition is muted at its own address, with all that a phase has inside.
    muted = muted_at(hit.placed)
    places = [target] if target in muted else muted[:1]
    for each in resolution.family.placed:
        if each.origin == hit.origin and each.phase in places:
            places += muted_at(each)
    return fault(
        E202,
        f"{all_on(all_)}, {what}.",
        others=labels_of(all_),
        details=(NO_ORDER,),
        fixes=tuple(ways_to_settle(places, all_, resolution.ruleset.id, hit)),
    )


# ---- at one table


def take_out(draft: Draft) -> None:
    """Delete removed clauses from a draft, and keep only edits of the rest."""
    clauses: dict[str, list[Hit]] = {}
    parts: dict[tuple[str, str], list[Hit]] = {}
    for (address, word), hits in draft.hits_of("remove").items():
        if word == MAIN:
            # All clauses under it go with it, and the content of a phase.
            found = [address]
            for above in found:  # grows during the loop
                clauses.setdefault(above, []).extend(hits)
                is_phase = draft.entries[above].kind == "phase"
                for each in draft.entries.values():
                    inside = is_phase and each.phase == above and not each.owner
                    if (each.owner == above or inside) and each.address not in found:
                        found.append(each.address)
        else:
            parts[address, word] = hits
    draft.keep_hits(
        hit
        for hit in draft.hits
        if hit.address not in clauses and (hit.address, hit.word) not in parts
    )
    for address, hits in clauses.items():
        by_whom = tuple(dict.fromkeys(hit.origin for hit in hits))
        draft.gone[address] = replace(draft.entries.pop(address), changed_by=by_whom)
    for (address, word), hits in parts.items():
        if address not in draft.entries:
            continue
        node = draft.entries[address].node
        match node, word:
            case tree.Phase() | tree.Step(), "if":
                node = replace(node, guard=None)
            case tree.Zone(), "limit":
                node = replace(node, at_most=None)
            case _:
                pass
        for hit in hits:
            draft.edited(address, hit.origin, node=node)
