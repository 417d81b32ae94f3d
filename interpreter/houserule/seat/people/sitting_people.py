"""Those who sit at a game under way: somebody sits down, somebody acts for another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from houserule.record.lines import ActedFor, PeopleLine, SatDown, UndoAnswered
from houserule.seat.people.asides import Aside, about_people, decided_for

if TYPE_CHECKING:
    from houserule.record.game_file import GameFile
    from houserule.record.people import RecordedPeople
    from houserule.seat.tales import Tales


class SittingPeople:
    """Who decides for whom at a game, kept in its record and told to all.

    Args:
        recorded: as the record has it so far.
        kept: the record.
        tales: of the game.
        stand: tells how many choices stand.
    """

    def __init__(
        self,
        recorded: RecordedPeople,
        kept: GameFile,
        tales: Tales,
        stand: Callable[[], int],
    ) -> None:
        self._recorded, self._kept, self._tales = recorded, kept, tales
        self._seats, self._stand = tuple(recorded.names), stand

    def deputy(self, seat: int) -> str:
        """Return who decides in the place of a seat's person; '' if it does itself."""
        return self._recorded.deputies.get(self._seats[seat], "")

    def name(self, seat: int) -> str:
        """Return who plays a seat, as tales have it."""
        return self._recorded.names[self._seats[seat]]

    def aside(self, seat: int) -> Aside | None:
        """Return what is said before a choice of a seat."""
        return decided_for(self._recorded, self._seats[seat])

    def act_for(self, seat: int, by: str) -> None:
        """Let somebody decide for a seat; an empty name ends that.

        Raises:
            OSError: it cannot be written; nothing has changed.
        """
        self._note(ActedFor(acting=self._seats[seat], by=by))

    def answer_undo(self, seat: int, by: str, *, agreed: bool) -> None:
        """Note the answer of a seat that lets choices be taken back, or does not.

        An empty `by` is the seat's own person.

        Raises:
            OSError: it cannot be written; nothing has changed.
        """
        self._note(UndoAnswered(answered=self._seats[seat], agreed=agreed, by=by))

    def sit_down(self, seat: int, name: str, *, bot: bool = False) -> None:
        """Note that somebody else plays a seat; with an empty name nobody for now.

        Who listens is told by whoever goes on with the game from its record.

        Raises:
            OSError: it cannot be written; nothing has changed.
        """
        self._note(SatDown(sits=self._seats[seat], name=name, bot=bot))

    def _note(self, part: PeopleLine) -> None:
        said = about_people(self._recorded, part)
        self._kept.people(part)
        self._recorded.add(part)
        self._tales.note(said, self._stand(), lasting=True)
        self._tales.call(self._recorded.names.values())
