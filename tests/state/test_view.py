"""What a seat sees, and possible worlds that look the same to it."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.programs import (
    ALL_CARDS,
    CARD,
    CARD_DEF,
    DICE,
    DIE,
    FLAG,
    MARKERS,
    NUMBER,
    PLAYER,
    SEATS,
    Table,
    bind,
    cell,
    compare,
    const,
    die_def,
    local,
    program,
    state,
    zone,
)

from houserule import ir
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.determinize import redeal
from houserule.engine.state.state_model import validate_store
from houserule.engine.state.store import Store
from houserule.engine.state.view import Visibility, hidden_places, view
from houserule.ir.types import Maybe, Set, Whole
from houserule.ir.walk import stream_tags

OWNER = ir.MakeSet((local(1, PLAYER),), SEATS)
NOBODY = const((), SEATS)
OF_THE_DIE = ir.MakeSet((local(1, PLAYER),), SEATS)  # die n belongs to seat n
SHAKE = ir.Body(
    "shake.dice",
    (
        ir.RollDice(const((0, 1), DICE), DIE, "shake.dice"),
        ir.When(
            ((const(True), (ir.ShufflePile("deck", (), "shake.deck"),)),),
            (ir.DrawOne(bind(ALL_CARDS), None, (), "shake.draw"),),
        ),
    ),
    2,
)
BID_IN_RANGE = compare(
    ir.Aggregate(
        "sum",
        (bind(const((0, 1, 2), SEATS)),),
        None,
        cell("bid", local(1, PLAYER)),
        0,
        NUMBER,
    ),
    "<=",
    const(6),
)
RULES = program(
    states=[
        state("score", Whole(0, 9), ("p", PLAYER)),
        state("bid", Whole(0, 5), ("p", PLAYER), seen=OWNER),
        state("plan", Maybe(Set(CARD)), first=None, seen=NOBODY),
        state("secret", FLAG, ("p", PLAYER), first=False, seen=OWNER),
    ],
    zones=[
        zone("deck", "pile", seen=NOBODY),
        zone("hand", "set", ("p", PLAYER), seen=OWNER, showing=("suit",)),
        zone("table", "set"),
        zone("stack", "pile", ("p", PLAYER), seen=NOBODY, showing=("suit", "rank")),
    ],
    tokens=[MARKERS],
    dice=die_def(seen=OF_THE_DIE),
    effects=[ir.EffectDef("shake", (), (), (SHAKE,), ())],
    always=[ir.Condition("few", BID_IN_RANGE)],
)


def table() -> Table:
    found = Table(RULES)
    found.put("deck", (), 0, 6, 3)
    found.put("hand", (0,), 1)
    found.put("hand", (1,), 7, 2)
    found.put("table", (), 5)
    found.put("stack", (2,), 4)
    found.store.set_cell("bid", 1, 4)
    return found


def seen(t: Table, seat: int) -> dict[str, Any]:
    return view(RULES, t.evaluator, t.store, seat)


def test_a_seat_sees_what_is_declared() -> None:
    t = table()
    t.store.show("Card", [6], 0b001)
    t.store.set_face("Die", 1, 6)
    found = seen(t, 0)
    assert found["seat"] == "ann"
    assert found["states"]["bid"] == {
        "ann": 0,
        "bea": {"hidden": {}},
        "cem": {"hidden": {}},
    }
    assert found["states"]["plan"] == {"hidden": {}}
    assert found["zones"]["deck"] == {
        "size": 3,
        "things": [{"hidden": {}}, "c6", {"hidden": {}}],
    }
    assert found["zones"]["hand"]["ann"] == {"size": 1, "things": ["c1"]}
    assert found["zones"]["hand"]["bea"] == {
        "size": 2,
        "things": [{"hidden": {"suit": "moons"}}, {"hidden": {"suit": "suns"}}],
    }
    assert found["zones"]["table"] == {"size": 1, "things": ["c5"]}
    assert found["zones"]["stack"]["cem"]["things"] == [
        {"hidden": {"suit": "moons", "rank": 1}}
    ]
    assert found["dice"]["Die"] == {
        "red": 1,
        "green": {"hidden": {}},
        "blue": {"hidden": {}},
    }
    assert found["tokens"]["supply"] == {"ann": 10, "bea": 10, "cem": 10}
    assert found["tokens"]["markers"]["c0"]["cem"] == 0
    assert seen(t, 1)["zones"]["hand"]["bea"]["things"] == ["c2", "c7"]
    json.dumps(found)


def test_a_shown_die_is_seen() -> None:
    t = table()
    t.store.set_face("Die", 1, 6)
    t.store.show("Die", [1], 0b001)
    assert seen(t, 0)["dice"]["Die"]["green"] == 6
    assert seen(t, 2)["dice"]["Die"]["green"] == {"hidden": {}}


def hidden_cards(t: Table, store: Store, seat: int) -> dict[tuple[str, int], list[int]]:
    """Return the cards that a seat cannot tell, by zone and number."""
    zones: dict[tuple[str, int], list[int]] = {}
    visibility = Visibility(RULES, t.evaluator, store, seat)
    for place, card in hidden_places(visibility, "Card").items():
        zones.setdefault((place.zone, place.index), []).append(card)
    return zones


def test_hidden_things_are_known_by_their_places() -> None:
    t = table()
    t.store.show("Card", [6], 0b001)
    assert hidden_cards(t, t.store, 0) == {
        ("deck", 0): [0, 3],
        ("hand", 1): [2, 7],
        ("stack", 2): [4],
    }


@st.composite
def tables(draw: st.DrawFn) -> Table:
    t = Table(RULES)
    places = [("deck", ()), *(("hand", (p,)) for p in range(3)), ("table", ())]
    places += [("stack", (p,)) for p in range(3)]
    for card in draw(st.permutations(range(8))):
        where = draw(st.integers(-1, len(places) - 1))
        if where >= 0:
            t.put(places[where][0], places[where][1], card)
            t.store.show("Card", [card], draw(st.integers(0, 7)))
    for die in range(3):
        t.store.set_face("Die", die, draw(st.integers(1, 6)))
        t.store.show("Die", [die], draw(st.integers(0, 7)))
    for seat in range(3):
        t.store.set_cell("bid", seat, draw(st.integers(0, 2)))
        t.store.set_cell("secret", seat, draw(st.booleans()))
    return t


@settings(max_examples=60)
@given(tables(), st.integers(0, 2), st.integers(0, 2**32))
def test_a_possible_world_looks_the_same_and_is_whole(
    t: Table, seat: int, seed: int
) -> None:
    luck = Stream.seeded(seed, 0, "search")
    before = t.store.to_data()
    world = redeal(RULES, t.evaluator, t.store, seat, luck).store
    assert t.store.to_data() == before
    assert view(RULES, t.evaluator, world, seat) == seen(t, seat)
    validate_store(world)
    assert t.evaluator.closed(BID_IN_RANGE, world) is True
    located = [list(world.where["Card"])]
    world.locate()
    assert located == [world.where["Card"]]
    for card, lying in enumerate(t.store.where["Card"]):
        if lying is None:
            assert world.where["Card"][card] is None


@settings(max_examples=50)
@given(tables(), st.integers(0, 2), st.integers(0, 99))
def test_a_world_hides_as_many_things_in_the_same_places(
    t: Table, seat: int, seed: int
) -> None:
    world = redeal(RULES, t.evaluator, t.store, seat, Stream.seeded(seed, 0, "a")).store
    before, after = (hidden_cards(t, store, seat) for store in (t.store, world))
    assert {where: len(things) for where, things in before.items()} == {
        where: len(things) for where, things in after.items()
    }
    for cards in (before, after):
        assert sorted(chain(*cards.values())) == sorted(chain(*before.values()))


def test_deals_are_alike() -> None:
    t = table()
    luck = Stream.seeded(1, 2, "search")
    tops: Counter[int] = Counter()
    for _ in range(3000):
        world = redeal(RULES, t.evaluator, t.store, 0, luck).store
        tops[world.zones["deck"][0][-1]] += 1
    # hidden from seat 0: 0, 6, 3 (deck), 2 of suns and 7 of moons (hand), 4 (stack)
    # the stack shows all of 4; a hand takes one of suns {0, 2, 3}, one of moons {6, 7}
    assert set(tops) == {0, 2, 3, 6, 7}
    expected = {0: 2 / 9, 2: 2 / 9, 3: 2 / 9, 6: 1 / 6, 7: 1 / 6}
    assert all(abs(tops[c] / 3000 - share) < 0.03 for c, share in expected.items())


def test_deals_that_need_an_exchange_are_found() -> None:
    # Three places that show different fields: greedy dealing may run into a corner.
    rules = program(
        zones=[
            zone("a", "slot", seen=NOBODY, showing=("suit",)),
            zone("b", "slot", seen=NOBODY, showing=("rank",)),
            zone("c", "slot", seen=NOBODY, showing=("bonus",)),
        ],
        components={"Card": CARD_DEF, "Die": die_def()},
    )
    t = Table(rules)
    for name, card in (("a", 0), ("b", 2), ("c", 6)):
        t.put(name, (), card)
    found = set()
    for seed in range(50):
        luck = Stream.seeded(seed, 0, "search")
        world = redeal(rules, t.evaluator, t.store, 0, luck).store
        assert view(rules, t.evaluator, world, 0) == view(
            rules, t.evaluator, t.store, 0
        )
        found.add(tuple(world.zones[name][0] for name in "abc"))
    assert len(found) > 1


def test_chance_to_come_is_fresh() -> None:
    t = table()
    tags = ["shake.deck", "shake.dice/blue", "shake.dice/green", "shake.dice/red"]
    assert sorted(stream_tags(RULES)) == [*tags, "shake.draw"]
    t.store.streams["shake.deck"] = 7
    worlds = [
        redeal(RULES, t.evaluator, t.store, 0, Stream.seeded(seed, 0, "search")).store
        for seed in (1, 2)
    ]
    assert worlds[0].streams != worlds[1].streams
    assert set(worlds[0].streams) == {*tags, "shake.draw"}
    assert t.store.streams == {"shake.deck": 7}


def test_hidden_cells_fall_back_to_first_values() -> None:
    never = ir.Condition("never", compare(cell("bid", const(1, PLAYER)), ">", const(9)))
    rules = program(
        states=[state("bid", Whole(0, 5), ("p", PLAYER), first=2, seen=OWNER)],
        always=[never],
    )
    t = Table(rules)
    t.store.set_cell("bid", 1, 5)
    luck = Stream.seeded(0, 0, "search")
    world = redeal(rules, t.evaluator, t.store, 0, luck).store
    assert world.cells["bid"] == [2, 2, 2]
