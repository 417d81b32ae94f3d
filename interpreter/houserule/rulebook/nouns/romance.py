"""Common parts of French and Italian noun phrases: no cases, contracted articles."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from houserule.base.inflection import CASES, Inflected
from houserule.rulebook.nouns.noun import Grammar, Noun


class Romance(Grammar):
    """A preposition contracts with the article after it."""

    of = "de "
    grown: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {}

    @abstractmethod
    def articled(self, word: Noun, article: str) -> str:
        """Return an article and a noun."""

    def declined(self, word: Noun, article: str) -> dict[str, str]:
        """Return the cases of a word after an article."""
        return dict.fromkeys(CASES, self.articled(word, article))

    def ordinal(self, word: Noun, number: int) -> Noun:
        """Return "second company" for a company and 2."""
        male, female = self.ordinals[number - 1].split()
        return word.with_one(f"{female if word.gender == 'f' else male} {word.one}")

    def described(self, word: Noun, adjective: str) -> Noun:
        male, _, female = adjective.partition("/")
        said = (female or male) if word.gender in ("f", "fp") else male
        return word.with_one(f"{said} {word.one}")

    def amount_of(self, phrase: Inflected) -> str:
        """Return "de cartes" for the cards, to follow a number."""
        words = self.bare(phrase)[0]
        return self.joined(self.of, Inflected(words))

    def joined(self, left: str, phrase: Inflected, asked: str = "") -> str:
        """Return a text followed by a phrase, contracted."""
        said = phrase.put_in(asked)
        before = re.search(r"(\w+['’]?) ?$", left)
        rules = self.grown.get(before[1].lower(), ()) if before else ()
        for start, together in rules:
            if before and said.startswith(start):
                word = together.capitalize() if before[1][0].isupper() else together
                return left[: before.start()] + word + said[len(start) :]
        return left + said
