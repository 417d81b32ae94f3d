"""Names that people could confuse with each other, or with a bot's."""

# ruff: noqa: RUF001  # letters that look alike
from __future__ import annotations

import re
import unicodedata
from functools import cache

from houserule.bots.bot import NAMES, SEARCH, is_bot
from houserule.resources import Phrases, languages

# Cyrillic and Greek letters, and signs, that look like these Latin letters.
_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕһԁΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρια01|I",
    "ABEKMHOPCTYXlJSaeopcyxijshdABEZHlKMNOPTYXovpiaolll",
)
_NUMBER = re.compile(r"\s*\d+$")


def looks_of(name: str) -> str:
    """Return the same text for names that look the same."""
    shown = unicodedata.normalize("NFKC", name)
    return shown.translate(_ALIKE).casefold()


def confusable(name: str, other: str) -> bool:
    """Return whether two names are the same in all but case, or look the same."""
    return name.casefold() == other.casefold() or looks_of(name) == looks_of(other)


def like_a_bot(name: str) -> bool:
    """Return whether a name is a bot's, or looks like one in any language."""
    bare = _NUMBER.sub("", unicodedata.normalize("NFKC", name))
    return is_bot(name) or looks_of(bare) in _looks_of_bots()


@cache
def _looks_of_bots() -> frozenset[str]:
    return frozenset(
        looks_of(Phrases("narrate", language).say(f"bot_{kind}", number="").strip())
        for language in languages("narrate")
        for kind in (*NAMES, SEARCH)
    )
