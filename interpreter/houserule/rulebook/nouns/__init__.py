"""Noun phrases of a language: articles, gender, case and number; one module each."""

from __future__ import annotations

from houserule.rulebook.nouns import de, en, fr, it
from houserule.rulebook.nouns.noun import Grammar as Grammar
from houserule.rulebook.nouns.noun import Noun as Noun

_GRAMMARS: dict[str, type[Grammar]] = {
    "de": de.German,
    "en": en.English,
    "fr": fr.French,
    "it": it.Italian,
}


def grammar_of(language: str) -> Grammar:
    """Return the grammar of a language; the English one if it is not supported."""
    return _GRAMMARS.get(language, en.English)()
