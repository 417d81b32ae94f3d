"""Gin Rummy beside plain Python and OpenSpiel: melds, moves and scores of deals."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.support.shipped import program_of

import houserule
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame

SUITS = "cdhs"
RANKS = "A23456789TJQK"
NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
LAST = {(): 13, ("high_ace",): 14, ("round_the_corner",): 25}
"""The place after the last of a run, if the ace comes again after the king."""
HANDS = 700  # at each table


@cache
def melds(variants: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return every set, and every run of three to five: longer ones are two of them."""
    sets = [
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ]
    runs = [
        frozenset(RANKS[(low + each) % 13] + suit for each in range(size))
        for suit in SUITS
        for low in range(13)
        for size in (3, 4, 5)
        if low + size <= LAST[variants]
    ]
    return (*sets, *runs)


def deadwood(hand: frozenset[str], variants: tuple[str, ...] = ()) -> int:
    """Return the least total outside melds, by trying every choice of melds."""
    ace = 15 if variants else 1
    total = sum(
        ace if card[0] == "A" else min(RANKS.index(card[0]) + 1, 10) for card in hand
    )
    within = [meld for meld in melds(variants) if meld <= hand]
    return min((deadwood(hand - meld, variants) for meld in within), default=total)


@pytest.mark.parametrize("variants", LAST)
def test_deadwood_is_the_least_of_all_choices_of_melds(
    variants: tuple[str, ...],
) -> None:
    program = program_of("gin_rummy", Choice(frozenset(variants), 2, {}, "chosen"))
    game, luck = ReferenceGame.start(program, 1), Random(1)
    for number in range(HANDS):
        if number % 2:  # cards close to each other make many melds
            suits = luck.sample(SUITS, 2 + number % 4 // 2)
            low = luck.randrange(9)
            pool = [card for card in CARDS if card[1] in suits]
            near = [card for card in pool if 0 <= RANKS.index(card[0]) - low < 6]
            hand = luck.sample(near, min(len(near), 10 + number % 4 // 2))
        else:
            hand = luck.sample(CARDS, 10)
        cards = tuple(sorted(CARDS.index(card) for card in hand))
        assert game.value("deadwood", cards) == deadwood(frozenset(hand), variants)


# ---- whole deals beside OpenSpiel

TAKE, DRAW, PASS, KNOCK = 52, 53, 54, 55
"""OpenSpiel's numbers; a smaller one is a card, a larger one a meld."""


def theirs(card: str) -> int:
    return "scdh".index(card[1]) * 13 + RANKS.index(card[0])


def short(name: str) -> str:
    rank, _, suit = name.split("_")
    return RANKS[NAMES.index(rank)] + suit[0]


class Pair:
    """The same deal here and in OpenSpiel, where the elder player has number 0."""

    def __init__(self, table: Any, theirs_called: str, seed: int) -> None:  # noqa: ANN401
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        self.luck, self.game = Random(seed), table.start(seed=seed)
        self.state = pyspiel.load_game(theirs_called).new_initial_state()
        self.elder = self.game.decision.seat
        for seat in (self.elder, 1 - self.elder):
            self.apply(*map(theirs, self.cards("hand", f"p{seat + 1}")))
        self.apply(*map(theirs, self.cards("discards")))

    def cards(self, zone: str, *keys: str) -> list[str]:
        return [short(each) for each in self.game.zone(zone, *keys)]

    def apply(self, *actions: int) -> None:
        for action in actions:
            self.state.apply_action(action)

    def legal(self) -> set[int]:
        return set(self.state.legal_actions())

    def offered(self) -> dict[str, dict[int, Any]]:
        """Return our options by their action and their card; 0 if it has none."""
        found: dict[str, dict[int, Any]] = {}
        for option in self.game.options:
            said = self.game.words(option)
            action, values = (
                next(iter(said.items())) if isinstance(said, dict) else (said, {})
            )
            card = theirs(short(values["c"])) if values else 0
            found.setdefault(action, {})[card] = option
        return found

    def draw(self) -> None:
        """Draw, take or pass on both sides."""
        ours = {
            {"take": TAKE, "draw": DRAW, "pass": PASS}[action]: options[0]
            for action, options in self.offered().items()
        }
        wall = len(self.cards("stock")) == 2
        numbers = {KNOCK if wall and each == TAKE else each for each in ours}
        assert numbers == self.legal()
        taken = self.luck.choice([*ours])
        seat = self.game.decision.seat
        before = set(self.cards("hand", f"p{seat + 1}"))
        self.game.choose(ours[taken])
        self.apply(KNOCK if wall and taken == TAKE else taken)
        if taken == DRAW:
            (card,) = set(self.cards("hand", f"p{seat + 1}")) - before
            self.apply(theirs(card))

    def discard(self) -> int | None:
        """Discard on both sides, or knock; return the seat that has knocked."""
        seat: int = self.game.decision.seat
        offered = self.offered()
        away, knocks = offered.get("discard", {}), offered.get("knock", {})
        if away:
            taken = self.game.state("taken")
            kept = {theirs(short(taken))} if taken else set()
            assert not kept & away.keys()  # OpenSpiel lets it go back at once
            assert {*away, *kept, *([KNOCK] if knocks else ())} == self.legal()
        if knocks and (not away or self.luck.random() < 0.5):
            if away:
                self.apply(KNOCK)
            assert knocks.keys() == self.legal()
            card = self.luck.choice([*knocks])
            self.game.choose(knocks[card])
            self.apply(card)
            return seat
        hand = frozenset(self.cards("hand", f"p{seat + 1}"))
        card = min(
            self.luck.sample([*away], min(4, len(away))),
            key=lambda each: deadwood(
                hand - {card for card in hand if theirs(card) == each}
            ),
        )
        self.game.choose(away[card])
        self.apply(card)
        return None

    def lay_out(self, seat: int, added: set[str]) -> None:
        """Lay the melds out in OpenSpiel that lie here."""
        for nr in (1, 2, 3):
            meld = set(self.cards("melded", f"p{seat + 1}-{nr}")) - added
            for action in self.legal() - {PASS} if meld else ():
                text = self.state.action_to_string(action).split(": ")[2]
                if {text[at : at + 2] for at in range(0, len(text), 2)} == meld:
                    self.apply(action)
                    break
            else:
                assert not meld
        self.apply(PASS)

    def lay_off(self) -> set[str]:
        """Lay cards off on both sides until there are none, or neither wants to."""
        added: set[str] = set()
        while not self.game.outcome:
            ours = self.offered().get("lay_off", {})
            assert self.legal() - {PASS} <= ours.keys()
            # Of a longer run OpenSpiel takes one card more at each end.
            assert added or self.legal() - {PASS} == ours.keys()
            both = sorted(ours.keys() & self.legal())
            if not both or self.luck.random() < 0.2:
                self.game.choose("done")
                break
            card = self.luck.choice(both)
            self.game.choose(ours[card])
            self.apply(card)
            added |= {each for each in CARDS if theirs(each) == card}
        return added


@pytest.mark.parametrize(
    "seeds", [range(8), pytest.param(range(8, 200), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    ("variants", "called"), [((), ""), (("oklahoma",), "(oklahoma=True)")]
)
def test_deals_have_the_same_moves_and_scores(
    variants: tuple[str, ...], called: str, seeds: range
) -> None:
    game = houserule.load("gin_rummy")
    table = game.table(with_=variants, settings={"deals": 1})
    for seed in seeds:
        pair, knocker = Pair(table, f"gin_rummy{called}", seed), None
        while knocker is None and not pair.game.outcome:
            if pair.state.is_terminal():
                break  # after fifty discards taken
            if pair.offered().keys() <= {"take", "draw", "pass"}:
                pair.draw()
            else:
                knocker = pair.discard()
        if knocker is None:
            assert pair.state.is_terminal()
            assert pair.state.returns() == [0, 0]
            continue
        other = 1 - knocker
        pair.lay_out(knocker, set())
        added = pair.lay_off()
        if pair.cards("hand", f"p{knocker + 1}"):
            assert added or pair.legal() >= {PASS}
            pair.apply(PASS)
        pair.lay_out(other, set())
        assert pair.state.is_terminal()
        scores = [pair.game.state("score", f"p{seat + 1}") for seat in (0, 1)]
        lead = scores[pair.elder] - scores[1 - pair.elder]
        theirs_lead = pair.state.returns()[0]
        if theirs_lead == 0:  # OpenSpiel has no undercut with equal deadwood
            assert scores[other] == 25
        else:
            assert lead == theirs_lead
