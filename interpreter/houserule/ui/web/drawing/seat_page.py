"""All that the page of a seat shows."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from houserule.base.frozen import frozen
from houserule.play.seat.seat_model import ChoiceStep, Moment, WhyMove


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPage:
    """The view of one seat, or of a watcher.

    Attributes:
        base: the address of the page, without a slash at its end; it is a secret, and
            never shown as text.
        language: of all texts.
        version: of the table; every form hands it back.
        moment: the seat's view.
        step: how its choice goes on after the path that was gone; None if it is not
            asked.
        log: the whole log for the viewer, oldest first.
        whole_log: the whole log was asked for, and not only its latest lines.
        about: the key of an area and of things there, if only options about them are
            wanted.
        why: the explanation of an action, if requested.
        hint: a bot's suggestion, in words.
        notice: one sentence on the last error.
        can_undo: whether the viewer may take its last choice back alone, or its turn.
        can_ask_undo: whether it may ask the others to take something back.
        undo_asked: the name of who wants to take back; the viewer may agree or refuse.
        undo_wanted: the viewer itself asked, and others have not answered yet.
        undo_silent: the names of people who were asked for that, and are away.
        thinking: the name of the bot that is thinking.
        host: the address of the host's page, if the viewer is the host.
        rules: the address of the rules of the table.
        absent: the seats whose people have no page open.
        acting_for: the name of the person for whom the viewer acts; it may then
            choose, and nothing else.
        deputy: the name of who may act for the viewer.
        hand_on: the address at which the viewer hands its seat on.
        games: the address of the games that were played at the table.
        replay: the address at which the last of them can be looked at again.
    """

    base: str
    language: str
    version: int
    moment: Moment
    step: ChoiceStep | None
    log: tuple[str, ...]
    whole_log: bool = False
    about: tuple[str, ...] = ()
    why: WhyMove | None = None
    hint: str = ""
    notice: str = ""
    can_undo: bool = False
    can_ask_undo: bool = False
    undo_asked: str = ""
    undo_wanted: bool = False
    undo_silent: tuple[str, ...] = ()
    thinking: str = ""
    host: str = ""
    rules: str = ""
    absent: tuple[int, ...] = ()
    acting_for: str = ""
    deputy: str = ""
    hand_on: str = ""
    games: str = ""
    replay: str = ""


# ---- replay of a finished game


@frozen
class ShownFilm:
    """Which part of a game is shown, for whom, and the addresses of others.

    Attributes:
        address: of the page, without a query.
        at, last: after how many choices of how many.
        number: which game of its table it is.
        sight: as whom it is looked at: `own`, `everybody` or `open`.
        sights: as whom it may be.
        back: the address that one comes from.
    """

    address: str
    at: int
    last: int
    number: int
    sight: str
    sights: tuple[str, ...]
    back: str

    def to(self, at: int, sight: str = "") -> str:
        """Return the address of a time, and of another sight."""
        query = {"game": self.number, "as": sight or self.sight, "at": at}
        return f"{self.address}?{urlencode(query)}"

    @property
    def steps(self) -> tuple[tuple[str, int | None], ...]:
        """Where links lead on to: the beginning, one back, one on, the end."""
        back, on = self.at > 0, self.at < self.last
        return (
            ("first", 0 if back else None),
            ("previous", self.at - 1 if back else None),
            ("following", self.at + 1 if on else None),
            ("final", self.last if on else None),
        )
