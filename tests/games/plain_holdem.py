"""Hold'em in plain Python: hands by brute force, and the chips of one deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

Card = tuple[int, int]
"""Height and suit."""


@dataclass(frozen=True)
class HouseRules:
    """A table of hold'em: what is in force."""

    omaha: bool = False
    short_deck: bool = False
    limit: bool = False
    pot_limit: bool = False
    ante: int = 0
    bounty: int = 0

    @property
    def lowest(self) -> int:
        return 6 if self.short_deck else 2

    def card(self, number: int) -> Card:
        """Return height and suit of a card, from its number in the pack."""
        suit, rank = divmod(number, 15 - self.lowest)
        return rank + self.lowest, suit


def hand_value(
    cards: Iterable[tuple[int, int]], *, short_deck: bool
) -> tuple[int, ...]:
    """Return what five cards are worth: the class, then the ranks that decide."""
    heights, suits = zip(*cards, strict=True)
    times = Counter(heights)
    order = sorted(times, key=lambda height: (times[height], height), reverse=True)
    shape = sorted(times.values(), reverse=True)
    flush = len(set(suits)) == 1
    low = [14, 9, 8, 7, 6] if short_deck else [14, 5, 4, 3, 2]
    straight = 0
    if shape == [1] * 5:
        if order[0] - order[4] == 4:
            straight = order[0]
        elif order == low:
            straight = low[1]
    classes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    found = classes.get(tuple(shape), 0)
    if straight:
        return (8 if flush else 4, straight)
    if flush:
        return (6 if short_deck else 5, *order)
    if found == 6 and short_deck:
        found = 5
    return (found, *order)


@dataclass
class Deal:
    """The chips of one deal; seats are counted from 0."""

    rules: HouseRules
    stack: list[int]
    button: int
    blind: int
    paid: list[int] = field(default_factory=list)
    bet: list[int] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    spoken: set[int] = field(default_factory=set)
    least_raise: int = 0
    raises: int = 0

    def __post_init__(self) -> None:
        seats = len(self.stack)
        self.playing = [seat for seat in range(seats) if self.stack[seat]]
        self.paid, self.bet = [0] * seats, [0] * seats
        for seat in self.playing:
            ante = min(self.rules.ante, self.stack[seat])
            self.stack[seat] -= ante
            self.paid[seat] += ante
        self.small = self.button if len(self.playing) == 2 else self.after(self.button)
        self.least_raise = 2 * self.blind
        self.put(self.small, min(self.blind, self.stack[self.small]))
        big = self.after(self.small)
        self.put(big, min(2 * self.blind, self.stack[big]))
        self.mover: int | None = self.turn_from(self.after(big), first=True)

    def after(self, seat: int) -> int:
        seats = len(self.stack)
        return min(self.playing, key=lambda other: (other - seat - 1) % seats)

    def put(self, seat: int, chips: int) -> None:
        self.stack[seat] -= chips
        self.paid[seat] += chips
        self.bet[seat] += chips

    def left(self) -> list[int]:
        return [seat for seat in self.playing if seat not in self.out]

    def must_speak(self, seat: int) -> bool:
        left = self.left()
        if seat not in left or not self.stack[seat] or len(left) == 1:
            return False
        if self.bet[seat] < max(self.bet):
            return True
        others = any(self.stack[other] for other in left if other != seat)
        return seat not in self.spoken and others

    def turn_from(self, seat: int, *, first: bool = False) -> int | None:
        """Return the next seat that must speak; `first`: this one may be it."""
        seats = len(self.stack)
        for step in range(0 if first else 1, seats + (0 if first else 1)):
            if self.must_speak((seat + step) % seats):
                return (seat + step) % seats
        return None

    def next_street(self) -> None:
        self.bet = [0] * len(self.stack)
        self.spoken, self.least_raise, self.raises = set(), 2 * self.blind, 0
        self.mover = self.turn_from(self.after(self.button), first=True)

    def choices(self, board: int) -> set[tuple[str, int]]:
        """Return what the mover may do, with so many cards on the board."""
        assert self.mover is not None
        seat, match = self.mover, max(self.bet)
        owed, reach = match - self.bet[seat], self.bet[seat] + self.stack[seat]
        found = {("fold", 0), ("call", 0) if owed else ("check", 0)}
        others = any(self.stack[other] for other in self.left() if other != seat)
        unit = self.blind * (4 if board > 3 else 2)
        full = unit if self.rules.limit else self.least_raise
        if (seat in self.spoken and owed < full) or not others:
            return found
        for bet in range(match + 1, reach + 1):
            least = match + (unit if self.rules.limit else self.least_raise)
            fits = bet >= least or bet == reach
            if self.rules.limit:
                few = self.raises < (4 if board else 3)
                fits = few and (
                    bet == match + unit or (bet < match + unit and bet == reach)
                )
            if self.rules.pot_limit:
                fits = fits and bet - match <= sum(self.paid) + owed
            if fits:
                found.add(("raise", bet))
        return found

    def choose(self, action: str, bet: int, board: int) -> None:
        assert self.mover is not None
        seat, match = self.mover, max(self.bet)
        if action == "fold":
            self.out.add(seat)
        elif action == "call":
            self.put(seat, min(match - self.bet[seat], self.stack[seat]))
        elif action == "raise":
            self.raises += 1
            unit = self.blind * (4 if board > 3 else 2)
            full = unit if self.rules.limit and self.raises == 1 else self.least_raise
            if bet - match >= full:
                self.least_raise = bet - match
                self.spoken = set()
            self.put(seat, bet - self.bet[seat])
        self.spoken.add(seat)
        self.mover = self.turn_from(seat)

    def settle(self, hands: dict[int, list[int]], board: list[int]) -> list[int]:
        """Return the stacks after the pots are given."""
        left, stack = self.left(), [*self.stack]
        best = {
            seat: self.strength(hands[seat], board) if len(left) > 1 else ()
            for seat in left
        }
        levels = sorted({self.paid[seat] for seat in left})
        levels[-1] = max(self.paid)
        before = 0
        for level in levels:
            share = sum(min(each, level) - min(each, before) for each in self.paid)
            able = [s for s in left if self.paid[s] >= level or level == levels[-1]]
            able = [s for s in able if self.paid[s] > before or len(able) == 1]
            top = max(best[seat] for seat in able)
            winners = [seat for seat in able if best[seat] == top]
            seats = len(stack)
            winners.sort(key=lambda seat: (seat - self.button - 1) % seats)
            for place, seat in enumerate(winners):
                stack[seat] += share // len(winners) + (place < share % len(winners))
            before = level
        if self.rules.bounty:
            top = max(best.values())
            winners = [seat for seat in left if best[seat] == top]
            ranks = {self.rules.card(card)[0] for card in hands[winners[0]]}
            if len(winners) == 1 and ranks == {7, 2}:
                for seat in self.playing:
                    if seat != winners[0]:
                        bounty = min(self.rules.bounty, stack[seat])
                        stack[seat] -= bounty
                        stack[winners[0]] += bounty
        return stack

    def strength(self, hand: list[int], board: list[int]) -> tuple[int, ...]:
        own, common = ([self.rules.card(n) for n in lot] for lot in (hand, board))
        return best_five(self.rules, own, common)[0]


def best_five(
    rules: HouseRules, own: list[Card], common: list[Card]
) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """Return the worth and the cards of the best hand; Omaha's own two come first."""
    lots: Iterable[tuple[Card, ...]]
    if rules.omaha:
        lots = (
            (*two, *three)
            for two in combinations(own, 2)
            for three in combinations(common, 3)
        )
    else:
        lots = combinations([*own, *common], 5)
    return max((hand_value(lot, short_deck=rules.short_deck), lot) for lot in lots)
