"""Hold'em, every bet and every pot of whole games, beside plain Python."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.support.shipped import program_of

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
