"""Nouns behind articles, in their cases, and grown together with words before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from houserule.base.inflection import CASES
from houserule.rulebook.nouns import Noun, grammar_of

CASES_FILE = Path(__file__).parents[2] / "cases" / "rulebook" / "nouns.yaml"
DATA: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(CASES_FILE)
DECLINED = [
    (language, row)
    for language, rows in DATA.items()
    if language != "joined"
    for row in rows
]


@pytest.mark.parametrize(("language", "row"), DECLINED)
def test_an_article_and_a_noun_have_the_cases_of_the_language(
    language: str, row: dict[str, Any]
) -> None:
    grammar, noun = grammar_of(language), Noun(*row["noun"])
    (asked, wanted), *more = ((k, v) for k, v in row.items() if k != "noun")
    assert not more
    *before, article = asked.split(" ")
    if before == ["plural"]:
        noun = grammar.plural(noun)
    elif before == ["second"]:
        noun = grammar.ordinal(noun, 2)
    declined = grammar.declined(noun, article)
    assert " | ".join(declined[case] for case in CASES) == wanted


@pytest.mark.parametrize("row", DATA["joined"], ids=lambda row: str(row["gives"]))
def test_a_noun_grows_together_with_what_stands_before_it(row: dict[str, str]) -> None:
    grammar = grammar_of(row["in"])
    phrase = grammar.phrase(Noun(*row["noun"]))
    assert grammar.filled(row["text"], {"x": phrase}) == row["gives"]
