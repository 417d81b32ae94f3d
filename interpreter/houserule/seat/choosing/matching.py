"""Free text: which options the words of a text mean, and which words may come next.

Words are held against labels, step by step: a step where none fits is passed over, as
long as some words are left. No more steps are looked at than `STEPS`.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from houserule.diagnostics.wording import edit_distance

if TYPE_CHECKING:
    from houserule.seat.model import ChoiceStep, StepOption

STEPS = 40  # looked at for one text
FOUND = 12  # meanings that are returned
PASSED = 12  # options of a step that are tried though no word fits
WORD = re.compile(r"\w+")
LETTERS = {"ß": "ss", "œ": "oe", "æ": "ae"}


def plain_words(text: str) -> list[str]:
    """Return the words of a text without capitals and accents."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(each for each in folded if not unicodedata.combining(each))
    for letter, letters in LETTERS.items():
        bare = bare.replace(letter, letters)
    return WORD.findall(bare)


def meant(word: str, other: str) -> bool:
    """Say whether a word may mean another: it begins it, or is a slip of the pen."""
    if other.startswith(word):
        return not word.isdigit() or word == other
    if min(len(word), len(other)) < 4 or word.isdigit() or other.isdigit():
        return False
    slips = 1 if len(word) < 8 else 2
    return edit_distance(word, other[: len(word) + slips]) <= slips


def adds(key: str) -> bool:
    """Say whether a key puts a member into a set."""
    return "+" in key.partition("=")[0]


@dataclass(frozen=True, slots=True)
class Fit:
    """How well words fit a label: which are left, how far the others are off."""

    left: tuple[str, ...]
    off: int
    end: int
    """How many words stand up to the last one that fits."""


@dataclass(order=True, slots=True)
class Guess:
    """A path that some of the words may mean; the best one is the least."""

    left: int
    off: int
    number: int
    words: tuple[str, ...] = field(compare=False)
    path: tuple[str, ...] = field(compare=False)


class Matching:
    """Holds words against the labels of steps.

    Args:
        step: gives the step after a path.
        whole: gives the label of the choice that a complete path makes.
        fillers: words that mean nothing, with spaces between.
    """

    def __init__(
        self,
        step: Callable[[Sequence[str]], ChoiceStep],
        whole: Callable[[Sequence[str]], str],
        fillers: str,
    ) -> None:
        self._step, self._whole = step, whole
        self._fillers = frozenset(plain_words(fillers))

    def _telling(self, text: str) -> tuple[str, ...]:
        """Return the words of a text that mean something; all if none does."""
        every = plain_words(text)
        return tuple(word for word in every if word not in self._fillers) or tuple(
            every
        )

    def left_over(self, text: str, label: str) -> tuple[str, ...]:
        """Return the words of a text that no word of a label is meant by."""
        return self._fit(self._telling(text), label).left

    def in_order(self, text: str, label: str) -> bool:
        """Say whether a label takes up the words of a text in their order."""
        others = iter(self._telling(label))
        return all(any(meant(word, o) for o in others) for word in self._telling(text))

    def find(self, text: str, base: ChoiceStep) -> list[tuple[str, ...]]:
        """Return the keys behind a step that a text means, best first.

        If no path takes up every word, those are returned that take up most.
        """
        words = self._telling(text)
        if not words:
            return [(option.key,) for option in base.options]
        guesses = list(self._guesses(words, base))
        least = min((guess.left for guess in guesses), default=0)
        best = sorted(guess for guess in guesses if guess.left == least)[:FOUND]
        return [guess.path[len(base.path) :] for guess in best]

    def _guesses(self, words: tuple[str, ...], base: ChoiceStep) -> Iterator[Guess]:
        """Yield paths that take up some words: all of them, or as many as they can."""
        numbers = count()
        heap = [Guess(len(words), 0, next(numbers), words, base.path)]
        found, known = 0, set[frozenset[str]]()
        for _ in range(STEPS):
            if not heap or found >= FOUND:
                return
            guess = heapq.heappop(heap)
            step = base if guess.path == base.path else self._step(guess.path)
            for option, fit in self._fits(guess.words, step):
                path = (*guess.path, option.key)
                if frozenset(path) in known:
                    continue  # the same members in another order
                known.add(frozenset(path))
                if option.complete:
                    all_of_it = self._fit(words, self._whole(path))
                    left, off = all_of_it.left, all_of_it.off
                else:
                    left, off = fit.left, guess.off + fit.off
                further = Guess(len(left), off, next(numbers), left, path)
                if not option.complete and (left or adds(option.key)):
                    heapq.heappush(heap, further)
                if len(left) < len(words):
                    found += not left
                    yield further

    def _fits(
        self, words: tuple[str, ...], step: ChoiceStep
    ) -> Iterator[tuple[StepOption, Fit]]:
        """Yield the options that take up a word; if there are none, the first few.

        That a set is enough takes up no word, and is always one of them.
        """
        adding = any(adds(option.key) for option in step.options)
        every = [(option, self._fit(words, option.label)) for option in step.options]
        fitting = [(option, fit) for option, fit in every if len(fit.left) < len(words)]
        if adding:
            yield from (
                (option, Fit(words, 0, 0))
                for option in step.options
                if not adds(option.key)
            )
        if fitting or not words:
            yield from fitting
        else:
            open_ = [each for each in every if not each[0].complete]
            yield from open_[:PASSED]

    def _fit(self, words: tuple[str, ...], label: str) -> Fit:
        """Return how words fit a label; each of its words is taken up once.

        What is off: words of the label that nothing means, words in another order.
        """
        others = list(self._telling(label))
        left: list[str] = []
        end, off, last = 0, 0, -1
        for place, word in enumerate(words):
            exact = others.index(word) if word in others else None
            near = (n for n, other in enumerate(others) if meant(word, other))
            at = exact if exact is not None else next(near, None)
            if at is None:
                left.append(word)
                continue
            off += (exact is None) + (at < last)
            others[at] = ""
            end, last = place + 1, at
        skipped = end - (len(words) - len(left))
        return Fit(tuple(left), off + sum(map(bool, others)) + 2 * skipped, end)

    def complete(self, text: str, base: ChoiceStep) -> Iterator[str]:
        """Yield words that may come next in a text, or end its last word."""
        begun = "" if text[-1:].isspace() else (WORD.findall(text) or [""])[-1]
        before = text[: len(text) - len(begun)] if begun else text
        start = (plain_words(begun) or [""])[0]
        given: dict[str, None] = {}
        for step in self._after(before, base):
            for option in step.options:
                for word in WORD.findall(option.label):
                    plain = (plain_words(word) or [""])[0]
                    if plain.startswith(start) and plain not in self._fillers:
                        given.setdefault(word)
        yield from list(given)[:FOUND]

    def _after(self, text: str, base: ChoiceStep) -> Iterator[ChoiceStep]:
        """Yield the steps that a text may lead to."""
        if not plain_words(text):
            yield base
            return
        for found in self.find(text, base):
            yield self._step((*base.path, *found))
