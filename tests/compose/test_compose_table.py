"""Choosing a table, and what players read when it cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.rulesets import ruleset_from_folder, ruleset_from_texts

from houserule.compiler.tables.choose import choose_table

if TYPE_CHECKING:
    from houserule.compiler.rules import ChosenTable
    from houserule.language.manifest.ruleset import LoadedRuleset, Plain

RACE = Path(__file__).parents[1] / "cases" / "compose" / "race"

MORE = """
variant early for race "Early start"
requires strict
implies insurance
excludes doubles
variant german for race "German edition"
variant french for race "French edition"
variant editions for race "Editions"
exactly one of edition: german, french
variant slow for race "Slow race"
default goal: 160
variant short for race "Short race"
change goal from 100 to 50
variant crowd for race "A crowd"
needs players 5..6
variant couple for race "A couple"
needs players 2
variant colours for race "Colours"
type Colour = blue | white
type Spot = 0..9
option paint: Colour normally blue
option rolls: set of Die normally {red}
option spots: part of Spot normally {1, 2}
option guest: Colour or none normally none
option deep: 1..hand_limit normally 1
variant up for race "Upwards"
change grave from bottom of deck to top of deck
variant down for race "Downwards"
change grave from bottom of deck to top of lane
preset broken for race
extends brokn
with stric
set gaol: 3
preset ring for race
extends gnir
preset gnir for race
extends ring
preset deep for race
extends evening
set goal: 80
"""


@pytest.fixture(scope="module")
def race() -> LoadedRuleset:
    files = {p.name: p.read_text("utf-8") for p in sorted(RACE.rglob("*.rules"))}
    more = MORE.replace("needs players 2\n", "needs players 2..2\n")
    return ruleset_from_texts(files | {"more.rules": more})


def chosen(ruleset: LoadedRuleset, **choice: Any) -> ChosenTable:  # noqa: ANN401
    table, found = choose_table(ruleset, **choice)
    assert table is not None, found
    return table


def refused(ruleset: LoadedRuleset, **choice: Any) -> list[str]:  # noqa: ANN401
    table, found = choose_table(ruleset, **choice)
    assert table is None
    return ["\n".join([f"{each.code} {each.message}", *each.fixes]) for each in found]


def test_without_a_choice_it_is_the_base_game_with_fewest_players(
    race: LoadedRuleset,
) -> None:
    table = chosen(race)
    assert table.players == 2
    assert table.variants == frozenset()
    assert table.options == {"goal": 100, "hand_limit": 5, "open_hands": False}


def test_presets_extend_one_another_and_the_nearest_setting_holds(
    race: LoadedRuleset,
) -> None:
    table = chosen(race, preset="deep")
    assert table.variants == {"strict", "insurance", "long_race", "doubles"}
    assert table.options["goal"] == 80
    assert chosen(race, preset="evening").options["goal"] == 200


def test_flags_override_a_preset(race: LoadedRuleset) -> None:
    table = chosen(race, preset="usual", without=["strict"], settings={"goal": "60"})
    assert table.variants == {"insurance"}
    assert table.options["goal"] == 60


def test_implied_variants_are_on_and_told_apart(race: LoadedRuleset) -> None:
    table = chosen(race, with_=["early", "strict"])
    assert table.variants == {"early", "strict", "insurance"}
    assert table.implied == {"insurance"}


def test_variants_raise_the_number_of_players(race: LoadedRuleset) -> None:
    assert chosen(race, with_=["crowd"]).players == 5


def test_settings_are_read_as_people_write_them(race: LoadedRuleset) -> None:
    settings: dict[str, Plain] = {
        "paint": "white",
        "rolls": "green, red",
        "spots": "{7, 3}",
        "guest": "none",
        "open_hands": "yes",
        "deep": "5",
    }
    options = chosen(race, with_=["colours"], settings=settings).options
    assert options["paint"] == "white"
    assert options["rolls"] == ["red", "green"]
    assert options["spots"] == [3, 7]
    assert options["guest"] is None
    assert options["open_hands"] is True
    assert options["deep"] == 5


def test_a_range_may_speak_of_another_option(race: LoadedRuleset) -> None:
    settings = {"deep": 7, "hand_limit": 7}
    assert chosen(race, with_=["colours"], settings=settings).options["deep"] == 7
    said = refused(race, with_=["colours"], settings={"deep": 7})
    assert said == ["E304 deep = 7 is not on the scale 1, 2, ... 5. Nearest: 5."]


REFUSALS: dict[str, tuple[dict[str, Any], str]] = {
    "E301 requires": (
        {"with_": ["spares"]},
        'E301 "Spare parts" needs "Doubles", which is off.\n'
        "Add it:  --with doubles        or leave spares off.",
    ),
    "E301 left out": (
        {"with_": ["spares"], "without": ["doubles"]},
        'E301 "Spare parts" needs "Doubles", which you left out.\n'
        "Add it:  --with doubles        or leave spares off.",
    ),
    "E301 implied and left out": (
        {"with_": ["early", "strict"], "without": ["insurance"]},
        'E301 "Early start" brings "Insurance" along, which you left out.\n'
        "--without insurance,early",
    ),
    "E302 several": (
        {"with_": ["editions", "german", "french"]},
        'E302 "German edition" and "French edition" are two editions; pick exactly '
        "one.",
    ),
    "E302 none": (
        {"with_": ["editions"]},
        'E302 This game is played with one edition: "German edition" or "French '
        'edition"; pick exactly one.\n--with german\n--with french',
    ),
    "E302 excludes": (
        {"with_": ["early", "strict", "doubles"]},
        'E302 "Early start" and "Doubles" cannot be played together; pick one.\n'
        "--without early",
    ),
    "E302 with and without": (
        {"with_": ["strict"], "without": ["strict"]},
        'E302 You asked for "Strict betting" and left it out; pick one.\n'
        "--with strict\n--without strict",
    ),
    "E303": (
        {"with_": ["long_race", "slow"]},
        "E303 goal: two variants suggest different values (long_race: 150, slow: 160) "
        "and you have not chosen.\n--set goal=150",
    ),
    "E304 between": (
        {"settings": {"goal": 95}},
        "E304 goal = 95 is not on the scale 20, 30, ... 200. Nearest: 90, 100.",
    ),
    "E304 beyond": (
        {"settings": {"hand_limit": "12"}},
        "E304 hand_limit = 12 is not on the scale 1, 2, ... 9. Nearest: 9.",
    ),
    "E304 words": (
        {"settings": {"goal": "many"}},
        "E304 goal = many is not a number on the scale 20, 30, ... 200.",
    ),
    "E304 flag": (
        {"settings": {"open_hands": "maybe"}},
        "E304 open_hands = maybe is neither yes nor no.",
    ),
    "E304 member": (
        {"with_": ["colours"], "settings": {"paint": "whit"}},
        "E304 paint = whit is none of blue, white. Nearest: white.",
    ),
    "E304 empty": (
        {"with_": ["colours"], "settings": {"spots": ""}},
        "E304 spots =  must have a member.",
    ),
    "E305": (
        {"with_": ["short"], "settings": {"goal": 150}},
        'E305 You set goal = 150, but "Short race" fixes it at 50.\n'
        'Leave "Short race" off, or ask its author to write  default  there.',
    ),
    "E306": (
        {"with_": ["up", "down"], "for_play": True},
        'E306 "Downwards" and "Upwards" disagree about grave, and nobody has ruled on '
        "it yet.\nPlay with one of them, or write a bridge:  bridge down, up for race",
    ),
    "E307 variant": (
        {"with_": ["strickt"]},
        "E307 There is no variant called strickt. Did you mean strict?",
    ),
    "E307 option": (
        {"settings": {"gaol": 3}},
        "E307 There is no option called gaol. Did you mean goal?",
    ),
    "E307 option off": (
        {"settings": {"paint": "blue"}},
        'E307 The option paint belongs to "Colours", which is off.\n'
        "Add it:  --with colours",
    ),
    "E307 preset": (
        {"preset": "usuall"},
        "E307 There is no preset called usuall. Did you mean usual?",
    ),
    "E308 game": (
        {"players": 7},
        'E308 "The race" is for 2 to 6 players; you asked for 7.\n--players 6',
    ),
    "E308 variant": (
        {"with_": ["crowd"], "players": 3},
        'E308 "A crowd" is for 5 to 6 players; you asked for 3.\n--players 5',
    ),
    "E308 nobody": (
        {"with_": ["crowd", "couple"]},
        "E308 No number of players suits everything you chose: "
        '"The race" is for 2 to 6, "A couple" is for 2, "A crowd" is for 5 to 6.',
    ),
}


@pytest.mark.parametrize(("choice", "text"), REFUSALS.values(), ids=list(REFUSALS))
def test_players_are_told_what_to_do(
    race: LoadedRuleset, choice: dict[str, Any], text: str
) -> None:
    assert refused(race, **choice) == [text]


def test_a_preset_of_unknown_names_says_them_all(race: LoadedRuleset) -> None:
    said = refused(race, preset="broken")
    assert [text.splitlines()[0] for text in said] == [
        "E307 There is no preset called brokn. Did you mean broken?",
        "E307 There is no variant called stric. Did you mean strict?",
        "E307 There is no option called gaol. Did you mean goal?",
    ]


def test_presets_may_not_go_in_a_circle(race: LoadedRuleset) -> None:
    said = refused(race, preset="ring")
    assert said == ["E309 Presets go in a circle: ring extends gnir extends ring."]


def test_a_preset_may_set_an_option_whose_variant_is_left_out() -> None:
    race = ruleset_from_folder(RACE)
    table = chosen(race, preset="evening", without=["long_race"])
    assert table.options["goal"] == 200


def test_a_chosen_value_settles_differing_defaults(race: LoadedRuleset) -> None:
    table = chosen(race, with_=["long_race", "slow"], settings={"goal": 150})
    assert table.options["goal"] == 150


def test_a_choice_equal_to_a_fixed_value_is_fine(race: LoadedRuleset) -> None:
    assert chosen(race, with_=["short"], settings={"goal": 50}).options["goal"] == 50
