"""What composing keeps from table to table changes nothing at any of them."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from tests.compose.random_families import random_family
from tests.support.equality import same
from tests.support.rulesets import ruleset_from_texts

from houserule.compiler.compose.compose import compose
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.resolve import resolution_of
from houserule.compiler.tables.choose import choose_table
from houserule.language.manifest.ruleset import LoadedRuleset

GAME = """\
game g
players 2..3
state a: 0..9 starts as 0
phase round until no, at most 3 times
  step first: a gains 1
  step second: a gains 1
  step third: a gains 1
order first then second then third
winners: everyone
"""
STEPS = {
    "game.rules": GAME,
    "x.rules": "variant x for g\nremove third\n",
    "y.rules": "variant y for g\nremove second\n",
    "z.rules": "variant z for g\nrelease first then second\n",
}


def found(ruleset: LoadedRuleset, with_: tuple[str, ...]) -> object:
    """Return the rules of a table, with all that is said of it."""
    table, said = choose_table(ruleset, with_=with_)
    return said, compose(ruleset, table) if table else None


@pytest.mark.parametrize("sets", permutations([(), ("x",), ("y",), ("x", "y")]))
def test_steps_are_ordered_as_if_no_other_table_had_been(
    sets: tuple[tuple[str, ...], ...],
) -> None:
    shared = ruleset_from_texts(STEPS)
    for with_ in [*sets, ("z",), ("x", "z")]:
        assert same(found(shared, with_), found(ruleset_from_texts(STEPS), with_))


@pytest.mark.parametrize("seed", range(3))
def test_random_families_compose_as_if_no_other_table_had_been(seed: int) -> None:
    shared = random_family(seed)
    names = sorted(unit.id for unit in shared.units_of("variant"))
    every = [each for size in (3, 1, 2) for each in combinations(names, size)]
    for with_ in every:
        assert same(found(shared, with_), found(random_family(seed), with_))


def test_edits_of_what_was_removed_are_given_up() -> None:
    resolution = resolution_of(ruleset_from_texts(STEPS))
    draft = Draft(resolution, range(len(resolution.family.placed)))
    assert len(draft.hits_of("remove")) == 2
    draft.keep_hits(hit for hit in draft.hits if hit.address == "third")
    assert len(draft.hits_of("remove")) == 1
