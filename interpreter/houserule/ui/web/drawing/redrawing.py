"""Cache of drawn areas, cells and lines.

A page is drawn after every decision for every viewer, and most of it is unchanged. The
cache key holds everything that the drawing reads, so a cached drawing equals a new one
and leaks nothing. Clickable components contain the secret address of their page, and
are never cached.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from threading import Lock
from typing import TypeAlias

from houserule.play.seat.seat_model import BoardPiece, PlaceLook, SeenBoard
from houserule.ui.web.drawing.areas import SeatLook, ShownArea
from houserule.ui.web.drawing.players import ShownPlayer
from houserule.ui.web.drawing.pointing import Pointing
from houserule.ui.web.drawing.tale import TaleBlock

KEPT = 18_000_000  # characters of all drawings on a server
SMALL = 200  # characters that a drawing's key counts as

Draw: TypeAlias = Callable[..., str]


class KeptDrawings:
    """A cache of drawings by all their inputs; the least recently used go first.

    Args:
        most: the total number of characters.

    Attributes:
        drawn: the number of cache misses.
    """

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._size, self.drawn = most, 0, 0
        self._kept: OrderedDict[Hashable, str] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, draw: Callable[[], str]) -> str:
        """Return a drawing from the cache, or draw it."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = draw()
        with self._lock:
            self.drawn += 1
            if key not in self._kept:
                self._kept[key] = made
                self._size += len(made) + SMALL
            while self._size > self._most:
                _, gone = self._kept.popitem(last=False)
                self._size -= len(gone) + SMALL
        return made


DRAWINGS = KeptDrawings()


class Redrawing:
    """Draws parts of one page, from the cache if possible.

    Args:
        about: the keys of the areas in the current choice.
    """

    def __init__(
        self,
        language: str,
        look: SeatLook,
        pointing: Pointing,
        about: Sequence[str] = (),
    ) -> None:
        self._said = language, look.key
        self._pointing, self._about = pointing, about

    def area(self, shown: ShownArea, draw: Draw) -> str:
        """Return an area, drawn by a template."""
        area = shown.area
        if self._pointing.points_into(area.key):
            return draw(shown)
        marked = area.key in self._about
        key = (
            "area",
            self._said,
            shown.opened,
            marked,
            sha256(area.model_dump_json().encode()).digest(),
        )
        return DRAWINGS.get(key, lambda: draw(shown))

    def row(self, shown: ShownArea, at: int, draw: Draw) -> str:
        """Return a row of a board, drawn by a template."""
        area = shown.area
        assert isinstance(area, SeenBoard), "boards have rows of cells"
        keys = area.keys[at] if area.keys else ()
        if any(self._pointing.points_at(area.key, some) for some in keys):
            return draw(area, at)
        head = area.row_heads[at] if area.row_heads else None
        grounds = area.grounds[at] if area.grounds else ()
        left = tuple(column for row, column in area.left if row == at)
        key = ("row", self._said, area.empty, head, area.cells[at], grounds, left)
        return DRAWINGS.get(key, lambda: draw(area, at))

    def player(self, shown: ShownPlayer, draw: Draw) -> str:
        """Return the card of a player, drawn by a template."""
        if shown.pointed is not None:
            return draw(shown)
        key = ("player", self._said, shown)
        return DRAWINGS.get(key, lambda: draw(shown))

    def cell(
        self,
        cell: Sequence[BoardPiece],
        ground: PlaceLook | None,
        empty: str,
        left: bool,
        draw: Draw,
    ) -> str:
        """Return a cell of a board without a link, drawn by a template."""
        key = ("cell", self._said, empty, ground, left, tuple(cell))
        return DRAWINGS.get(key, lambda: draw(cell, ground, empty, left))

    def lines(self, block: TaleBlock, draw: Draw) -> str:
        """Return some lines of a log, drawn by a template."""
        return DRAWINGS.get(("lines", block), lambda: draw(block.lines))
