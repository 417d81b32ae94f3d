"""The books of shipped games: read as a whole, and held to what was read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ROOT, ruleset_of

import houserule
from houserule.authoring.check.sentences import wordless
from houserule.rulebook.book.book_model import Book, BookBlock

from .test_book import shipped_book

GOLDEN = Path(__file__).parents[1] / "cases" / "rulebook" / "golden"
BOOKS = (
    ("pig", "", "de"),
    ("hearts", "", "en"),
    ("takeover", "", "en"),
    ("backgammon", "", "de"),
    ("pasha", "", "it"),
    ("pachisi", "", "fr"),
    ("liars_dice", "", "de"),
    ("x_pasch", "official_deluxe", "de"),
)
ALL = [(name, lang) for name in NAMES for lang in ruleset_of(name).manifest.languages]
LONG = 16  # letters of a text that would not be the same by chance
CODE = re.compile(r"\w_\w|[<>{}\[\]]|=(?! ?\d)|\b[a-z]\w*\.[a-z]\w*\b|\w\(\w+\)|  ")


@pytest.mark.parametrize(("game", "preset", "language"), BOOKS)
def test_a_book_is_as_it_was_read(game: str, preset: str, language: str) -> None:
    table = houserule.load(game).table(preset=preset or None)
    text = table.rulebook(language).markdown()
    path = GOLDEN / f"{game}.{language}.md"
    if os.environ.get("HOUSERULE_BLESS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def books(name: str, language: str) -> list[Book]:
    return [shipped_book(name, language, place)[0] for place in (0, -1)]


def texts(book: Book) -> Iterator[str]:
    for section in book.every_section():
        yield section.title
        for paragraph in section.paragraphs():
            yield paragraph.lead
        yield from (each.text for each in section.sentences())
    for rule in book.rules:
        yield from (rule.says, *rule.exact)


@pytest.mark.parametrize(("name", "language"), spread(ALL, 5, name="-".join))
def test_a_book_speaks_its_language_and_no_other(name: str, language: str) -> None:
    """No code, nothing in another language, and words of people for all of it."""
    made = books(name, language)
    found = {text for book in made for text in texts(book)}
    assert not {text for text in found if CODE.search(text)}
    said = " ¶ ".join(found).casefold()
    assert not {each for each in of_others(name, language) if each in said}
    assert not {rule.address for book in made for rule in book.rules if rule.unsaid}
    assert not {each for book in made for each in book.missing}


def of_others(name: str, language: str) -> set[str]:
    """Return what a game says in other languages, and not in this one."""
    ruleset = ruleset_of(name)
    own = {words.casefold() for words in ruleset.texts.get(language, {}).values()}
    first, *_ = ruleset.manifest.languages
    others = [w for known in ruleset.texts.values() for w in known.values()]
    if language != first:
        others += (r.says.rstrip(".") for b in books(name, first) for r in b.rules)
    found = {each.casefold() for each in others if len(each) >= LONG}
    return {each for each in found - own if "{" not in each}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_books_have_words_for_all_at_every_table(name: str) -> None:
    assert [each.message for each in wordless(ruleset_of(name))] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_action_has_an_example_from_a_scenario_of_the_table(language: str) -> None:
    table = houserule.load(ROOT / "x_pasch").table(preset="official", players=4)
    course = _course(table.rulebook(language))
    at = [n for n, each in enumerate(course) if each.kind == "example"]
    named = [course[n - 1] for n in at]
    assert len(at) >= 3
    assert {each.address for each in named if each.kind == "paragraph"} >= {
        "found",
        "bankrupt",
    }
    found = next(course[n] for n in at if "8" in str(course[n]))
    assert found.kind == "example"
    assert "3" in found.text
    assert found.svg.count("<circle") >= 3 + 5  # the spots of two dice
    alone = _course(houserule.load(ROOT / "hearts").table(players=3).rulebook(language))
    assert "example" not in {each.kind for each in alone}  # its scenarios are for four


def _course(book: Book) -> list[BookBlock]:
    sections = [each for each in book.every_section() if each.look == ""]
    return [block for section in sections for block in section.blocks]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_book_has_three_examples(name: str) -> None:
    usual = ruleset_of(name).manifest.usual_players
    table = houserule.load(name).table(players=usual)
    sections = table.rulebook("en").every_section()
    found = [each for one in sections for each in one.blocks if each.kind == "example"]
    assert len(found) >= 3


@pytest.mark.parametrize(("game", "parts"), [("ludo", "4 pieces"), ("pachisi", "4 p")])
def test_pieces_on_a_board_are_among_the_parts(game: str, parts: str) -> None:
    book = houserule.load(game).table().rulebook("en")
    things = next(each for each in book.sections if each.key == "chapter-things")
    assert f"Every player has {parts}" in " ".join(e.text for e in things.sentences())
