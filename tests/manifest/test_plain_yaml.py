"""The fast reader of plain YAML says what the full reader says, or nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from houserule.manifest.yaml.document import Document
from houserule.manifest.yaml.full import read_fully
from houserule.manifest.yaml.parser import parse_yaml
from houserule.manifest.yaml.plain import read_plain
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


def _same(text: str, plain: Document | None) -> bool:
    """Say whether both readers agree, where the fast one has read a text."""
    if plain is None:
        return True
    full, faults = read_fully(Source("x.yaml", text))
    return (
        not faults
        and repr(plain.data) == repr(full.data)
        and list(plain.spans.items()) == list(full.spans.items())
        and list(plain.key_spans.items()) == list(full.key_spans.items())
    )


def _plain(text: str) -> Document | None:
    return read_plain(Source("x.yaml", text))


def test_all_shipped_files_are_read_fast_and_alike() -> None:
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8")
        plain = _plain(text)
        assert plain is not None, path
        assert path.stat().st_size > 6_000 or _same(text, plain), path


@pytest.mark.slow
def test_all_files_are_read_alike() -> None:
    for path in [*SHIPPED, *CASES]:
        text = path.read_text(encoding="utf-8")
        assert _same(text, _plain(text)), path


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
def test_broken_texts_are_read_alike_or_not_at_all(count: int) -> None:
    chance, stretches = random.Random(count), _stretches()
    read = 0
    for _ in range(count):
        text = _slipped(stretches, chance)
        plain = _plain(text)
        read += plain is not None
        assert _same(text, plain), text
    assert read > count / 10


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",  # a key twice
        "a: &x 1\nb: *x\n",
        "a: !t 1\n",
        "a: 1\n---\nb: 2\n",
        "a:\tb\n",
        "a: |#\n  x\n",
        "a: b: c\n",
        "a: [b\n",
        "a: 'b\n",
        "a: b\n  c: d\n",
        "- a\nb: c\n",
        "? a\n: b\n",
        "a: |\n\n  x\n",
        "a: {b}\n",
        'a: "\\x41"\n',
        "a: one\n  line\n",
        f"{'k' * 1100}: v\n",
        f"'{'k' * 1100}': v\n",
        "a: 1\n... : 2\n",
        "%a: 1\n",
        "a:\n  b: |\n x\n",
        "a: 1\n b: 2\n",
        "a:\n    b: 1\n  c: 2\n",
        "- a\n - b\n",
        "a: |\n  x\n y\n",
        "a: |\n  x\n \n  y\n",
        "a: x\xa0#c\n",
        "a: [b#c\n]\n",
        "a: [b}\n",
        "a: {b: c]\n",
        "a: [b c\n d]\n",
        "a: [b:c, d]\n",
        "a: " + "[" * 50 + "]" * 50 + "\n",
    ],
)
def test_what_is_wrong_or_rare_is_left_to_the_full_reader(text: str) -> None:
    assert _plain(text) is None
    source = Source("x.yaml", text)
    assert parse_yaml(source) == read_fully(source)


def test_what_it_knows_it_reads() -> None:
    text = (
        "# remark\na: [1, {b: no, c: }, d: e]  # and one\nlist:\n- x\n-\n- - y\n"
        "  - 'it''s': \"q\"\n- f:\n- g\n\n"
        "folded: >-\n  one\n  two\n\n    three\n  four\n"
        "kept: |\n  l1\n\n  l2\nempty:\nurl: a://b#c\n"
    )
    plain = _plain(text)
    assert plain is not None
    assert _same(text, plain)
    assert plain.data == {
        "a": [1, {"b": False, "c": None}, {"d": "e"}],
        "list": ["x", None, ["y", {"it's": "q"}], {"f": None}, "g"],
        "folded": "one two\n\n  three\nfour",
        "kept": "l1\n\nl2\n",
        "empty": None,
        "url": "a://b#c",
    }
