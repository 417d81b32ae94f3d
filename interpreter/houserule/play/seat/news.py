"""What is new since a viewer's last look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from houserule.base.frozen import frozen
from houserule.play.seat.seat_model import Phrase

PHRASES = 20_000  # of all tables, that are kept: most stand on many screens


@lru_cache(maxsize=PHRASES)
def phrase_of(text: str, seat: int | None, new: bool) -> Phrase:
    """Return a phrase; two that say the same are one."""
    return Phrase(text=text, seat=seat, new=new)


@frozen
class LastLook:
    """What a viewer saw at one time: each text by the place where it stood."""

    seen: Mapping[str, str]


@dataclass
class News:
    """Marks what is not as it was at the last look, and notes what is seen now.

    At the first look nothing is new.
    """

    last: LastLook | None
    seen: dict[str, str] = field(default_factory=dict)

    def phrase(self, place: str, text: str, seat: int | None = None) -> Phrase:
        """Return a text that stands at a place, marked if it is new there."""
        return phrase_of(str(text), seat, self.is_new(place, text))

    def is_new(self, place: str, text: str) -> bool:
        """Note what stands at a place, and say whether it did not before."""
        if not text:
            return False
        self.seen[place] = text
        return self.last is not None and self.last.seen.get(place) != text

    def look(self) -> LastLook:
        """Return what was seen."""
        return LastLook(self.seen)
