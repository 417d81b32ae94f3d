"""Every clause of every shipped game is said in whole sentences of its language."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import get_args

import pytest
from tests.support.rules_cases import program_of
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ShippedTable, presets, program_at, ruleset_of

from houserule import ir
from houserule.ir.walk import beneath
from houserule.rulebook.exact.exact_words import ExactWords

CASES = Path(__file__).parents[2] / "cases"
TABLES = spread(
    [
        (table, language)
        for game in NAMES
        for table in presets(game)
        for language in ruleset_of(game).manifest.languages
    ],
    5,
    name=lambda each: f"{each[0]}: {each[1]}",
)


@lru_cache(maxsize=4)
def exact(table: ShippedTable, language: str) -> ExactWords:
    texts = ruleset_of(table.game).texts.get(language, {})
    return ExactWords(program_at(table), texts, language)


@pytest.mark.parametrize(("table", "language"), TABLES)
def test_every_clause_has_sentences_without_signs_of_code(
    table: ShippedTable, language: str
) -> None:
    program, words = program_at(table), exact(table, language)
    faults: list[str] = []
    for address in program.clauses:
        said = words.clause(address)
        if not said:
            faults.append(f"{address} says nothing")
        faults += [f"{address}: {each}" for each in said if is_raw(each)]
    assert not faults


RAW = re.compile(
    r"_"  # a name of the rules
    r"|\w\([^)]"  # a call
    r"|[<>=*{}\[\]#|]|\s[+/]\s|\s-\s"  # operators and slots
    r"|\s\s|\s[.,]|\.\."  # words that went missing
    r"|\b(None|True|False|none of|yes or no or)\b"
    r"|\b(?!die|der|das|nous|vous)(\w+) \2\b"  # one word twice
)


def is_raw(sentence: str) -> bool:
    whole = sentence[:1].upper() == sentence[:1] and sentence[-1:] in ".!?"
    return not whole or RAW.search(sentence) is not None


def test_every_kind_of_expression_and_statement_is_said() -> None:
    seen: set[type] = set()
    for game in NAMES:
        for table in presets(game):
            seen |= {type(node) for node in beneath(*roots(program_at(table)))}
    for name in LANGUAGELESS:
        seen |= {type(node) for node in beneath(*roots(without_words(name)))}
    seen.add(ir.TooDeep)  # it is in copies of values only, which nobody reads
    assert {*get_args(ir.Expr), *kinds_of_statements()} - seen == set()


LANGUAGELESS = ("reference", "turning")
TURNING = """
game turning "Turning"
players 2..2
dice Die: red, blue showing 1..6
winners: players
phase round until every d in Die has d.face is 6, at most 9 times
  step turn: for d in Die where d.face less than 6: d.face gains 1
  step back: for d in Die where d.face is 6: d.face loses 1
  order turn then back
"""


def without_words(name: str) -> ir.Program:
    """Return a game that has no texts in any language."""
    if name == "turning":
        return program_of(TURNING)
    return program_of((CASES / f"{name}.rules").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ["en", "de", "fr", "it", "eo"])
@pytest.mark.parametrize("name", LANGUAGELESS)
def test_a_game_without_words_is_said_and_what_is_missing_is_told(
    name: str, language: str
) -> None:
    program = without_words(name)
    words = ExactWords(program, {}, language)
    for address in program.clauses:
        said = words.clause(address)
        assert said
        assert [each for each in said if each != each.strip() or "_" in each] == []
    if language not in ("en", "eo"):
        assert words.missing


def kinds_of_statements() -> set[type]:
    found: set[type] = set()
    for each in get_args(ir.Statement):
        found |= set(get_args(each)) or {each}
    return found


def roots(program: ir.Program) -> list[ir.CoreNode]:
    return [
        *program.values.values(),
        *program.effects.values(),
        *program.actions.values(),
        *program.steps.values(),
        *program.phases.values(),
        *program.reactions.values(),
        *program.states.values(),
        *program.zones.values(),
        *program.always,
    ]
