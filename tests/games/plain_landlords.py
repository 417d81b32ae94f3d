"""Landlords in plain Python: rents, wages, houses, auctions, debts and mortgages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PLACES, WAGES, FINE, TOWER = 40, 20, 5, 10
HOUSE = {
    **{"grey": 5, "pink": 6, "orange": 9, "red": 11},
    **{"yellow": 14, "green": 16, "blue": 19, "purple": 22},
}
FERRIES = (3, 6, 12, 20)


@dataclass
class Town:
    """All that is owned and owed; players and spaces are counted from 0.

    Attributes:
        spaces: the rows of the spaces.
        cards: the rows of the news.
        news: the pile by the numbers of its cards, the topmost last.
        rules: the house rules in force.
    """

    spaces: list[dict[str, Any]]
    cards: list[dict[str, Any]]
    news: list[int]
    rules: frozenset[str]
    cash: list[int]
    owner: list[int | None]
    at: list[int] = field(default_factory=list)
    tower: list[int] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    lapped: set[int] = field(default_factory=set)
    letters: dict[int, int] = field(default_factory=dict)
    houses: list[int] = field(default_factory=lambda: [0] * PLACES)
    mortgaged: set[int] = field(default_factory=set)
    debts: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    common: int = 0
    doubles: tuple[int, int] = (-1, 0)
    bid: int = 0
    leader: int | None = None
    auctioned: int | None = None
    passed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.at, self.tower = [0] * len(self.cash), [0] * len(self.cash)

    def street(self, place: int) -> list[int]:
        district = self.spaces[place].get("district")
        every = range(PLACES)
        return [
            each
            for each in every
            if district and self.spaces[each].get("district") == district
        ]

    def rent(self, place: int, eyes: int) -> int:
        owner, row = self.owner[place], self.spaces[place]
        if owner is None or place in self.mortgaged:
            return 0
        if "no_rent_in_tower" in self.rules and self.tower[owner]:
            return 0
        if row["sort"] == "lot":
            whole = all(self.owner[each] == owner for each in self.street(place))
            rent = int(row["rent"][self.houses[place]])
            return 2 * rent if whole and not self.houses[place] else rent
        held = [
            each
            for each in range(PLACES)
            if self.spaces[each]["sort"] == row["sort"] and self.owner[each] == owner
        ]
        if row["sort"] == "ferry":
            return FERRIES[len(held) - 1]
        return eyes if len(held) == 2 else (eyes + 1) // 2

    def pay(self, payer: int, creditor: int | None, money: int) -> None:
        self.cash[payer] -= money
        if creditor is not None:
            self.cash[creditor] += money
        elif "free_parking" in self.rules:
            self.common += money

    def charge(self, payer: int, creditor: int | None, money: int) -> None:
        if self.cash[payer] >= money:
            self.pay(payer, creditor, money)
        elif self.raisable(payer):
            self.debts[payer] = (money, creditor)
        else:
            self.fail(payer, creditor)

    def raisable(self, player: int) -> list[int]:
        return [
            place
            for place in range(PLACES)
            if self.owner[place] == player
            and place not in self.mortgaged
            and all(
                self.houses[each] <= self.houses[place] for each in self.street(place)
            )
        ]

    def fail(self, player: int, creditor: int | None) -> None:
        self.out.add(player)
        self.debts.pop(player, None)
        self.pay(player, creditor, self.cash[player])
        for place in range(PLACES):
            if self.owner[place] == player:
                self.owner[place] = creditor
                if creditor is None:
                    self.mortgaged.discard(place)
        self.news[:0] = [
            card for card, owner in self.letters.items() if owner == player
        ]
        self.letters = {c: o for c, o in self.letters.items() if o != player}

    def sell(self, player: int, place: int) -> None:
        """Sell a house or a lot to the bank, and pay the debt if it is enough."""
        if self.houses[place]:
            self.houses[place] -= 1
            self.cash[player] += HOUSE[self.spaces[place]["district"]] // 2
        else:
            self.lend(player, place)
        if player not in self.debts:
            return
        money, creditor = self.debts[player]
        if self.cash[player] >= money:
            del self.debts[player]
            self.pay(player, creditor, money)
        elif not self.raisable(player):
            self.fail(player, creditor)

    def lend(self, player: int, place: int) -> None:
        self.cash[player] += self.spaces[place]["price"] // 2
        if "mortgages" in self.rules:
            self.mortgaged.add(place)
        else:
            self.owner[place] = None

    def throw(self, player: int, faces: tuple[int, int], turn: int) -> None:
        """Throw, move, and do what the place brings; `turn` is the number of it."""
        eyes, equal = sum(faces), faces[0] == faces[1]
        count = self.doubles[1] if self.doubles[0] == turn else 0
        self.doubles = (turn, count + equal)
        if "lucky_ones" in self.rules and eyes == 2:
            self.cash[player] += 20
        if self.tower[player]:
            self.tower[player] = 0 if equal else self.tower[player] - 1
            if self.tower[player]:
                return
        if self.doubles[1] == 3:
            self.arrest(player)
            return
        self.walk(player, eyes)
        self.arrive(player, eyes)

    def arrest(self, player: int) -> None:
        self.at[player], self.tower[player] = TOWER, 3

    def walk(self, player: int, number: int) -> None:
        if self.at[player] + number >= PLACES:
            self.cash[player] += WAGES
            self.lapped.add(player)
        self.at[player] = (self.at[player] + number) % PLACES

    def arrive(self, player: int, eyes: int) -> None:
        place = self.at[player]
        sort, owner = self.spaces[place]["sort"], self.owner[place]
        if owner is not None and owner != player:
            self.charge(player, owner, self.rent(place, eyes))
        if sort == "tax":
            self.charge(player, None, self.spaces[place]["due"])
        if sort == "constable_place":
            self.arrest(player)
        if sort == "gate" and "double_salary" in self.rules:
            self.cash[player] += WAGES
        if sort == "common":
            self.cash[player] += self.common
            self.common = 0
        if sort == "crier" and self.news:
            self.obey(player, eyes)

    def obey(self, player: int, eyes: int) -> None:
        number = self.news.pop()
        card = self.cards[number]
        money = card.get("n", 0)
        if card["event"] == "letter":
            self.letters[number] = player
        else:
            self.news.insert(0, number)
        if card["event"] == "gift":
            self.cash[player] += money
        elif card["event"] == "fee":
            self.charge(player, None, money)
        elif card["event"] == "repairs":
            mine = [each for each in range(PLACES) if self.owner[each] == player]
            self.charge(player, None, money * sum(self.houses[each] for each in mine))
        elif card["event"] == "collection":
            for other in range(len(self.cash)):
                if other != player and other not in self.out:
                    self.charge(other, player, money)
        elif card["event"] == "warrant":
            self.arrest(player)
        elif card["event"] == "errand":
            names = [each["id"] for each in self.spaces]
            self.walk(player, (names.index(card["to"]) - self.at[player]) % PLACES)
            self.arrive(player, eyes)
        elif card["event"] == "way_back":
            self.at[player] = (self.at[player] - money) % PLACES
            self.arrive(player, eyes)

    def acquire(self, player: int, place: int, money: int) -> None:
        self.cash[player] -= money
        self.owner[place] = player

    def close(self) -> None:
        """End the auction, if nobody can bid more."""
        left = [
            player
            for player in range(len(self.cash))
            if player not in self.passed | self.out | {self.leader}
            and self.cash[player] > self.bid
            and (player in self.lapped or "first_lap" not in self.rules)
        ]
        if not left:
            if self.leader is not None and self.auctioned is not None:
                self.acquire(self.leader, self.auctioned, self.bid)
            self.auctioned = self.leader = None

    def act(self, player: int, action: str, args: tuple[int, ...]) -> None:
        """Do an action that uses no chance and asks nobody."""
        if action == "build":
            self.cash[player] -= HOUSE[self.spaces[args[0]]["district"]]
            self.houses[args[0]] += 1
        elif action == "sell":
            self.sell(player, args[0])
        elif action == "borrow":
            self.lend(player, args[0])
        elif action == "redeem":
            price = self.spaces[args[0]]["price"]
            self.cash[player] -= price // 2 + (price + 19) // 20
            self.mortgaged.remove(args[0])
        elif action == "bail":
            self.pay(player, None, FINE)
            self.tower[player] = 0
        elif action == "plead":
            self.tower[player] = 0
            self.news.insert(0, args[0])
            del self.letters[args[0]]
        elif action == "buy":
            place = self.at[player]
            self.acquire(player, place, self.spaces[place]["price"])
        elif action == "leave" and "no_auctions" not in self.rules:
            self.auctioned, self.bid, self.passed = self.at[player], 0, set()
            self.close()
        elif action == "raise_bid":
            self.bid, self.leader = args[0], player
            self.close()
        elif action == "pass":
            self.passed.add(player)
            self.close()
