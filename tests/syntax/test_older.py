"""Older words: what they mean, who is told of them, and what is written instead."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TypedDict

import pytest
from ruamel.yaml import YAML
from tests.support import shipped
from tests.support.rulesets import ruleset_from_texts
from tests.syntax.test_cases import comments

from houserule.checking.check import check_game
from houserule.compose.compose import compose
from houserule.compose.tables.choose import choose_table
from houserule.prepare import TableChoice, prepare
from houserule.source import Source
from houserule.syntax import tree as t
from houserule.syntax.older import FORMS
from houserule.syntax.read.parser import parse_afresh
from houserule.syntax.write.format import format_text
from houserule.syntax.write.upgrade import upgraded


class Pair(TypedDict):
    """A text in older words, and in those of today."""

    was: str
    now: str


CASES = Path(__file__).parents[1] / "cases" / "syntax" / "older.yaml"
PAIRS: list[Pair] = YAML(typ="safe").load(CASES.read_text(encoding="utf-8"))
pairs = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["was"][7:40])


def units_of(text: str) -> tuple[t.Unit, ...]:
    units, faults = parse_afresh(Source("text", text))
    assert not faults
    return units


def forms_in(text: str) -> list[str]:
    return [each.form for unit in units_of(text) for each in unit.older]


@pairs
def test_older_words_make_the_same_tree(pair: Pair) -> None:
    assert units_of(pair["was"]) == units_of(pair["now"])
    assert not forms_in(pair["now"])


@pairs
def test_an_upgrade_writes_the_words_of_today(pair: Pair) -> None:
    new, kept = upgraded(Source("text", pair["was"]), {})
    assert not kept
    assert format_text(new) == (pair["now"], [])
    assert comments(pair["now"]) == comments(pair["was"])
    assert upgraded(Source("text", pair["now"]), {})[0].text == pair["now"]


@pairs
def test_without_an_upgrade_older_words_stay(pair: Pair) -> None:
    text, faults = format_text(Source("text", pair["was"]))
    assert not faults
    assert forms_in(text) == forms_in(pair["was"])
    assert text.split() == pair["was"].split()


def test_every_older_form_has_a_case() -> None:
    assert {form for pair in PAIRS for form in forms_in(pair["was"])} == FORMS.keys()


def test_a_contribution_stays_where_its_layer_is_not_known() -> None:
    source = Source("text", "variant v for g\nadjust worth.much as more: 1\n")
    new, (told,) = upgraded(source, {})
    assert new == source
    assert told.code == "W005"
    assert told.span is not None
    assert told.span.line == 2
    for op in ("plus", None):
        text = upgraded(source, {"worth.much": op})[0].text
        assert ("add to worth.much called more: 1" in text) is (op == "plus")


GAME = """game g
players 2..2
state got: 0..9 starts as 0
value gain: 0..9 = 1
  then times doubled
phase turn for me in players
  step acting: {mode}
  step resting: at most once
action take {at} acting
  needs few: got at most 3
  does it: got gains gain
winners: players
"""
OLD = GAME.format(mode="exactly once", at="at")
NEW = GAME.format(mode="must act once, if possible", at="during")
VARIANT = """variant v for g
adjust gain.doubled as more: 2
lift take.few.twice: got is 5
change take.{part} from acting to resting
after take.it as noting
  does it: got gains 0
"""


def composed(game: str, variant: str) -> str:
    ruleset = ruleset_from_texts({"game.rules": game, "v.rules": variant})
    table, _ = choose_table(ruleset, with_=("v",))
    assert table is not None
    rules, faults = compose(ruleset, table)
    assert not faults
    assert rules is not None
    assert rules.actions["take"].at.text == "resting"
    return rules.fingerprint


def test_composed_rules_are_the_same_by_their_name() -> None:
    """A record of older rules names them by it; older addresses reach the same."""
    new = VARIANT.format(part="during")
    now, kept = upgraded(Source("v.rules", new), {"gain.doubled": "times"})
    assert not kept
    assert not forms_in(now.text)
    told = composed(OLD, VARIANT.format(part="at"))
    assert told == composed(NEW, now.text) == composed(OLD, now.text)
    assert told == composed(NEW, VARIANT.format(part="at"))
    game = ruleset_from_texts({"game.rules": OLD})
    assert not prepare(game, TableChoice()).diagnostics


def test_another_verb_than_the_layer_says_is_told_with_the_right_line() -> None:
    wrong = "variant v for g\nadd to gain.doubled called more: 2\n"
    ruleset = ruleset_from_texts({"game.rules": NEW, "v.rules": wrong})
    (found,) = prepare(ruleset, TableChoice(with_=("v",))).diagnostics
    assert found.code == "E103"
    assert "`multiply gain.doubled called more: …`" in found.message
    assert found.span is not None
    assert (found.span.file, found.span.line) == ("v.rules", 2)


def test_check_tells_a_file_once_and_play_does_not(tmp_path: Path) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped.ruleset_of("pig").folder, folder)
    rules = folder / "game.rules"
    text = rules.read_text(encoding="utf-8")
    older = text.replace(" during ", " at ")
    older = older.replace("must act once, if possible", "exactly once")
    assert older.count(" at ") > text.count(" at ")
    rules.write_text(older, encoding="utf-8")
    (found,) = check_game(folder).diagnostics
    assert found.code == "W005"
    assert found.fixes == (f"houserule fmt --upgrade {found.span and found.span.file}",)
    for form in ("old_action", "old_mode"):
        assert any(FORMS[form].now in row for row in found.details)
    assert format_text(upgraded(Source("x", older), {})[0])[0] == text
