"""Kalah in plain Python: fourteen pits in a ring, in no way made from the ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

STORES = (6, 13)


@dataclass(frozen=True)
class HouseRules:
    """What a table may play otherwise."""

    capturing: bool = True
    empty_capture: bool = False
    seed_stays: bool = False
    single_turns: bool = False
    leftovers_across: bool = False


@dataclass(frozen=True)
class Kalah:
    """A position: the houses 0 to 5 and the store 6 of the first, then the second's."""

    pits: tuple[int, ...]
    mover: int = 0
    over: bool = False

    def moves(self) -> list[int]:
        """Return the pits that may be sown, in the order of their numbers."""
        if self.over:
            return []
        first = 7 * self.mover
        return [pit for pit in range(first, first + 6) if self.pits[pit]]

    def sow(self, pit: int, rules: HouseRules) -> Kalah:
        """Return the position after a move."""
        pits, own, other = list(self.pits), STORES[self.mover], STORES[1 - self.mover]
        hand, pits[pit] = pits[pit], 0
        while hand:
            pit = (pit + 1) % 14
            if pit != other:
                pits[pit] += 1
                hand -= 1
        at_home = pit // 7 == self.mover and pit != own
        if rules.capturing and at_home and pits[pit] == 1:
            across = 12 - pit
            if pits[across] or rules.empty_capture:
                pits[own] += pits[across] + (0 if rules.seed_stays else pits[pit])
                pits[across] = 0
                if not rules.seed_stays:
                    pits[pit] = 0
        again = pit == own and not rules.single_turns
        mover = self.mover if again else 1 - self.mover
        sides = (sum(pits[0:6]), sum(pits[7:13]))
        if all(sides):
            return Kalah(tuple(pits), mover)
        for seat, left in enumerate(sides):
            pits[STORES[1 - seat if rules.leftovers_across else seat]] += left
        pits[0:6] = pits[7:13] = [0] * 6
        return Kalah(tuple(pits), mover, over=True)

    def swapped(self) -> Kalah:
        """Return the position with the sides changed, and the other player to move."""
        turned = self.pits[7:] + self.pits[:7]
        return replace(self, pits=turned, mover=1 - self.mover)

    def winners(self) -> tuple[int, ...]:
        stores = [self.pits[store] for store in STORES]
        return tuple(seat for seat in (0, 1) if stores[seat] == max(stores))


def leaves(position: Kalah, rules: HouseRules, depth: int) -> int:
    """Return how many sequences of so many moves there are, ended games included."""
    if depth == 0 or position.over:
        return 1
    return sum(leaves(each, rules, depth - 1) for each in following(position, rules))


def following(position: Kalah, rules: HouseRules) -> Iterator[Kalah]:
    return (position.sow(pit, rules) for pit in position.moves())
