"""Go in plain Python: the rules of the game and of its variants, by counting stones."""

from __future__ import annotations

from dataclasses import dataclass, field

STARS = ((0, 2), (2, 0), (2, 2), (0, 0), (1, 0), (1, 2), (0, 1), (2, 1))
"""Where handicap stones lie, on the three marked lines of each direction."""

Point = tuple[int, int]


@dataclass(frozen=True)
class HouseRules:
    """A table of Go: what is in force."""

    side: int = 5
    komi: int = 7
    suicide: bool = False
    superko: bool = False
    territory: bool = False
    pass_stones: bool = False
    ahead: int = 0
    needed: int = 0
    torus: bool = False
    whole_points: bool = False


@dataclass
class Go:
    """A game that goes on; a choice is a point, or `None` for a pass."""

    rules: HouseRules
    stones: dict[Point, int] = field(default_factory=dict)
    mover: int = 0
    captured: list[int] = field(default_factory=lambda: [0, 0])
    ko: Point | None = None
    passes: int = 0
    turns: int = 0
    seen: list[dict[Point, int]] = field(default_factory=list)
    repeated: bool = False

    def __post_init__(self) -> None:
        if ahead := self.rules.ahead:
            side = self.rules.side
            line = 2 if side < 7 else 3 if side < 13 else 4
            lines = (line, (side + 1) // 2, side + 1 - line)
            at = [(lines[row], lines[column]) for row, column in STARS]
            even = min(ahead - ahead % 2, 8) if ahead > 4 else min(ahead, 4)
            for point in at[:even]:
                self.stones[point] = 0
            if ahead in (5, 7, 9):
                self.stones[lines[1], lines[1]] = 0
            self.mover = 1
        self.seen.append(dict(self.stones))

    def points(self) -> list[Point]:
        lines = range(1, self.rules.side + 1)
        return [(row, column) for row in lines for column in lines]

    def beside(self, at: Point) -> list[Point]:
        side, found = self.rules.side, []
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            row, column = at[0] + down, at[1] + right
            if self.rules.torus:
                row, column = (row - 1) % side + 1, (column - 1) % side + 1
            if 1 <= row <= side and 1 <= column <= side:
                found.append((row, column))
        return found

    def joined(self, stones: dict[Point, int], at: Point) -> set[Point]:
        """Return all points of one colour, or free ones, that are joined to a point."""
        found, edge = {at}, [at]
        while edge:
            for each in self.beside(edge.pop()):
                if each not in found and stones.get(each) == stones.get(at):
                    found.add(each)
                    edge.append(each)
        return found

    def free(self, stones: dict[Point, int], chain: set[Point]) -> bool:
        return any(near not in stones for at in chain for near in self.beside(at))

    def after(self, at: Point) -> tuple[dict[Point, int], int, int]:
        """Return the stones after one more, and what was captured, theirs and own."""
        stones = {**self.stones, at: self.mover}
        taken: set[Point] = set()
        for near in self.beside(at):
            if stones.get(near) == 1 - self.mover:
                chain = self.joined(stones, near)
                if not self.free(stones, chain):
                    taken |= chain
        stones = {each: who for each, who in stones.items() if each not in taken}
        own = self.joined(stones, at)
        lost = 0 if self.free(stones, own) else len(own)
        if lost:
            stones = {each: who for each, who in stones.items() if each not in own}
        return stones, len(taken), lost

    def moves(self) -> list[Point | None]:
        found: list[Point | None] = []
        for at in self.points():
            if at in self.stones or at == self.ko:
                continue
            stones, _, lost = self.after(at)
            if lost and not (self.rules.suicide and lost > 1):
                continue
            if not (self.rules.superko and stones in self.seen):
                found.append(at)
        return [None, *found]

    def choose(self, at: Point | None) -> None:
        self.turns += 1
        if at is None:
            self.ko = None
            self.passes += 1
            self.captured[1 - self.mover] += self.rules.pass_stones
        else:
            around = {self.stones.get(each) for each in self.beside(at)}
            stones, taken, lost = self.after(at)
            gone = [each for each in self.stones if each not in stones]
            alone = around == {1 - self.mover} and taken == 1
            self.ko = gone[0] if alone else None
            self.captured[self.mover] += taken
            self.captured[1 - self.mover] += lost
            self.passes, self.stones = 0, stones
            self.repeated = not self.rules.superko and stones in self.seen
            self.seen.append(dict(stones))
        self.mover = 1 - self.mover

    def over(self) -> bool:
        enough = self.rules.needed and max(self.captured) >= self.rules.needed
        all_turns = 2 * self.rules.side**2
        return bool(
            self.repeated or enough or self.passes == 2 or self.turns == all_turns
        )

    def winners(self) -> tuple[int, ...]:
        if self.repeated:
            return ()
        scores = [self.score(0), self.score(1)]
        return tuple(seat for seat in (0, 1) if scores[seat] == max(scores))

    def score(self, seat: int) -> tuple[int, ...]:
        around, rules = 0, self.rules
        for at in self.points():
            if at not in self.stones:
                region = self.joined(self.stones, at)
                beside = {
                    self.stones.get(n) for each in region for n in self.beside(each)
                }
                around += beside - {None} == {seat}
        held = list(self.stones.values()).count(seat)
        points = around + (self.captured[seat] if rules.territory else held)
        points += seat * (0 if rules.ahead else rules.komi)
        half = 0 if rules.whole_points else seat
        return (self.captured[seat] if rules.needed else 0, points, half)
