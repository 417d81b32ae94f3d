"""Who sits at a table: people by their names, and bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.bots.bot import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.record.lines import Head


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits at a table.

    Attributes:
        names: by seat; of a seat that a bot plays the kind of the bot.
        bots: the seats that bots play.
        languages: by seat.
    """

    names: tuple[str, ...]
    bots: frozenset[int]
    languages: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[str], languages: Sequence[str] = ("en",)) -> Seated:
        """Return who sits where: a name that is a kind of bot is one.

        Fewer languages than seats go round.

        Raises:
            ValueError: two people have the same name, or one has none.
        """
        bots = frozenset(seat for seat, name in enumerate(names) if name in KINDS)
        people = [name for seat, name in enumerate(names) if seat not in bots]
        for name in people:
            if not name.strip() or people.count(name) > 1:
                raise ValueError(f"Every player needs a name of their own: `{name}`.")
        spoken = tuple(languages[at % len(languages)] for at in range(len(names)))
        return cls(tuple(names), bots, spoken)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat in range(len(self.names)) if seat not in self.bots)

    def listening(self) -> tuple[tuple[int | None, str], ...]:
        """Return who is told the game, each with a language: the seats of people.

        Where several share a face it shows now and then what all of them saw.
        """
        seats = [(seat, self.languages[seat]) for seat in self.people]
        everybody = [(None, language) for _, language in seats[:1] if len(seats) > 1]
        return (*everybody, *seats)

    @classmethod
    def in_record(cls, head: Head, seats: Sequence[str]) -> Seated:
        """Return who played a record; `seats` are the names that the rules give."""
        names = head.players if len(head.players) == len(seats) else list(seats)
        bots = {at for at, seat in enumerate(seats) if seat in head.bots}
        if not head.languages:  # by bots alone, as `run` writes it
            bots = {at for at, name in enumerate(names) if name in KINDS}
        spoken = head.languages or ["en"]
        return cls(
            tuple(names),
            frozenset(bots),
            tuple(spoken[at % len(spoken)] for at in range(len(seats))),
        )
