"""A house rule without prose prints as sentences that a person would write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.support.shipped import ROOT

from houserule.base.diagnostics.diagnostic import has_errors
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.folder import RulesFile
from houserule.language.manifest.load import load_ruleset
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.book_model import Book
from houserule.rulebook.book.build import book_of

CASES = Path(__file__).parents[1] / "cases" / "rulebook" / "own_rules.yaml"
RULES: list[dict[str, Any]] = YAML(typ="safe").load(CASES)
FORMAL = re.compile(
    r"This must hold|This follows|[Ff]rom now on|is here |consists of|the first number|"
    r"Es muss gelten|Es folgt|[Aa]b jetzt|ist hier |besteht aus|\w_\w"
)


def with_rule(game: str, rule: str, path: Path) -> TableRules:
    path.write_text(f'variant own for {game} "Own rule"\n{rule}', "utf-8")
    ruleset, faults = load_ruleset(ROOT / game, (RulesFile(path, path.name),))
    assert ruleset is not None, faults
    assert not has_errors(faults), faults
    players = ruleset.manifest.usual_players
    choice = TableChoice(with_=("own",), players=players)
    found = prepare(ruleset, choice, for_play=True)
    assert found.table is not None
    assert found.program is not None, found.diagnostics
    return TableRules(ruleset, found.table, found.program)


def marked(book: Book) -> str:
    return " ".join(
        each.text
        for section in book.every_section()
        for each in section.sentences()
        if each.marks and each.address
    )


@pytest.mark.parametrize("case", RULES, ids=lambda case: case["rule"].split(":")[0])
def test_a_rule_without_prose_reads_well(case: dict[str, Any], tmp_path: Path) -> None:
    rules = with_rule(case["game"], case["rule"], tmp_path / "own.rules")
    for language in ("en", "de"):
        book = book_of(rules, language)
        assert marked(book) == case[language]
        assert not FORMAL.search(case[language])
        assert not [rule.address for rule in book.rules if rule.unsaid]


def test_what_has_no_plain_sentence_is_in_the_annex(tmp_path: Path) -> None:
    largest = "the one k in Heap with most heap(k), none on a tie"
    rule = f"needs take.largest: h is ({largest})\n"
    book = book_of(with_rule("nim", rule, tmp_path / "own.rules"), "en")
    assert [each.address for each in book.annex(exact=False)] == ["take.largest"]
    assert "Rules in formal wording only" in book.markdown()


def test_an_exception_stays_with_its_rule_in_the_annex(tmp_path: Path) -> None:
    largest = "the one k in Heap with most heap(k), none on a tie"
    rule = f"needs take.largest: h is ({largest})\nor take.largest.odd: n is 1\n"
    book = book_of(with_rule("nim", rule, tmp_path / "own.rules"), "en")
    both = ["take.largest", "take.largest.odd"]
    assert [each.address for each in book.annex(exact=False)] == both


def test_prose_with_the_number_of_another_rule_is_left_out(tmp_path: Path) -> None:
    rule = """\
change hold.something "Enough"
  from pot at least 1
  to pot at least target
---
texts:
  en:
    changed_prose:
      own:
        hold.something: At least {n1}.
"""
    book = book_of(with_rule("pig", rule, tmp_path / "own.rules"), "en")
    assert "At least" not in marked(book)


def test_books_leave_out_what_is_for_bots_and_engines() -> None:
    ruleset, _ = load_ruleset(ROOT / "x_pasch")
    assert ruleset is not None
    for value, there in ((0, False), (60, True)):
        choice = TableChoice(preset="official", settings={"bankruptcy_from": value})
        found = prepare(ruleset, choice, for_play=True)
        assert found.table is not None
        assert found.program is not None
        rules = TableRules(ruleset, found.table, found.program)
        text = book_of(rules, "en").markdown()
        assert not re.search(r"\b(bot|unwise|400 times)\b", text)
        assert ("Somebody must have at least" in text) is there


def test_a_mark_that_begins_as_yes_has_no_sentence_that_it_is_noted_later(
    tmp_path: Path,
) -> None:
    rule = """\
state spare(p: Player): yes or no starts as yes
action swap during deciding "Take one point"
  needs some: spare(me) or pot at least 10
  does away: score(me) gains 1; spare(me) becomes no
"""
    book = book_of(with_rule("pig", rule, tmp_path / "own.rules"), "en")
    assert [each.address for each in book.annex(exact=False)] == ["spare"]


def test_a_condition_on_no_place_does_not_name_one_place(tmp_path: Path) -> None:
    rule = "needs take.same: n is not 2 or no k in Heap has heap(k) at least 6\n"
    book = book_of(with_rule("nim", rule, tmp_path / "own.rules"), "en")
    assert "at least 6 sticks lie in no heap" in marked(book)
