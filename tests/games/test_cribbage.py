"""Cribbage, held against a Cribbage in plain Python: every card of whole games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.support.shipped import program_of

from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.choices import Act
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.store import Store
from houserule.ir import GamePosition
from houserule.ir.types import Data

from .plain_cribbage import JACK, Play, counted, place

TABLES = [((), 2), ((), 3), (("crib_flush", "no_heels"), 2), (("five_cards",), 2)]
HANDS = 150


def number(value: Data) -> int:
    assert isinstance(value, int)
    return value


def plain(store: Store, variants: tuple[str, ...], goal: int) -> Play:
    """Return a position as plain Cribbage sees it; the row from its first card."""
    cells, zones = store.cells, store.zones
    return Play(
        hands=[list(hand) for hand in zones["hand"]],
        laid=[list(laid) for laid in zones["laid"]],
        row=list(zones["row"][0]),
        crib=list(zones["crib"][0]),
        starter=zones["starter"][0][0],
        dealer=number(cells["dealer"][0]),
        last=number(cells["last"][0]),
        silent={seat for seat, said in enumerate(cells["said_go"]) if said},
        score=[number(each) for each in cells["score"]],
        goal=goal,
        crib_flush="crib_flush" in variants,
        one_count="five_cards" in variants,
    )


@pytest.mark.parametrize(("variants", "players"), TABLES)
def test_every_card_of_a_game(variants: tuple[str, ...], players: int) -> None:
    """Points, and whose turn it is, after each card and each go."""
    goal = 61 if "five_cards" in variants else 121
    choice = Choice(frozenset(variants), players, {"goal": goal}, "chosen")
    program = program_of("cribbage", choice)
    game, luck = ReferenceGame.start(program, players), Random(players)
    owner: dict[int, int] = {}
    pegged = [0] * players
    while (decision := game.decision) is not None:
        store = game.machine.store
        option = decision.options[luck.randrange(decision.options.count())]
        assert isinstance(option, Act)
        before = [number(each) for each in store.cells["score"]]
        if option.action == "lay_away":
            game.choose(option)
            after = game.machine.store
            starter = after.zones["starter"][0]
            if starter and place(starter[0]) == JACK and "no_heels" not in variants:
                dealer = number(after.cells["dealer"][0])
                before[dealer] = min(before[dealer] + 2, goal)
            assert after.cells["score"] == before
            pegged = before
            continue
        wanted = plain(store, variants, goal)
        if option.action == "lay":
            upcoming = wanted.lay(decision.seat, number(option.args[0]), owner)
        else:
            upcoming = wanted.go(decision.seat, owner)
        game.choose(option)
        assert game.machine.store.cells["score"] == wanted.score
        if upcoming is not None:
            assert game.decision is not None
            assert game.decision.seat == upcoming
        pegged = wanted.score
    assert goal in pegged
    assert game.outcome is not None
    assert game.outcome.winners == (pegged.index(goal),)


def test_what_hands_count() -> None:
    """Hands and cribs drawn at random, half of them from a few places or one suit."""
    program = program_of("cribbage", Choice(frozenset(), 2, {}, "chosen"))
    luck, seen = Random(5), set[int]()
    for nr in range(HANDS):
        few = luck.sample(range(13), 5)
        close = [c for c in range(52) if c % 13 in few or c // 13 == nr % 4]
        cards = luck.sample(close if nr % 2 else range(52), 13)
        hands, crib, starter = (cards[:4], cards[4:8]), cards[8:12], cards[12]
        zones: dict[str, dict[tuple[Data, ...], Sequence[int]]] = {
            "laid": {(seat,): tuple(sorted(hand)) for seat, hand in enumerate(hands)},
            "crib": {(): tuple(sorted(crib))},
            "starter": {(): (starter,)},
        }
        position = GamePosition({"dealer": {(): 0}}, zones, at="showing", seat=1)
        game = ReferenceGame.start(program, position=position)
        own = counted(hands[0], starter, False)
        wanted = [own + counted(crib, starter, True)]
        wanted.append(counted(hands[1], starter, False))
        assert game.machine.store.cells["score"] == wanted, (hands, crib, starter)
        seen |= set(wanted)
    assert len(seen) > 20
