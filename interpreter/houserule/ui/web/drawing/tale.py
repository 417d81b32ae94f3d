"""The tale as lines with their depth, the new ones marked."""

from __future__ import annotations

from houserule.base.frozen import frozen

LATEST = 400  # the number of lines shown, unless the whole log is requested
BLOCK = 25  # and some more, so that what is shown begins at a multiple of these
DEEPEST = 3
STEP = 2  # spaces of each level


@frozen
class TaleLine:
    """A line of the tale.

    Attributes:
        text: the sentence.
        depth: 0 for a part of the game, 1 for whose turn it is, more below.
        new: it came since the viewer's last look.
    """

    text: str
    depth: int
    new: bool


@frozen
class TaleBlock:
    """Some lines of the tale, by which it is known whether they were drawn before.

    Attributes:
        said: the lines, with spaces before them for their depth.
        old: how many of them are not new.
    """

    said: tuple[str, ...]
    old: int

    @property
    def lines(self) -> list[TaleLine]:
        """The lines as they are drawn."""
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
        blocks: the lines; only the last blocks change while the tale goes on.
        cut: whether there are lines before these.
    """

    blocks: tuple[TaleBlock, ...]
    cut: bool

    @property
    def news(self) -> list[TaleLine]:
        """The new lines."""
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
