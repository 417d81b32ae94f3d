"""The shipped rulesets: alone, pairwise and all together, nothing clashes."""

from __future__ import annotations

from itertools import combinations, islice
from pathlib import Path

import pytest
from tests.support.equality import same
from tests.support.sampling import spread

from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.compose.compose import compose
from houserule.compiler.rules import Rules
from houserule.compiler.tables.choose import choose_table
from houserule.compiler.tables.sample import Choice, sample_tables
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

FOLDERS = sorted((Path(__file__).parents[2] / "rulesets").glob("*/ruleset.yaml"))


@pytest.fixture(scope="module", params=spread(FOLDERS, 5, name=lambda f: f.parent.name))
def ruleset(request: pytest.FixtureRequest) -> LoadedRuleset:
    path: Path = request.param
    loaded, found = load_ruleset(path.parent)
    assert loaded is not None, found
    return loaded


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_every_pair_of_variants_that_is_possible_composes(
    ruleset: LoadedRuleset, every: int
) -> None:
    """In the usual run it is every twentieth pair."""
    features = features_of(ruleset)
    tables = {features.closed(())}
    tables |= {features.closed([name]) for name in features.variants}
    pairs = combinations(features.variants, 2)
    tables |= {features.closed(names) for names in islice(pairs, 0, None, every)}
    composed = 0
    for on in sorted(tables, key=sorted):
        table, _ = choose_table(ruleset, with_=on)
        if table is not None:
            rules, found = compose(ruleset, table)
            assert rules is not None, (sorted(on), found)
            composed += 1
    assert composed


def test_every_preset_is_a_table_that_composes(ruleset: LoadedRuleset) -> None:
    for preset in ruleset.units_of("preset"):
        table, found = choose_table(ruleset, preset=preset.id, for_play=True)
        assert table is not None, (preset.id, found)
        rules, found = compose(ruleset, table)
        assert rules is not None, (preset.id, found)


def test_a_table_is_valid_here_exactly_when_the_family_says_so(
    ruleset: LoadedRuleset,
) -> None:
    features = features_of(ruleset)
    for names in combinations(features.variants, 2):
        table, found = choose_table(ruleset, with_=names)
        codes = {each.code for each in found} & {"E301", "E302", "E308"}
        on = features.switched_on(names)
        assert features.is_valid(on) == (not codes), (names, codes)
        if table is not None:
            assert table.variants == on


def composed(ruleset: LoadedRuleset, choice: Choice) -> Rules | None:
    table, found = choose_table(
        ruleset,
        with_=choice.variants,
        settings=choice.settings,
        players=choice.players,
    )
    assert table is not None, found
    return compose(ruleset, table)[0]


def test_a_table_is_the_same_whatever_was_composed_before(
    ruleset: LoadedRuleset,
) -> None:
    """Tables of the same variants share their draft, and leave it as it was."""
    choices = sample_tables(ruleset)[-3:]
    again, _ = load_ruleset(ruleset.folder)
    assert again is not None
    before = [composed(ruleset, each) for each in choices]
    after = [composed(again, each) for each in (*choices[::-1], *choices)]
    assert same(before, after[len(choices) :])
