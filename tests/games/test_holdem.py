"""Hold'em beside plain Python and OpenSpiel: every bet and every pot."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.support.shipped import program_of

import houserule
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame

from .plain_holdem import Deal, HouseRules

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

FOLD, CALL, RAISE = 0, 1, 2
"""OpenSpiel's numbers; without a limit a raise is what the player then has paid."""
BETTING = {
    "no limit": "betting=nolimit,bettingAbstraction=fullgame",
    "limit": "betting=limit,raiseSize=2 2 4 4,maxRaises=3 4 4 4",
}
MOST_LOST = {"no limit": 0, "limit": 48}
"""With a limit, OpenSpiel knows no end of chips: a player may lose this in a deal."""
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
CARDS = [f"{rank}_of_{suit}" for rank in RANKS for suit in SUITS]
"""In the order of OpenSpiel's numbers."""


class Beside:
    """A deal of a game here and in OpenSpiel, where the small blind is player 0.

    With two players it is the big blind, as its player speaks first after the flop.
    """

    def __init__(self, game: Any, betting: str, players: int) -> None:  # noqa: ANN401
        self.game, self.betting = game, betting
        names = [f"p{n + 1}" for n in range(players)]
        button = names.index(game.state("button")) + 1
        self.number = game.state("played")
        self.seats = [
            seat % players
            for seat in range(button, button + players)
            if game.state("dealt_in", names[seat % players])
        ]
        self.names = [names[seat] for seat in self.seats]
        self.before = self.chips()

    def chips(self) -> list[int]:
        """Return what the players of the deal have, with their chips in the pot."""
        return [
            self.game.state("stack", name) + self.game.state("paid", name)
            for name in self.names
        ]

    def deal(self) -> None:
        """Give OpenSpiel the same chips and cards."""
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
        two = len(self.seats) == 2
        blinds = [2, 1] if two else [1, 2, *[0] * (len(self.seats) - 2)]
        stack, blind = (" ".join(map(str, each)) for each in (self.before, blinds))
        self.state = pyspiel.load_game(
            f"universal_poker({BETTING[self.betting]},numPlayers={len(self.seats)},"
            f"stack={stack},blind={blind},firstPlayer={2 if two else 3} 1 1 1,"
            "numRounds=4,numBoardCards=0 3 1 1,numHoleCards=2,numRanks=13,numSuits=4)"
        ).new_initial_state()
        hands = [card for name in self.names for card in self.game.zone("hand", name)]
        board = self.game.zone("deck")[:-6:-1]
        self.coming = [CARDS.index(card) for card in (*hands, *board)]
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
        for option in self.game.options:
            words = self.game.words(option)
            if words in ("call", "check"):
                found[CALL] = option
            elif words != "fold":
                total = before + words["raise"]["n"]
                found[RAISE if self.betting == "limit" else total] = option
            elif self.game.value("owes", name):
                found[FOLD] = option
        return found

    def speak(self, luck: Random) -> None:
        """Compare who speaks and what is legal, and choose the same on both sides."""
        seat = self.seats[self.state.current_player()]
        assert self.game.decision is not None
        assert seat == self.game.decision.seat, str(self.state)
        ours = self.offered(seat)
        assert ours.keys() == set(self.state.legal_actions()), str(self.state)
        # After less than a full raise there, players who have spoken may raise again.
        needed = self.game.value("to_match") + self.game.state("least_raise")
        full = [each for each in ours if each > CALL and ours[each].args[0] >= needed]
        kinds = [[FOLD], [CALL], [CALL], full[:1], full[:1], full[-1:], full]
        move = luck.choice(luck.choice([k for k in kinds if k and k[0] in ours]))
        self.game.choose(ours[move])
        self.state.apply_action(move)
        self.turn_up()


@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 200), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    ("betting", "players"),
    [("no limit", 2), ("no limit", 3), ("no limit", 6), ("limit", 2), ("limit", 4)],
)
def test_games_have_the_same_bets_and_pots_as_in_openspiel(
    betting: str, players: int, seeds: range
) -> None:
    """OpenSpiel has no antes, no Omaha and no short deck, and it splits chips.

    It cannot load a game with a limit for more than four players.
    """
    limit = betting == "limit"
    table = houserule.load("holdem").table(
        with_=["fixed_limit"] if limit else [],
        settings={"chips": 200 if limit else 40, "deals": 8},
        players=players,
    )
    played = 0
    for seed in seeds:
        game, luck = table.start(seed=seed), Random(seed)
        while game.outcome is None:
            deal = Beside(game, betting, players)
            if min(deal.before) < max(2, MOST_LOST[betting]):
                game.choose(luck.choice(list(game.options)))
                continue
            deal.deal()
            while game.outcome is None and game.state("played") == deal.number:
                deal.speak(luck)
            assert deal.state.is_terminal()
            if game.state("played") != deal.number + (game.outcome is None):
                continue  # a whole deal without a choice has followed
            for before, after, won in zip(
                deal.before, deal.chips(), deal.state.returns(), strict=True
            ):
                assert abs(after - before - won) < 1
            played += 1
    assert played >= len(seeds)
