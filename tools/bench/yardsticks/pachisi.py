"""Handwritten Pachisi: the German edition with random players, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

from tools.bench.yardsticks.luck import Luck
from tools.bench.yardsticks.result import Result, won

STICK = (1, 2, 5, 6)
ARM = 8
QUARTER = 2 * ARM + 1
LOOP = 4 * QUARTER
GOAL = 2 * ARM + LOOP
FORTS = {0, 4, QUARTER - 4}
MOST_THROWS = 99
MOST_ROUNDS = 500


def hopeful_places() -> set[int]:
    """Return the places from which a pawn can come home exactly."""
    throws = {sum(sticks) for sticks in product(STICK, repeat=3)}
    found = {GOAL}
    for place in range(GOAL - 1, -1, -1):
        if any(place + throw in found for throw in throws):
            found.add(place)
    return found


LOST = set(range(GOAL)) - hopeful_places()


class Pawn:
    """One pawn, and its number of steps."""

    def __init__(self, owner: Player) -> None:
        self.owner = owner
        self.place = 0


class Player:
    """One seat with its four pawns and its random stream."""

    def __init__(self, seat: int, players: int, luck: Luck) -> None:
        self.seat = seat
        self.arm = 2 * seat if players == 2 else -seat % 4
        self.team = seat % 2 if players == 4 else seat
        self.luck = luck
        self.begun = False
        self.throws = 0
        self.pawns = [Pawn(self) for _ in range(4)]

    def square(self, place: int) -> int | None:
        """Return the open square of the loop at a place of the way, if any."""
        steps = place - ARM
        if not 0 <= steps <= LOOP or steps % QUARTER in FORTS:
            return None
        return (steps + QUARTER * self.arm) % LOOP

    def finished(self) -> bool:
        """Return whether all pawns are home."""
        return all(pawn.place == GOAL for pawn in self.pawns)


class Game:
    """One game of two to four random players."""

    def __init__(self, seed: int, number: int, players: int) -> None:
        self.players = [
            Player(seat, players, Luck(seed, number, f"bot/{seat}"))
            for seat in range(players)
        ]
        self.opening = Luck(seed, number, "throwing_for_start/a")
        self.sticks = [Luck(seed, number, f"cast.roll/{name}") for name in "abc"]
        self.decisions = 0
        self.rounds = 0

    # ---- flow of play

    def play(self) -> Result:
        """Play to the end."""
        first = self.first_seat()
        order = self.players[first:] + self.players[:first]
        while self.rounds < MOST_ROUNDS:
            self.rounds += 1
            for player in self.players:
                player.throws = 0
            for player in order:
                self.take_turns(player)
                if self.team_is_home(player):
                    return self.result()
            if self.hopeless():
                break
        return self.result()

    def first_seat(self) -> int:
        """Return the seat with the highest throw; ties throw again."""
        high = self.players
        while len(high) > 1:
            thrown = [STICK[self.opening.below(4)] for _ in high]
            most = max(thrown)
            high = [player for player, n in zip(high, thrown, strict=True) if n == most]
        return high[0].seat

    def take_turns(self, player: Player) -> None:
        """Let a player throw, and again while sticks are alike."""
        again = True
        while again and not player.finished():
            again = self.take_turn(player) and player.throws < MOST_THROWS

    def take_turn(self, player: Player) -> bool:
        """Throw and move, or give one of them up; return whether a throw is due."""
        if self.decide(player, 2) == 1:
            return False
        faces = [STICK[stick.below(4)] for stick in self.sticks]
        player.throws += 1
        further = len(set(faces)) < 3
        walks = list(self.walks(player, sum(faces), len(set(faces)) == 1))
        if not walks:
            return further
        wise = [walk for walk in walks if not strands(walk, sum(faces))]
        choice = self.decide(player, 1 + len(wise))
        if choice == 0:
            return False
        self.walk(player, wise[choice - 1], sum(faces))
        return further

    def decide(self, player: Player, options: int) -> int:
        """Let a player choose one of some options."""
        self.decisions += 1
        return player.luck.below(options)

    # ---- moving

    def walks(
        self, player: Player, steps: int, triple: bool
    ) -> Iterator[tuple[Pawn, ...]]:
        """Yield the groups of pawns that may move a number of steps."""
        movers = [pawn for pawn in player.pawns if pawn.place < GOAL]
        enemies = self.enemies_by_square(player)
        for size in range(1, len(movers) + 1):
            for group in combinations(movers, size):
                if len({pawn.place for pawn in group}) == 1 and self.may_walk(
                    group, steps, enemies, player.begun and not triple
                ):
                    yield group

    def may_walk(
        self,
        group: tuple[Pawn, ...],
        steps: int,
        enemies: Counter[int | None],
        shut: bool,
    ) -> bool:
        """Return whether pawns of one square may move a number of steps.

        `shut` means that no pawn may enter.
        """
        lead, size = group[0], len(group)
        target = lead.place + steps
        if target > GOAL or (lead.place == 0 and (shut or size > 1)):
            return False
        square = lead.owner.square
        road = (square(place) for place in range(lead.place + 1, target))
        if any(enemies[each] >= 2 for each in road):
            return False
        there = enemies[square(target)]
        return there < 2 or there <= size

    def enemies_by_square(self, player: Player) -> Counter[int | None]:
        """Count the enemies on each open square of the loop."""
        found = Counter(
            other.square(pawn.place)
            for other in self.players
            if other.team != player.team
            for pawn in other.pawns
        )
        del found[None]
        return found

    def walk(self, player: Player, group: tuple[Pawn, ...], steps: int) -> None:
        """Move pawns, and capture the enemies that they meet."""
        for pawn in group:
            pawn.place += steps
        player.begun = True
        square = player.square(group[0].place)
        if square is None:
            return
        for other in self.players:
            if other.team != player.team:
                for pawn in other.pawns:
                    if other.square(pawn.place) == square:
                        pawn.place = 0

    # ---- the end

    def pawns_of_team(self, player: Player) -> list[Pawn]:
        """Return the pawns of a player, and of the partner if any."""
        return [
            pawn
            for other in self.players
            if other.team == player.team
            for pawn in other.pawns
        ]

    def team_is_home(self, player: Player) -> bool:
        """Return whether all pawns of a player's team are home."""
        return all(pawn.place == GOAL for pawn in self.pawns_of_team(player))

    def hopeless(self) -> bool:
        """Return whether every team has a pawn that never comes home."""
        return all(
            any(pawn.place in LOST for pawn in self.pawns_of_team(player))
            for player in self.players
        )

    def result(self) -> Result:
        """Return the result of the game."""
        winners = [each.seat for each in self.players if self.team_is_home(each)]
        scores = [
            sum(pawn.place for pawn in self.pawns_of_team(player))
            for player in self.players
        ]
        return Result(
            won(winners) if winners else "stalled:round",
            tuple(winners),
            self.decisions,
            self.rounds,
            tuple(scores),
            tuple(pawn.place for player in self.players for pawn in player.pawns),
        )


def strands(group: tuple[Pawn, ...], steps: int) -> bool:
    """Return whether a pawn that could come home would end where it no longer can."""
    place = group[0].place
    return place + steps in LOST and place not in LOST


def play(seed: int, number: int, players: int) -> Result:
    """Play one game to its end."""
    return Game(seed, number, players).play()
