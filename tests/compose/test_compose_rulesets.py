"""The shipped rulesets: alone, pairwise and all together, nothing clashes."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from houserule.compose.compose import compose
from houserule.compose.tables.choose import choose_table
from houserule.compose.tables.feature_model import features_of
from houserule.manifest.load import load_ruleset
from houserule.manifest.ruleset import LoadedRuleset

FOLDERS = sorted((Path(__file__).parents[2] / "rulesets").glob("*/ruleset.yaml"))


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda path: path.parent.name)
def ruleset(request: pytest.FixtureRequest) -> LoadedRuleset:
    path: Path = request.param
    loaded, found = load_ruleset(path.parent)
    assert loaded is not None, found
    return loaded


def test_every_pair_of_variants_that_is_possible_composes(
    ruleset: LoadedRuleset,
) -> None:
    features = features_of(ruleset)
    tables = {features.closed(())}
    for size in (1, 2):
        for names in combinations(features.variants, size):
            tables.add(features.closed(names))
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
