"""The tale as lines with their depth, the new ones marked."""

from __future__ import annotations

from dataclasses import dataclass

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


def tale_lines(log: tuple[str, ...], news: int) -> list[TaleLine]:
    """Return the lines of a tale, of which so many are new."""
    old = max(0, len(log) - news)
    return [
        TaleLine(text, min(DEEPEST, (len(line) - len(text)) // STEP), at >= old)
        for at, line in enumerate(log)
        for text in (line.lstrip(" "),)
    ]
