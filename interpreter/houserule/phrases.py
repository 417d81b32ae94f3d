"""Phrases: the general words that a part of the program says, by language.

A part has a folder `phrases/` with a TOML file for each language. All languages of a
part have the same phrases with the same names in braces; a test holds that.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FALLBACK = "en"


class Phrases:
    """The phrases of one part in one language; an unknown language means English.

    Args:
        part: a folder of this package, such as `narrate`.
        language: a code such as `de`.
    """

    def __init__(self, part: str, language: str) -> None:
        known = language in languages(part)
        self._phrases = _read(part, language if known else FALLBACK)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a phrase with its parts put in.

        Raises:
            KeyError: there is no such phrase, or a part of it is missing.
        """
        return self._phrases[phrase].format(**parts)


@cache
def languages(part: str) -> frozenset[str]:
    """Return the languages in which a part has its phrases."""
    return frozenset(file.stem for file in _folder(part).glob("*.toml"))


@cache
def _read(part: str, language: str) -> dict[str, str]:
    import tomllib  # some milliseconds, for what few commands need

    text = (_folder(part) / f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _folder(part: str) -> Path:
    return Path(__file__).parent / part / "phrases"
