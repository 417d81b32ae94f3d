"""Covering arrays: everything possible is shown, and the tables are few."""

from __future__ import annotations

from itertools import combinations

import pytest

from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.covering_array import covering_tables
from houserule.compiler.choices.feature_model import Features, Relation
from houserule.compiler.conditions.formulas import both, either, off, on


def requires(user: str, wanted: str) -> Relation:
    holds = either([off(on(user)), on(wanted)])
    return Relation("requires", holds, "", user, frozenset({user}), frozenset({wanted}))


def twenty() -> Features:
    """Twenty switches: twelve of them require one, one requires another of these."""
    names = tuple(f"s{i:02}" for i in range(20))
    said = [requires(name, "s00") for name in names[1:13]]
    said += [requires("s05", "s04"), requires("s19", "s18")]
    said.append(Relation("excludes", off(on("s17", "s16")), "", "s17"))
    return Features(names, (2, 4), (), tuple(said))


def shown(
    tables: list[frozenset[str]], names: tuple[str, ...], size: int
) -> set[object]:
    return {
        tuple((name, name in table) for name in some)
        for table in tables
        for some in combinations(names, size)
    }


@pytest.mark.parametrize(("strength", "most"), [(2, 20), (3, 60)])
def test_everything_possible_is_shown(strength: int, most: int) -> None:
    features = twenty()
    tables = Configurations(features)
    found = covering_tables(tables, strength)
    assert all(features.is_valid(table) for table in found)
    assert len(found) <= most
    seen = shown(found, features.variants, strength)
    for some in combinations(features.variants, strength):
        for signs in range(1 << strength):
            wanted = [(name, bool(signs >> i & 1)) for i, name in enumerate(some)]
            condition = both(on(n) if on_ else off(on(n)) for n, on_ in wanted)
            assert tables.possible(condition) == (tuple(wanted) in seen)


def test_the_same_seed_gives_the_same_tables() -> None:
    tables = Configurations(twenty())
    assert covering_tables(tables, 2, 5) == covering_tables(tables, 2, 5)


@pytest.mark.parametrize("names", [("a",), ("a", "b")])
@pytest.mark.parametrize("strength", [2, 3])
def test_small_families(names: tuple[str, ...], strength: int) -> None:
    found = covering_tables(Configurations(Features(names, (2, 2), (), ())), strength)
    assert len(set(found)) == 2 ** len(names)
