"""Bridges that do nothing, or that nothing in print or in a ruling supports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.items import items_of, origin_of
from houserule.compose.merge.messages import titled
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.rules import Origin
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.source import Span

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
        yield bridge_without_work(origin_of(bridge), bridge.span)
    if not bridge.notes and not any(getattr(item, "notes", ()) for item in items):
        yield bridge_without_source(origin_of(bridge), bridge.span)


def bridge_without_work(origin: Origin, span: Span) -> Diagnostic:
    """Return W404: a bridge that changes nothing."""
    message = f"The bridge {titled(origin)} mutes, adds and asserts nothing."
    fixes = ['Assert what you found:  assert "...": ...', "Delete the bridge."]
    return fault("W404", message, span, fixes=fixes)


def bridge_without_source(origin: Origin, span: Span) -> Diagnostic:
    """Return W405: a bridge that cites nothing and carries no ruling."""
    message = f"The bridge {titled(origin)} neither cites a sentence nor has a ruling."
    fixes = ['Cite it:  ["Heading" "up to four words"]', "Rule it:  [ruling NAME]"]
    return fault("W405", message, span, fixes=fixes)
