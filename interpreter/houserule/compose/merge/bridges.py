"""Bridges that do nothing, or that nothing in print or in a ruling supports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.items import items_of, origin_of
from houserule.compose.merge import bridge_messages as messages
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.manifest.ruleset import LoadedRuleset

SAYS_NOTHING = (tree.Relates, tree.OneOf, tree.NeedsPlayers, tree.Suggests)


def bridge_faults(
    ruleset: LoadedRuleset, variants: Iterable[str] | None = None
) -> list[Diagnostic]:
    """Return W404 and W405 for the bridges of a table, or for all of them."""
    on = None if variants is None else frozenset(variants)
    found: list[Diagnostic] = []
    for bridge in ruleset.units_of("bridge"):
        members = {word.text for word in bridge.names}
        if on is None or members <= on:
            found += _faults_of(bridge)
    return found


def _faults_of(bridge: tree.Unit) -> Iterator[Diagnostic]:
    items = [placed.item for placed in items_of(bridge)]
    if all(isinstance(item, SAYS_NOTHING) for item in items):
        yield messages.bridge_without_work(origin_of(bridge), bridge.span)
    if not bridge.notes and not any(getattr(item, "notes", ()) for item in items):
        yield messages.bridge_without_source(origin_of(bridge), bridge.span)
