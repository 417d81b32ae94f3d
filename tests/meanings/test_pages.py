"""What the pages say of a code, a word of the language, and a topic."""

from __future__ import annotations

import re

import pytest
from tests.docs.fences import ROOT
from tests.docs.test_links import anchors_of

import houserule
from houserule.language.syntax.vocabulary import keywords
from houserule.rulebook.meanings import pages
from houserule.rulebook.meanings.pages import names_on_pages, pages_about

INDEX_PAGE = (ROOT / "docs/subject-index.md").read_text("utf-8")
ABOUT = {
    "e201": ("code", "conflicting variants", "docs/diagnostics/E201.md"),
    "together": ("word", "phase", "docs/language/flow.md#phase"),
    "clockwise": (
        "word",
        "clockwise(p)",
        "docs/language/built-in-names.md#built-in-names",
    ),
    "scenarios": (
        "topic",
        "Scenarios: examples as tests",
        "docs/scenarios.md",
    ),
    "writing rules": ("topic", "Writing good rules", "docs/writing-rules.md"),
    "valid table": ("topic", "valid table", "docs/glossary.md#at-the-table"),
    "golden records": ("topic", "Golden records", "docs/records.md#golden-records"),
}


@pytest.mark.parametrize("name", ABOUT)
def test_what_is_found(name: str) -> None:
    found = houserule.explain(name)
    assert (found.kind, found.title, found.places[0]) == ABOUT[name]


@pytest.mark.parametrize("word", sorted(keywords()))
def test_every_word_of_the_language_is_explained(word: str) -> None:
    (found,) = (each for each in pages_about(word) if each.kind == "word")
    assert re.search(rf"\b{word}\b", found.page)


def test_a_topic_is_the_whole_page_and_no_settings_of_tests() -> None:
    page = houserule.explain("tables").page
    assert page.startswith("# Choosing a table\n")
    assert page.count("\n") == (ROOT / "docs/tables.md").read_text("utf-8").count("\n")
    assert not re.search(r"^```\w+ ", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("tie", "Break ties"),
        ("Extra turn", "Give an extra turn"),
        ("conflict variants", "conflicting variants"),
        ("phones", "Play with friends"),
    ],
)
def test_a_search_finds_headings_and_titles_of_messages(
    words: str, heading: str
) -> None:
    assert heading in [title for title, _ in houserule.search(words)]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("take another turn", "effects.md#let-show-again-end"),
        ("operator precedence", "expressions.md#precedence"),
        ("tie-breaking", "queries.md#highest-lowest-and-ties"),
        ("once per turn", "actions.md#limit"),
        ("simultaneous choice", "flow.md#phase"),
        ("random member of a set", "effects.md#randomness"),
        ("skip a player", "flow.md#phase"),
        ("several reactions at once", "reactions.md"),
        ("overflow", "expressions.md#numbers"),
        ("quotation mark", "files.md#captions"),
    ],
)
def test_the_first_answer_to_a_question_is_its_section(words: str, place: str) -> None:
    assert houserule.search(words)[0][1] == f"docs/language/{place}"


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("how do I shuffle the discard pile back into the deck?", "i-want.md#resh"),
        ("a variant that only works for 2 players", "i-want.md#require-a-number-of"),
        ("hidden cards of one player", "tutorials/card-game.md#hidden-hands"),
        ("make a move illegal if", "language/actions.md#needs"),
        ("who goes first by a die roll", "i-want.md#change-who-begins"),
        ("run 1000 games and compare", "comparing.md"),
        ("trick-taking example", "games.md"),
        ("reset a table", "serving.md#finished-games"),
        ("what happens if two players tie", "language/queries.md#highest-lowest"),
        ("how do I hide the cards in a hand from the others", "language/components.md"),
        ("can a rule apply only when two people play", "i-want.md#require-a-number-of"),
        ("a thousand games to see if my rule is better", "comparing.md"),
        ("how do I make a move not allowed", "language/actions.md#needs"),
        ("hex board", "games.md"),
    ],
)
def test_a_question_in_a_sentence_finds_its_page(question: str, place: str) -> None:
    found = [where for _, where in houserule.search(question, 3)]
    assert any(each.startswith(f"docs/{place}") for each in found), found


def test_a_search_prefers_headings_and_returns_places_that_exist() -> None:
    found = houserule.search("move")
    assert len(found) == 8
    assert "move" in found[0][0].lower()
    for _, place in found:
        file, _, anchor = place.partition("#")
        assert not anchor or anchor in anchors_of(ROOT / file)
    assert houserule.search("hippopotamus") == []
    assert houserule.search("") == []


def test_every_name_has_a_page_that_is_there() -> None:
    for name in names_on_pages():
        for found in pages_about(name):
            assert all((ROOT / place.split("#")[0]).is_file() for place in found.places)
        assert found.page


def test_near_names_are_offered() -> None:
    with pytest.raises(LookupError, match="Did you mean scenarios"):
        houserule.explain("scenarois")
    with pytest.raises(LookupError, match=r"about `zzz`\.$"):
        houserule.explain("zzz")


def test_each_term_of_the_subject_index_is_in_one_row() -> None:
    rows = [terms.split(", ") for terms, _ in pages.INDEX.findall(INDEX_PAGE)]
    terms = [term for row in rows for term in row]
    assert sorted(set(terms)) == sorted(terms)


@pytest.mark.parametrize(
    "term", ["incompatible", "tiebreaker", "long line", "minus", "knocked out", "deal"]
)
def test_a_term_of_the_subject_index_leads_to_its_pages(term: str) -> None:
    wanted = {place for _, place in pages.indexed(term)}
    assert houserule.search(term)[0][1] in wanted


def test_endings_do_not_count_in_a_search() -> None:
    for words in ("skip a player", "skipped players", "skipping a player"):
        assert houserule.search(words)[0][1] == "docs/language/flow.md#phase"
