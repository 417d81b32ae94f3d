"""Takeover's coins are concealed: what a seat cannot see changes nothing for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import cast

import pytest
from tests.support.shipped import program_of

from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.choices import Act
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.domains import Json
from houserule.engine.state.store import Store
from houserule.engine.state.view import view
from houserule.ir import Program

COINS = 24
TABLES = [
    pytest.param(frozenset[str](), 2, id="2 players"),
    pytest.param(frozenset[str](), 3, id="3 players", marks=pytest.mark.slow),
    pytest.param(frozenset[str](), 5, id="5 players", marks=pytest.mark.slow),
    pytest.param(frozenset[str](), 6, id="6 players"),
    pytest.param(frozenset({"open_draft"}), 4, id="open draft"),
    pytest.param(frozenset({"deals_in_own_turn"}), 4, id="deals in one's own turn"),
    pytest.param(frozenset({"swaps_only"}), 3, id="swaps only"),
]

Tree = dict[str, Json]


@cache
def rules(variants: frozenset[str], players: int) -> Program:
    return program_of("takeover", Choice(variants, players, {}, "hidden"))


def positions(program: Program, seed: int) -> Iterator[ReferenceGame]:
    """Yield a random game at each of its decisions."""
    luck = Random(seed)
    game = ReferenceGame.start(program, seed)
    while (decision := game.decision) is not None:
        yield game
        game.choose(decision.options[luck.randrange(decision.options.count())])
    yield game


def seen(game: ReferenceGame, seat: int) -> Tree:
    return view(game.program, game.engine.evaluator, game.machine.store, seat)


def lying(store: Store, zone: str) -> list[int]:
    return [thing for things in store.zones[zone] for thing in things]


def shown_in(seen_by_seat: Tree, zone: str, key: str) -> list[Json]:
    zones = cast("dict[str, dict[str, dict[str, list[Json]]]]", seen_by_seat["zones"])
    return zones[zone][key]["things"]


@pytest.mark.parametrize(("variants", "players"), TABLES)
def test_coins_are_seen_as_declared(variants: frozenset[str], players: int) -> None:
    """The owner sees both sides; others the value before they are concealed, no more.

    On the table the value shows to all. What was shown in a deal or cashed out stays
    known until it moves.
    """
    program = rules(variants, players)
    suits_open = "open_draft" in variants
    for game in islice(positions(program, seed=23), 0, None, 4):
        for seat, name in enumerate(program.labels["Player"]):
            mine = seen(game, seat)
            for owner in program.labels["Player"]:
                for zone in ("cash", "stocks", "taken"):
                    for coin in shown_in(mine, zone, owner):
                        if owner == name or (zone == "taken" and suits_open):
                            assert isinstance(coin, str)
                        elif not isinstance(coin, str):
                            told = cast("dict[str, Tree]", coin)["hidden"]
                            assert list(told) == ["rank"] * (zone == "taken")
            for rank in range(6):
                for coin in shown_in(mine, "market", str(rank)):
                    assert isinstance(coin, str) == suits_open
                    assert suits_open or coin == {"hidden": {"rank": rank}}


@pytest.mark.parametrize(("variants", "players"), TABLES)
def test_no_coin_or_tile_is_lost(variants: frozenset[str], players: int) -> None:
    """All coins and tiles lie somewhere, and every stock names a tile on top."""
    program = rules(variants, players)
    zones = ("market", "taken", "cash", "stocks", "discarded")
    for game in positions(program, seed=29):
        store = game.machine.store
        coins = [coin for zone in zones for coin in lying(store, zone)]
        assert sorted(coins) == list(range(COINS))
        assert sorted(lying(store, "corporation")) == list(range(COINS))
        tops = {tiles[-1] for tiles in store.zones["corporation"] if tiles}
        # Tiles and coins are the same product, so their numbers match.
        assert set(lying(store, "stocks")) <= tops


def test_the_flips_of_others_are_not_seen() -> None:
    """Whatever the first seat has turned over, the second sees and is offered one."""
    game = next(
        each.clone()
        for each in positions(rules(frozenset(), 3), seed=31)
        if each.decision is not None and each.decision.open_steps == ("flipping",)
    )
    assert game.decision is not None
    every = game.decision.options[game.decision.options.count() - 1]
    none = game.decision.options[0]
    assert isinstance(every, Act)
    assert isinstance(none, Act)
    assert none.args == ((),)
    assert every.args != none.args
    after = []
    for choice in (none, every):
        copy = game.clone()
        copy.choose(choice)
        assert copy.decision is not None
        seat = copy.decision.seat
        after.append((seat, seen(copy, seat), copy.decision.options.first(40)))
    assert after[0] == after[1]


def test_bystanders_learn_nothing_from_a_deal() -> None:
    """While a deal is talked over, coins are shown to whoever answers next, only."""
    compared = learnt = 0
    before: dict[int, Tree] = {}
    for game in positions(rules(frozenset(), 3), seed=40):
        decision = game.decision
        if decision is None or not decision.site.startswith(("offer.", "request.")):
            before = {}
            continue
        now = {seat: seen(game, seat) for seat in range(3)}
        changed = [seat for seat in before if before[seat] != now[seat]]
        assert changed in ([], [decision.seat])
        compared += len(before)
        learnt += len(changed)
        before = now
    assert compared > 50
    assert learnt > 20
