"""The layout numbers every cell, zone and heap; domains know their values."""

from __future__ import annotations

import pytest
from tests.support.programs import (
    CARD,
    DIE,
    FLAG,
    LABELS,
    MARKERS,
    PLAYER,
    SUIT,
    program,
    state,
    zone,
)

from houserule.engine.state.domains import (
    fits,
    plain,
    printed,
    size_of,
    values_of,
)
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import Layout, all_keys
from houserule.ir.types import (
    Data,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
    least,
)

TYPES: list[Type] = [
    Whole(2, 5),
    Whole(-3, 3),
    FLAG,
    SUIT,
    Maybe(Whole(0, 3)),
    Maybe(FLAG),
    Set(DIE),
    Set(DIE, part=True),
    Set(Whole(4, 6)),
    Maybe(Set(SUIT)),
]
STRANGERS: list[Data] = [99, -99, (99,), (2, 1), (1, 1), (-1,)]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_a_domain_is_what_it_lists(type_: Type) -> None:
    test, every = fits(type_), list(values_of(type_))
    assert len(every) == size_of(type_) == len(set(map(repr, every)))
    assert all(test(value) for value in every)
    assert not any(test(value) for value in STRANGERS)
    assert least(type_) == every[0] or type_ == Set(DIE, part=True)
    assert test(least(type_))
    assert test(None) is isinstance(type_, Maybe)


def test_flags_are_no_numbers() -> None:
    assert not fits(FLAG)(1)
    assert not fits(Whole(0, 1))(True)


def test_values_as_people_write_them() -> None:
    assert plain((0, 2), Set(DIE), LABELS) == ["red", "blue"]
    assert plain(1, Maybe(SUIT), LABELS) == "moons"
    assert plain(None, Maybe(SUIT), LABELS) is None
    assert plain(True, FLAG, LABELS) is True
    words: list[tuple[Data, Type, str]] = [
        (None, Maybe(SUIT), "none"),
        (True, FLAG, "yes"),
        (False, FLAG, "no"),
        ((0, 1), Set(SUIT), "{suns, moons}"),
        (7, Whole(0, 9), "7"),
    ]
    for value, type_, word in words:
        assert printed(value, type_, LABELS) == word
    assert size_of(Position(CARD)) is None


LAYOUT = Layout(
    program(
        states=[
            state("pot", Whole(3, 9), first=3),
            state("score", Whole(0, 9), ("p", PLAYER)),
            state("grid", FLAG, ("row", Whole(1, 3)), ("open", FLAG), first=False),
            state("used", FLAG, ("of", Set(DIE)), ("s", SUIT), first=False),
            state("by_numbers", FLAG, ("of", Set(Whole(5, 7))), first=False),
        ],
        zones=[zone("deck", "pile"), zone("hand", "set", ("p", PLAYER))],
        tokens=[MARKERS],
    )
)


@pytest.mark.parametrize("name", LAYOUT.families)
def test_keys_and_numbers_are_inverse(name: str) -> None:
    family = LAYOUT.families[name]
    for index in range(family.count):
        assert LAYOUT.index(name, family.keys(index)) == index


def test_families_are_row_major_and_sets_go_by_bits() -> None:
    assert LAYOUT.families["grid"].count == 6
    assert LAYOUT.index("grid", (2, True)) == 3
    assert LAYOUT.families["used"].count == 16
    assert LAYOUT.index("used", ((0, 2), 1)) == 0b101 * 2 + 1
    assert LAYOUT.index("by_numbers", ((5, 7),)) == 0b101
    assert LAYOUT.families["by_numbers"].keys(0b110) == ((6, 7),)
    combinations = all_keys(LAYOUT.program.states["grid"].keys)
    assert combinations[:3] == ((1, False), (1, True), (2, False))


def test_titles() -> None:
    assert LAYOUT.title("pot", 0) == "pot"
    assert LAYOUT.title("grid", 3) == "grid(2, yes)"
    assert LAYOUT.title("used", 11) == "used({red, blue}, moons)"


@pytest.mark.parametrize(("key", "code"), [(0, "F01"), (4, "F01"), (None, "F03")])
def test_keys_out_of_range(key: Data, code: str) -> None:
    with pytest.raises(RuleFault) as caught:
        LAYOUT.index("grid", (key, True))
    assert caught.value.code == code


def test_first_values() -> None:
    assert LAYOUT.first["pot"] == (3,)
    assert LAYOUT.starts == {"supply": (10, 10, 10), "markers": (0,) * 24}


def test_places_number_all_zones() -> None:
    places = [("deck", 0), ("hand", 0), ("hand", 1), ("hand", 2)]
    assert [LAYOUT.zone_at(place) for place in range(4)] == places
    assert [LAYOUT.place(*each) for each in places] == [0, 1, 2, 3]


def test_a_key_must_be_countable() -> None:
    with pytest.raises(TypeError, match="cannot be a key"):
        Layout(program(states=[state("x", FLAG, ("k", Maybe(PLAYER)), first=False)]))
