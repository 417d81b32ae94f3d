"""The texts of messages about bridges and what they mute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.messages import titled
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.words import sentence

if TYPE_CHECKING:
    from houserule.compose.rules import Origin
    from houserule.source import Span
    from houserule.syntax import tree


def mutes_a_stranger(origin: Origin, mute: tree.Mute) -> Diagnostic:
    """Return E210: a `mute` of a variant that the bridge does not join."""
    name = mute.variant.text
    what = "a bridge mutes only its own members"
    message = f"{sentence(titled(origin))} mutes {name}, but {what}."
    fixes = ["Write a bridge that joins it:  bridge ..., " + name]
    return fault("E210", message, mute.variant.span, fixes=fixes)


def mutes_nothing(origin: Origin, mute: tree.Mute) -> Diagnostic:
    """Return E101: a `mute` where its variant says nothing."""
    name, target = mute.variant.text, mute.target.text
    message = (
        f"{sentence(titled(origin))} mutes {name} at {target}, but {name} says "
        "nothing there."
    )
    return fault("E101", message, mute.target.span)


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
