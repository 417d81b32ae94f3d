"""Every clause of every shipped game is said in whole sentences of its language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import get_args

import pytest
from tests.support.shipped import NAMES, ShippedTable, presets, program_at, ruleset_of

from houserule import ir
from houserule.ir.walk import beneath
from houserule.rulebook.exact.words import ExactWords

TABLES = [
    pytest.param(table, language, id=f"{table}: {language}")
    for game in NAMES
    for table in presets(game)
    for language in ruleset_of(game).manifest.languages
]


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
    kinds = {*get_args(ir.Expr), *kinds_of_statements()}
    # What offers count by is made behind the rules, and no clause has it.
    assert kinds - seen <= {ir.Alike, ir.Distinct, ir.AddFace, ir.SetFace, ir.PhaseVar}


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
