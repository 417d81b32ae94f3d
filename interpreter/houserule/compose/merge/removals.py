"""`remove` takes a clause out with all that stands under it; E202 if it is edited.

Removing a cost removes its factor with its payment. Naming a removed step in an order
is no edit of it; so is a clause that the same unit puts under what it declares itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from houserule.compose.items.fields import MAIN
from houserule.compose.merge import messages
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.compose.merge.draft import Draft, Hit
    from houserule.diagnostics.diagnostic import Diagnostic

HARMLESS = frozenset({"remove", "order", "release"})


def remove_clauses(draft: Draft) -> None:
    """Take removed clauses out of the draft and keep only edits of what is left."""
    removers: dict[str, list[Hit]] = {}
    parts: dict[tuple[str, str], list[Hit]] = {}
    for (address, word), hits in draft.hits_of("remove").items():
        if word == MAIN:
            for each in _beneath(draft, address):
                removers.setdefault(each, []).extend(hits)
        else:
            parts[address, word] = hits
    for hit in draft.hits:
        by = removers.get(hit.address) or parts.get((hit.address, hit.word))
        if by and not _harmless(draft, hit):
            draft.found.append(_clash(draft, hit, by))
    draft.hits = [
        hit
        for hit in draft.hits
        if hit.address not in removers and (hit.address, hit.word) not in parts
    ]
    for address, hits in removers.items():
        by_whom = tuple(dict.fromkeys(hit.origin for hit in hits))
        draft.gone[address] = replace(draft.entries.pop(address), changed_by=by_whom)
    for (address, word), hits in parts.items():
        if address in draft.entries:
            _drop_part(draft, address, word, hits)


def _beneath(draft: Draft, address: str) -> list[str]:
    """Return the address, all clauses under it, and what stands in a phase."""
    found = [address]
    for above in found:
        is_phase = draft.entries[above].kind == "phase"
        for each in draft.entries.values():
            inside = is_phase and each.phase == above and not each.owner
            if (each.owner == above or inside) and each.address not in found:
                found.append(each.address)
    return found


def _harmless(draft: Draft, hit: Hit) -> bool:
    if hit.edit.verb in HARMLESS:
        return True
    own = hit.origin in draft.entries[hit.address].origins
    return own and hit.edit.verb in {"add", "layer"}


def _clash(draft: Draft, hit: Hit, by: list[Hit]) -> Diagnostic:
    draft.disputed(hit.address, (each.origin for each in [hit, *by]))
    parties = [messages.Party(each.origin, each.edit.span) for each in by]
    return messages.changed_and_removed(
        hit.target,
        parties,
        messages.Party(hit.origin, hit.edit.span),
        hit.edit.verb,
        draft.ruleset.id,
        removed=by[0].target,
    )


def _drop_part(draft: Draft, address: str, word: str, hits: list[Hit]) -> None:
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
