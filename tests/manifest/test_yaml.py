"""YAML as people write it: values, places, and edits that keep comments."""

from __future__ import annotations

import pytest

from houserule.base.source import Source, Span
from houserule.language.manifest.yaml.document import Data
from houserule.language.manifest.yaml.parser import parse_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("no", False),
        ("true", True),
        ("False", False),
        ("none", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-3", -3),
        ("007", 7),
        ("1.0", 1.0),
        ("3..6", "3..6"),
        ("Yes!", "Yes!"),
        ("'yes'", "yes"),
        ('"12"', "12"),
        ("2001-05-07", "2001-05-07"),
        ("1e5", "1e5"),
        ("9" * 30, "9" * 30),
        ("on", "on"),
        ("[a, [1, no]]", ["a", [1, False]]),
        ("{a: {b: 1}}", {"a": {"b": 1}}),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        (">-\n  one\n  line\n", "one line"),
    ],
)
def test_values(text: str, value: Data) -> None:
    document, faults = parse_yaml(Source("x.yaml", f"key: {text}"))
    assert not faults
    assert document.at("key") == value


def test_keys_are_texts_as_written() -> None:
    document, _ = parse_yaml(Source("x.yaml", "no: 1\n3: 2\ntrue: 3\n"))
    assert document.data == {"no": 1, "3": 2, "true": 3}


def test_places() -> None:
    text = "a:\n  - {b: one, c: [2, 3]}\n  - two words\nd:\n"
    document, _ = parse_yaml(Source("x.yaml", text))
    assert document.span("a", 0, "b") == Span("x.yaml", 2, 9, 2, 12)
    assert document.key_span("a", 0, "c") == Span("x.yaml", 2, 14, 2, 15)
    assert document.span("a", 0, "c", 1) == Span("x.yaml", 2, 21, 2, 22)
    assert document.span("a", 1) == Span("x.yaml", 3, 5, 3, 14)
    assert document.span("d").line == 4
    assert document.span("a", 7, "nothing").line == 2
    assert document.head("a", 0) == document.key_span("a", 0, "b")


def test_places_count_characters_and_only_our_line_ends() -> None:
    document, _ = parse_yaml(Source("x.yaml", "ä: 'ö\u3000ü'\nb: 1\n"))
    assert document.span("b") == Span("x.yaml", 2, 4, 2, 5)
    document, (found,) = parse_yaml(Source("x.yaml", "ä: 'ö'\nb: \u2028\u0085\n"))
    assert document.data is None
    assert (found.code, found.span) == ("E004", Span("x.yaml", 2, 4, 2, 5))


def test_at_outside_is_a_key_error() -> None:
    document, _ = parse_yaml(Source("x.yaml", "a: [1]\n"))
    for path in (("b",), ("a", 1), ("a", -1), ("a", "b")):
        with pytest.raises(KeyError):
            document.at(*path)


def test_the_rest_of_a_faulty_file_is_read() -> None:
    document, faults = parse_yaml(Source("x.yaml", "a: 1\na: 2\nb: *c\nd: 3\n"))
    assert document.data == {"a": 1, "b": None, "d": 3}
    assert [each.span and each.span.line for each in faults] == [2, 3]
