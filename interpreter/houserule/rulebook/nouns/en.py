"""English noun phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from houserule.base.inflection import CASES, Inflected
from houserule.rulebook.nouns.noun import Grammar, Noun

_BEFORE = {
    "the": "the ",
    "no": "no ",
    "every": "every ",
    "your": "your ",
    "that": "that ",
    "other": "another ",
    "": "",
}
_BEHIND = re.compile(
    r",| (?:of|in|on|from|that|with|at|to|for|by|among|before|after|who|which|whose) "
)
_PLURAL = re.compile(r"([^suis]s|[^s]es|\bdice|\bmen|\bpeople)$")
_VOWEL = re.compile(r"[aeio]|u(?!ni|se)|8|11\b|18\b|X\d", re.IGNORECASE)


def plural_of(noun: str) -> str:
    """Return the regular plural of a noun; authors give irregular ones as a form."""
    head, space, rest = noun.partition(" of ")
    if head == "die":
        return "dice" + space + rest
    if re.search(r"[^aeiou]y$", head):
        head = f"{head[:-1]}ies"
    elif re.search(r"(s|x|z|ch|sh)$", head):
        head += "es"
    else:
        head += "s"
    return head + space + rest


def singular_of(nouns: str) -> str:
    """Return the singular of a regular plural."""
    head = re.split(_BEHIND, nouns, maxsplit=1)[0]
    one = re.sub(r"(?:(?<=ch|sh)|(?<=[sxz]))es$|s$", "", re.sub(r"ies$", "ys", head))
    return one + nouns.removeprefix(head)


class English(Grammar):
    """All cases are the same."""

    articles: ClassVar[Mapping[str, str]] = {"the": "n", "a": "n", "an": "n"}
    determiners = frozenset(("the", "a", "an", "no", "every", "that", "another", "all"))
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")

    def bare(self, words: str) -> tuple[str, str]:
        """Return words without an article; words that look plural are plural."""
        words, gender = super().bare(words)
        head = re.split(_BEHIND, words, maxsplit=1)[0]
        return words, "p" if _PLURAL.search(head) else gender or "n"

    def declined(self, word: Noun, article: str) -> dict[str, str]:
        """Return the cases of a word after an article."""
        if article == "a":
            an = "an " if _VOWEL.match(word.one) else "a "
            an = "an" if word.one.startswith("other ") else an
            words = word.one if word.is_plural else an + word.one
        elif word.is_plural:
            before = {"every": "all ", "that": "those ", "other": "other "}
            words = before.get(article, _BEFORE[article]) + word.one
        else:
            words = _BEFORE[article] + word.one
        return dict.fromkeys(CASES, words)

    def plural(self, word: Noun) -> Noun:
        """Return the plural of a word, by the rules if none was given."""
        if not word.is_plural and not word.many:
            word = replace(word, many=plural_of(word.one))
        return super().plural(word)

    def amount_of(self, phrase: Inflected) -> str:
        """Return "of cards" for the cards, to follow a number."""
        return f"of {phrase.removeprefix('the ')}"

    def ordinal(self, word: Noun, number: int) -> Noun:
        """Return "second company" for a company and 2."""
        return word.with_one(f"{self.ordinals[number - 1]} {word.one}")

    def counted(self, word: Noun, number: str) -> Noun:
        """Return a word after a number; after 1 it is singular."""
        if word.is_plural and re.search(r"(?<![\d.])1$", number):
            word = Noun(singular_of(word.one))
        return super().counted(word, number)

    def described(self, word: Noun, adjective: str) -> Noun:
        return word.with_one(f"{adjective} {word.one}")

    def joined(self, left: str, phrase: Inflected, asked: str = "") -> str:
        """Return a text followed by a phrase, contracted."""
        said = phrase.put_in(asked)
        if re.search(r"\b[Aa] $", left) and _VOWEL.match(said):
            left = f"{left[:-1]}n "
        return left + said
