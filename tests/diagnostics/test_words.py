"""Lists, articles and capitals in messages."""

from __future__ import annotations

import pytest

from houserule.base.diagnostics.wording import listed, sentence, with_article


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
    ],
)
def test_lists(words: list[str], expected: str) -> None:
    assert listed(iter(words)) == expected
    assert listed(words, "or") == expected.replace("and", "or")


@pytest.mark.parametrize(
    ("noun", "article"),
    [
        ("phase", "a"),
        ("action", "an"),
        ("Office", "an"),
        ("umbrella", "an"),
        ("Unit", "a"),
        ("uses up", "a"),
    ],
)
def test_articles(noun: str, article: str) -> None:
    assert with_article(noun) == f"{article} {noun}"


def test_a_sentence_keeps_its_other_capitals() -> None:
    assert sentence('the "Better Roll"') == 'The "Better Roll"'
    assert sentence("") == ""
