"""Nine Men's Morris in plain Python, on three rings, not made from the ruleset."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

Words = tuple[str, ...]
"""A move: `place x`, `slide x y`, or `take x`."""

ROUND = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))
"""The eight directions from the middle, clockwise from the corner at the upper left."""


@dataclass(frozen=True)
class HouseRules:
    """What a table may play otherwise."""

    men: int = 9
    flying: bool = True
    diagonals: bool = False
    slide_at_once: bool = False
    two_for_two: bool = False
    shelter: bool = True
    quiet: int = 100


def name(ring: int, direction: int) -> str:
    """Return a point as on a chess board; the outer ring is 3, directions go round."""
    across, up = ROUND[direction % 8]
    return f"{'abcdefg'[3 + ring * across]}{4 + ring * up}"


def lines_of(rules: HouseRules) -> list[tuple[str, str, str]]:
    sides = [
        (name(ring, corner), name(ring, corner + 1), name(ring, corner + 2))
        for ring in (1, 2, 3)
        for corner in (0, 2, 4, 6)
    ]
    spokes = range(8) if rules.diagonals else (1, 3, 5, 7)
    return sides + [(name(1, way), name(2, way), name(3, way)) for way in spokes]


POINTS = {name(ring, way) for ring in (1, 2, 3) for way in range(8)}


@dataclass
class Morris:
    """A game that goes on; `takes` men are to be taken before the turn is over."""

    rules: HouseRules
    men: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    hands: list[int] = field(default_factory=list)
    mover: int = 0
    takes: int = 0
    still: int = 0
    winners: tuple[int, ...] = ()
    drawn: tuple[str, ...] = ()
    stood: Counter[tuple[int, frozenset[str], frozenset[str]]] = field(
        default_factory=Counter
    )

    def __post_init__(self) -> None:
        self.lines = lines_of(self.rules)
        self.hands = [self.rules.men] * 2

    def mills(self, seat: int, point: str) -> int:
        mine = self.men[seat]
        return sum(point in line and mine.issuperset(line) for line in self.lines)

    def prey(self) -> set[str]:
        other = self.men[1 - self.mover]
        loose = {man for man in other if not self.mills(1 - self.mover, man)}
        return loose if loose and self.rules.shelter else set(other)

    def near(self, point: str) -> set[str]:
        found: set[str] = set()
        for first, middle, last in self.lines:
            if point == middle:
                found |= {first, last}
            elif point in (first, last):
                found.add(middle)
        return found

    def moves(self) -> set[Words]:
        if self.takes:
            return {("take", each) for each in self.prey()}
        mine, hand = self.men[self.mover], self.hands[self.mover]
        free = POINTS - self.men[0] - self.men[1]
        found: set[Words] = {("place", each) for each in free if hand}
        if hand and not self.rules.slide_at_once:
            return found
        flies = self.rules.flying and len(mine) + hand <= 3
        for man in mine:
            goals = free if flies else free & self.near(man)
            found |= {("slide", man, each) for each in goals}
        return found

    def go(self, words: Words) -> None:
        """Make a legal move, and whatever follows of itself."""
        mine, other = self.men[self.mover], self.men[1 - self.mover]
        if words[0] == "take":
            other.remove(words[1])
            self.takes, self.still = self.takes - 1, 0
            if len(other) + self.hands[1 - self.mover] < 3:
                self.winners = (self.mover,)
                return
        else:
            mine.difference_update(words[1:-1])
            mine.add(words[-1])
            placed = words[0] == "place"
            self.hands[self.mover] -= placed
            self.still = 0 if placed else self.still + 1
            closed = self.mills(self.mover, words[-1])
            self.takes = min(closed, 2 if self.rules.two_for_two else 1)
        if self.takes and other:
            if len(self.prey()) == 1:  # nothing to choose
                self.go(("take", *self.prey()))
            return
        self._pass_on()

    def _pass_on(self) -> None:
        self.takes = 0
        if self.still >= self.rules.quiet:
            self.drawn = ("standstill",)
        if len(self.men[0] | self.men[1]) == 24:
            self.drawn = (*self.drawn, "full_board")
        if self.drawn:
            return
        self.mover = 1 - self.mover
        if not self.moves():
            self.winners = (1 - self.mover,)
            return
        if not self.still:
            self.stood.clear()
        position = self.mover, frozenset(self.men[0]), frozenset(self.men[1])
        self.stood[position] += 1
        if self.stood[position] == 3:
            self.drawn = ("repetition",)
