"""Ludo on forty fields in plain Python, not made from the ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GOAL, LAST = 41, 44
Places = Sequence[Sequence[int]]
"""Of each seat the steps of its four pieces: 0 in the yard, from 41 in the goal."""


@dataclass(frozen=True)
class HouseRules:
    """What a table may play otherwise."""

    forced_entry: bool = False
    capture_duty: bool = False
    no_goal_jumping: bool = False
    barriers: bool = False
    backward_hits: bool = False
    out_with_one: bool = False


@dataclass(frozen=True)
class Throw:
    """A seat that is to move with what the die shows."""

    places: Places
    seat: int
    die: int
    rules: HouseRules

    def field(self, seat: int, step: int) -> int | None:
        """Return a field of the round by a number that all share."""
        quarters = seat * (2 if len(self.places) == 2 else 1)
        return (step + 10 * quarters) % 40 if 0 < step < GOAL else None

    def others_on(self, step: int) -> list[tuple[int, int]]:
        """Return the pieces of others where a step of this seat is."""
        here = self.field(self.seat, step)
        return [
            (seat, nr)
            for seat, pieces in enumerate(self.places)
            for nr, place in enumerate(pieces)
            if seat != self.seat
            and here is not None
            and self.field(seat, place) == here
        ]

    def goal_of(self, nr: int) -> int | None:
        """Return where a piece comes to by the throw, if nothing is in its way."""
        mine = self.places[self.seat]
        begin = mine[nr]
        if begin == 0:
            if self.die != 6 and not (self.rules.out_with_one and self.die == 1):
                return None
            end = 1
        else:
            end = begin + self.die
        two = self.rules.barriers and end < GOAL and end % 10 != 1
        if end > LAST or mine.count(end) > two:
            return None
        jumped = set(range(max(begin + 1, GOAL), end))
        if self.rules.no_goal_jumping and jumped & set(mine):
            return None
        way = range(begin + 1, end + 1)
        if self.rules.barriers and any(len(self.others_on(n)) > 1 for n in way):
            return None
        return end

    def duty(self, nr: int) -> int:
        mine = self.places[self.seat]
        if mine[nr] == 0 and self.rules.forced_entry:
            return 3
        if mine[nr] == 1 and 0 in mine:
            return 2
        hits = self.others_on(self.goal_of(nr) or 0)
        return 1 if self.rules.capture_duty and hits else 0

    def moves(self) -> dict[tuple[str, int], int]:
        """Return the legal moves, and where each takes its piece."""
        goals = {nr: self.goal_of(nr) for nr in range(4)}
        can = {nr: goal for nr, goal in goals.items() if goal is not None}
        most = max((self.duty(nr) for nr in can), default=0)
        found = {("walk", nr): can[nr] for nr in can if self.duty(nr) == most}
        for nr, place in enumerate(self.places[self.seat]):
            back = place - self.die
            hits = place < GOAL and back > 0 and len(self.others_on(back)) == 1
            passed = range(back + 1, place)
            if self.rules.barriers and any(len(self.others_on(n)) > 1 for n in passed):
                continue
            if self.rules.backward_hits and hits and most < 2:
                found["strike_back", nr] = back
        return found

    def after(self, nr: int, goal: int) -> list[list[int]]:
        """Return where all pieces are when one has gone there."""
        places = [list(pieces) for pieces in self.places]
        for seat, hit in self.others_on(goal):
            places[seat][hit] = 0
        places[self.seat][nr] = goal
        return places
