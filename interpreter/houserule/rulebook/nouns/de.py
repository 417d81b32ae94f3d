"""German noun phrases: four cases, and adjectives that agree with the article."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from houserule.base.inflection import CASES, Inflected
from houserule.rulebook.nouns.noun import PLURAL, RELATIVE, Grammar, Noun

# by gender: nominative, accusative, dative, genitive
_THE = {
    "m": ("der", "den", "dem", "des"),
    "f": ("die", "die", "der", "der"),
    "n": ("das", "das", "dem", "des"),
    "p": ("die", "die", "den", "der"),
}
_ENDINGS = {  # of `dieser`, `jeder`, and of adjectives without an article
    "m": ("er", "en", "em", "en"),
    "f": ("e", "e", "er", "er"),
    "n": ("es", "es", "em", "en"),
    "p": ("e", "e", "en", "er"),
}
_DEFINITE = {  # of words declined like an article
    "m": ("er", "en", "em", "es"),
    "f": ("e", "e", "er", "er"),
    "n": ("es", "es", "em", "es"),
    "p": ("e", "e", "en", "er"),
}
_MIXED = {  # of `ein`, `kein`
    "m": ("", "en", "em", "es"),
    "f": ("e", "e", "er", "er"),
    "n": ("", "", "em", "es"),
    "p": ("e", "e", "en", "er"),
}
_WEAK_ADJECTIVE = {
    "m": ("e", "en", "en", "en"),
    "f": ("e", "e", "en", "en"),
    "n": ("e", "e", "en", "en"),
    "p": ("en", "en", "en", "en"),
}
_MIXED_ADJECTIVE = {
    "m": ("er", "en", "en", "en"),
    "f": ("e", "e", "en", "en"),
    "n": ("es", "es", "en", "en"),
    "p": ("en", "en", "en", "en"),
}
_STRONG = {"m": "er", "f": "e", "n": "es", "p": "e"}
_DATIVE = r"(?:aus|bei|mit|nach|seit|von|zu|auf|an|in|neben|über|unter|vor|zwischen)"
_ACCUSATIVE = r"(?:durch|für|gegen|ohne|um)"
_GROWN = {
    ("an", "dem"): "am",
    ("bei", "dem"): "beim",
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("von", "dem"): "vom",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
}


class German(Grammar):
    """Adjectives are recognised by their ending, nouns by their capital."""

    articles: ClassVar[Mapping[str, str]] = {"der": "m", "die": "f", "das": "n"}
    ordinals = ("erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt")
    of = "von "

    def declined(self, word: Noun, article: str) -> dict[str, str]:
        """Return the cases of a word after an article."""
        if word.gender == "fp":
            word = replace(word, gender=PLURAL)
        gender = word.gender
        articles: tuple[str, ...]
        match article:
            case "the":
                articles, endings = _THE[gender], _WEAK_ADJECTIVE[gender]
            case "that":
                articles = tuple(f"dies{end}" for end in _DEFINITE[gender])
                endings = _WEAK_ADJECTIVE[gender]
            case "every":
                stem = "all" if gender == PLURAL else "jed"
                articles = tuple(stem + end for end in _DEFINITE[gender])
                endings = _WEAK_ADJECTIVE[gender]
            case "no":
                articles = tuple(f"kein{end}" for end in _MIXED[gender])
                endings = _MIXED_ADJECTIVE[gender]
            case "your":
                articles = tuple(f"dein{end}" for end in _MIXED[gender])
                endings = _MIXED_ADJECTIVE[gender]
            case "a" | "other" if gender != PLURAL:
                articles = tuple(f"ein{end}" for end in _MIXED[gender])
                endings = _MIXED_ADJECTIVE[gender]
            case _:
                articles, endings = ("",) * 4, _ENDINGS[gender]
        if article == "other":
            word = self.described(word, "ander")
        return {
            case: " ".join(filter(None, (before, self._noun(word, case, ending))))
            for case, before, ending in zip(CASES, articles, endings, strict=True)
        }

    def _noun(self, word: Noun, case: str, ending: str) -> str:
        strong, own = _STRONG[word.gender], word.forms.get(f"noun_{case}")
        parts = word.one.split(" ")
        capital = (n for n, part in enumerate(parts) if part[:1].isupper())
        head = next(capital, len(parts) - 1)
        for place, part in enumerate(parts[:head]):
            if part.endswith(strong) and len(part) > len(strong) + 2:
                parts[place] = part[: -len(strong)] + ending
        noun = parts[head].rstrip(",")
        comma, letter = parts[head][len(noun) :], noun[-1:].isalpha()
        if own:
            parts[head] = own
        elif word.gender == PLURAL and case == "dative":
            plain = re.search(r"([nsaoiu])$", noun) or not letter
            parts[head] = noun + ("" if plain else "n") + comma
        elif word.gender in "mn" and case == "genitive" and letter:
            ends = "es" if re.search(r"(s|ß|x|z)$", noun) else "s"
            parts[head] = noun + ends + comma
        return " ".join(parts)

    def as_phrase(self, forms: dict[str, str], gender: str) -> Inflected:  # type: ignore[override]
        """Return a phrase; `of` is its genitive, `from` and `with` its dative."""
        found = dict(forms)
        found.setdefault("of", found["genitive"])
        found.setdefault("from", self.joined("von ", Inflected(found["dative"])))
        return super().as_phrase(found, gender)

    def related(self, tail: str, gender: str) -> str:
        """Return what follows a noun; `RELATIVE` in it is a pronoun for the noun."""
        whom = {"f": "der", "p": "denen", "fp": "denen"}.get(gender, "dem")
        return tail.replace(RELATIVE, whom)

    def ordinal(self, word: Noun, number: int) -> Noun:
        """Return "second company" for a company and 2."""
        return self.described(word, self.ordinals[number - 1])

    def described(self, word: Noun, adjective: str) -> Noun:
        strong = _STRONG[word.gender[-1]]
        kept = {
            name: form for name, form in word.forms.items() if name.startswith("noun_")
        }
        return Noun(f"{adjective}{strong} {word.one}", word.gender, "", kept)

    def joined(self, left: str, phrase: Inflected, asked: str = "") -> str:
        """Return a text followed by a phrase, in the case that the text governs."""
        if not asked and "dative" in phrase.forms:
            if re.search(rf"\b{_DATIVE} $", left, re.IGNORECASE):
                asked = "dative"
            elif re.search(rf"\b{_ACCUSATIVE} $", left, re.IGNORECASE):
                asked = "accusative"
        said = phrase.put_in(asked)
        before = re.search(r"(\w+) $", left)
        first, _, rest = said.partition(" ")
        if before and rest:
            grown = _GROWN.get((before[1].lower(), first))
            if grown:
                if before[1][0].isupper():
                    grown = grown.capitalize()
                return f"{left[: before.start()]}{grown} {rest}"
        return left + said
