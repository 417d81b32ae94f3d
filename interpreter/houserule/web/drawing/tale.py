"""The tale as lines with their depth, the new ones marked."""

from __future__ import annotations

from dataclasses import dataclass

LATEST = 400  # so many lines are shown, unless the whole tale is asked for
BLOCK = 25  # and some more, so that what is shown begins at a multiple of these
DEEPEST = 3
STEP = 2  # spaces of each level


@dataclass(frozen=True, slots=True)
class TaleLine:
    """A line of the tale.

    Attributes:
        text: what it says.
        depth: 0 for a part of the game, 1 for whose turn it is, more below.
        new: it came since the viewer's last look.
    """

    text: str
    depth: int
    new: bool


def tale_lines(log: tuple[str, ...], news: int, *, whole: bool) -> list[TaleLine]:
    """Return the latest lines of a tale or all, of which so many are new."""
    latest = max(0, len(log) - LATEST) // BLOCK * BLOCK
    shown = log if whole else log[latest:]
    old = max(0, len(shown) - news)
    return [
        TaleLine(text, min(DEEPEST, (len(line) - len(text)) // STEP), at >= old)
        for at, line in enumerate(shown)
        for text in (line.lstrip(" "),)
    ]
