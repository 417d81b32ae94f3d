"""Handwritten X-Pasch: the basic game with random players, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

from tools.bench.yardsticks.luck import Luck
from tools.bench.yardsticks.result import Result, won

WINNING_SCORE = 120
OPENING_HAND = 3
HAND_LIMIT = 5
TRIPLET_MARKERS = 5
MARKER_SUPPLY = 34
MOST_ROUNDS = 400
COLOURS = ("red", "green", "blue")
FOUNDING, PLACING, SLIDING, DRAWING, EXCHANGING = range(5)

Option: TypeAlias = Callable[[], None]
Use: TypeAlias = tuple[int, ...]


class Company(NamedTuple):
    """One card: the dice it needs, its income, and the founder's reward."""

    number: int | None
    pasch: int | None
    any_pasch: bool
    income: int
    bonus: int


def numbered(number: int, income: int, bonus: int) -> Company:
    """Return a company that needs a sum."""
    return Company(number, None, False, income, bonus)


def paired(pasch: int, number: int | None, income: int) -> Company:
    """Return a company that needs a named pair, or a sum."""
    return Company(number, pasch, False, income, 4)


COMPANIES = (
    [numbered(1, 5, 2), numbered(2, 4, 2)]
    + [numbered(3, 3, 2)] * 2
    + [numbered(4, 2, 2)] * 2
    + [numbered(5, 2, 2)] * 3
    + [numbered(6, 2, 2)] * 3
    + [numbered(7, 4, 3)] * 3
    + [numbered(8, 4, 3), numbered(8, 2, 3), numbered(8, 4, 3)]
    + [numbered(9, 5, 3)] * 3
    + [numbered(10, 5, 3)] * 3
    + [numbered(11, 6, 3)] * 2
    + [numbered(12, 6, 3)] * 2
    + [numbered(13, 7, 5), numbered(14, 8, 5), numbered(15, 8, 5)]
    + [numbered(16, 9, 6), numbered(17, 9, 6)]
    + [numbered(18, 9, 6)] * 2
    + [Company(None, None, True, 4, 3)] * 4
    + [paired(pasch, None, 7) for pasch in range(1, 7)]
    + [paired(1, 13, 6), paired(1, 16, 7), paired(2, 11, 5), paired(2, 14, 7)]
    + [paired(3, 10, 6), paired(3, 16, 7), paired(4, 15, 5), paired(5, 12, 6)]
    + [paired(5, 13, 6), paired(6, 14, 7)]
)


class Player:
    """One seat: its score, cards, markers and random stream."""

    def __init__(self, seat: int, luck: Luck) -> None:
        self.seat = seat
        self.luck = luck
        self.score = 0
        self.hand: list[int] = []
        self.supply = MARKER_SUPPLY
        self.markers = [0] * len(COMPANIES)

    def put(self, count: int, company: int) -> None:
        """Place markers, up to the number left."""
        count = min(count, self.supply)
        self.supply -= count
        self.markers[company] += count


class Game:
    """One game of three to six random players."""

    def __init__(self, seed: int, number: int, players: int) -> None:
        self.players = [
            Player(seat, Luck(seed, number, f"bot/{seat}")) for seat in range(players)
        ]
        self.dice = self.dice_for("rolling", seed, number)
        self.second_dice = self.dice_for("reroll.again", seed, number)
        self.opening_dice = self.dice_for("throwing", seed, number)
        self.deck = list(range(len(COMPANIES)))  # the top is at the end
        Luck(seed, number, "dealing").shuffle(self.deck)
        self.table: list[int] = []
        self.decisions = 0
        self.rounds = 0

    @staticmethod
    def dice_for(purpose: str, seed: int, number: int) -> list[Luck]:
        """Return the streams of the three dice for a purpose."""
        return [Luck(seed, number, f"{purpose}/{colour}") for colour in COLOURS]

    def play(self) -> Result:
        """Play to the end."""
        for player in self.players:
            player.hand = sorted(self.deck.pop() for _ in range(OPENING_HAND))
        first = self.first_seat()
        order = self.players[first:] + self.players[:first]
        for _ in range(MOST_ROUNDS):
            last = self.last_player()
            for player in order:
                self.collect(player)
                if not self.finished():
                    Turn(self, player).play(rerolls=player is last)
            self.rounds += 1
            if self.finished():
                break
        return self.result()

    def first_seat(self) -> int:
        """Return the seat with the highest roll; ties roll again."""
        high = self.players
        while len(high) > 1:
            thrown = [sum(roll(self.opening_dice)) for _ in high]
            most = max(thrown)
            high = [player for player, n in zip(high, thrown, strict=True) if n == most]
        return high[0].seat

    def last_player(self) -> Player | None:
        """Return the only player in last place, if any."""
        least = min(player.score for player in self.players)
        found = [player for player in self.players if player.score == least]
        return found[0] if len(found) == 1 else None

    def collect(self, player: Player) -> None:
        """Pay the income of each company to the sole holder of most markers."""
        for company in self.table:
            mine = player.markers[company]
            if mine and all(
                other.markers[company] < mine
                for other in self.players
                if other is not player
            ):
                player.score += COMPANIES[company].income

    def finished(self) -> bool:
        """Return whether a player has reached the winning score."""
        return any(player.score >= WINNING_SCORE for player in self.players)

    def decide(self, player: Player, options: int) -> int:
        """Let a player choose one of some options."""
        self.decisions += 1
        return player.luck.below(options)

    def result(self) -> Result:
        """Return the result of the game."""
        most = max(player.score for player in self.players)
        winners = [player.seat for player in self.players if player.score == most]
        if not self.finished():
            winners = []
        position = [*self.deck, *self.table]
        for player in self.players:
            position += [*player.hand, player.supply, *player.markers]
        return Result(
            won(winners) if winners else "stalled:round",
            tuple(winners),
            self.decisions,
            self.rounds,
            tuple(player.score for player in self.players),
            tuple(position),
        )


class Turn:
    """One player's roll, and the use of the dice."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game = game
        self.player = player
        self.faces = roll(game.dice)
        self.tray = [0, 1, 2]
        self.drawn: set[int] = set()
        self.exchanged = False
        self.settled = list(player.markers)  # from before, and not yet slid
        self.step = FOUNDING

    def play(self, *, rerolls: bool) -> None:
        """Use the dice until the player stops or nothing is left to do."""
        if rerolls:
            self.reroll()
        while options := self.options():
            choice = self.game.decide(self.player, len(options) + 1)
            if choice == len(options):
                return
            options[choice]()

    def reroll(self) -> None:
        """Let the player reroll a die."""
        die = self.game.decide(self.player, 4)
        if die < 3:
            self.faces[die] = self.game.second_dice[die].below(6) + 1

    # ---- options

    def options(self) -> list[Option]:
        """Return all uses of the dice, except `done`."""
        found = [*self.draws(), *self.exchanges()]
        if self.step == FOUNDING:
            found += self.foundings()
        if self.step <= PLACING:
            found += self.placings()
        if self.step <= SLIDING:
            found += self.slides()
        if self.step <= PLACING and self.is_triplet(self.tray) and self.game.table:
            found.append(self.spread)
        return found

    def draws(self) -> Iterator[Option]:
        """Yield the ways to draw a card."""
        if (
            self.step <= DRAWING
            and len(self.player.hand) < HAND_LIMIT
            and self.game.deck
        ):
            for die in self.tray:
                yield partial(self.draw, die)

    def exchanges(self) -> Iterator[Option]:
        """Yield the ways to exchange a card."""
        hand = self.player.hand
        if not self.exchanged and len(hand) == HAND_LIMIT and self.game.deck:
            for company in hand:
                if company not in self.drawn:
                    for die in self.tray:
                        yield partial(self.exchange, company, die)

    def foundings(self) -> Iterator[Option]:
        """Yield the ways to found a company."""
        uses = list(self.uses())
        for company in self.player.hand:
            for use in uses:
                if self.makes(use, COMPANIES[company]) or self.is_triplet(use):
                    yield partial(self.found, company, use)

    def placings(self) -> Iterator[Option]:
        """Yield the ways to place markers on companies in play."""
        uses = list(self.uses())
        for company in self.game.table:
            for use in uses:
                if self.makes(use, COMPANIES[company]):
                    yield partial(self.place, company, use)

    def slides(self) -> Iterator[Option]:
        """Yield the ways to slide a marker."""
        mine = [each for each in self.game.table if self.player.markers[each]]
        for origin in mine:
            if not self.settled[origin]:
                continue
            for target in mine:
                if (
                    target != origin
                    and COMPANIES[target].income <= COMPANIES[origin].income
                ):
                    for die in self.tray:
                        yield partial(self.slide, origin, target, die)

    def uses(self) -> Iterator[Use]:
        """Yield the sets of dice that can be used together: one, then two, then all."""
        for size in range(1, len(self.tray) + 1):
            yield from combinations(self.tray, size)

    def makes(self, use: Use, company: Company) -> bool:
        """Return whether dice make a company: by their sum, or as its pair."""
        faces = [self.faces[die] for die in use]
        if sum(faces) == company.number:
            return True
        is_pair = len(faces) == 2 and faces[0] == faces[1]
        return is_pair and (company.any_pasch or faces[0] == company.pasch)

    def is_triplet(self, use: Sequence[int]) -> bool:
        """Return whether all three dice are equal."""
        return len(use) == 3 and len(set(self.faces)) == 1

    # ---- effects

    def spend(self, use: Sequence[int], step: int) -> None:
        """Use dice up, and close the steps before this one."""
        self.tray = [die for die in self.tray if die not in use]
        self.step = step

    def draw(self, die: int) -> None:
        """Draw a card for a die."""
        self.spend([die], DRAWING)
        self.take_card()

    def exchange(self, company: int, die: int) -> None:
        """Put a card under the deck, and draw one."""
        self.spend([die], EXCHANGING)
        self.exchanged = True
        self.player.hand.remove(company)
        self.game.deck.insert(0, company)
        self.take_card()

    def take_card(self) -> None:
        """Take the top card of the deck."""
        company = self.game.deck.pop()
        self.drawn.add(company)
        self.player.hand = sorted([*self.player.hand, company])

    def found(self, company: int, use: Use) -> None:
        """Bring a company into play."""
        self.spend(use, FOUNDING)
        self.player.hand.remove(company)
        self.game.table = sorted([*self.game.table, company])
        self.player.put(COMPANIES[company].bonus, company)

    def place(self, company: int, use: Use) -> None:
        """Place a marker for each die."""
        self.spend(use, PLACING)
        self.player.put(len(use), company)

    def slide(self, origin: int, target: int, die: int) -> None:
        """Slide a marker."""
        self.spend([die], SLIDING)
        self.settled[origin] -= 1
        self.player.markers[origin] -= 1
        self.player.markers[target] += 1

    def spread(self) -> None:
        """Split the markers of a triplet over companies in play."""
        self.spend(self.tray, PLACING)
        amount = min(TRIPLET_MARKERS, self.player.supply)
        table = self.game.table
        shares = [amount]
        if amount and len(table) > 1:
            ways = comb(amount + len(table) - 1, amount)
            shares = share(amount, len(table), self.game.decide(self.player, ways))
        for company, count in zip(table, shares, strict=False):
            self.player.put(count, company)


def share(amount: int, members: int, index: int) -> list[int]:
    """Return share number `index` of some pieces over members.

    The first share gives all to the first member.
    """
    shares = []
    for behind in range(members - 1, 0, -1):
        here = amount
        while index >= (ways := comb(amount - here + behind - 1, behind - 1)):
            index -= ways
            here -= 1
        shares.append(here)
        amount -= here
    return [*shares, amount]


def roll(dice: list[Luck]) -> list[int]:
    """Return the faces of a throw."""
    return [die.below(6) + 1 for die in dice]


def play(seed: int, number: int, players: int) -> Result:
    """Play one game to its end."""
    return Game(seed, number, players).play()
