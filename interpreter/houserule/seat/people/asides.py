"""What a tale says besides the game: of people, and of what they took back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from houserule.frozen import frozen
from houserule.record.lines import ActedFor, PeopleLine, UndoAnswered
from houserule.resources import Phrases

if TYPE_CHECKING:
    from houserule.record.people import RecordedPeople


@frozen
class Aside:
    """A line of a tale in whatever language it is told."""

    phrase: str
    parts: Mapping[str, str | int]

    def text(self, language: str) -> str:
        """Return the line in a language."""
        return Phrases("seat", language).say(self.phrase, **self.parts)


def taken_back(who: str, count: int) -> Aside:
    """Return what is said where somebody took so many choices back."""
    phrase = "undone_one" if count == 1 else "undone"
    return Aside(phrase, {"who": who, "count": count})


def decided_for(people: RecordedPeople, seat: str) -> Aside | None:
    """Return what is said before a choice that somebody else makes for a seat."""
    by = people.deputies.get(seat)
    return (by and Aside("decided_for", {"by": by, "who": people.names[seat]})) or None


def about_people(people: RecordedPeople, part: PeopleLine) -> Aside:
    """Return what is said of a line about people, who are as they were before it."""
    if isinstance(part, ActedFor):
        who = people.names[part.acting]
        return Aside("acting" if part.by else "acts_again", {"by": part.by, "who": who})
    if isinstance(part, UndoAnswered):
        who = people.names[part.answered]
        phrase = (
            "agreed_for" if part.agreed else "refused_for" if part.by else "refused"
        )
        return Aside(phrase, {"by": part.by, "who": who})
    who = people.names[part.sits]
    return Aside(
        "sat_down" if part.name else "stood_up", {"name": part.name, "who": who}
    )
