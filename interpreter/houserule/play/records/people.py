"""Who plays as a record goes on: who sits where, and who decides for whom."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.play.records.lines import (
    ActedFor,
    Head,
    PeopleLine,
    SatDown,
    UndoAnswered,
)
from houserule.play.records.reading import ParsedRecord


class RecordedPeople:
    """Follows the lines of a record that are about those who play.

    Args:
        head: of the record.
        seats: the names that the rules give the seats.

    Attributes:
        names: by seat; of a seat that a bot plays its kind. A seat that was left keeps
            the name of who sat there last.
        bots: the seats that bots play.
        deputies: who decides in the place of a seat's own person.
    """

    def __init__(self, head: Head, seats: Sequence[str]) -> None:
        known = len(head.players) == len(seats)
        names = head.players if known else seats
        self.names = dict(zip(seats, names, strict=True))
        self.bots = set(head.bots)
        self.deputies: dict[str, str] = {}

    @classmethod
    def at_end(cls, record: ParsedRecord, seats: Sequence[str]) -> RecordedPeople:
        """Return who plays at the end of a record, in which any seat may be named."""
        people = cls(record.head, seats)
        for entry in record.entries:
            match entry.part:
                case ActedFor(acting=seat) | SatDown(sits=seat) if seat in people.names:
                    people.add(entry.part)
        return people

    def add(self, part: PeopleLine) -> None:
        """Note what a line says."""
        match part:
            case ActedFor(acting=seat, by=name):
                self.deputies.pop(seat, None)
                if name:
                    self.deputies[seat] = name
            case SatDown(sits=seat, name=name, bot=bot):
                self.deputies.pop(seat, None)
                self.names[seat] = name or self.names[seat]
                self.bots.discard(seat)
                if bot:
                    self.bots.add(seat)
            case UndoAnswered():
                pass  # who plays stays the same
