"""Hold'em beside plain Python and OpenSpiel: every bet and every pot."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from tests.support.shipped import program_of

import houserule
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame

from .plain_holdem import Card, Deal, HouseRules, best_five

TABLES: list[tuple[dict[str, Any], int]] = [
    ({}, 2),
    ({}, 4),
    ({"omaha": True}, 3),
    ({"short_deck": True}, 3),
    ({"limit": True}, 3),
    ({"pot_limit": True}, 4),
    ({"ante": 2}, 4),
    ({"bounty": 3}, 5),
    ({"omaha": True, "pot_limit": True, "ante": 1}, 4),
    ({"short_deck": True, "limit": True, "ante": 1}, 6),
]
OPTIONS = {"ante", "bounty"}
NAMES = {"ante": "antes", "bounty": "seven_deuce", "limit": "fixed_limit"}


@pytest.mark.parametrize(("wanted", "players"), TABLES)
def test_every_bet_and_pot(wanted: dict[str, Any], players: int) -> None:
    rules, variants = HouseRules(**wanted), frozenset(NAMES.get(n, n) for n in wanted)
    options = {"chips": 40, "deals": 20} | {
        name: value for name, value in wanted.items() if name in OPTIONS
    }
    program = program_of("holdem", Choice(variants, players, options, "chosen"))
    for seed in range(3):
        luck, game = Random(seed), ReferenceGame.start(program, seed)
        deal, number, board = None, 0, 0
        hands: dict[int, list[int]] = {}
        settled = 0
        lying: list[int] = []
        while (decision := game.decision) is not None:
            store: Any = game.machine.store
            if deal is None or store.cells["played"][0] != number:
                number, board = store.cells["played"][0], 0
                button = store.cells["button"][0]
                chips = zip(store.cells["stack"], store.cells["paid"], strict=True)
                deal = Deal(rules, [sum(each) for each in chips], button, 1)
                assert deal.stack == store.cells["stack"]
                hands = {seat: [*hand] for seat, hand in enumerate(store.zones["hand"])}
            lying = [*store.zones["board"][0]]
            if len(lying) != board:
                assert deal.mover is None
                board = len(lying)
                deal.next_street()
            assert decision.seat == deal.mover
            able = {
                (each.action, each.args[0] if each.args else 0): each
                for each in every(decision.options)
            }
            assert able.keys() == deal.choices(board)
            chosen = luck.choice(sorted(able))
            if chosen[0] == "fold" and luck.random() < 0.7:
                chosen = luck.choice(
                    [each for each in sorted(able) if each[0] != "fold"]
                )
            if chosen[0] == "raise" and luck.random() < 0.7:
                chosen = min(each for each in able if each[0] == "raise")
            deal.choose(*chosen, board)
            fixed = [*store.zones["deck"][0]]
            game.choose(able[chosen])
            now: Any = game.machine.store
            over = game.decision is None
            # A deal in which nobody has a choice left passes without being seen here.
            if now.cells["played"][0] == number + (not over) and (
                over or now.cells["played"][0] != number
            ):
                _settled(deal, hands, lying, fixed, now, over=over)
                settled += 1
        assert settled


def every(options: Any) -> list[Any]:  # noqa: ANN401
    return list(options)


def _settled(
    deal: Deal,
    hands: dict[int, list[int]],
    lying: list[int],
    deck: list[int],
    now: Any,  # noqa: ANN401
    *,
    over: bool,
) -> None:
    board = lying
    if len(deal.left()) > 1:  # the rest of the board was laid without bets
        board = [*lying, *deck[::-1][: 5 - len(lying)]]
    stacks = deal.settle(hands, board)
    chips = zip(now.cells["stack"], now.cells["paid"], strict=True)
    found = now.cells["stack"] if over else [sum(each) for each in chips]
    assert found == stacks


# ---- whole games beside OpenSpiel

FOLD, CALL, RAISE, ALL_IN = 0, 1, 2, 3
"""OpenSpiel's numbers; without a limit a raise is what the player then has paid."""
BETTING = {
    "no limit": "betting=nolimit,bettingAbstraction=fullgame",
    "limit": "betting=limit,raiseSize=2 2 4 4,maxRaises=3 4 4 4",
    "pot limit": "betting=nolimit,bettingAbstraction=fcpa",  # only the largest raise
}
MOST_LOST = {"no limit": 0, "limit": 48, "pot limit": 0}
"""With a limit, OpenSpiel knows no end of chips: a player may lose this in a deal."""
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
CARDS = [f"{rank}_of_{suit}" for rank in RANKS for suit in SUITS]
"""In the order of OpenSpiel's numbers."""


@dataclass(frozen=True)
class Twin:
    """A table that OpenSpiel can play, too."""

    betting: str
    players: int
    rules: HouseRules = field(default_factory=HouseRules)


TWINS = {
    **{f"no limit for {n}": Twin("no limit", n) for n in (2, 3, 6)},
    **{f"limit for {n}": Twin("limit", n) for n in (2, 4)},
    **{f"pot limit for {n}": Twin("pot limit", n) for n in (2, 4)},
    "limit with antes": Twin("limit", 3, HouseRules(ante=2)),
    "pot limit with antes": Twin("pot limit", 3, HouseRules(ante=1)),
    "short deck": Twin("no limit", 3, HouseRules(short_deck=True)),
    "omaha with pot limit": Twin("pot limit", 4, HouseRules(omaha=True)),
}


class Beside:
    """A deal of a game here and in OpenSpiel, where the small blind is player 0.

    With two players it is the big blind, as its player speaks first after the flop.
    """

    def __init__(self, game: Any, twin: Twin) -> None:  # noqa: ANN401
        self.game, self.twin = game, twin
        names = [f"p{n + 1}" for n in range(twin.players)]
        button = names.index(game.state("button")) + 1
        self.number = game.state("played")
        self.seats = [
            seat % twin.players
            for seat in range(button, button + twin.players)
            if game.state("dealt_in", names[seat % twin.players])
        ]
        self.names = [names[seat] for seat in self.seats]
        self.before = self.chips()
        self.folded: set[int] = set()

    def chips(self) -> list[int]:
        """Return what the players of the deal have, with their chips in the pot."""
        return [
            self.game.state("stack", name) + self.game.state("paid", name)
            for name in self.names
        ]

    def deal(self) -> None:
        """Give OpenSpiel the same chips and cards; an ante is a part of its blinds.

        From four cards of Omaha, it gets the two of the best hand.
        """
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        rules, seats = self.twin.rules, len(self.seats)
        blinds = [2, 1] if seats == 2 else [1, 2, *[0] * (seats - 2)]
        blinds = [rules.ante + each for each in blinds]
        stack, blind = (" ".join(map(str, each)) for each in (self.before, blinds))
        self.state = pyspiel.load_game(
            f"universal_poker({BETTING[self.twin.betting]},numPlayers={seats},"
            f"stack={stack},blind={blind},firstPlayer={2 if seats == 2 else 3} 1 1 1,"
            "numRounds=4,numBoardCards=0 3 1 1,numHoleCards=2,numRanks=13,numSuits=4)"
        ).new_initial_state()
        hands = [cards(self.game.zone("hand", name)) for name in self.names]
        board = cards(self.game.zone("deck")[:-6:-1])
        best = [best_five(rules, hand, board) for hand in hands]
        if rules.omaha:
            hands = [[*lot[:2]] for _, lot in best]
        there = [best_five(HouseRules(), hand, board)[0] for hand in hands]
        self.values = [
            (here[0], other) for here, other in zip(best, there, strict=True)
        ]
        self.coming = [
            (height - 2) * 4 + suit for lot in (*hands, board) for height, suit in lot
        ]
        self.turn_up()

    def turn_up(self) -> None:
        """Give OpenSpiel the next cards, and a check of a player no one can answer."""
        while self.state.is_chance_node() or self.state.legal_actions() == [CALL]:
            chance = self.state.is_chance_node()
            self.state.apply_action(self.coming.pop(0) if chance else CALL)

    def offered(self, seat: int) -> dict[int, Any]:
        """Return our options by OpenSpiel's numbers; it has no fold that is free."""
        name = f"p{seat + 1}"
        before = self.game.state("paid", name) - self.game.state("bet", name)
        found: dict[int, Any] = {}
        raises: dict[int, Any] = {}
        for option in self.game.options:
            words = self.game.words(option)
            if words in ("call", "check"):
                found[CALL] = option
            elif words != "fold":
                raises[before + words["raise"]["n"]] = option
            elif self.game.value("owes", name):
                found[FOLD] = option
        if self.twin.betting == "no limit" or not raises:
            return found | raises
        assert self.twin.betting == "pot limit" or len(raises) == 1
        largest = max(raises)
        owes, pot = self.game.value("owes", name), self.game.value("pot")
        short = largest - before < self.game.value("to_match") + pot + owes
        number = ALL_IN if short and self.twin.betting == "pot limit" else RAISE
        return found | {number: raises[largest]}

    def speak(self, luck: Random) -> None:
        """Compare who speaks and what is legal, and choose the same on both sides."""
        seat = self.seats[self.state.current_player()]
        assert self.game.decision is not None
        assert seat == self.game.decision.seat, str(self.state)
        ours, theirs = self.offered(seat), set(self.state.legal_actions())
        if self.twin.betting == "pot limit" and RAISE in theirs:
            theirs -= {ALL_IN}
        assert ours.keys() == theirs, str(self.state)
        # After less than a full raise there, players who have spoken may raise again.
        needed = self.game.value("to_match") + self.game.state("least_raise")
        full = [each for each in ours if each > CALL and ours[each].args[0] >= needed]
        kinds = [[FOLD], [CALL], [CALL], full[:1], full[:1], full[-1:], full]
        move = luck.choice(luck.choice([k for k in kinds if k and k[0] in ours]))
        if move == FOLD:
            self.folded.add(self.state.current_player())
        self.game.choose(ours[move])
        self.state.apply_action(move)
        self.turn_up()

    def ranked_alike(self) -> bool:
        """Return whether OpenSpiel has the same order of the hands that are left."""
        left = [v for n, v in enumerate(self.values) if n not in self.folded]
        return all(
            (here > other_here) == (there > other_there)
            for here, there in left
            for other_here, other_there in left
        )


def cards(names: list[str]) -> list[Card]:
    """Return heights and suits."""
    numbers = (CARDS.index(name) for name in names)
    return [(number // 4 + 2, number % 4) for number in numbers]


@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 200), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", TWINS)
def test_games_have_the_same_bets_and_pots_as_in_openspiel(
    name: str, seeds: range
) -> None:
    """OpenSpiel has no Omaha and no short deck, and it splits chips.

    So there the bets are compared, and the pots if it ranks the hands in the same
    order. It cannot load a game with a limit for more than four players.
    """
    twin = TWINS[name]
    limit, rules = twin.betting == "limit", twin.rules
    wanted = {"fixed_limit": limit, "pot_limit": twin.betting == "pot limit"}
    wanted |= {"omaha": rules.omaha, "short_deck": rules.short_deck}
    wanted |= {"antes": rules.ante > 0}
    settings = {"chips": 200 if limit else 40, "deals": 8}
    table = houserule.load("holdem").table(
        with_=[name for name in wanted if wanted[name]],
        settings=settings | ({"ante": rules.ante} if rules.ante else {}),
        players=twin.players,
    )
    played = unlike = 0
    for seed in seeds:
        game, luck = table.start(seed=seed), Random(seed)
        while game.outcome is None:
            deal = Beside(game, twin)
            if min(deal.before) < rules.ante + max(2, MOST_LOST[twin.betting]):
                game.choose(luck.choice(list(game.options)))
                continue
            deal.deal()
            while game.outcome is None and game.state("played") == deal.number:
                deal.speak(luck)
            assert deal.state.is_terminal()
            if game.state("played") != deal.number + (game.outcome is None):
                continue  # a whole deal without a choice has followed
            if not deal.ranked_alike():
                unlike += 1
                continue
            for before, after, won in zip(
                deal.before, deal.chips(), deal.state.returns(), strict=True
            ):
                assert abs(after - before - won) < 1
            played += 1
    assert played >= len(seeds)
    assert unlike <= (played / 3 if rules.omaha or rules.short_deck else 0)
