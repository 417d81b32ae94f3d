"""Rules files that are right, and rules files with their faults written beside them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.cases_reader import Case, difference, found_in, read_folder
from tests.support.printed_units import print_units

from houserule.base.source import Source
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.write.format import format_text

CASES = Path(__file__).parents[1] / "cases" / "syntax"
GOOD = read_folder(CASES / "good")
BAD = read_folder(CASES / "bad")
CODES = [f"E00{number}" for number in range(1, 10)]
# What the grammar calls things; no author should ever read one of these.
INTERNAL = re.compile(r"\b_?[A-Z]{3,}\b|__|\bNone\b|\bTrue\b|frozenset")

good = pytest.mark.parametrize("case", GOOD, ids=lambda case: case.name)
bad = pytest.mark.parametrize("case", BAD, ids=lambda case: case.name)


@good
def test_right_texts_have_no_faults(case: Case) -> None:
    units, faults = parse_afresh(case.source)
    assert not faults
    assert units


@good
def test_a_printed_tree_reads_back_as_the_same_tree(case: Case) -> None:
    units, _ = parse_afresh(case.source)
    text = print_units(units)
    again, faults = parse_afresh(Source("printed", text))
    assert not faults
    assert again == units
    assert print_units(again) == text


@good
def test_formatting_keeps_the_meaning_and_the_comments(case: Case) -> None:
    units, _ = parse_afresh(case.source)
    text, faults = format_text(case.source)
    assert not faults
    again, _ = parse_afresh(Source("formatted", text))
    assert again == units
    assert comments(text) == comments(case.source.text)


@good
def test_formatting_twice_is_formatting_once(case: Case) -> None:
    text, _ = format_text(case.source)
    assert format_text(Source("formatted", text)) == (text, [])
    assert "\n\n\n" not in text
    assert text.strip("\n") + "\n" == text


@bad
def test_every_fault_is_told_at_its_line(case: Case) -> None:
    _, faults = parse_afresh(case.source)
    assert not difference(case.wanted, found_in(faults))


@bad
def test_messages_speak_the_words_of_the_author(case: Case) -> None:
    _, faults = parse_afresh(case.source)
    for fault in faults:
        quoted = re.compile(r"`[^`]*`|\"[^\"]*\"|UTF-8")
        said = " ".join([fault.message, *(label.text for label in fault.labels)])
        assert not INTERNAL.search(quoted.sub("", said)), said
        assert said[:1].isupper() or said.startswith("`")
        assert fault.message.endswith((".", "…`."))


@good
def test_formatting_makes_spaces_of_tabs(case: Case) -> None:
    text = re.sub(
        r"^(?:  )+", lambda m: "\t" * (len(m[0]) // 2), case.source.text, flags=re.M
    )
    assert format_text(Source("tabs", text)) == format_text(case.source)


@pytest.mark.parametrize(
    "case", [case for case in BAD if "\t" not in case.source.text], ids=lambda c: c.name
)
def test_a_text_with_faults_is_not_formatted(case: Case) -> None:
    text, faults = format_text(case.source)
    assert text == case.source.text
    assert faults


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_two_bad_cases_at_least(code: str) -> None:
    found = [case for case in BAD for _, wanted in case.wanted if wanted == code]
    assert len(found) >= 2


def comments(text: str) -> list[str]:
    """Return the comments of a text, in order."""
    bare = re.compile(r'"[^"\n]*"').sub("", text)
    return [match.rstrip() for match in re.findall(r"#.*", bare)]
