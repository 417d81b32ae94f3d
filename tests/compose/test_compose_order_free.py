"""The composed game is a function of the set of variants, not of any order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rulesets import (
    ruleset_from_folder,
    ruleset_from_texts,
    with_units,
)

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.compose.compose import compose
from houserule.compiler.rules import ChosenTable, Rules
from houserule.language.manifest.ruleset import LoadedRuleset

CASES = Path(__file__).parents[1] / "cases" / "compose"
RACE = ruleset_from_folder(CASES / "race")
VARIANTS = sorted(unit.id for unit in RACE.units_of("variant"))

CLASHING = """
variant one for race
change goal from 100 to 40
remove bet.small
order swapping then laying
extend price with plus tax, if any, after charged
raise hand_limit by 1
or lay.cheap.also: yes

variant two for race
change goal from 100 to 60
change bet.small "Other" from c.worth at most d.worth to yes
extend price with times half, if any, after charged
change hand_limit from 5 to 4
change lay.cheap "Dear" from price(c) at most pot to yes
remove away.put

variant three for race
change goal from 90 to 60
zone discard: set of Card
release order among laying, swapping
reaction late after away.put
  does more: pot gains 1

bridge one, two for race
mute one at goal
"""


def clashing() -> LoadedRuleset:
    files = {p.name: p.read_text("utf-8") for p in RACE_FILES}
    return ruleset_from_texts(files | {"clashing.rules": CLASHING})


RACE_FILES = sorted((CASES / "race").rglob("*.rules"))


def shuffled(ruleset: LoadedRuleset, seed: int) -> LoadedRuleset:
    units = list(ruleset.units)
    Random(seed).shuffle(units)
    return with_units(ruleset, tuple(units))


def outcome(
    ruleset: LoadedRuleset, variants: frozenset[str]
) -> tuple[Rules | None, list[Diagnostic]]:
    options = {"goal": 100, "hand_limit": 5, "open_hands": False}
    return compose(ruleset, ChosenTable("race", 3, variants, options))


@settings(max_examples=40)
@given(st.sets(st.sampled_from(VARIANTS)), st.integers(0, 10**6))
def test_the_order_of_units_changes_nothing(variants: set[str], seed: int) -> None:
    on = frozenset(variants)
    assert outcome(shuffled(RACE, seed), on) == outcome(RACE, on)


@settings(max_examples=40)
@given(
    st.sets(st.sampled_from(["one", "two", "three", *VARIANTS])),
    st.integers(0, 10**6),
)
def test_clashes_are_told_alike_in_every_order(variants: set[str], seed: int) -> None:
    ruleset, on = clashing(), frozenset(variants)
    assert outcome(shuffled(ruleset, seed), on) == outcome(ruleset, on)


@pytest.mark.parametrize("members", [("insurance", "strict"), ("strict", "insurance")])
def test_the_order_of_members_of_a_bridge_changes_nothing(
    members: tuple[str, str],
) -> None:
    bridge = next(u for u in RACE.units if u.id == "insurance+strict")
    names = tuple(w for m in members for w in bridge.names if w.text == m)
    units = (replace(bridge, names=names) if u is bridge else u for u in RACE.units)
    turned = with_units(RACE, tuple(units))
    on = frozenset(members)
    assert outcome(turned, on) == outcome(RACE, on)
