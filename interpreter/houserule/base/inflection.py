"""Inflected words, and texts with slots that choose a form.

A slot is a name in braces. `{use}` inserts words as they are, `{use:dative}` in another
form. `{use:Stein|Steine}` chooses between two texts: the first for one thing, the other
for none or several. These may have slots themselves: `{use:steht ein Stein|stehen
{use} Steine}`. Texts can be for single numbers, and the last one for all others:
`{n:0=off|25=the bar|{n}}`. `{c:er/sie/es}` chooses by gender: m, f, n, then p and fp
for plurals, which default to m.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from string import Formatter
from types import MappingProxyType

from houserule.base.frozen import frozen

BASE = "is"  # the base form
MANY = "many"  # for any number but one
SHORT = "short"  # if there is little room, as in a cell of a board
GENDER = "gender"  # one of the genders, not words
GENDERS = ("m", "f", "n", "p", "fp")
CASES = ("nominative", "accusative", "dative", "genitive")
PLACED = ("in", "into", "out_of")  # of a place, with the preposition and its keys
OF_KEY = "of_"  # plus the name of a key: the form after a noun with this key
HIDDEN = "hidden"  # of a kind: an unidentified item of it
_OF_A_NUMBER = re.compile(r"(\d+)=([^|]*)\|")
_NO_FORMS: Mapping[str, str] = MappingProxyType({})


class Inflected(str):
    """Words, their other forms by name, and their number."""

    __slots__ = ("forms", "number")
    forms: Mapping[str, str]
    number: int

    def __new__(
        cls, words: str, forms: Mapping[str, str] = _NO_FORMS, number: int = 1
    ) -> Inflected:
        """Make words; missing forms default to `words`."""
        made = super().__new__(cls, words)
        made.forms, made.number = forms, number
        return made

    def form(self, name: str) -> str:
        """Return a form, or the base form if there is no such form."""
        return self.forms.get(name, str(self))

    def put_in(self, asked: str) -> str:
        """Return the text for a slot with this form or choice."""
        rest = asked
        while found := _OF_A_NUMBER.match(rest):
            if self.number == int(found[1]):
                return found[2]
            rest = rest[found.end() :]
        if rest != asked:
            return rest
        one, choice, several = asked.partition("|")
        if choice:
            return one if self.number == 1 else several
        if "/" in asked:
            by_gender = asked.split("/")
            place = GENDERS.index(self.forms.get(GENDER, "m"))
            return by_gender[place] if place < len(by_gender) else by_gender[0]
        return self.form(asked)


def inflected(words: str | int) -> Inflected:
    if isinstance(words, Inflected):
        return words
    if isinstance(words, str):
        return Inflected(words)
    return Inflected(str(words), number=words)


def together(
    words: Sequence[str], join: Callable[[Sequence[str]], str], number: int
) -> Inflected:
    """Join several words; a form of the result has each word in that form."""
    members = [inflected(each) for each in words]
    names = {name for each in members for name in each.forms}
    forms = {name: join([each.form(name) for each in members]) for name in names}
    return Inflected(join(words), forms, number)


# ---- texts with slots


@frozen
class TextSlot:
    """A name in braces, with the text after its colon."""

    name: str
    asked: str

    @property
    def form(self) -> str:
        """The requested form, or ''."""
        if self.chooses or "/" in self.asked:
            return ""
        return self.asked

    @property
    def chooses(self) -> bool:
        return "|" in self.asked

    @property
    def inner(self) -> Iterator[TextSlot]:
        for text in self.asked.split("|", 1) if self.chooses else ():
            yield from slots_of(text)


@lru_cache(maxsize=8192)
def pieces(text: str) -> tuple[str | TextSlot, ...]:
    """Return the plain pieces and the slots of a text, in order.

    Raises:
        ValueError: an unmatched brace.
    """
    found: list[str | TextSlot] = []
    for plain, name, asked, _ in Formatter().parse(text):
        if plain:
            found.append(plain)
        if name is not None:
            found.append(TextSlot(name, asked or ""))
    return tuple(found)


def slots_of(text: str) -> list[TextSlot]:
    """Return the slots of a text, with the slots in their two texts.

    Raises:
        ValueError: an unmatched brace.
    """
    found = (each for each in pieces(text) if isinstance(each, TextSlot))
    return [slot for each in found for slot in (each, *each.inner)]


def fill(text: str, known: Mapping[str, str | int]) -> str:
    """Return a text with its slots filled.

    Raises:
        KeyError: a slot has an unknown name.
        ValueError: an unmatched brace.
    """

    def filled(piece: str | TextSlot) -> str:
        if isinstance(piece, str):
            return piece
        said = inflected(known[piece.name]).put_in(piece.asked)
        return fill(said, known) if piece.chooses else said

    found = pieces(text)
    if len(found) == 1 and isinstance(found[0], str):
        return found[0]  # most phrases of a page have no slot
    return "".join(filled(piece) for piece in found)
