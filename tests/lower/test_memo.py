"""Memoised lowering: with a memo every table gets exactly what it gets without one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from tests.compose.random_families import random_family
from tests.support.rulesets import ruleset_from_texts

from houserule.base.algebra.equality import same
from houserule.base.resources import shipped_rulesets
from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.lower.memo import Memo, Watched
from houserule.compiler.prepare import Programs, TableChoice, prepare
from houserule.compiler.rules import Rules
from houserule.compiler.tables.choose import choose_table
from houserule.compiler.tables.sample import Choice, sample_tables
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

MOST = 12  # tables of one ruleset


def assert_same_with_memo(tables: list[Rules]) -> int:
    """Lower tables with one memo and without; return how many faults there were."""
    memo = Memo()
    faults = 0
    for rules in tables:
        program, found = check_rules(rules, memo)
        wanted, told = check_rules(rules)
        assert same(found, told)
        assert same(program, wanted)
        faults += len(found)
    return faults


def composed(ruleset: LoadedRuleset, choices: Iterable[Choice]) -> list[Rules]:
    found = []
    for each in choices:
        table, _ = choose_table(
            ruleset,
            with_=tuple(sorted(each.variants)),
            settings=each.settings,
            players=each.players,
        )
        assert table is not None
        rules, _ = compose(ruleset, table)
        found += [rules] if rules else []
    return found


@pytest.mark.parametrize("game", shipped_rulesets())
def test_shipped_tables_lower_the_same(game: str) -> None:
    ruleset, _ = load_ruleset(shipped_rulesets()[game])
    assert ruleset is not None
    choices = sample_tables(ruleset)
    some = Random(game).sample(choices, min(MOST, len(choices)))
    tables = composed(ruleset, some)
    assert tables
    assert_same_with_memo(tables)


def family_tables(seed: int) -> list[Rules]:
    """Return every table of a random family that can be composed, shuffled."""
    ruleset = random_family(seed)
    names = sorted(unit.id for unit in ruleset.units_of("variant"))
    found: list[Rules] = []
    for size in range(len(names) + 1):
        for with_ in combinations(names, size):
            for players in (2, 4):
                table, _ = choose_table(ruleset, with_=with_, players=players)
                rules = compose(ruleset, table)[0] if table else None
                found += [rules] if rules else []
    Random(seed).shuffle(found)
    return found


@pytest.mark.parametrize(
    "seeds", [range(18), pytest.param(range(18, 47), marks=pytest.mark.slow)], ids=len
)
def test_tables_of_random_families_lower_the_same_with_their_faults(
    seeds: range,
) -> None:
    families = [family_tables(seed) for seed in seeds]
    faults = sum(map(assert_same_with_memo, families))
    assert sum(map(len, families)) > 30
    assert faults > 2


def program_of(text: str, memo: Memo) -> Program:
    from tests.support.lower_cases import composed as composed_text

    program, faults = check_rules(composed_text(text), memo)
    assert program is not None, faults
    return program


GAME = """\
game g
players 2..3
state score(p: Player): 0..9 starts as 0
state a: 0..9 starts as 0
state b: 0..9 starts as 0
value rising: 0..9 = a
value falling: 0..9 = b
winners: those p in players with most score(p)
phase round until a at least 1, at most 9 times
  step go: a gains 1
"""


def test_a_cell_is_read_by_the_names_of_its_table() -> None:
    rows = {"cards.yaml": [{"id": "one", "suit": "red"}, {"id": "two", "suit": "old"}]}
    texts = {
        "game.rules": """\
game g
players 2..3
state a: 0..9 starts as 0
type Suit = old | new
component Card from "cards.yaml"
  suit: Suit
value olds: 0..2 = count of c in Card where c.suit is old
winners: everyone
phase round until no, at most 3 times
  step go: a gains 1
""",
        "x.rules": "variant x for g\nextend Suit with red\n",
        "y.rules": "variant y for g\nextend Suit with green\n",
    }
    ruleset = ruleset_from_texts(texts, rows)
    tables = composed(ruleset, [choice("x"), choice("y"), choice("x")])
    assert len(tables) == 3
    assert assert_same_with_memo(tables) == 1, "there is no red with y"


def choice(*variants: str) -> Choice:
    return Choice(frozenset(variants), 2, {}, "")


def test_what_is_put_in_later_is_another_answer() -> None:
    watched = Watched("anything", {"a": 1}, Memo())
    before = [watched.number(key) for key in ("a", "b")]
    watched["a"], watched["b"] = 2, 3
    after = [watched.number(key) for key in ("a", "b")]
    assert not {*before} & {*after}
    watched["a"] = 1
    assert watched.number("a") == before[0]


def test_what_did_not_change_is_one_object() -> None:
    memo = Memo()
    first = program_of(GAME, memo)
    other = program_of(GAME.replace("= b", "= a"), memo)
    assert other.values["rising"] is first.values["rising"]
    assert other.values["falling"] is not first.values["falling"]
    assert other.steps["go"] is first.steps["go"]


def test_another_type_of_what_is_looked_up_is_lowered_again() -> None:
    memo = Memo()
    first = program_of(GAME, memo)
    other = program_of(GAME.replace("a: 0..9", "a: 0..8"), memo)
    assert other.values["rising"] is not first.values["rising"]
    assert other.values["falling"] is first.values["falling"]
    old, new = first.values["rising"].definition, other.values["rising"].definition
    assert old.type != new.type


def test_another_place_is_lowered_again() -> None:
    memo = Memo()
    first = program_of(GAME, memo)
    moved = program_of(GAME.replace("value rising", "# a remark\nvalue rising"), memo)
    assert moved.states["a"].first is first.states["a"].first
    assert moved.values["rising"].span.line == first.values["rising"].span.line + 1


def test_one_table_asked_for_in_several_ways_is_made_once() -> None:
    ruleset, _ = load_ruleset(shipped_rulesets()["liars_dice"])
    assert ruleset is not None
    programs = Programs(ruleset)
    ways = (
        TableChoice(preset="at_the_bar", players=3),
        TableChoice(with_=("push_out", "no_straights", "wild_ones"), players=3),
        TableChoice(with_=("wild_ones", "no_straights", "push_out"), players=3),
    )
    made = [programs.prepare(each) for each in ways]
    assert made[0].program is not None
    assert all(each.program is made[0].program for each in made)
    for way, prepared in zip(ways, made, strict=True):
        assert same(prepared, prepare(ruleset, way))
    fewer = replace(ways[0], without=("push_out",))
    more = replace(ways[0], players=4)
    for other in (fewer, more, TableChoice()):
        assert same(programs.prepare(other), prepare(ruleset, other))
