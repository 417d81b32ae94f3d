"""Italian noun phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from houserule.rulebook.nouns.noun import Noun
from houserule.rulebook.nouns.romance import Romance

_VOWEL = re.compile(r"[aeiouàèéìòù]", re.IGNORECASE)
_HARD = re.compile(r"(s[^aeiouàèéìòù]|z|gn|ps|pn|x|y)", re.IGNORECASE)
_ARTICLES = ("il ", "lo ", "l'", "la ", "i ", "gli ", "le ")
_WITH = {
    "di": ("del ", "dello ", "dell'", "della ", "dei ", "degli ", "delle "),
    "a": ("al ", "allo ", "all'", "alla ", "ai ", "agli ", "alle "),
    "da": ("dal ", "dallo ", "dall'", "dalla ", "dai ", "dagli ", "dalle "),
    "in": ("nel ", "nello ", "nell'", "nella ", "nei ", "negli ", "nelle "),
    "su": ("sul ", "sullo ", "sull'", "sulla ", "sui ", "sugli ", "sulle "),
}


class Italian(Romance):
    """The article depends on the first sound of the noun."""

    articles: ClassVar[Mapping[str, str]] = {
        "il": "m",
        "lo": "m",
        "la": "f",
        "i": "p",
        "gli": "p",
        "le": "fp",
    }
    ordinals = (
        "primo prima",
        "secondo seconda",
        "terzo terza",
        "quarto quarta",
        "quinto quinta",
        "sesto sesta",
        "settimo settima",
    )
    of = "di "
    grown: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {
        before: tuple(zip(_ARTICLES, grown, strict=True))
        for before, grown in _WITH.items()
    }

    def articled(self, word: Noun, article: str) -> str:
        noun, female = word.one, word.gender in ("f", "fp")
        vowel, hard = bool(_VOWEL.match(noun)), bool(_HARD.match(noun))
        if word.is_plural:
            the = "le " if female else "gli " if vowel or hard else "i "
            before = {
                "the": the,
                "a": "",
                "no": "nessuna tra " if female else "nessuno tra ",
                "every": ("tutte " if female else "tutti ") + the,
                "that": "queste " if female else "questi ",
                "other": "altre " if female else "altri ",
                "": "",
            }
            return before[article] + noun
        match article:
            case "the":
                if vowel:
                    return f"l'{noun}"
                return f"la {noun}" if female else f"{'lo' if hard else 'il'} {noun}"
            case "a":
                return self._one(noun, "un", female, vowel, hard)
            case "no":
                return self._one(noun, "nessun", female, vowel, hard)
            case "every":
                return f"ogni {noun}"
            case "that":
                return f"questa {noun}" if female else f"questo {noun}"
            case "other":
                return f"un'altra {noun}" if female else f"un altro {noun}"
            case _:
                return noun

    def _one(self, noun: str, stem: str, female: bool, vowel: bool, hard: bool) -> str:
        if female:
            return f"{stem}'{noun}" if vowel else f"{stem}a {noun}"
        return f"{stem}o {noun}" if hard else f"{stem} {noun}"
