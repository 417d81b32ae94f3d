"""How French and Italian pages speak: to one person as a friend, to a group as one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import houserule

PACKAGE = Path(houserule.__file__).parent
TO_ONE = (
    "web",
    "web/drawing",
    "web/records",
    "seat",
    "seat/reasons",
    "seat/choosing",
    "terminal",
)
"""Who reads these sits alone before a page: the others choose rules together."""
TO_SEVERAL = {
    "fr": r"\b(vous|votre|vos|\w+ez)\b",
    "it": r"\b(voi|vostr[oaie]|\w+[aei]te vi)\b",
}
NO_VERB = {"assez", "chez", "nez"}


def phrases(part: str, language: str) -> Iterator[tuple[str, str]]:
    file = PACKAGE / part / "phrases" / f"{language}.toml"
    yield from tomllib.loads(file.read_text("utf-8")).items()


@pytest.mark.parametrize("part", TO_ONE)
@pytest.mark.parametrize("language", TO_SEVERAL)
def test_one_person_is_spoken_to_as_one(part: str, language: str) -> None:
    for key, text in phrases(part, language):
        found = set(re.findall(TO_SEVERAL[language], text, re.IGNORECASE))
        assert found <= NO_VERB, key


@pytest.mark.parametrize("part", ["menu", "web/own", *TO_ONE[:5]])
@pytest.mark.parametrize("language", ["fr", "it"])
def test_apostrophes_are_those_of_print(part: str, language: str) -> None:
    wrong = [key for key, text in phrases(part, language) if re.search(r"\w'", text)]
    assert wrong == []
