"""Patterns of slips: what is known where the grammar could not go on, and what fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from houserule.frozen import frozen

NOTHING: frozenset[str] = frozenset()


def terms(text: str) -> frozenset[str]:
    """Return the words and signs of a text with spaces between them."""
    return frozenset(text.split())


RELATIONS = terms("is at more less")
QUERIES = terms("sum highest lowest count the those")
_TELLING = RELATIONS | QUERIES


@frozen
class Situation:
    """What is known where the grammar could not go on.

    Attributes:
        word: the word that opens the line or the statement.
        before: the word before the place; empty at the start of a line.
        found: what stands there; empty at the end of the line.
        kind: what kind of thing that is (see `ParseError`).
        accepts: what could have stood there.
        left: all words of the line that stand before the place.
    """

    word: str
    before: str
    found: str
    kind: str
    accepts: frozenset[str]
    left: tuple[str, ...] = ()


@frozen
class Pattern:
    """One slip: how it is recognised, and its message.

    Attributes:
        message: the sentence; `{found}`, `{before}` and `{word}` are filled in.
        label: the short fact at the place.
        accepts: all of these could have stood there.
        lacks: none of these could.
        found: one of these stands there ("" is the end of the line).
        before: one of these stands before it.
        words: one of these opens the line.
        kinds: what stands there is one of these kinds of things.
        after: so is what stands before it.
        nearest: of relations and words that begin queries, the nearest before the
            place is one of these.
        second: the second word before the place is one of these.
        marks: what else is marked: the word before the place; or the whole query that
            begins with it, which then is offered in brackets.
        example: the kind of line whose example helps, if not that of the line.
        code: the code of the fault.
    """

    message: str
    label: str
    accepts: frozenset[str] = NOTHING
    lacks: frozenset[str] = NOTHING
    found: frozenset[str] = NOTHING
    before: frozenset[str] = NOTHING
    words: frozenset[str] = NOTHING
    kinds: frozenset[str] = NOTHING
    after: frozenset[str] = NOTHING
    nearest: frozenset[str] = NOTHING
    second: frozenset[str] = NOTHING
    marks: Literal["", "before", "query"] = ""
    example: str = ""
    code: str = "E001"

    def fits(self, here: Situation) -> bool:
        """Say whether this is what happened."""
        return (
            self.accepts <= here.accepts
            and not self.lacks & here.accepts
            and (not self.found or here.found in self.found)
            and (not self.before or here.before in self.before)
            and (not self.words or here.word in self.words)
            and (not self.kinds or here.kind in self.kinds)
            and (not self.after or _kind_of(here.before) in self.after)
            and (
                not self.second or here.left[-2:-1] in [(each,) for each in self.second]
            )
            and (not self.nearest or _nearest(here.left) in self.nearest)
        )


def _kind_of(before: str) -> str:
    """Return whether this is a word, a number or a sign; '' at the start of a line."""
    if before[:1].isalnum():
        return "word" if before[0].isalpha() else "number"
    return "sign" if before else ""


def _nearest(left: Sequence[str]) -> str:
    """Return the last relation or word of a query among these words."""
    return next((word for word in reversed(left) if word in _TELLING), "")
