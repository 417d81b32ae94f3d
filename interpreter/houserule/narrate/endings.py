"""Why a game is over, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir

if TYPE_CHECKING:
    from houserule.narrate.wording import Wording


def why_over(words: Wording, kind: str, stalled_in: str) -> str:
    """Return why a game that was won, or stalled in a phase, is over."""
    if kind == "stalled":
        return words.say("stalled", phase=words.flow(stalled_in))
    why = reason(words)
    return words.say("over_as", why=why) if why else words.say("over")


def reason(words: Wording) -> str:
    """Return what the rules call the end: of the value that ends the last phase.

    Else what they say of that phase; an empty text where they say nothing.
    """
    outermost = [each for each in words.program.phases.values() if not each.parent]
    repeated = [each for each in outermost if each.until or each.source]
    for phase in sorted(repeated, key=lambda each: each.until is None):
        over = phase.until
        named = [over.value] if isinstance(over, ir.CallValue) else []
        for name in (*named, phase.name):
            if words.caption(name) != name:
                return words.caption(name)
    return ""
