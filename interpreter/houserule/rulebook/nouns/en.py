"""English noun phrases."""

from __future__ import annotations

import re
from dataclasses import replace

from houserule.inflected import CASES, Inflected
from houserule.rulebook.nouns.model import Grammar, Word

_BEFORE = {
    "the": "the ",
    "no": "no ",
    "every": "every ",
    "that": "that ",
    "other": "another ",
    "": "",
}
_VOWEL = re.compile(r"[aeio]|u(?!ni|se)|8|11\b|18\b|X\d", re.IGNORECASE)


def plural_of(noun: str) -> str:
    """Return the plural of a noun by the rules; irregular ones are given as a form."""
    head, space, rest = noun.partition(" of ")
    if re.search(r"[^aeiou]y$", head):
        head = f"{head[:-1]}ies"
    elif re.search(r"(s|x|z|ch|sh)$", head):
        head += "es"
    else:
        head += "s"
    return head + space + rest


class English(Grammar):
    """The cases are all the same."""

    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")

    def declined(self, word: Word, article: str) -> dict[str, str]:
        """Return the cases of a word behind an article."""
        if article == "a":
            an = "an " if _VOWEL.match(word.one) else "a "
            words = word.one if word.is_plural else an + word.one
        elif word.is_plural:
            before = {"every": "all ", "that": "those ", "other": "other "}
            words = before.get(article, _BEFORE[article]) + word.one
        else:
            words = _BEFORE[article] + word.one
        return dict.fromkeys(CASES, words)

    def plural(self, word: Word) -> Word:
        """Return the plural of a word, by the rules where none was given."""
        if not word.is_plural and not word.many:
            word = replace(word, many=plural_of(word.one))
        return super().plural(word)

    def ordinal(self, word: Word, number: int) -> Word:
        """Return "second company" for a company and 2."""
        return word.with_one(f"{self.ordinals[number - 1]} {word.one}")

    def described(self, word: Word, adjective: str) -> Word:
        """Return a word with an adjective, which is given as its stem."""
        return word.with_one(f"{adjective} {word.one}")

    def joined(self, left: str, phrase: Inflected, asked: str = "") -> str:
        """Return what stands before a phrase and the phrase, grown together."""
        said = phrase.put_in(asked)
        if re.search(r"\b[Aa] $", left) and _VOWEL.match(said):
            left = f"{left[:-1]}n "
        return left + said
