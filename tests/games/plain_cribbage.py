"""Cribbage in plain Python: what cards are worth, and what a card that is laid brings.

A card is a number: suit by suit, from the ace to the king.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

JACK = 11


def place(card: int) -> int:
    return card % 13 + 1


def suit(card: int) -> int:
    return card // 13


def worth(card: int) -> int:
    return min(place(card), 10)


def is_run(cards: Sequence[int]) -> bool:
    places = sorted(map(place, cards))
    return places == list(range(places[0], places[0] + len(places)))


def counted(
    hand: Sequence[int], starter: int, in_crib: bool, crib_flush: bool = False
) -> int:
    """Return what a hand or the crib counts with the starter."""
    cards = [*hand, starter]
    parts = [
        part for size in range(len(cards), 1, -1) for part in combinations(cards, size)
    ]
    points = 2 * sum(sum(map(worth, part)) == 15 for part in parts)
    pairs = combinations(map(place, cards), 2)
    points += 2 * sum(one == other for one, other in pairs)
    runs = [len(part) for part in parts if len(part) > 2 and is_run(part)]
    points += sum(size for size in runs if size == max(runs))
    if len(set(map(suit, cards))) == 1:
        points += len(cards)
    elif len(set(map(suit, hand))) == 1 and (crib_flush or not in_crib):
        points += len(hand)
    return points + sum(place(c) == JACK and suit(c) == suit(starter) for c in hand)


def brought(row: Sequence[int]) -> int:
    """Return what the last card of a row brings in the play."""
    points = 2 * (sum(map(worth, row)) in (15, 31))
    alike = 1
    while alike < len(row) and place(row[-alike - 1]) == place(row[-1]):
        alike += 1
    points += alike * (alike - 1)
    runs = [size for size in range(3, len(row) + 1) if is_run(row[-size:])]
    return points + max(runs, default=0)


@dataclass
class Play:
    """A deal after the cards were laid away, as far as points and turns go."""

    hands: list[list[int]]
    laid: list[list[int]]
    row: list[int]
    crib: list[int]
    starter: int
    dealer: int
    last: int
    silent: set[int]
    score: list[int]
    goal: int
    crib_flush: bool = False
    one_count: bool = False

    def peg(self, seat: int, points: int) -> None:
        if self.goal not in self.score:
            self.score[seat] = min(self.score[seat] + points, self.goal)

    def around(self, seat: int) -> Iterator[int]:
        for step in range(1, len(self.hands) + 1):
            yield (seat + step) % len(self.hands)

    def goes_on(self, seat: int) -> bool:
        fits = any(sum(map(worth, [*self.row, c])) <= 31 for c in self.hands[seat])
        has = bool(self.hands[seat]) and seat not in self.silent
        return has and (fits or seat != self.last)

    def lay(self, seat: int, card: int, owner: dict[int, int]) -> int | None:
        """Lay a card and return who is next in this deal, None where it is over."""
        self.hands[seat].remove(card)
        self.row.append(card)
        owner[card], self.last = seat, seat
        self.peg(seat, brought(self.row))
        return self.next(seat, owner)

    def go(self, seat: int, owner: dict[int, int]) -> int | None:
        self.silent.add(seat)
        return self.next(seat, owner)

    def next(self, seat: int, owner: dict[int, int]) -> int | None:
        if self.goal in self.score:
            return None
        full = sum(map(worth, self.row)) == 31
        waiting = [] if full else [q for q in self.around(seat) if self.goes_on(q)]
        if waiting:
            return waiting[0]
        if not full:
            self.peg(self.last, 1)
        for card in self.row:
            self.laid[owner[card]].append(card)
        self.row, self.silent = [], set()
        if self.one_count:
            for hand, laid in zip(self.hands, self.laid, strict=True):
                laid += hand
                hand.clear()
        if any(self.hands) and self.goal not in self.score:
            return next(q for q in self.around(self.last) if self.hands[q])
        for q in self.around(self.dealer):
            self.peg(q, counted(self.laid[q], self.starter, False))
        self.peg(self.dealer, counted(self.crib, self.starter, True, self.crib_flush))
        return None
