"""A record for every addressable clause: what it says, and who had a hand in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.rules import ClauseRecord
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.compose.merge.draft import Draft, Entry
    from houserule.compose.rules import Origin

NO_CLAUSE = frozenset({"member", "slot"})


def clause_records(draft: Draft) -> dict[str, ClauseRecord]:
    """Return the records by address, in order of address."""
    by_whom = _contributions(draft)
    return {
        address: _record(entry, by_whom.get(address, ()))
        for address, entry in sorted(draft.entries.items())
        if entry.kind not in NO_CLAUSE
    }


def _contributions(draft: Draft) -> dict[str, tuple[Origin, ...]]:
    """Return who extends what: no change of a clause, but a hand in it."""
    found: dict[str, tuple[Origin, ...]] = {}
    for (address, _), hits in draft.hits_of("extend").items():
        found[address] = tuple(dict.fromkeys(hit.origin for hit in hits))
    return found


def _record(entry: Entry, extended_by: tuple[Origin, ...]) -> ClauseRecord:
    caption: object = getattr(entry.node, "caption", None)
    own: tree.Notes = getattr(entry.node, "notes", ())
    return ClauseRecord(
        address=entry.address,
        kind=entry.kind,
        caption=caption.text if isinstance(caption, tree.Text) else "",
        notes=entry.notes or own,
        origin=entry.origins[0],
        changed_by=tuple(dict.fromkeys((*entry.changed_by, *extended_by))),
        span=entry.span,
    )
