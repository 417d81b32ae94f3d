"""`at most one of`, and hints that switch nothing."""

from __future__ import annotations

from tests.support.rulesets import ruleset_from_texts

from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.choices.offers import offers_of
from houserule.compiler.family.check import check_family
from houserule.compiler.tables.choose import choose_table
from houserule.compiler.tables.sample import sample_tables

GAME = """game pig "Pig"
players 2..4
at most one of speed: blitz, slow, drawn_out
suggests calm
state score(p: Player): 0..205 starts as 0
variant blitz for pig "Blitz"
variant slow for pig "Slow"
suggests drawn_out, calm
with calm:
  suggests blitz, calm
variant drawn_out for pig "Drawn out"
variant calm for pig "Calm"
"""


def test_one_or_none_of_them() -> None:
    ruleset = ruleset_from_texts({"game.rules": GAME})
    features = features_of(ruleset)
    assert check_family(ruleset).valid_tables == 4 * 2
    assert features.is_valid(frozenset())
    assert not features.is_valid(frozenset({"blitz", "slow"}))
    assert features.switched_on(()) == frozenset()
    assert len({choice.variants for choice in sample_tables(ruleset)}) == 8


def test_three_of_them_are_refused_in_one_sentence() -> None:
    ruleset = ruleset_from_texts({"game.rules": GAME})
    table, found = choose_table(ruleset, with_=("drawn_out", "blitz", "slow"))
    assert table is None
    assert [str(each.message) for each in found] == [
        '"Blitz", "Slow" and "Drawn out" are three speeds; pick at most one.'
    ]


def test_hints_switch_nothing() -> None:
    ruleset = ruleset_from_texts({"game.rules": GAME})
    slow = next(each for each in offers_of(ruleset).variants if each.id == "slow")
    hints = [(each.names, each.given) for each in slow.links if each.word == "suggests"]
    assert hints == [(("drawn_out", "calm"), ()), (("blitz", "calm"), ("calm",))]
    table, _ = choose_table(ruleset, with_=("slow",))
    assert table is not None
    assert table.variants == {"slow"}


def test_a_hint_at_nothing_is_told_with_the_nearest_name() -> None:
    text = GAME.replace("suggests calm", "suggests clam")
    found = check_family(ruleset_from_texts({"game.rules": text})).diagnostics
    assert [each.message for each in found] == [
        "There is no variant called clam. Did you mean calm?"
    ]
