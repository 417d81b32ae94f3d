"""Mau-Mau and Crazy Eights in lock-step with OpenSpiel: moves, draws and ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import houserule

pyspiel = pytest.importorskip(
    "pyspiel", reason="the extra `openspiel` is not installed, or has no wheel here"
)

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
WORTH = dict(zip(RANKS, (*range(2, 11), 10, 10, 10, 11), strict=True))
DRAW, PASS, NAMED, DEALER = 52, 53, 54, 52
"""OpenSpiel's numbers; smaller ones are cards."""
TWO, EIGHT, FACES, QUEEN, ACE = 0, 6, 9, 10, 12
"""Its ranks: draw two, lay on every card, the first face, skip a player, turn round."""


@dataclass(frozen=True)
class Twin:
    """A table of ours, and our ranks in the places of those of OpenSpiel."""

    players: int
    variants: tuple[str, ...] = ("crazy_eights",)
    settings: dict[str, Any] = field(default_factory=dict)
    ranks: tuple[str, ...] = RANKS
    drawn: int = 1
    """The most cards that OpenSpiel lets a player draw in a turn."""

    def number(self, card: str) -> int:
        """Return OpenSpiel's number of a card."""
        rank, _, suit, _ = card.split("_")
        return self.ranks.index(rank) * 4 + SUITS.index(suit)


SCHOOLYARD = (
    *("seven", "two", "three", "four", "five", "six", "jack", "ten", "queen", "king"),
    *("eight", "ace", "nine"),
)
SCHOOL_RULES = ("sevens_draw", "eights_skip", "jacks_wish", "nines_turn")
TWINS = {
    "crazy eights for two": Twin(2, settings={"hand_size": 7}),
    "crazy eights for four": Twin(4),
    "crazy eights with two packs": Twin(6, settings={"packs": 2}),
    "crazy eights, draw until": Twin(3, ("crazy_eights", "draw_until"), drawn=200),
    **{
        f"schoolyard for {players}": Twin(
            players,
            SCHOOL_RULES,
            {"hand_size": 7 if players == 2 else 5, "jack_on_jack": True},
            SCHOOLYARD,
        )
        for players in (2, 4)
    },
}


class Pair:
    """The same deal here and in OpenSpiel."""

    def __init__(self, twin: Twin, table: Any, seed: int) -> None:  # noqa: ANN401
        self.twin, self.luck, self.game = twin, Random(seed), table.start(seed=seed)
        special = twin.ranks != RANKS
        self.state = pyspiel.load_game(
            f"crazy_eights(players={twin.players},max_draw_cards={twin.drawn},"
            f"max_turns=9000,reshuffle=True,use_special_cards={special})"
        ).new_initial_state()
        self.laid = twin.number(self.game.zone("laid")[0])
        self.has_effect = self.laid // 4 in (
            (TWO, EIGHT, QUEEN, ACE) if special else (EIGHT,)
        )
        if self.has_effect:
            return
        dealer = int(self.game.state("dealer")[1:]) - 1
        seats = [(dealer + 1 + n) % twin.players for n in range(twin.players)]
        hands = [list(self.hand(seat).elements()) for seat in seats]
        self.apply(DEALER + dealer)
        for cards in zip(*hands, strict=True):
            self.apply(*cards)
        self.apply(self.laid)

    def apply(self, *actions: int) -> None:
        for action in actions:
            assert action in self.state.legal_actions(), str(self.state)
            self.state.apply_action(action)

    def hand(self, seat: int) -> Counter[int]:
        cards = self.game.zone("hand", f"p{seat + 1}")
        return Counter(self.twin.number(card) for card in cards)

    def offered(self) -> dict[int, Any]:
        """Return our options by OpenSpiel's numbers."""
        found: dict[int, Any] = {}
        for option in self.game.options:
            match self.game.words(option):
                case {"lay": {"c": card}}:
                    found[self.twin.number(card)] = option
                case "draw" | "pass" as action:
                    found[DRAW if action == "draw" else PASS] = option
                case named:
                    (suit,) = named["choose"]
                    found[NAMED + SUITS.index(suit)] = option
        return found

    def step(self) -> bool:
        """Compare who decides and what is legal, and choose the same on both sides.

        OpenSpiel shuffles the laid cards when the last card is drawn, we when the next
        one is needed. Return no if a card has to be laid in between.
        """
        seat = self.game.decision.seat
        assert seat == self.state.current_player(), str(self.state)
        ours, theirs = self.offered(), set(self.state.legal_actions())
        if self.twin.drawn > 1 and self.game.state("drew"):
            # There a player who can lay may draw on; here that player may pass.
            ours.pop(PASS, None)
            theirs -= {DRAW}
        assert ours.keys() == theirs, str(self.state)
        deck = [self.twin.number(card) for card in self.game.zone("deck")]
        moves = sorted(ours)
        if not deck and moves[0] < DRAW:
            moves = [each for each in moves if each in (DRAW, PASS)]
            if not moves:
                return False
        elif moves[0] < DRAW and self.luck.random() < 0.8:
            moves = [each for each in moves if each < DRAW]
        move, before = self.luck.choice(moves), self.hand(seat)
        self.game.choose(ours[move])
        self.state.apply_action(move)
        if move == DRAW:
            drawn = list((self.hand(seat) - before).elements())
            left = Counter(deck)
            for card in sorted(drawn, key=lambda each: each not in left):
                if self.state.current_player() == seat:
                    self.apply(DRAW)
                self.apply(card)
        return True


def counted_there(card: int) -> int:
    """Return the penalty of OpenSpiel for a card."""
    if card // 4 == EIGHT:
        return 50
    return 10 if card // 4 >= FACES else card + 2


@pytest.mark.parametrize(
    "seeds", [range(10), pytest.param(range(10, 300), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", TWINS)
def test_deals_have_the_same_moves_and_ends_as_in_openspiel(
    name: str, seeds: range
) -> None:
    """Deals whose first card has an effect are left out: OpenSpiel obeys it.

    It counts a card below the jack by its number instead of its rank, and an ace ten.
    So the cards that are left are compared, and our points with their worth.
    """
    twin = TWINS[name]
    table = houserule.load("mau_mau").table(
        with_=(*twin.variants, "single_deal"),
        settings={"small_pack": False} | twin.settings,
        players=twin.players,
    )
    wild = twin.ranks[EIGHT] if "crazy_eights" in twin.variants else None
    worth = WORTH | ({wild: 50} if wild else {})
    played = 0
    for seed in seeds:
        pair = Pair(twin, table, seed)
        if pair.has_effect:
            continue
        while not pair.state.is_terminal() and pair.step():
            pass
        if not pair.state.is_terminal():
            continue
        while pair.game.outcome is None:  # a suit is named after the last card, too
            assert min(pair.offered()) >= NAMED
            pair.game.choose(pair.game.options[0])
        for seat in range(twin.players):
            left = pair.hand(seat)
            points = sum(
                worth[twin.ranks[card // 4]] * times for card, times in left.items()
            )
            assert pair.game.state("score", f"p{seat + 1}") == points
            assert pair.state.returns()[seat] == -sum(
                counted_there(card) * times for card, times in left.items()
            )
        played += 1
    assert played >= len(seeds) // 2
