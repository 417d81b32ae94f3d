"""Mutes: a bridge takes one member's word on one clause out of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.items import Placed, declares, edits
from houserule.compose.merge import bridge_messages as messages
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.diagnostics.diagnostic import Diagnostic

# Naming a step in an order, or adding below a clause, is no edit of it.
NEVER_MUTED = frozenset({"order", "release", "mute", "add"})


def without_muted(
    placed: tuple[Placed, ...],
) -> tuple[tuple[Placed, ...], list[Diagnostic]]:
    """Return the items that no bridge mutes, and what is wrong with the mutes.

    A mute that mutes nothing is E101; one of a variant that its bridge does not join
    is E210, and mutes nothing.
    """
    found: list[Diagnostic] = []
    muted: set[int] = set()
    for bridge in placed:
        if not isinstance(bridge.item, tree.Mute):
            continue
        if not may_mute(bridge):
            found.append(messages.mutes_a_stranger(bridge.origin, bridge.item))
            continue
        hit = {i for i, each in enumerate(placed) if mutes(bridge, each)}
        muted |= hit
        if not hit:
            found.append(messages.mutes_nothing(bridge.origin, bridge.item))
    kept = (each for i, each in enumerate(placed) if i not in muted)
    return tuple(kept), found


def may_mute(bridge: Placed) -> bool:
    """Say whether a `mute` names a member of its own bridge."""
    if not isinstance(bridge.item, tree.Mute) or bridge.origin.kind != "bridge":
        return False
    return bridge.item.variant.text in bridge.origin.unit.split("+")


def mutes(bridge: Placed, other: Placed) -> bool:
    """Say whether the `mute` of one item silences another, when both are present.

    A mute at an address silences what the variant edits there, and what it declares
    under that very address.
    """
    item = bridge.item
    if not isinstance(item, tree.Mute) or other.origin.unit != item.variant.text:
        return False
    target = item.target.text
    edited = (e.target for e in edits(other) if e.verb not in NEVER_MUTED)
    return target in edited or target in _first_addresses(other)


def _first_addresses(placed: Placed) -> tuple[str, ...]:
    """Return the address of the item itself, not those of what stands inside it."""
    named = [each.address for each in declares(placed) if each.kind != "part"]
    return tuple(named[:1])
