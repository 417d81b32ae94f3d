"""News for a viewer: changes since the last look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from houserule.base.frozen import frozen
from houserule.play.seat.seat_model import Phrase

PHRASES = 20_000  # cached for all tables: most are on many screens


@lru_cache(maxsize=PHRASES)
def phrase_of(text: str, seat: int | None, new: bool) -> Phrase:
    """Return a phrase; equal phrases are the same object."""
    return Phrase(text=text, seat=seat, new=new)


@frozen
class LastLook:
    """One look of a viewer: each text by its place."""

    seen: Mapping[str, str]


@dataclass
class News:
    """Marks what changed since the last look, and notes what is seen now.

    At the first look nothing is new.
    """

    last: LastLook | None
    seen: dict[str, str] = field(default_factory=dict)

    def phrase(self, place: str, text: str, seat: int | None = None) -> Phrase:
        return phrase_of(str(text), seat, self.is_new(place, text))

    def is_new(self, place: str, text: str) -> bool:
        if not text:
            return False
        self.seen[place] = text
        return self.last is not None and self.last.seen.get(place) != text

    def before(self, place: str) -> str:
        """Return the text at a place at the last look, or an empty text."""
        return "" if self.last is None else self.last.seen.get(place, "")

    def left(self, place: str, text: str) -> bool:
        """Return whether another text was at a place at the last look."""
        return self.last is not None and self.last.seen.get(place, text) != text

    def look(self) -> LastLook:
        return LastLook(self.seen)
