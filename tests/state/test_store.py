"""The store: writes, moves, faults, copies, plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.programs import (
    CARD,
    DIE,
    FLAG,
    MARKERS,
    PLAYER,
    Table,
    program,
    state,
    zone,
)

from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import BOTTOM, TOP
from houserule.engine.state.state_model import load_store, state_model, validate_store
from houserule.ir.types import Maybe, Set, Whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from houserule.engine.state.store import Store

RULES = program(
    states=[
        state("score", Whole(0, 9), ("p", PLAYER)),
        state("best", Maybe(CARD), first=None),
        state("used", Set(DIE), first=()),
        state("copy", FLAG, first=False),  # also a method of pydantic's models
        state("json", Maybe(Set(CARD, part=True)), first=None),
    ],
    zones=[
        zone("deck", "pile"),
        zone("hand", "set", ("p", PLAYER), at_most=2),
        zone("place", "slot"),
        zone("tray", "set", member=DIE),
    ],
    tokens=[MARKERS],
)


@pytest.fixture
def store() -> Store:
    return Table(RULES).store


def test_a_fresh_store_has_first_values(store: Store) -> None:
    assert store.cells["score"] == [0, 0, 0]
    assert store.tokens["supply"] == [10, 10, 10]
    assert store.faces["Die"] == [1, 1, 1]
    assert store.where["Card"] == [None] * 8
    validate_store(store)


def test_every_write_makes_a_version(store: Store) -> None:
    store.memo["x", ()] = 1
    versions = {store.version}
    writes: list[Any] = [
        lambda: store.set_cell("score", 0, 4),
        lambda: store.set_face("Die", 0, 4),
        lambda: store.roll("Die", 0, 4),
        lambda: store.move_tokens("supply", 0, "markers", 0, 1),
        lambda: store.place("Card", 0, "deck", 0, TOP),
        lambda: store.show("Card", [0], 0b1),
        lambda: store.set_order("deck", 0, (0,)),
        lambda: store.remove("Card", 0),
    ]
    for write in writes:
        write()
        versions.add(store.version)
        assert not store.memo
    assert len(versions) == len(writes) + 1


def test_piles_have_two_ends(store: Store) -> None:
    for card, end in ((3, TOP), (5, TOP), (1, BOTTOM)):
        store.place("Card", card, "deck", 0, end)
    assert store.zones["deck"][0] == (1, 3, 5)
    store.place("Card", 5, "deck", 0, BOTTOM)
    assert store.zones["deck"][0] == (5, 1, 3)


def test_sets_ascend_and_things_lie_once(store: Store) -> None:
    store.place("Card", 5, "hand", 1, TOP)
    store.place("Card", 2, "hand", 1, TOP)
    assert store.zones["hand"] == [(), (2, 5), ()]
    store.place("Card", 5, "deck", 0, TOP)
    assert store.zones["hand"][1] == (2,)
    assert store.where["Card"][5] == ("deck", 0)


def test_full_zones(store: Store) -> None:
    for card in (1, 2):
        store.place("Card", card, "hand", 0, TOP)
    store.place("Card", 2, "hand", 0, TOP)  # it lies there already
    store.place("Card", 4, "place", 0, TOP)
    for zone_name, code in (("hand", "hand(ann)"), ("place", "place")):
        with pytest.raises(RuleFault, match="is full") as caught:
            store.place("Card", 3, zone_name, 0, TOP)
        assert caught.value.code == "F04"
        assert code in caught.value.message
    assert store.where["Card"][3] is None
    validate_store(store)


def test_ranges(store: Store) -> None:
    with pytest.raises(RuleFault, match=r"`score\(bea\)` would be 10") as caught:
        store.set_cell("score", 1, 10)
    assert caught.value.code == "F01"
    with pytest.raises(RuleFault) as caught:
        store.set_face("Die", 0, 7)
    assert caught.value.code == "F09"
    for count in (-1, 11):
        with pytest.raises(RuleFault) as caught:
            store.move_tokens("supply", 0, "markers", 0, count)
        assert caught.value.code == "F02"


def test_a_reset_gives_first_values(store: Store) -> None:
    assert not store.reset("score")
    assert store.version == 0
    store.set_cell("score", 1, 4)
    assert store.reset("score")
    assert store.cells["score"] == [0, 0, 0]
    store.set_cell("score", 1, 4)
    assert store.layout.first["score"] == (0, 0, 0)


def test_what_was_shown_is_forgotten_by_a_move_a_roll_and_a_shuffle(
    store: Store,
) -> None:
    store.place("Card", 3, "deck", 0, TOP)
    store.show("Card", [3], 0b101)
    assert store.known["Card"][3] == 0b101
    store.set_order("deck", 0, (3,))
    assert store.known["Card"][3] == 0
    store.show("Card", [3], 0b1)
    store.place("Card", 3, "hand", 0, TOP)
    assert store.known["Card"][3] == 0
    store.show("Die", [0], 0b1)
    store.set_face("Die", 0, 5)
    assert store.known["Die"][0] == 0b1
    store.roll("Die", 0, 5)
    assert store.known["Die"][0] == 0


# ---- copies and data

CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("cell"), st.integers(0, 2), st.integers(0, 9)),
        st.tuples(st.just("place"), st.integers(0, 7), st.integers(0, 4)),
        st.tuples(st.just("token"), st.integers(0, 2), st.integers(0, 10)),
        st.tuples(st.just("roll"), st.integers(0, 2), st.integers(1, 6)),
        st.tuples(st.just("show"), st.integers(0, 7), st.integers(0, 7)),
        st.tuples(st.just("tray"), st.integers(0, 2), st.just(0)),
    ),
    max_size=12,
)
PLACES = [("deck", 0), ("hand", 0), ("hand", 1), ("place", 0), ("deck", 0)]


def change(store: Store, what: str, a: int, b: int) -> None:
    try:
        match what:
            case "cell":
                store.set_cell("score", a, b)
            case "place":
                store.place("Card", a, *PLACES[b], b % 2)
            case "token":
                store.move_tokens("supply", a, "markers", 3 * b % 24 + a, b)
            case "roll":
                store.roll("Die", a, b)
            case "show":
                store.show("Card", [a], b)
            case _:
                store.place("Die", a, "tray", 0, TOP)
    except RuleFault:
        pass  # a refused change leaves all as it was


@given(CHANGES, CHANGES)
def test_any_changes_keep_the_state_whole_and_copies_apart(
    first: list[tuple[str, int, int]], second: list[tuple[str, int, int]]
) -> None:
    store = Table(RULES).store
    store.streams["roll"] = 2**64 - 1
    for each in first:
        change(store, *each)
    validate_store(store)
    before = store.to_data()
    copy = store.clone()
    for each in second:
        change(copy, *each)
    validate_store(copy)
    assert store.to_data() == before
    text = json.dumps(copy.to_data())
    loaded = load_store(copy.layout, json.loads(text))
    assert json.dumps(loaded.to_data()) == text
    located = loaded.where
    assert located == copy.where
    assert loaded.zones == copy.zones
    assert loaded.cells == copy.cells


# ---- what is broken is named


def broken(store: Store) -> RuleFault:
    with pytest.raises(RuleFault) as caught:
        validate_store(store)
    return caught.value


def test_values_out_of_range_are_named(store: Store) -> None:
    store.cells["score"][2] = 11
    found = broken(store)
    assert found.code == "F01"
    assert found.message.startswith("`score(cem)` is 11: ")
    store.cells["score"][2] = True
    assert broken(store).code == "F01"


def test_sets_in_cells_ascend(store: Store) -> None:
    store.cells["used"][0] = (2, 1)
    assert broken(store).message == "`used` is (2, 1): a set ascends, without repeats."
    store.cells["used"][0] = (1, 7)
    assert broken(store).code == "F01"
    store.cells["used"][0] = ()
    store.cells["json"][0] = ()
    assert broken(store).code in {"F01", "F05"}


def test_a_thing_in_two_places_is_named(store: Store) -> None:
    store.zones["deck"][0] = (3,)
    store.zones["hand"][1] = (3,)
    found = broken(store)
    assert (found.code, found.message) == ("F05", "`c3` lies in two places.")


def test_a_zone_in_disorder_or_overfull_is_named(store: Store) -> None:
    store.zones["hand"][1] = (3, 1)
    assert broken(store).message == "`hand(bea)` does not ascend by id."
    store.zones["hand"][1] = (1, 2, 3)
    found = broken(store)
    assert found.code == "F05"
    assert found.message.startswith("`hand(bea)`")


def test_a_lost_token_is_named(store: Store) -> None:
    store.tokens["supply"][1] -= 1
    found = broken(store)
    assert found.code == "F05"
    assert found.message == "There are 9 of `marker(bea)`, not 10."


def test_a_strange_face_is_named(store: Store) -> None:
    store.faces["Die"][1] = 9
    assert broken(store).message.startswith("`green` is 9: ")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("cells"),
        lambda data: data["cells"].pop("score"),
        lambda data: data["cells"].update(more=[1]),
        lambda data: data["cells"]["score"].append(1),
        lambda data: data["cells"].update(score=[0, "1", 0]),
        lambda data: data["streams"].update(roll=2**64),
        lambda data: data["known"].update(Die=[0, 0, 8]),
        lambda data: data["zones"].update(place=[[1, 2]]),
    ],
)
def test_data_from_outside_is_tested(
    store: Store, spoil: Callable[[dict[str, Any]], object]
) -> None:
    data: Any = json.loads(json.dumps(store.to_data()))
    spoil(data)
    with pytest.raises(ValueError, match="State"):
        load_store(store.layout, data)


def test_the_model_has_a_schema() -> None:
    schema = state_model(RULES).model_json_schema()
    assert set(schema["required"]) == {
        "cells",
        "zones",
        "tokens",
        "faces",
        "known",
        "streams",
    }
    assert set(schema["$defs"]["Cells"]["properties"]) == set(RULES.states)
