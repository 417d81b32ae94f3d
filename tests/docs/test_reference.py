"""The language reference says all that the grammar says, and nothing else."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.docs.fences import Fence, fences_of
from tests.docs.test_examples import whole
from tools.write_constructs import (
    PAGE,
    constructs,
    names_in,
    parser,
    used_names,
    written,
)

from houserule.lower.symbols.symbol_table import BUILT_IN_FUNCTIONS, BUILT_IN_NAMES
from houserule.syntax.vocabulary import keywords

# Rules of the grammar that only join others, or are a name, a list, a line.
PLUMBING = frozenset(
    re.findall(
        r"\w+",
        """
        start unit item decl type_def dice_names slots slot_keys slot_key first_value
        definition event short_payload payload line_body block_body inline stmt
        stmt_line simple params params_ param type base_type int minus_int word
        long_expr expr or_open and_open not_open or_test and_test not_test comparison
        sum range_ arith term factor atom list_ over binders names dotted dotteds
        """,
    )
)
# The words about a tie are one piece of the grammar, and no keywords by themselves.
PHRASE = {"on", "a", "tie"}
_WORD = re.compile(r"[a-z]+")
_QUOTED = re.compile(r'"[^"\n]*"')


@cache
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@cache
def documented() -> frozenset[str]:
    return frozenset(name for _, name, _ in constructs(page()))


@cache
def examples() -> tuple[Fence, ...]:
    found = tuple(fence for fence in fences_of(PAGE) if fence.language == "rules")
    assert found
    return found


@cache
def words_of_forms() -> frozenset[str]:
    forms = " ".join(_QUOTED.sub("", form) for _, _, form in constructs(page()))
    return frozenset(_WORD.findall(forms))


def test_every_rule_of_the_grammar_has_a_form() -> None:
    names = {str(rule.alias or rule.origin.name) for rule in parser().rules}
    wanted = {name for name in names if not name.startswith("__")} - PLUMBING
    assert not wanted - documented(), "the reference says nothing of these"
    assert not documented() - wanted, "the grammar has no such rules"


def test_every_keyword_stands_in_a_form() -> None:
    assert not keywords() - words_of_forms()


def test_every_word_of_a_form_is_a_keyword() -> None:
    assert not words_of_forms() - keywords() - PHRASE


def test_every_construct_has_an_example() -> None:
    shown: set[str] = set()
    for fence in examples():
        shown |= names_in(whole(fence))
    # The headers of `whole` are no examples, but the page has those of its own.
    assert not documented() - shown


def test_every_keyword_stands_in_an_example() -> None:
    words: set[str] = set()
    for fence in examples():
        words |= set(_WORD.findall(_QUOTED.sub("", fence.text)))
    assert not keywords() - words


@pytest.mark.parametrize("name", ["Player", *BUILT_IN_FUNCTIONS, *BUILT_IN_NAMES])
def test_every_built_in_name_is_in_the_table(name: str) -> None:
    table = page().partition("## Built-in names")[2].partition("\n```")[0]
    rows = [line.split("|")[1] for line in table.split("\n") if line.startswith("| ")]
    assert any(re.search(rf"`{name}\b", row) for row in rows)


def test_the_table_of_rulesets_is_up_to_date() -> None:
    assert page() == written(page(), used_names()), "python tools/write_constructs.py"
