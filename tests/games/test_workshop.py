"""Workshop: its decks against plain Python, and bots in its many choices."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.support.shipped import program_of

import houserule
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.seat.session import Sitting


@pytest.mark.parametrize("seed", range(3))
def test_greedy_bots_choose_within_more_effects_than_there_are_phases(
    seed: int,
) -> None:
    """A messenger asks, and the number of that choice is beyond that of any phase."""
    rules = houserule.load("workshop").table(with_=["visitors"]).rules
    sitting = Sitting.begin(rules, ["greedy"] * 2, seed=seed)
    sitting.advance(400)
    assert sitting.outcome is not None


TABLES: list[tuple[list[str], int]] = [
    ([], 2),
    (["good_start", "small_fire"], 3),
    (["market_row", "own_wood"], 4),
    (["glassworks"], 3),
    (["visitors", "large_hands", "empty_piles"], 2),
]
WORTH = {"wood": 1, "iron": 2, "silver": 3, "glass": 2}
POINTS = {
    **{"stool": 2, "ladder": 2, "cradle": 3, "bench": 3, "chest": 4, "wheel": 4},
    **{"door": 6, "loom": 6, "cabinet": 7, "staircase": 7, "clock": 9, "organ": 11},
}
PRICES = {
    **{"stool": 3, "ladder": 3, "cradle": 4, "bench": 4, "chest": 5, "wheel": 5},
    **{"door": 6, "loom": 6, "cabinet": 7, "staircase": 7, "clock": 8, "organ": 9},
}
COSTS = {
    **{"iron": 3, "silver": 6, "apprentice": 3, "journeyman": 5, "workbench": 3},
    **{"lantern": 4, "stall": 4, "stove": 2, "forge": 4, "inspector": 4, "glass": 4},
    **{"mirror": 5, "glazier": 4, "furnace": 3, "patron": 5, "rats": 4},
    **{"messenger": 2, "guild_master": 6},
}
ADDED = {
    **{"lantern": (1, 1, 0), "workbench": (0, 2, 0), "stall": (2, 0, 1)},
    **{"inspector": (2, 0, 0), "glazier": (0, 1, 0), "furnace": (1, 2, 0)},
    **{"patron": (3, 0, 0), "rats": (1, 0, 0), "messenger": (0, 1, 0)},
    "guild_master": (1, 1, 1),
}
"""What a helper brings: coins, helpers, purchases."""


@pytest.mark.parametrize(("house", "players"), TABLES)
def test_every_card_and_coin_of_random_games(house: list[str], players: int) -> None:
    """Cards are neither made nor lost, and each price is paid from hand and helpers."""
    program: Any = program_of(
        "workshop", Choice(frozenset(house), players, {}, "chosen")
    )
    cards = [name.rpartition("_")[0] for name in program.labels["Card"]]
    pieces = [name.rpartition("_")[0] for name in program.labels["Order"]]
    owned = ("deck", "hand", "in_play", "discards")
    for seed in range(6):
        luck, game = Random(seed), ReferenceGame.start(program, seed)
        while (decision := game.decision) is not None:
            store: Any = game.machine.store
            zones, cells = store.zones, store.cells
            every = [x for zone in ("heap", "market", "box") for x in zones[zone][0]]
            every += [x for zone in owned for own in zones[zone] for x in own]
            every += zones["supply"][0] if "supply" in zones else []
            assert sorted(every) == [*range(len(cards))]
            options: list[Any] = list(decision.options)
            seat, chosen = decision.seat, luck.choice(options)
            if decision.kind == "act":
                hand = [cards[x] for x in zones["hand"][seat]]
                purse = sum(WORTH.get(name, 0) for name in hand)
                purse += cells["extra"][seat] - cells["spent"][seat]
                able = {(o.action, o.args) for o in options if hasattr(o, "action")}
                bought = {cards[args[0]] for action, args in able if action == "buy"}
                if any(action in ("buy", "make") for action, _ in able):
                    there = {cards[x] for x in zones["market"][0]}
                    assert bought == {n for n in there if COSTS[n] <= purse}
                    made = {pieces[a[0]] for action, a in able if action == "make"}
                    less = cells["cheaper"][0] if "cheaper" in cells else 0
                    row = {pieces[x] for x in zones["row"][0]}
                    can = {n for n in row if max(0, PRICES[n] - less) <= purse}
                    assert made == (can if {*hand} & WORTH.keys() else set())
                if hasattr(chosen, "action"):
                    name = cards[chosen.args[0]]
                    before = (cells["extra"][seat], cells["acts"][0], cells["buys"][0])
                    game.choose(chosen)
                    after: Any = game.machine.store.cells
                    if chosen.action == "use" and game.decision is not None:
                        same = game.decision.seat == seat and after["extra"][seat]
                        coins, acts, buys = ADDED.get(name, (0, 0, 0))
                        if same and game.decision.kind == "act":
                            found = (
                                after["extra"][seat],
                                after["acts"][0],
                                after["buys"][0],
                            )
                            wanted = (
                                before[0] + coins,
                                before[1] + acts - 1,
                                before[2] + buys,
                            )
                            assert found == wanted
                    continue
            game.choose(chosen)
        zones = game.machine.store.zones
        scored = []
        for seat in range(players):
            own = [x for zone in owned for x in zones[zone][seat]]
            points = sum(POINTS[pieces[x]] for x in zones["window"][seat])
            points += sum(cards[x] == "glass" for x in own) // 2
            scored.append((points, -len(own)))
            assert game.value("points", seat) == points
        assert game.outcome is not None
        best = [seat for seat in range(players) if scored[seat] == max(scored)]
        assert [*game.outcome.winners] == best
