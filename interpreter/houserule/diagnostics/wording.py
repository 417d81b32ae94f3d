"""Wording of messages: lists, articles, numbers, and the right name for a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_VOWEL = re.compile(r"(?!u[a-z][aeiou])[aeiou]", re.IGNORECASE)  # a unit, a user


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return `a`, `a and b`, `a, b and c`; `last` may be another word than "and"."""
    every = list(words)
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} {last} {every[-1]}"


def sentence(text: str) -> str:
    """Return a text with a capital at its start; the rest stays as it is."""
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


def quoted(titles: Iterable[str]) -> str:
    """Return titles in quotes: `"A" and "B"`."""
    return listed(f'"{title}"' for title in titles)


# ---- the right name for a wrong one


def nearest(word: str, candidates: Iterable[str], cutoff: float = 0.4) -> str | None:
    """Return the candidate that `word` was most likely meant to be, if any is near.

    Args:
        word: what the author wrote.
        candidates: the names that would have been right.
        cutoff: how much of the longer of the two words may differ, from 0 to 1.
    """
    found = nearest_few(word, candidates, cutoff=cutoff, most=1)
    return found[0] if found else None


def nearest_few(
    word: str, candidates: Iterable[str], cutoff: float = 0.4, most: int = 3
) -> list[str]:
    """Return the near candidates, nearest first, then by alphabet; at most `most`."""
    ranked: list[tuple[float, str]] = []
    for candidate in dict.fromkeys(candidates):
        distance = _unlikeness(word, candidate)
        if candidate != word and distance <= cutoff:
            ranked.append((distance, candidate))
    return [candidate for _, candidate in sorted(ranked)[:most]]


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return the label "did you mean `x`?", or an empty text if nothing is near."""
    found = nearest(word, candidates)
    return f"did you mean `{found}`?" if found else ""


def _unlikeness(word: str, candidate: str) -> float:
    """Return 0 for the same word, towards 1 for strangers.

    Capitals and the marks between words hardly count. Where one of two names is the
    last part, or the beginning, of the other, they are near however long the rest is.
    """
    left, right = _plain(word), _plain(candidate)
    if left == right:
        return 0.01
    longer = max(len(left), len(right))
    share = edit_distance(left, right) / longer if longer else 0.0
    shorter = min(len(left), len(right))
    if shorter >= 3 and (_part_of(word, candidate) or _part_of(candidate, word)):
        return min(share, 0.3)
    return share


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def _part_of(part: str, whole: str) -> bool:
    return whole.startswith(part) or part in whole.replace(".", "_").split("_")


def edit_distance(left: str, right: str) -> int:
    """Edit distance: letters to insert, drop, replace or swap with a neighbour.

    No letter is edited twice (the optimal string alignment of two words).
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row = row, [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            swapped = i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b
            row.append(min(cost, before[j - 2] + 1) if swapped else cost)
        before = previous
    return row[-1]
