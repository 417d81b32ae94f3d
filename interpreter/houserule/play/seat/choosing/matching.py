"""Free-text matching: which options a text means, and which words may come next.

Words are matched against labels step by step. While part of the text is not understood,
a step without a match is skipped. The search visits at most `STEPS` steps.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count

from houserule.base.diagnostics.wording import edit_distance
from houserule.base.frozen import frozen
from houserule.play.seat.seat_model import ChoiceStep, StepOption

STEPS = 40  # searched for one text
FOUND = 12  # maximum number of returned meanings
PASSED = 12  # options of a step that are tried although no word matches
NOWHERE = 99  # the distance of a word that has no match
WORD = re.compile(r"[^\W_]+")  # `spades_2` is two words
LETTERS = {"ß": "ss", "œ": "oe", "æ": "ae"}


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(each for each in folded if not unicodedata.combining(each))
    for letter, letters in LETTERS.items():
        bare = bare.replace(letter, letters)
    return WORD.findall(bare)


@lru_cache(maxsize=1 << 14)
def slips(word: str, other: str) -> int | None:
    """Return the distance between a word and another; None if they do not match.

    0 is equal, 1 is a prefix, 2 is a typo.
    """
    if word == other:
        return 0
    if word.isdigit() or other.isdigit():
        return None
    if other.startswith(word):
        return 1
    if min(len(word), len(other)) < 4:
        return None
    most = 1 if len(word) < 8 else 2
    lengths = range(len(word) - most, len(word) + most + 1)
    near = any(edit_distance(word, other[:length]) <= most for length in lengths)
    return 2 if near else None


def adds(key: str) -> bool:
    """Return whether a key adds a member to a set."""
    return "+" in key.partition("=")[0]


@frozen
class Fit:
    """How well words match a label.

    Less is better.

    Attributes:
        wrong: total distance of the other words, plus the number out of order.
        apart: how many do not directly follow their predecessor.
        besides: how many words of the label are left over.
    """

    left: tuple[str, ...]
    wrong: int
    apart: int
    besides: int


@dataclass(order=True, slots=True)
class Guess:
    """A path that a text may mean, ordered by `Fit`: the best is the least."""

    left: int
    wrong: int
    apart: int
    besides: int
    number: int
    words: tuple[str, ...] = field(compare=False)
    path: tuple[str, ...] = field(compare=False)


class Vocabulary:
    """General vocabulary of a language: fillers, numbers, separable verbs.

    Args:
        say: returns a general phrase of a choice.
    """

    def __init__(self, say: Callable[[str], str]) -> None:
        self.fillers = frozenset(plain_words(say("fillers")))
        self.split_off = frozenset(plain_words(say("split_off")))
        self._numbers = {
            word: str(number)
            for row in say("numbers").split("|")
            for number, word in enumerate(plain_words(row))
        }

    def every(self, text: str) -> list[str]:
        """Return the words of a text, with numbers as digits."""
        return [self._numbers.get(word, word) for word in plain_words(text)]

    def telling(self, text: str) -> tuple[str, ...]:
        """Return the words of a text without fillers; all of them if none are left."""
        every = self.every(text)
        telling = tuple(word for word in every if word not in self.fillers)
        return telling or tuple(every)


class Matching:
    """Matches words against the labels of steps.

    Args:
        step: returns the step after a path.
        whole: returns the label of a complete path's choice.
        also: returns synonyms for an option of the first step, by its key.
        say: returns a general phrase of a choice.
    """

    def __init__(
        self,
        step: Callable[[Sequence[str]], ChoiceStep],
        whole: Callable[[Sequence[str]], str],
        also: Callable[[str], str],
        say: Callable[[str], str],
    ) -> None:
        self._step, self._whole, self._also = step, whole, also
        self._vocabulary = Vocabulary(say)
        self._telling = self._vocabulary.telling

    def left_over(self, text: str, label: str) -> tuple[str, ...]:
        """Return the words of a text that match no word of a label."""
        return self._fit(self._telling(text), label).left

    def in_order(self, text: str, label: str) -> bool:
        """Return whether the words of a text appear in order in a label."""
        others, words = iter(self._telling(label)), self._telling(text)
        return all(any(slips(w, other) is not None for other in others) for w in words)

    def find(
        self, text: str, base: ChoiceStep
    ) -> tuple[list[tuple[str, ...]], list[StepOption]]:
        """Return what a text means: paths after a step, best first, and closed actions.

        If no path matches every word, the paths with the most matches are returned. If
        an unmatched word names a closed action, only that action is returned.
        """
        if not plain_words(text):
            return [(option.key,) for option in base.options], []
        # German splits verbs: "Hänge das Schild auf" is "aufhängen". So also read the
        # last word before the verb, one of the first two words.
        texts = [text]
        *before, last = plain_words(text)
        if last in self._vocabulary.split_off:
            texts += [
                " ".join((*before[:at], last + word, *before[at + 1 :]))
                for at, word in enumerate(before[:2])
            ]
        readings = [
            (sorted(self._guesses(words, base)), words)
            for words in map(self._telling, texts)
        ]
        guesses, words = min(
            readings, key=lambda each: each[0][0].left if each[0] else len(each[1])
        )
        left = guesses[0].words if guesses else words
        closed = [
            each
            for each in base.closed
            if len(self._fit(left, each.label, [self._also(each.key)]).left) < len(left)
        ]
        if closed or not guesses:
            return [], closed
        return [path[len(base.path) :] for path in _best(guesses)[:FOUND]], []

    def _guesses(self, words: tuple[str, ...], base: ChoiceStep) -> Iterator[Guess]:
        """Yield paths that match some words, as many as possible."""
        numbers = count()
        heap = [Guess(len(words), 0, 0, 0, next(numbers), words, base.path)]
        found, known = 0, set[frozenset[str]]()
        for _ in range(STEPS):
            if not heap or found >= FOUND:
                return
            guess = heapq.heappop(heap)
            step = base if guess.path == base.path else self._step(guess.path)
            said = [each for each in step.said if each not in base.said]
            passed = 0
            for option in step.options:
                path = (*guess.path, option.key)
                if frozenset(path) in known:
                    continue  # the same members in another order
                fit = self._fit_of(words, option, said, path, whole=not base.path)
                further = Guess(
                    len(fit.left),
                    fit.wrong,
                    fit.apart,
                    fit.besides,
                    next(numbers),
                    fit.left,
                    path,
                )
                better = (further.left, further.wrong) < (guess.left, guess.wrong)
                enough = adds("".join(guess.path[-1:])) and not adds(option.key)
                off = bool(further.left or further.wrong)
                if better or enough:
                    known.add(frozenset(path))
                    found += not off
                    yield further
                elif option.complete or adds(option.key) or passed >= PASSED:
                    continue
                else:
                    passed += 1
                if not option.complete and (off or adds(option.key)):
                    heapq.heappush(heap, further)

    def _fit_of(
        self,
        words: tuple[str, ...],
        option: StepOption,
        said: Sequence[str],
        path: tuple[str, ...],
        *,
        whole: bool,
    ) -> Fit:
        """Return how well words match an option together with the values before it.

        A complete option is compared with the label of the whole choice. An
        interchangeable component matches like the one in the label.
        """

        def fit(name: str) -> Fit:
            if option.complete and whole and said:
                also = [*said, name, self._also(path[0])]
                return self._fit(words, self._whole(path), also)
            return self._fit(words, " ".join((*said, name)), [self._also(path[0])])

        names = (option.label, *option.also)
        return min(
            map(fit, names),
            key=lambda each: (len(each.left), each.wrong, each.apart, each.besides),
        )

    def _fit(self, words: tuple[str, ...], label: str, also: Iterable[str] = ()) -> Fit:
        """Return how well words match a label; each word of the label matches once.

        A word that is missing from the label may be anywhere in `also`.
        """
        others = list(self._telling(label))
        more = [word for word in self._telling(" ".join(also)) if not word.isdigit()]
        left: list[str] = []
        wrong, apart, last = 0, 0, None
        for word in words:
            off, at = _nearest(word, others, last)
            off_there, there = _nearest(word, more)
            if off == off_there == NOWHERE:
                left.append(word)
                continue
            wrong += min(off, off_there)
            if off_there < off:
                apart += 1
                del more[there]
            else:
                if last is not None:
                    wrong += at < last
                    apart += at != last + 1
                others[at], last = "", at
        return Fit(tuple(left), wrong, apart, sum(map(bool, others)))

    def complete(self, text: str, base: ChoiceStep) -> Iterator[str]:
        """Yield words that may come next in a text, or complete its last word.

        Words that begin a label come first.
        """
        begun = "" if text[-1:].isspace() else (WORD.findall(text) or [""])[-1]
        before = text[: len(text) - len(begun)] if begun else text
        start = (plain_words(begun) or [""])[0]
        known = {*plain_words(before), *self._vocabulary.fillers}
        # The labels that may come next after the text, or contain it.
        found = self.find(before, base)[0] if plain_words(before) else [()]
        after = list[str]()
        for path in found:
            step = self._step((*base.path, *path))
            after += (option.label for option in step.options)
            after += step.said if step.options else [self._whole((*base.path, *path))]
        labels = [words for label in after if (words := WORD.findall(label))]
        given: dict[str, None] = {}
        for word in (*(words[0] for words in labels), *chain(*labels)):
            plain = (plain_words(word) or [""])[0]
            if plain.startswith(start) and plain not in known:
                given.setdefault(word)
        yield from list(given)[:FOUND]


def _best(guesses: Sequence[Guess]) -> list[tuple[str, ...]]:
    """Return the paths that match as well as the first one.

    If they differ only in unmentioned values, return their common part.
    """
    best = [each for each in guesses if each.left == guesses[0].left]
    partly = {each.path for each in best}
    first = guesses[0]
    alike = [
        each.path
        for each in best
        if (each.wrong, each.apart > 0) == (first.wrong, first.apart > 0)
    ]
    behind = Counter(path[:-1] for path in alike)
    common = dict.fromkeys(
        path[:-1] if behind[path[:-1]] > 1 and path[:-1] in partly else path
        for path in alike
    )
    begun = {path[:-1] for path in common if not adds(path[-1])}
    kept: dict[tuple[str, ...], set[str]] = {}
    for path in common:
        if path in begun:
            continue
        members = kept[path] = set()  # its keys, with one for each member of a set
        for key in path:
            name, _, text = key.replace("=", "+", 1).partition("+")
            members |= {f"{name}+{member}" for member in text.split("+")}
    whole = [members for path, members in kept.items() if not adds(path[-1])]
    return [
        path
        for path, members in kept.items()
        if not any(smaller < members for smaller in whole)
    ]


def _nearest(
    word: str, others: Sequence[str], last: int | None = None
) -> tuple[int, int]:
    """Return the distance and index of the word that best matches.

    Of equal matches, the next one after `last` wins; `NOWHERE` means no match.
    """
    off, _, at = min(
        (
            (off, last is not None and at <= last, at)
            for at, other in enumerate(others)
            if other and (off := slips(word, other)) is not None
        ),
        default=(NOWHERE, False, 0),
    )
    return off, at
