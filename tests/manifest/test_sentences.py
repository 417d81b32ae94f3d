"""Where sentences begin and end, and what a register makes of them."""

from __future__ import annotations

import pytest

from houserule.authoring.coverage.registers import (
    NoHeadings,
    SourceChange,
    changed_sentences,
    digest,
    doubtful,
    make_register,
    register_text,
    split_source,
)
from houserule.base.source import Source
from houserule.language.manifest.citations import plain
from houserule.language.manifest.ruleset_models import Register, Sentence
from houserule.language.manifest.yaml.read import read_model
from houserule.language.syntax.tree import Cite

BOOK = """\
The Book of Tea

How to Play:

Each player takes a leaf. It may be green
or black, e.g. Green. May it be white? no,
never! (Some say so.) End of it

  1. First this,
  2. Then that.

Extra Rule 1:

Mint: (Fresh leaves)

Mint is worth two. It smells.
"""


def cite(heading: str, words: str | None = None, first: int | None = None) -> Cite:
    return Cite(None, heading, words=words, first=first)


def test_headings_and_sentences() -> None:
    parts = split_source(BOOK, ["Extra Rule"])
    assert [(part.heading, part.sentences) for part in parts] == [
        (
            "How to Play",
            (
                "Each player takes a leaf.",
                "It may be green or black, e.g. Green.",
                "May it be white? no, never!",
                "(Some say so.) End of it",
                "First this,",
                "Then that.",
            ),
        ),
        ("Extra Rule 1", ("Mint is worth two.", "It smells.")),
    ]


def test_headings_that_nobody_cites_stand_for_themselves() -> None:
    assert [part.heading for part in split_source(BOOK)] == [
        "How to Play",
        "Mint: (Fresh leaves)",
    ]


def test_marked_headings_leave_short_lines_alone() -> None:
    text = "## Spielmaterial\n\n5 Würfel\n\nje Farbe\n\n# Ablauf\n\nEiner beginnt.\n"
    parts = split_source(text)
    assert [part.heading for part in parts] == ["Spielmaterial", "Ablauf"]
    assert parts[0].sentences == ("5 Würfel", "je Farbe")


def test_parts_of_one_name_are_one() -> None:
    parts = split_source("# A\nOne.\n# B\nTwo.\n# a:\nThree.\n")
    assert [part.sentences for part in parts] == [("One.", "Three."), ("Two.",)]


def test_marks_and_spaces_do_not_count() -> None:
    assert plain(" **A**  „leaf“\n«x» ") == "A leaf x"
    assert digest("A  leaf.") == digest("*a* LEAF.")
    assert digest("A leaf.") != digest("A leaf!")
    assert len(digest("")) == 16


def test_a_register_knows_what_is_quoted_and_no_sentence() -> None:
    cites = [cite("How to Play", "a leaf"), cite("extra rule", "smells")]
    register, doubts = make_register("Tea", BOOK, cites)
    assert not doubts
    assert [heading.cited for heading in register.headings] == [
        {"a leaf": 1},
        {"smells": 2},
    ]
    text = register_text(register)
    assert "Each player" not in text
    found, _, faults = read_model(Source("x.yaml", text), Register)
    assert (found, faults) == (register, [])


@pytest.mark.parametrize(
    ("doubtful", "reason"),
    [
        (cite("How to Pay", "a leaf"), "no such heading"),
        (cite("How to Play", "a loaf"), "0 sentences say so"),
        (cite("How to Play", "be"), "2 sentences say so"),
        (cite("How to Play", "each player takes a leaf"), "more than four words"),
        (cite("How to Play", first=7), "there are only 6 sentences"),
    ],
)
def test_margins_that_name_no_single_place(doubtful: Cite, reason: str) -> None:
    _, doubts = make_register("Tea", BOOK, [doubtful])
    assert [each.reason for each in doubts] == [reason]


def test_what_was_said_of_a_sentence_stays() -> None:
    first, _ = make_register("Tea", BOOK, [])
    heading = first.headings[0]
    known = Sentence(hash=heading.sentences[1].hash, status="flavour")
    heading.sentences[1] = known
    second, _ = make_register("Tea", BOOK.replace("takes", "gets"), [], first)
    assert second.headings[0].sentences[1] == known
    assert second.headings[0].sentences[0] != heading.sentences[0]


def test_a_changed_source_is_noticed() -> None:
    register, _ = make_register("Tea", BOOK, [])
    assert not list(changed_sentences(register, BOOK))
    changed = BOOK.replace("takes", "gets").replace("  2. Then that.\n", "")
    assert list(changed_sentences(register, changed + "\nNew Part\n\nNew.\n")) == [
        SourceChange("How to Play", 1, 1, "reads differently in the book"),
        SourceChange("How to Play", 6, None, "is no longer in the book"),
        SourceChange("New Part", None, 1, "is a new part of the book"),
    ]


@pytest.mark.parametrize("text", ["", "one line", "# A\n\n# B\n"])
def test_a_text_without_headings_is_no_source(text: str) -> None:
    with pytest.raises(NoHeadings, match="under a heading"):
        make_register("A book", text, [cite("How to Play", "a leaf")])
    (doubt,) = doubtful(text, [cite("How to Play", "a leaf")])
    assert doubt.reason == "no such heading"
