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
    """Return what the rules call the end; an empty text where they call it nothing.

    That is the caption of the value that ends the last phase, or of a phase that goes
    through so many passes.
    """
    outermost = [each for each in words.program.phases.values() if not each.parent]
    ends = [each.until for each in outermost]
    named = [end.value for end in ends if isinstance(end, ir.CallValue)]
    counted = [each.name for each in outermost if each.source and not each.until]
    for name in named or counted:
        if words.caption(name) != name:
            return words.caption(name)
    return ""
