"""Names that people could confuse with each other, a bot's, or a word of the table."""

# ruff: noqa: RUF001  # letters that look alike
from __future__ import annotations

import re
import unicodedata
from functools import cache

from houserule.base.resources import LANGUAGES, Phrases
from houserule.engine.bots.bot import NAMES, SEARCH, is_bot

# Letters and signs that look like these: of other scripts, which a name cannot mix, and
# Latin letters of phonetic alphabets and of Turkish.
_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕһԁΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρια01|I’‘ʼ`´ɑıɡȷɩƖӏ",
    "ABEKMHOPCTYXlJSaeopcyxijshdABEZHlKMNOPTYXovpiaolll'''''aigjill",
)
_TOGETHER = {"rn": "m", "vv": "w"}
_SIGNS = re.compile(r"[\s.,'_\-–]")
_UNSEEN = re.compile(
    "[\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_NUMBER = re.compile(r"\s*\d+$")
_JAPANESE = {"CJK", "HIRAGANA", "KATAKANA"}


def looks_of(name: str) -> str:
    shown = unicodedata.normalize("NFKC", _UNSEEN.sub("", name))
    shown = shown.translate(_ALIKE).casefold()
    for letters, one in _TOGETHER.items():
        shown = shown.replace(letters, one)
    return _SIGNS.sub("", shown) or shown


def confusable(name: str, other: str) -> bool:
    """Return whether two names differ only in case, or look the same."""
    return name.casefold() == other.casefold() or looks_of(name) == looks_of(other)


def is_mixed(name: str) -> bool:
    """Return whether a name has letters of several scripts, such as Latin and Greek.

    Such names imitate others (Unicode Technical Standard 39, "Single Script").
    """
    shown = unicodedata.normalize("NFKC", _UNSEEN.sub("", name))
    letters = (e for e in shown if unicodedata.category(e) in {"Lu", "Ll", "Lt", "Lo"})
    scripts = {unicodedata.name(each, "?").split()[0] for each in letters}
    return len(scripts) > 1 and not scripts <= _JAPANESE


def is_unseen(name: str) -> bool:
    """Return whether no character of a name is visible."""
    return not _UNSEEN.sub("", name).strip()


def like_a_bot(name: str) -> bool:
    """Return whether a name is a bot's in any case, or looks like one with a number.

    A bot's name in other languages, such as "Stark", may be a person's name.
    """
    shown = unicodedata.normalize("NFKC", name)
    bare = _bare(name)
    numbered = bare != shown and looks_of(bare) in _looks_of_bots()
    return is_bot(shown.casefold()) or numbered


def _bare(name: str) -> str:
    """Return a name without a number at its end."""
    return _NUMBER.sub("", unicodedata.normalize("NFKC", name))


def is_reserved(name: str) -> bool:
    """Return whether a name looks like a word for a seat, the host, all or nobody."""
    return looks_of(_bare(name)) in _looks_of_words()


@cache
def _looks_of_words() -> frozenset[str]:
    words = [Phrases("web", language) for language in LANGUAGES]
    seats = (each.say("seat_number", number="") for each in words)
    others = (w for each in words for w in each.say("reserved_names").split("|"))
    return frozenset(map(looks_of, (*seats, *others)))


@cache
def _looks_of_bots() -> frozenset[str]:
    return frozenset(
        looks_of(Phrases("narrate", language).say(f"bot_{kind}", number="").strip())
        for language in LANGUAGES
        for kind in (*NAMES, SEARCH)
    )
