"""The log as lines with their depth, with the new lines marked."""

from __future__ import annotations

from houserule.base.frozen import frozen

LATEST = 400  # the number of lines shown, unless the whole log is requested
BLOCK = 25  # log lines per block; the visible part begins with a whole block
DEEPEST = 3
STEP = 2  # spaces of each level


@frozen
class TaleLine:
    """A line of the log.

    Attributes:
        depth: 0 for a part of the game, 1 for a turn, more below.
        new: whether it is newer than the viewer's last look.
    """

    text: str
    depth: int
    new: bool


@frozen
class TaleBlock:
    """Some lines of the log, compared as a whole to reuse their drawing.

    Attributes:
        said: the lines, indented by their depth.
        old: how many of them are not new.
    """

    said: tuple[str, ...]
    old: int

    @property
    def lines(self) -> list[TaleLine]:
        return [
            TaleLine(
                text, min(DEEPEST, (len(line) - len(text)) // STEP), at >= self.old
            )
            for at, line in enumerate(self.said)
            for text in (line.lstrip(" "),)
        ]


@frozen
class ShownTale:
    """The visible part of a log.

    Attributes:
        blocks: the lines; only the last blocks change while the log grows.
        cut: whether there are lines before these.
    """

    blocks: tuple[TaleBlock, ...]
    cut: bool

    @property
    def news(self) -> list[TaleLine]:
        late = (block for block in self.blocks if block.old < len(block.said))
        return [line for block in late for line in block.lines if line.new]


def shown_tale(log: tuple[str, ...], news: int, *, whole: bool) -> ShownTale:
    """Return the latest lines of a log, or all, and mark the new ones."""
    first = 0 if whole else max(0, len(log) - LATEST) // BLOCK * BLOCK
    old = max(0, len(log) - news)
    blocks = (
        TaleBlock(log[at : at + BLOCK], min(BLOCK, max(0, old - at)))
        for at in range(first, len(log), BLOCK)
    )
    return ShownTale(tuple(blocks), first > 0)
