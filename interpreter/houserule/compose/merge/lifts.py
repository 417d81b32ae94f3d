"""`lift`: exceptions to a condition; any number of them, and each has an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.messages import Party
from houserule.compose.merge.warning_messages import lifted_and_changed
from houserule.compose.rules import Lifted
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.compose.merge.draft import Draft, Hit


def check_lifts(draft: Draft) -> None:
    """Note who lifts what; W210 where somebody else changes the same condition.

    A bridge that joins both units has seen it, and silences the warning.
    """
    changes = draft.hits_of("change")
    for (address, word), hits in draft.hits_of("lift").items():
        for hit in hits:
            draft.edited(address, hit.origin)
        others = [
            each
            for each in changes.get((address, word), ())
            if any(_meet(draft, each, hit) for hit in hits)
        ]
        if others:
            draft.found.append(
                lifted_and_changed(
                    address, _parties(hits), _parties(others), draft.ruleset.id
                )
            )


def _meet(draft: Draft, one: Hit, other: Hit) -> bool:
    """Say whether two different units meet here, and no bridge knows of it."""
    if one.origin == other.origin:
        return False
    units = {*one.origin.unit.split("+"), *other.origin.unit.split("+")} - {""}
    bridges = {p.origin.unit for p in draft.placed if p.origin.kind == "bridge"}
    return not any(units <= set(bridge.split("+")) for bridge in bridges)


def _parties(hits: list[Hit]) -> list[Party]:
    return [Party(hit.origin, hit.edit.span) for hit in hits]


def lifts_of(draft: Draft) -> Mapping[str, tuple[Lifted, ...]]:
    """Return the lifts in force, by the condition or value that they lift."""
    found: dict[str, tuple[Lifted, ...]] = {}
    for entry in sorted(draft.of("lift"), key=lambda each: each.address):
        if isinstance(entry.node, tree.Lift) and entry.owner in draft.entries:
            one = Lifted(entry.address, entry.node.condition, entry.node.span)
            found[entry.owner] = (*found.get(entry.owner, ()), one)
    return found
