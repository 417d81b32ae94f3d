"""Which lines of a family can make a circle, or an order without effect, together."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from houserule.compose.merge.order import closed, names_of
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.family.index import Index
    from houserule.compose.merge.order import Edge


class OrderLines:
    """Every `order` and `release` line, and what could come before what."""

    def __init__(self, index: Index) -> None:
        """Join the pairs of all lines, whatever table they are in."""
        self.index = index
        self.names: dict[int, tuple[str, ...]] = {}
        for number, placed in enumerate(index.placed):
            if isinstance(placed.item, tree.Order | tree.Release):
                self.names[number] = tuple(w.text for w in names_of(placed.item))
        self.closure = closed(edge for n in self._orders() for edge in self._pairs(n))

    def _orders(self) -> list[int]:
        placed = self.index.placed
        return [n for n in self.names if isinstance(placed[n].item, tree.Order)]

    def _pairs(self, number: int) -> Iterator[Edge]:
        yield from combinations(self.names[number], 2)

    def _with(self, steps: Iterable[str]) -> set[int]:
        """Return the items that declare or remove these steps."""
        return self.index.bearing_on(steps, verbs=("remove",))

    def _lines_among(self, steps: set[str]) -> set[int]:
        """Return the lines that say something of two of these steps."""
        return {n for n, names in self.names.items() if len(steps & set(names)) > 1}

    def knots(self) -> Iterator[set[int]]:
        """Yield, for steps that could wait for one another, all that bears on them."""
        done: set[str] = set()
        for name in sorted({a for a, b in self.closure if a == b}):
            if name not in done:
                knot = {b for a, b in self.closure if a == name}
                knot = {b for b in knot if (b, name) in self.closure}
                done |= knot
                yield self._lines_among(knot) | self._with(knot)

    def releases(self) -> Iterator[tuple[int, set[int]]]:
        """Yield every `release` line, and all that bears on the steps it names."""
        for number, names in self.names.items():
            item = self.index.placed[number].item
            if isinstance(item, tree.Release):
                steps = set(names)
                for pair in self._pairs(number):
                    steps |= self._between(pair)
                    steps |= self._between(pair[::-1])
                yield number, self._lines_among(steps) | {number} | self._with(steps)

    def _between(self, pair: tuple[str, str]) -> set[str]:
        first, last = pair
        after = {b for a, b in self.closure if a == first}
        before = {a for a, b in self.closure if b == last}
        return after & before

    def apart(self) -> Iterator[tuple[int, set[int]]]:
        """Yield lines whose steps may stand in different phases, with these steps."""
        for number, names in self.names.items():
            if len({phase for name in names for phase in self._phases(name)}) > 1:
                yield number, {number} | self._with(names)

    def _phases(self, name: str) -> set[str]:
        placed, said = self.index.placed, self.index.said.get(name, ())
        return {placed[each.number].phase for each in said}
