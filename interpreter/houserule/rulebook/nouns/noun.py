"""A noun as in a dictionary, and the base class of grammars.

A noun phrase is `Inflected`: the words as a subject, and its forms by name. Every
phrase has the forms `nominative`, `accusative`, `dative`, `genitive` and `of`, even if
the language does not distinguish them. `gender` is m, f or n; p for plurals, or fp for
feminine plurals if the language distinguishes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field, replace
from typing import ClassVar

from houserule.base.frozen import frozen
from houserule.base.inflection import GENDER, Inflected, TextSlot, inflected, pieces

RELATIVE = "\0"
PLURAL = "p"
PLURALS = frozenset({"p", "fp"})


@frozen
class Noun:
    """A noun with its modifiers, as it is without an article.

    `one` is the singular, or the plural if `gender` is p; `many` is the plural of a
    noun that has both. `forms` are given by an author and override the rules.
    """

    one: str
    gender: str = "n"
    many: str = ""
    forms: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_plural(self) -> bool:
        return self.gender in PLURALS

    def plural(self) -> Noun:
        """Return the plural as a word of its own."""
        if self.is_plural:
            return self
        own = {
            name.removeprefix("many_"): form
            for name, form in self.forms.items()
            if name.startswith("many_")
        }
        gender = "fp" if self.gender == "f" else PLURAL
        return Noun(self.many or self.one, gender, "", own)

    def with_one(self, one: str) -> Noun:
        """Return another word of the same gender, without the given forms."""
        return replace(self, one=one, forms={})


class Grammar(ABC):
    """How a language forms noun phrases, and puts them into sentences."""

    ordinals: tuple[str, ...] = ()

    @abstractmethod
    def declined(self, word: Noun, article: str) -> dict[str, str]:
        """Return the cases of a word after an article.

        The article is "the", "a" (none for plurals), "no", "every", "that", "other" (a
        different one) or "" for none.
        """

    @abstractmethod
    def ordinal(self, word: Noun, number: int) -> Noun:
        """Return "second company" for a company and 2."""

    @abstractmethod
    def described(self, word: Noun, adjective: str) -> Noun:
        """Return a word with an adjective, given as its stem."""

    def bare(self, words: str) -> tuple[str, str]:
        """Return words without their article, and the gender that it shows."""
        first, space, rest = words.partition(" ")
        gender = self.articles.get(first.lower()) if space else None
        return (words, "") if gender is None else (rest, gender)

    articles: ClassVar[Mapping[str, str]] = {}

    determiners: ClassVar[frozenset[str]] = frozenset()

    def counted(self, word: Noun, number: str) -> Noun:
        """Return a word after a number or another word that does not change."""
        return word.with_one(f"{number} {word.one}")

    def plural(self, word: Noun) -> Noun:
        """Return the plural of a word, by the rules if none was given."""
        return word.plural()

    def phrase(self, word: Noun, article: str = "the", tail: str = "") -> Inflected:
        """Return a noun phrase; `tail` follows the noun in every form."""
        forms = self.declined(word, article)
        if article == "the":
            own = word.forms.get("the", word.forms.get("nominative"))
            if own and not tail:
                forms["nominative"] = own
        tail = self.related(tail, word.gender)
        forms = {name: f"{form}{tail}" for name, form in forms.items()}
        return self.as_phrase(forms, word.gender)

    def related(self, tail: str, gender: str) -> str:
        """Return what follows a noun; `RELATIVE` in it is a pronoun for the noun."""
        return tail

    def as_phrase(self, forms: Mapping[str, str], gender: str) -> Inflected:
        """Return a phrase from its cases, with the forms that texts use."""
        found = dict(forms)
        found.setdefault("the", found["nominative"])
        found.setdefault("of", self.joined(self.of, Inflected(found["nominative"])))
        found[GENDER] = gender
        number = 2 if gender in PLURALS else 1
        return Inflected(found["nominative"], found, number)

    def amount_of(self, phrase: Inflected) -> str:
        """Return "of cards" for the cards, to follow a number."""
        own = phrase.forms.get("of")
        return own or self.joined(self.of, phrase)

    of = "of "

    def joined(self, left: str, phrase: Inflected, asked: str = "") -> str:
        """Return a text followed by a phrase, contracted."""
        return left + phrase.put_in(asked)

    def filled(self, text: str, parts: Mapping[str, str | int]) -> str:
        """Return a text with phrases filled into its slots.

        Raises:
            KeyError: a slot has an unknown name.
        """
        said = ""
        for piece in pieces(text):
            if isinstance(piece, TextSlot):
                if piece.chooses:
                    chosen = inflected(parts[piece.name]).put_in(piece.asked)
                    said += self.filled(chosen, parts)
                    continue
                phrase = inflected(parts[piece.name])
                before, space, last = said.rstrip().rpartition(" ")
                first = phrase.partition(" ")[0].lower()
                doubled = last.lower() == first or (
                    last.lower() in self.articles and first in self.determiners
                )
                if said.endswith(" ") and doubled and GENDER in phrase.forms:
                    left = before + space
                else:
                    left = said
                said = self.joined(left, phrase, piece.asked)
            else:
                said += piece
        return said
