"""Skat beside plain Python and OpenSpiel: bidding, tricks and scores of deals."""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import Any

import pytest

import houserule

SUITS = ("diamonds", "hearts", "spades", "clubs")
RANKS = ("seven", "eight", "nine", "queen", "king", "ten", "ace", "jack")
IN_NULL = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
CARDS = [f"{rank}_of_{suit}" for suit in SUITS for rank in RANKS]  # as in OpenSpiel
POINTS = dict(zip(RANKS, (0, 0, 0, 3, 4, 10, 11, 2), strict=True))
BASES = dict(zip(SUITS, (9, 10, 11, 12), strict=True)) | {"grand": 24}
LEVELS = ("nothing_announced", "schneider", "schwarz", "ouvert")
NULLS = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
MULTIPLES = {s * n for s in (9, 10, 11, 12) for n in range(2, 19)}
VALUES = sorted(MULTIPLES | {24 * n for n in range(2, 12)} | set(NULLS.values()))

HOUSE_RULES = (
    *("ramsch", "schieberamsch", "kontra_re", "bock", "seeger_fabian", "spitze"),
    *("open_after_skat", "hand_lost_single"),
)

Said = tuple[str, dict[str, Any]]
Asks = Generator[int, Said, Any]


def parts(card: str) -> tuple[str, str]:
    rank, _, suit = card.split("_")
    return rank, suit


def points(cards: list[str]) -> int:
    return sum(POINTS[parts(card)[0]] for card in cards)


class Deal:
    """One deal of Skat by the book, for three seats; `play` asks each seat in turn."""

    def __init__(self, rules: frozenset[str], doubled: bool, dealer: int) -> None:
        self.rules, self.doubled, self.dealer = rules, doubled, dealer
        self.hands: list[list[str]] = [[], [], []]
        self.skat: list[str] = []
        self.game, self.said, self.level, self.hand = "", 0, 0, False
        self.kontra, self.re, self.spitze, self.kept = False, False, False, False
        self.pushes = 0
        self.won: list[list[str]] = [[], [], []]
        self.scores = [0, 0, 0]
        self.solo: int | None = None
        self.bock = False

    # ---- cards

    def trumps(self) -> list[str]:
        """Return the trumps of the game, the highest first."""
        jacks = [f"jack_of_{suit}" for suit in reversed(SUITS)]
        if self.game in SUITS:
            return jacks + [f"{rank}_of_{self.game}" for rank in RANKS[-2::-1]]
        return [] if self.game == "null" else jacks

    def colour(self, card: str) -> str:
        return "trumps" if card in self.trumps() else parts(card)[1]

    def allowed(self, hand: list[str], trick: list[str]) -> set[str]:
        same = [
            card
            for card in hand
            if trick and self.colour(card) == self.colour(trick[0])
        ]
        return set(same or hand)

    def best(self, trick: list[str]) -> int:
        order = IN_NULL if self.game == "null" else RANKS
        trumps = self.trumps()

        def height(card: str) -> tuple[int, int]:
            if card in trumps:
                return 1, -trumps.index(card)
            rank, suit = parts(card)
            return 0, order.index(rank) if suit == parts(trick[0])[1] else -1

        return max(range(3), key=lambda at: height(trick[at]))

    # ---- a deal

    def auction(self) -> Asks:
        fore, middle, rear = ((self.dealer + n) % 3 for n in (1, 2, 3))
        holder = fore
        for bidder in (middle, rear):
            while (yield bidder)[0] == "say":
                if (yield holder)[0] == "pass":
                    holder = bidder
                    break
        if not self.said and (yield holder)[0] == "pass":
            return None
        return holder

    def play(self) -> Asks:
        self.solo = solo = yield from self.auction()
        fore = (self.dealer + 1) % 3
        order = [(fore + n) % 3 for n in range(3)]
        if solo is not None:
            yield from self.prepare(solo)
            others = [seat for seat in order if seat != solo]
            for seat in others if "kontra_re" in self.rules else ():
                self.kontra = self.kontra or (yield seat)[0] == "say_kontra"
            if self.kontra:
                self.re = (yield solo)[0] == "say_re"
        elif "ramsch" in self.rules:
            self.game = "ramsch"
            for seat in order if "schieberamsch" in self.rules else ():
                yield from self.shove(seat)
        else:
            return
        own = [*self.hands[solo], *self.skat] if solo is not None else []
        leader = fore
        for trick in range(10):
            laid: list[str] = []
            for seat in ((leader + n) % 3 for n in range(3)):
                card = (yield seat)[1]["c"]
                self.hands[seat].remove(card)
                laid.append(card)
            low = self.trumps()[-1:]
            taker = (leader + self.best(laid)) % 3
            if trick == 9 and solo == taker and laid[(solo - leader) % 3] in low:
                self.kept = True
            leader = taker
            self.won[leader] += laid
            if self.game == "null" and leader == solo:
                break
        if solo is None:
            self.won[leader] += self.skat
            self.ramsch()
        else:
            self.count(solo, own)

    def prepare(self, solo: int) -> Asks:
        self.hand = (yield solo)[0] == "play_hand"
        if not self.hand:
            self.hands[solo] += self.skat
            self.skat = [*(yield solo)[1]["lot"]]
            self.hands[solo] = [c for c in self.hands[solo] if c not in self.skat]
        named = (yield solo)[1]
        self.game = named["g"].removesuffix("_game")
        self.level = LEVELS.index(named["a"])
        low = self.trumps()[-1:]
        if "spitze" in self.rules and low and low[0] in self.hands[solo]:
            self.spitze = (yield solo)[0] == "announce_spitze"

    def shove(self, seat: int) -> Asks:
        if (yield seat)[0] == "push_on":
            self.pushes += 1
            return
        self.hands[seat] += self.skat
        self.skat = [*(yield seat)[1]["lot"]]
        self.hands[seat] = [c for c in self.hands[seat] if c not in self.skat]

    # ---- what it is worth

    def doubling(self) -> int:
        return 1 << (self.kontra + self.re + self.pushes + self.doubled)

    def ramsch(self) -> None:
        counted = [points(cards) for cards in self.won]
        empty = [not any(card not in self.skat for card in won) for won in self.won]
        if sum(empty) == 2:
            self.scores[empty.index(False)] = 120 * self.doubling()
            return
        for seat in range(3):
            if counted[seat] == max(counted):
                self.scores[seat] = -max(counted) * self.doubling() * (1 + any(empty))

    def count(self, solo: int, own: list[str]) -> None:
        eyes = points(self.won[solo] + self.skat)
        none = not self.won[solo]
        every = sum(map(len, self.won)) == len(self.won[solo])
        if self.game == "null":
            value, won = NULLS[self.hand, self.level == 3], none
        else:
            held = [trump in own for trump in self.trumps()]
            tops = [*held, not held[0]].index(not held[0])
            steps = tops + 1 + self.hand + self.level + self.spitze
            steps += eyes >= 90 or eyes <= 30 or self.level >= 1
            steps += every or none or self.level >= 2
            value = BASES[self.game] * steps
            won = eyes >= (90 if self.level else 61) and (self.level < 2 or every)
        won = won and (self.kept or not self.spitze) and value >= self.said
        if value < self.said:
            value = -(-self.said // BASES[self.game]) * BASES[self.game]
        full = value * self.doubling()
        split = self.game != "null" and eyes == 60
        self.bock = "bock" in self.rules and (split or full >= 100)
        single = self.hand and "hand_lost_single" in self.rules
        self.scores[solo] += full if won else -full * (1 if single else 2)
        if "seeger_fabian" in self.rules:
            for seat in range(3):
                bonus = 50 if seat == solo else 0
                self.scores[seat] += bonus if won else (-50 if seat == solo else 40)


class Here:
    """A game of the rules here, with what is said in it."""

    def __init__(self, table: Any, seed: int) -> None:  # noqa: ANN401
        self.game, self.luck = table.start(seed=seed), Random(seed)

    def seat(self, state: str) -> int:
        return int(self.game.state(state)[1:]) - 1

    def scores(self) -> list[int]:
        return [self.game.state("score", f"p{n}") for n in (1, 2, 3)]

    def hands(self) -> list[list[str]]:
        return [[*self.game.zone("hand", f"p{n}")] for n in (1, 2, 3)]

    def options(self) -> list[tuple[Said, Any]]:
        found = []
        for option in self.game.options:
            said = self.game.words(option)
            action, values = (
                next(iter(said.items())) if isinstance(said, dict) else (said, {})
            )
            found.append(((action, values), option))
        return found

    def play(self, high: int | None) -> Said:
        """Play a high card for one seat, low ones for others, and sometimes any."""
        cards = [each[1]["c"] for each, _ in self.options()]
        cards.sort(key=lambda card: RANKS.index(parts(card)[0]))
        at = -1 if self.game.decision.seat == high else 0
        card = cards[at] if self.luck.random() < 0.8 else self.luck.choice(cards)
        return self.choose(lambda _, values: values["c"] == card)

    def choose(self, wanted: Any) -> Said:  # noqa: ANN401
        """Choose among the options that are wanted, and return what was chosen."""
        fit = [each for each in self.options() if wanted(*each[0])]
        said, option = self.luck.choice(fit)
        self.game.choose(option)
        return said


def bold(here: Here, deal: Deal, mood: float) -> Said:
    """Choose at random, but often pass, and let one seat play high."""
    actions = sorted({said[0] for said, _ in here.options()})
    if actions == ["play"]:
        seats = [seat for seat in range(3) if deal.game != "null" or seat != deal.solo]
        named = deal.solo is not None and deal.game != "null" and mood < 0.7
        return here.play(deal.solo if named else seats[int(mood * len(seats))])
    if "pass" in actions and mood < 0.3:
        return here.choose(lambda a, _: a == "pass")
    action = here.luck.choice(actions)
    if "say" in actions and action == "say":
        said = here.game.state("said")
        near = [value for value in VALUES if value > said][
            : here.luck.choice((1, 1, 8))
        ]
        return here.choose(lambda a, v: a == "say" and int(v["b"][4:]) in near)
    return here.choose(lambda a, _: a == action)


def agrees(here: Here, deal: Deal) -> None:
    """Play a deal on both sides, and compare who decides, what is legal, the scores."""
    before, asked = here.scores(), deal.play()
    deal.hands, deal.skat = here.hands(), [*here.game.zone("skat")]
    number, mood = here.game.state("done_deals"), here.luck.random()
    seat = next(asked)
    while True:
        assert here.game.decision.seat == seat
        offered = {said[0] for said, _ in here.options()}
        if "play" in offered:
            laid = [here.game.zone("played", f"p{n + 1}") for n in range(3)]
            first = here.seat("leader")
            trick = [card for n in range(3) for card in laid[(first + n) % 3]]
            legal = {said[1]["c"] for said, _ in here.options()}
            assert legal == deal.allowed(deal.hands[seat], trick)
        elif "say" in offered:
            worth = [int(v["b"][4:]) for (a, v), _ in here.options() if a == "say"]
            assert worth == [value for value in VALUES if value > deal.said]
        elif "announce" in offered:
            named = {(v["g"], v["a"]) for (_, v), _ in here.options()}
            free = deal.hand or "open_after_skat" in deal.rules
            assert named == {
                (f"{game}_game" if game != "grand" else game, level)
                for game in (*SUITS, "grand")
                for level in (LEVELS if free else LEVELS[:1])
            } | {
                ("null_game", level)
                for level in LEVELS[::3]
                if NULLS[deal.hand, level == "ouvert"] >= deal.said
            }
        said = bold(here, deal, mood)
        if said[0] == "say":
            deal.said = int(said[1]["b"][4:])
        try:
            seat = asked.send(said)
        except StopIteration:
            break
    assert here.game.outcome or here.game.state("done_deals") == number + 1
    assert [b - a for a, b in zip(before, here.scores(), strict=True)] == deal.scores


def tables() -> list[frozenset[str]]:
    """Return the base game, each house rule alone, and all of them in some mixtures."""
    alone = [{rule} for rule in HOUSE_RULES if rule != "schieberamsch"]
    luck = Random(1)
    mixed = [
        {"ramsch", *luck.sample(HOUSE_RULES, luck.randint(2, 6))} for _ in range(8)
    ]
    return [frozenset(each) for each in ({}, *alone, *mixed, set(HOUSE_RULES))]


@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 12), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("rules", tables(), ids=lambda rules: "+".join(sorted(rules)))
def test_deals_are_bid_played_and_counted_as_in_plain_python(
    rules: frozenset[str], seeds: range
) -> None:
    table = houserule.load("skat").table(with_=tuple(rules), settings={"rounds": 3})
    for seed in seeds:
        here, doubled = Here(table, seed), 0
        for _ in range(9):
            deal = Deal(rules, doubled > 0, here.seat("dealer"))
            agrees(here, deal)
            doubled = max(0, doubled - 1) + 3 * deal.bock
        assert here.game.outcome


# ---- whole deals beside OpenSpiel

NAMED = (
    "diamonds_game",
    "hearts_game",
    "spades_game",
    "clubs_game",
    "grand",
    "null_game",
)
PASS = 32
"""OpenSpiel's number; those below it are cards, those above it the games."""


@pytest.mark.parametrize(
    "seeds", [range(24), pytest.param(range(24, 224), marks=pytest.mark.slow)]
)
def test_deals_have_the_same_moves_and_card_points_as_in_openspiel(
    seeds: range,
) -> None:
    """OpenSpiel has one call in place of the bidding, and counts only card points."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    table = houserule.load("skat").table(settings={"rounds": 1})
    for seed in seeds:
        here, state = Here(table, seed), pyspiel.load_game("skat").new_initial_state()
        fore = (here.seat("dealer") + 1) % 3
        hands = [list(map(CARDS.index, here.hands()[(fore + n) % 3])) for n in range(3)]
        skat = list(map(CARDS.index, here.game.zone("skat")))
        for start, size in ((0, 3), (3, 4), (7, 3)):
            for hand in hands:
                for card in hand[start : start + size]:
                    state.apply_action(card)
            for card in skat if start == 0 else ():
                state.apply_action(card)
        # the player who declares says 18, and everyone else passes
        solo, named = here.luck.randrange(3), here.luck.choice((0, 1, 2, 3, 4, 5, 5, 5))
        high = here.luck.choice((0, 1, 2)) if named < 5 else -1
        while "take_skat" not in {said[0] for said, _ in here.options()}:
            mine = here.game.decision.seat == (fore + solo) % 3
            here.choose(
                lambda a, v, mine=mine: (
                    a == ("say" if mine else "pass") and v.get("b") in (None, "bid_18")
                )
            )
        for n in range(solo + 1):
            assert state.current_player() == n
            state.apply_action(PASS + 1 + named if n == solo else PASS)
        here.choose(lambda a, _: a == "take_skat")
        assert set(state.legal_actions()) == {*hands[solo], *skat}
        away = here.choose(lambda a, _: a == "put_away")[1]["lot"]
        for card in away:
            state.apply_action(CARDS.index(card))
        here.choose(lambda _, v, g=NAMED[named]: (v["g"], v["a"]) == (g, LEVELS[0]))
        while not state.is_terminal():
            assert here.game.decision.seat == (fore + state.current_player()) % 3
            offered = {CARDS.index(v["c"]) for (_, v), _ in here.options()}
            assert offered == set(state.legal_actions())
            played = here.play(high)[1]["c"]
            state.apply_action(CARDS.index(played))
        assert here.game.state("done_deals") == 1
        score = here.scores()[(fore + solo) % 3]
        if NAMED[named] == "null_game":
            assert state.returns()[solo] == (0.25 if score > 0 else -0.25)
        else:
            share = (here.game.state("last_points") - 60) / 120
            assert state.returns()[solo] == pytest.approx(share)
            assert (score > 0) <= (share > 0)
