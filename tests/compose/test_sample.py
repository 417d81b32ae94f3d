"""Sampled tables: valid, few, and every side of the family is shown."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from tests.compose.test_family import PIG, pig_with
from tests.support.exhaustive import every_table, names_in, variants_of
from tests.support.rulesets import ruleset_from_folder, ruleset_from_texts

from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.tables import sample
from houserule.compiler.tables.choose import choose_table
from houserule.compiler.tables.sample import Choice, sample_tables
from houserule.language.manifest.ruleset import LoadedRuleset

RACE = Path(__file__).parents[1] / "cases" / "compose" / "race"


def race() -> LoadedRuleset:
    return ruleset_from_folder(RACE)


def reasons(found: list[Choice]) -> set[str]:
    return {each.why for each in found}


def test_every_choice_is_a_table() -> None:
    ruleset = race()
    for each in sample_tables(ruleset, triples=True, random=20):
        table, faults = choose_table(
            ruleset,
            with_=each.variants,
            settings=each.settings,
            players=each.players,
        )
        assert table is not None, (each, faults)
        assert table.variants == each.variants
        assert table.players == each.players


def test_every_possible_pair_is_shown() -> None:
    ruleset = race()
    names = variants_of(ruleset)
    possible = [names_in(table, names) for table in every_table(ruleset)]
    chosen = [each.variants for each in sample_tables(ruleset)]

    def pairs(tables: list[frozenset[str]]) -> set[tuple[str, bool, str, bool]]:
        return {
            (one, one in table, other, other in table)
            for table in tables
            for one, other in combinations(names, 2)
        }

    assert pairs(chosen) == pairs(possible)


def test_nothing_on_is_played_with_every_number_of_players() -> None:
    found = [each for each in sample_tables(race()) if each.why == "nothing on"]
    low, high = min(c.players for c in found), max(c.players for c in found)
    assert [each.players for each in found] == list(range(low, high + 1))


def test_alone_all_but_one_and_presets() -> None:
    ruleset = race()
    why = reasons(sample_tables(ruleset, pairs=False))
    assert {f"only {name}" for name in variants_of(ruleset)} <= why
    assert "everything on" in why or any(each.startswith("all but") for each in why)
    assert any(each.startswith("preset ") for each in why)


def test_the_same_seed_gives_the_same_tables() -> None:
    one = sample_tables(race(), random=10, seed=3)
    assert one == sample_tables(race(), random=10, seed=3)
    assert len({(each.variants, repr(each.settings)) for each in one}) >= len(one) - 5


def test_values_of_options_one_at_a_time() -> None:
    long = "variant long for pig\ndefault target: 150\n"
    fixed = "variant fixed for pig\nchange target from 100 to 120\n"
    more = "variant more for pig\noption lives: 1..9 normally 3\n"
    preset = "preset quick for pig\nset target: 60\n"
    ruleset = pig_with(long=long, fixed=fixed, more=more, quick=preset)
    found = sample_tables(ruleset, pairs=False)
    values = {each.why for each in found if "=" in each.why}
    assert values == {"target = 20", "target = 200", "lives = 1", "lives = 9"}
    assert {"target": 60} in [dict(each.settings) for each in found]
    assert all("fixed" not in c.variants for c in found if "target" in c.settings)


def test_differing_suggestions_are_settled() -> None:
    long = "variant long for pig\ndefault target: 150\n"
    longer = "variant longer for pig\ndefault target: 200\n"
    found = sample_tables(pig_with(long=long, longer=longer))
    both = [each for each in found if {"long", "longer"} <= each.variants]
    assert both
    assert all(each.settings["target"] == 150 for each in both)


def test_players_suit_the_variants() -> None:
    few = "variant few for pig\nneeds players 2..3\n"
    many = "variant many for pig\nneeds players 5..6\n"
    found = sample_tables(pig_with(few=few, many=many), random=5)
    assert all(each.players <= 3 for each in found if "few" in each.variants)
    assert all(each.players >= 5 for each in found if "many" in each.variants)
    assert not any({"few", "many"} <= each.variants for each in found)
    assert {2, 3, 4, 5, 6} == {each.players for each in found}


def test_an_edition_is_always_chosen() -> None:
    group = "exactly one of edition: one, other\n"
    text = PIG.replace("players 2..6\n", "players 2..6\n" + group)
    files = {
        "game.rules": text,
        "one.rules": "variant one for pig\n",
        "other.rules": "variant other for pig\n",
    }
    found = sample_tables(ruleset_from_texts(files), random=5)
    assert {each.variants for each in found} == {
        frozenset({"one"}),
        frozenset({"other"}),
    }


def test_of_a_knot_each_variant_is_tried_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = partial(Configurations, most_nodes=1)
    monkeypatch.setattr(sample, "Configurations", small)
    names = "abcde"
    said = [f"excludes {b}" for b in names[1:]]
    variants = {f"{n}.rules": f"variant {n} for pig\n" for n in names}
    variants["a.rules"] += "".join(f"{each}\n" for each in said)
    ruleset = ruleset_from_texts({"game.rules": PIG, **variants})
    found = [each.variants for each in sample_tables(ruleset, random=5)]
    assert found == [frozenset(), *(frozenset(n) for n in names)]


def test_a_game_without_variants() -> None:
    found = sample_tables(ruleset_from_texts({"game.rules": PIG}), triples=True)
    assert {each.variants for each in found} == {frozenset()}
    assert {each.players for each in found} >= {2, 6}
