"""YAML is read alike, with the same messages, with and without the reader in C."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from houserule.diagnostics.diagnostic import Diagnostic
from houserule.manifest.yaml import parser
from houserule.manifest.yaml.document import Document
from houserule.manifest.yaml.parser import parse_fully, parse_yaml
from houserule.source import Source

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "rulesets").rglob("*.yaml"))
CASES = sorted((ROOT / "tests" / "cases").rglob("*.yaml"))
SLIPS = [
    *(": ", ":", " :", "- ", "-", "- -", "\n", "\n\n", "\n  ", "\n    ", " ", "  "),
    *("[", "]", "{", "}", ", ", ",", "#", " #", " # x", "'", '"', "''", '""', "\\"),
    *("&a ", "*a", "!x ", "|\n", ">-\n", "|-\n      a\n     b\n", "|", "? ", "?"),
    *("---\n", "...", "%", "@", "~", "`", "yes", "none", "12", "-1", "<<", "ä", "🎲"),
    *("a", "b c", "a: b", "'a': b", '"a b":', "- a: 1\n", "[a: b]", "{a: }", "{a}"),
    *("[a,]", "a:b", "#a", "\t", "\x0b", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff"),
]


def _same(text: str) -> bool:
    """Say whether a text is read alike with and without the reader in C."""
    (quick, faults), (full, found) = _both(text)
    return (
        faults == found
        and repr(quick.data) == repr(full.data)
        and list(quick.spans.items()) == list(full.spans.items())
        and list(quick.key_spans.items()) == list(full.key_spans.items())
    )


def _both(text: str) -> tuple[tuple[Document, list[Diagnostic]], ...]:
    source = Source("x.yaml", text)
    return parse_yaml(source), parse_fully(source)


def _is_quick(text: str) -> bool:
    return parser._quick_events(text) is not None


def test_all_shipped_files_are_read_quickly_and_alike() -> None:
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8")
        assert parser.in_c is None or _is_quick(text), path
        assert path.stat().st_size > 6_000 or _same(text), path


@pytest.mark.slow
def test_all_files_are_read_alike() -> None:
    for path in [*SHIPPED, *CASES]:
        assert _same(path.read_text(encoding="utf-8")), path


def test_without_the_reader_in_c_all_is_read_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parser, "in_c", None)
    assert not _is_quick("a: 1\n")
    assert _same("a: 1\n")


# ---- broken texts


def _slip(text: str, chance: random.Random) -> str:
    """Return a text with something added, taken away, replaced or moved."""
    at = chance.randrange(len(text) + 1)
    bit = chance.choice(SLIPS)
    lines = text.split("\n")
    number = chance.randrange(len(lines))
    match chance.randrange(7):
        case 0 | 1:
            return text[:at] + bit + text[at:]
        case 2:
            return text[:at] + text[at + chance.choice((1, 1, 2, 5)) :]
        case 3:
            return text[:at] + bit + text[at + 1 :]
        case 4:
            lines[number] = " " * chance.randrange(9) + lines[number].lstrip(" ")
        case 5:
            lines[number : number + 2] = [" ".join(lines[number : number + 2])]
        case _:
            lines.insert(number, " " * chance.randrange(8) + bit + chance.choice(SLIPS))
    return "\n".join(lines)


def _stretches() -> list[list[str]]:
    """Return stretches of a dozen lines of every file, out of their context."""
    return [
        lines[start : start + 12]
        for path in SHIPPED
        for lines in [path.read_text(encoding="utf-8").split("\n")]
        for start in range(0, len(lines), 7)
    ]


def _slipped(stretches: list[list[str]], chance: random.Random) -> str:
    lines = chance.choice(stretches)
    start = chance.randrange(len(lines))
    part = lines[start : start + chance.randrange(1, 9)]
    margin = min((len(x) - len(x.lstrip(" ")) for x in part if x.strip()), default=0)
    text = "\n".join(line[margin:] for line in part) + "\n"
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3, 5))):
        text = _slip(text, chance)
    return text


@pytest.mark.parametrize(
    "count", [3_000, pytest.param(200_000, marks=pytest.mark.slow)]
)
def test_broken_texts_are_read_alike(count: int) -> None:
    chance, stretches = random.Random(count), _stretches()
    quick = 0
    for _ in range(count):
        text = _slipped(stretches, chance)
        if _is_quick(text):  # else it is read by the same reader twice
            quick += 1
            assert _same(text), text
    assert parser.in_c is None or quick > count / 10


@pytest.mark.parametrize(
    "text",
    [
        "a:\tb\n",
        "a: |#\n  x\n",
        "a: | # x\n  x\n",
        "|\n# x\n",
        "|\n...",
        "a: >\n---\n",
        "a: >-\n \n   x\n",
        "['a':b]\n",
        "? a\n: b\n",
        "a: x\x85b\n",
        "a: [b\n",
    ],
)
def test_where_the_readers_differ_the_one_in_python_decides(text: str) -> None:
    assert not _is_quick(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",  # a key twice
        "a: &x 1\nb: *x\n",
        "a: !t 1\n",
        "a: 1\n---\nb: 2\n",
        "a: {b: [}\n",
        "a: # nothing\nb:\n  # nothing either\nc: [ , ]\n",
        "a:\n  b: |\n x\n",
        "- a\n - b\n",
        "a: " + "[" * 50 + "]" * 50 + "\n",
        "",
        "# nothing\n",
    ],
)
def test_messages_and_places_are_those_of_the_reader_in_python(text: str) -> None:
    assert _same(text)


def test_what_is_empty_stands_at_the_sign_before_it() -> None:
    document, _ = parse_yaml(Source("x.yaml", "a: # nothing\nb:\n  - # x\n  - y\n"))
    assert str(document.spans["a",]) == "x.yaml:1:2"
    assert str(document.spans["b", 0]) == "x.yaml:3:3"
