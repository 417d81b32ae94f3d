"""Words with their other forms, and texts with slots that ask for one.

A slot of a text is a name in braces. `{use}` puts in words as they are, `{use:dative}`
in another form, and `{use:Stein|Steine}` chooses between two texts: the first for one
thing, the other for several or none. These two may have slots themselves:
`{use:steht ein Stein|stehen {use} Steine}`. `{c:er/sie/es}` chooses by gender: m, f, n,
then p and fp of what is plural, which are as m where there are no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from string import Formatter
from types import MappingProxyType

from houserule.base.frozen import frozen

BASE = "is"  # the form of words as they are
MANY = "many"  # of what is counted, in any number but one
SHORT = "short"  # where there is little room: in a cell of a board
GENDER = "gender"  # no words but one of these
GENDERS = ("m", "f", "n", "p", "fp")
CASES = ("nominative", "accusative", "dative", "genitive")
PLACED = ("in", "into", "out_of")  # of a place, with the preposition and its keys
OF_KEY = "of_"  # and the name of a key: how that stands behind what it is a key of
HIDDEN = "hidden"  # of a kind: one of its things of which nothing is known
_NO_FORMS: Mapping[str, str] = MappingProxyType({})


class Inflected(str):
    """Words as they are, their other forms by name, and how many things they name."""

    __slots__ = ("forms", "number")
    forms: Mapping[str, str]
    number: int

    def __new__(
        cls, words: str, forms: Mapping[str, str] = _NO_FORMS, number: int = 1
    ) -> Inflected:
        """Make words; `words` themselves stand for every form that is not given."""
        made = super().__new__(cls, words)
        made.forms, made.number = forms, number
        return made

    def form(self, name: str) -> str:
        """Return a form, or the words as they are if they have none of that name."""
        return self.forms.get(name, str(self))

    def put_in(self, asked: str) -> str:
        """Return what stands where a slot asks for something behind its colon."""
        one, choice, several = asked.partition("|")
        if choice:
            return one if self.number == 1 else several
        if "/" in asked:
            by_gender = asked.split("/")
            place = GENDERS.index(self.forms.get(GENDER, "m"))
            return by_gender[place] if place < len(by_gender) else by_gender[0]
        return self.form(asked)


def inflected(words: str | int) -> Inflected:
    """Return words or a number as words that a slot may ask for forms of."""
    if isinstance(words, Inflected):
        return words
    if isinstance(words, str):
        return Inflected(words)
    return Inflected(str(words), number=words)


def together(
    words: Sequence[str], join: Callable[[Sequence[str]], str], number: int
) -> Inflected:
    """Return several words as one; a form of it has each of them in that form."""
    members = [inflected(each) for each in words]
    names = {name for each in members for name in each.forms}
    forms = {name: join([each.form(name) for each in members]) for name in names}
    return Inflected(join(words), forms, number)


# ---- texts with slots


@frozen
class TextSlot:
    """A name in braces, with what stands behind its colon."""

    name: str
    asked: str

    @property
    def form(self) -> str:
        """The form that is asked for; '' if none is."""
        if self.chooses or "/" in self.asked:
            return ""
        return self.asked

    @property
    def chooses(self) -> bool:
        """Whether it chooses between two texts."""
        return "|" in self.asked

    @property
    def inner(self) -> Iterator[TextSlot]:
        """The slots of the two texts."""
        for text in self.asked.split("|", 1) if self.chooses else ():
            yield from slots_of(text)


@lru_cache(maxsize=8192)
def pieces(text: str) -> tuple[str | TextSlot, ...]:
    """Return the plain pieces of a text and its slots, in order.

    Raises:
        ValueError: a brace stands alone.
    """
    found: list[str | TextSlot] = []
    for plain, name, asked, _ in Formatter().parse(text):
        if plain:
            found.append(plain)
        if name is not None:
            found.append(TextSlot(name, asked or ""))
    return tuple(found)


def slots_of(text: str) -> list[TextSlot]:
    """Return the slots of a text, each with those that stand in its two texts.

    Raises:
        ValueError: a brace stands alone.
    """
    found = (each for each in pieces(text) if isinstance(each, TextSlot))
    return [slot for each in found for slot in (each, *each.inner)]


def fill(text: str, known: Mapping[str, str | int]) -> str:
    """Return a text with what is known put into its slots.

    Raises:
        KeyError: a slot asks for a name that is not known.
        ValueError: a brace stands alone.
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
