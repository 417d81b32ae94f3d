"""A base game that leaves things to its editions says where a reader finds them."""

from __future__ import annotations

import re

import pytest
from tests.support.shipped import NAMES, ROOT

GROUP = re.compile(r"^exactly one of \w+: ([\w, ]+?)(?: normally|  |$)", re.MULTILINE)
DECLARED = re.compile(r"^(?:value|effect|state|zone) (\w+)", re.MULTILINE)
COMMENT = re.compile(r"^#.*", re.MULTILINE)
POINTER = re.compile(r"`([\w.]+)`")


def base(name: str) -> str:
    return (ROOT / name / "game.rules").read_text(encoding="utf-8")


def editions(name: str) -> list[str]:
    """Return the texts of the variants of which a table has exactly one."""
    files = [
        ROOT / name / "variants" / f"{variant.strip()}.rules"
        for group in GROUP.findall(base(name))
        for variant in group.split(",")
    ]
    return [file.read_text(encoding="utf-8") for file in files]


WITH_EDITIONS = [name for name in NAMES if editions(name)]


def pointers(name: str) -> set[str]:
    comments = COMMENT.findall(base(name))
    return {found for line in comments for found in POINTER.findall(line)}


def test_some_games_have_editions() -> None:
    assert WITH_EDITIONS == ["pachisi", "pasha"]


@pytest.mark.parametrize("name", WITH_EDITIONS)
def test_the_base_names_what_every_edition_decides(name: str) -> None:
    every = [set(DECLARED.findall(text)) for text in editions(name)]
    assert set.intersection(*every) <= pointers(name)


@pytest.mark.parametrize("name", WITH_EDITIONS)
def test_the_base_points_at_what_is_there(name: str) -> None:
    texts = " ".join(COMMENT.sub("", text) for text in editions(name))
    words = set(re.findall(r"[\w.]+\w", texts))
    last = {word.rpartition(".")[2] for word in words}
    assert {each for each in pointers(name) if each not in words | last} == set()
