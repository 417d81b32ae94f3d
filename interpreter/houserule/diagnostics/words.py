"""Wording of messages: lists, articles, capitals and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_VOWEL = re.compile(r"(?!u[a-z][aeiou])[aeiou]", re.IGNORECASE)  # a unit, a user


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return `a`, `a and b`, `a, b and c`; `last` may be another word than "and"."""
    every = list(words)
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} {last} {every[-1]}"


def sentence(text: str) -> str:
    """Return a text with a capital at its start; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an"."""
    return f"an {noun}" if _VOWEL.match(noun) else f"a {noun}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 file", "2 files"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def number_word(number: int) -> str:
    """Return a small number as a word: "two", but "12"."""
    return _SMALL[number] if number < len(_SMALL) else str(number)


def quoted(titles: Iterable[str]) -> str:
    """Return titles in quotes: `"A" and "B"`."""
    return listed(f'"{title}"' for title in titles)
