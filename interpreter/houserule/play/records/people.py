"""The players in the course of a record: seats and deputies."""

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
    """Follows the lines of a record about its players.

    Attributes:
        names: by seat; for a bot, its kind. A vacant seat keeps the name of its last
            player.
        bots: the seats that bots play.
        deputies: by seat, the player who decides in place of its own.
    """

    def __init__(self, head: Head, seats: Sequence[str]) -> None:
        known = len(head.players) == len(seats)
        names = head.players if known else seats
        self.names = dict(zip(seats, names, strict=True))
        self.bots = set(head.bots)
        self.deputies: dict[str, str] = {}

    @classmethod
    def at_end(cls, record: ParsedRecord, seats: Sequence[str]) -> RecordedPeople:
        """Return the players at the end of a record, which may name any seat."""
        people = cls(record.head, seats)
        for entry in record.entries:
            match entry.part:
                case ActedFor(acting=seat) | SatDown(sits=seat) if seat in people.names:
                    people.add(entry.part)
        return people

    def add(self, part: PeopleLine) -> None:
        """Apply a line."""
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
                pass  # the players stay the same
