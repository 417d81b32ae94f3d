"""French noun phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from houserule.rulebook.nouns.noun import Noun
from houserule.rulebook.nouns.romance import Romance

_VOWEL = re.compile(r"[aeiouyâàéèêëîïôûœ]|h(?!asard|aut|uit|onte)", re.IGNORECASE)
_QUE = (("a", "qu'a"), ("e", "qu'e"), ("i", "qu'i"), ("o", "qu'o"), ("u", "qu'u"))


class French(Romance):
    """Articles lose their vowel before a vowel."""

    articles: ClassVar[Mapping[str, str]] = {"le": "m", "la": "f", "les": "p"}
    ordinals = (
        "premier première",
        "deuxième deuxième",
        "troisième troisième",
        "quatrième quatrième",
        "cinquième cinquième",
        "sixième sixième",
        "septième septième",
    )
    of = "de "
    grown: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {
        "de": (("le ", "du "), ("les ", "des "), ("un ", "d'un "), ("une ", "d'une ")),
        "à": (("le ", "au "), ("les ", "aux ")),
        "que": _QUE,
    }

    def articled(self, word: Noun, article: str) -> str:
        noun, female = word.one, word.gender in ("f", "fp")
        vowel = bool(_VOWEL.match(noun))
        if word.is_plural:
            before = {
                "the": "les ",
                "a": "des ",
                "no": "aucune des " if female else "aucun des ",
                "every": "toutes les " if female else "tous les ",
                "that": "ces ",
                "other": "d'autres ",
                "": "",
            }
            return before[article] + noun
        match article:
            case "the":
                return (
                    f"l'{noun}" if vowel else f"la {noun}" if female else f"le {noun}"
                )
            case "a":
                return f"une {noun}" if female else f"un {noun}"
            case "no":
                return f"aucune {noun}" if female else f"aucun {noun}"
            case "every":
                return f"chaque {noun}"
            case "that":
                this = "cette" if female else "cet" if vowel else "ce"
                return f"{this} {noun}"
            case "other":
                return f"une autre {noun}" if female else f"un autre {noun}"
            case _:
                return noun
