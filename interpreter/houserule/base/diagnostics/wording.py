"""Wording of messages: lists, articles, numbers, and spelling suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from houserule.base.diagnostics.characters import advice_on, plain

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
NUMBERS = (  # from 0
    *_SMALL,
    *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen", "twenty"),
)
_MOST_SAID = 10**15
LISTED = 50  # words that are listed in full
_STEM = re.compile(r"(?:ing|ed|es|e|s)$")  # `trade` and `trading`
_SAME, _BEGUN, _PART = 0.01, 0.2, 0.3  # distances of two names, from 0 to 1
_VOWEL = re.compile(r"(?!u[a-z][aeiou])[aeiou]", re.IGNORECASE)  # a unit, a user


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return `a`, `a and b`, `a, b and c`; `last` can replace "and".

    Of very many words, only the first are listed and the others counted.
    """
    every = list(words)
    if len(every) > LISTED:
        return f"{', '.join(every[:LISTED])} {last} {len(every) - LISTED:,} more"
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} {last} {every[-1]}"


def sentence(text: str) -> str:
    """Return a text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an"."""
    return f"an {noun}" if _VOWEL.match(noun) else f"a {noun}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 file", "2 files"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def number_word(number: int) -> str:
    """Return a small number as a word: "two", but "12"."""
    return _SMALL[number] if number < len(_SMALL) else str(number)


def figures(number: int) -> str:
    """Return a number in groups of three digits, or a phrase if it is huge."""
    return f"{number:,}" if number <= _MOST_SAID else f"more than {_MOST_SAID:,}"


def quoted(titles: Iterable[str]) -> str:
    """Return titles in quotes: `"A" and "B"`."""
    return listed(f'"{title}"' for title in titles)


# ---- spelling suggestions


def nearest(word: str, candidates: Iterable[str], cutoff: float = 0.4) -> str | None:
    """Return the candidate most similar to `word`, or None if none is close.

    Args:
        cutoff: the largest difference, relative to the longer word, from 0 to 1.
    """
    found = nearest_few(word, candidates, cutoff=cutoff, most=1)
    return found[0] if found else None


def nearest_few(
    word: str, candidates: Iterable[str], cutoff: float = 0.4, most: int = 3
) -> list[str]:
    """Return up to `most` close candidates, nearest first, then by alphabet."""
    return [*_near(word, tuple(dict.fromkeys(candidates)), cutoff)[:most]]


@lru_cache(maxsize=1024)  # many tables of one game have the same errors
def _near(word: str, candidates: tuple[str, ...], cutoff: float) -> tuple[str, ...]:
    far: dict[str, float] = {}
    # A name that is the beginning or the last part of another is close to it, however
    # long the rest is.
    for each in candidates:
        if (each in word or word in each) and min(len(word), len(each)) > 2:
            if each.startswith(word):
                far[each] = _BEGUN
            elif _part_of(word, each) or _part_of(each, word):
                far[each] = _PART
        elif _STEM.sub("", each) == _STEM.sub("", word) and len(word) > 4:
            far[each] = _PART
    plains = [_plain(each) for each in candidates]
    for share, place in _distances(_plain(word), plains, cutoff):
        each = candidates[place]
        far[each] = min(far.get(each, 1.0), share or _SAME)
    near = sorted((share, each) for each, share in far.items() if share <= cutoff)
    return tuple(each for _, each in near if each != word)


# Words of other languages, and their equivalents in rules.
VALUES_ELSEWHERE = {
    **dict.fromkeys(("true", "True", "TRUE", "on"), "yes"),
    **dict.fromkeys(("false", "False", "FALSE", "off"), "no"),
    **dict.fromkeys(("len", "length"), "size"),
    **dict.fromkeys(("I", "myself", "self"), "me"),
    **dict.fromkeys(("null", "nil", "None", "nobody", "nothing"), "none"),
    **{word: str(number) for number, word in enumerate(NUMBERS) if number},
    **{"zero": "0", "everything": "all", "empty": "{}", "once": "at most once"},
}
MODES_ELSEWHERE = {  # of steps
    **dict.fromkeys(("once", "optional"), "at most once"),
    **dict.fromkeys(("mandatory", "required"), "must act once, if possible"),
    **dict.fromkeys(("many", "unlimited"), "any number"),
    **dict.fromkeys(("claim", "claims", "first"), "the first who claims"),
}
TYPES_ELSEWHERE = {
    **dict.fromkeys(("bool", "Bool", "boolean", "Boolean", "flag"), "yes or no"),
    **dict.fromkeys(("int", "Int", "integer", "Integer", "Number", "number"), "0..99"),
}


def did_you_mean(
    word: str,
    candidates: Iterable[str],
    cutoff: float = 0.4,
    also: Mapping[str, str] | None = None,
) -> str:
    """Return the label "did you mean `x`?", or '' if no candidate is close.

    Args:
        cutoff: the largest difference, relative to the longer word, from 0 to 1.
        also: fixed suggestions for certain words; they take precedence.
    """
    known = [*candidates]
    found = (also or {}).get(word) or nearest(word, known, cutoff)
    if odd := advice_on(word):
        meant = plain(word).strip("\"' ")
        found = meant if meant in known else found
        return f"{odd}: `{found}`" if found else odd
    return f"did you mean `{found}`?" if found else ""


def _plain(word: str) -> str:
    """Return a name without capitals and separators."""
    return word.casefold().replace("-", "_").replace(" ", "_")


def _part_of(part: str, whole: str) -> bool:
    return whole.startswith(part) or part in whole.replace(".", "_").split("_")


def _distances(
    word: str, others: list[str], cutoff: float
) -> Iterator[tuple[float, int]]:
    """Yield the places of close words, each with its distance as a share of letters."""
    try:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract_iter
    except ModuleNotFoundError:  # in a page
        for place, other in enumerate(others):
            longer = max(len(word), len(other), 1)
            if abs(len(word) - len(other)) <= cutoff * longer:
                share = edit_distance(word, other) / longer
                if share <= cutoff:
                    yield share, place
        return
    scorer = OSA.normalized_distance
    for _, share, place in extract_iter(
        word, others, scorer=scorer, score_cutoff=cutoff
    ):
        yield share, place


def edit_distance(left: str, right: str) -> int:
    """Edit distance: letters to insert, delete, replace or transpose.

    No letter is edited twice (the optimal string alignment distance).
    """
    before: list[int] = []
    row: list[int] = [*range(len(right) + 1)]
    for at, letter in enumerate(left, 1):
        earlier, before, row = before, row, [at]
        for to, other in enumerate(right, 1):
            least = min(
                before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != other)
            )
            if at > 1 and to > 1 and letter == right[to - 2] and left[at - 2] == other:
                least = min(least, earlier[to - 2] + 1)
            row.append(least)
    return row[-1]
