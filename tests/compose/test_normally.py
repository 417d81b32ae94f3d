"""`exactly one of … normally …`: what a table plays that chooses none of a group."""

from __future__ import annotations

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.family.check import check_family
from houserule.compiler.tables.choose import choose_table
from houserule.compiler.tables.sample import sample_tables
from houserule.language.manifest.ruleset import LoadedRuleset

RACE = """
game race "Race"
players 2..4
exactly one of edition: long_race, short_race, night_race normally long_race
state score(p: Player): 0..9 starts as 0
winners: those p in players with most score(p)
phase round for me in players
  step running: score(me) becomes 1
variant long_race for race "Long race"
variant short_race for race "Short race"
variant night_race for race "Night race"
implies lamps
variant lamps for race "Lamps"
variant uphill for race "Uphill"
requires long_race
variant sprint for race "Sprint"
implies short_race
preset plain for race "Plain"
with lamps
"""


@pytest.fixture(scope="module")
def race() -> LoadedRuleset:
    return ruleset_from_texts({"race.rules": RACE})


@pytest.mark.parametrize(
    ("asked", "on"),
    [
        ((), {"long_race"}),
        (("uphill",), {"uphill", "long_race"}),
        (("short_race",), {"short_race"}),
        (("sprint",), {"sprint", "short_race"}),
        (("night_race",), {"night_race", "lamps"}),
    ],
)
def test_a_table_that_chooses_none_gets_the_normal_one(
    race: LoadedRuleset, asked: tuple[str, ...], on: set[str]
) -> None:
    table, found = choose_table(race, with_=asked)
    assert not found
    assert table is not None
    assert table.variants == on
    assert features_of(race).switched_on(asked) == on


def test_what_is_left_out_is_not_switched_on(race: LoadedRuleset) -> None:
    table, found = choose_table(race, without=("long_race",))
    assert table is None
    assert [each.code for each in found] == ["E302"]


def test_the_normal_one_does_not_replace_another(race: LoadedRuleset) -> None:
    _, found = choose_table(race, with_=("uphill", "short_race"))
    assert [each.code for each in found] == ["E301"]


def test_presets_and_samples_have_it(race: LoadedRuleset) -> None:
    table, _ = choose_table(race, preset="plain")
    assert table is not None
    assert table.variants == {"lamps", "long_race"}
    for choice in sample_tables(race):
        assert len(choice.variants & {"long_race", "short_race", "night_race"}) == 1


def test_it_must_be_one_of_the_group() -> None:
    text = RACE.replace("normally long_race", "normally uphill")
    found = check_family(ruleset_from_texts({"race.rules": text})).diagnostics
    assert any(
        each.code == "E307" and each.message.startswith("There is no edition called")
        for each in found
    )
