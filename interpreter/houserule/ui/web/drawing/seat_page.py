"""The content of a seat's page."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from houserule.base.frozen import frozen
from houserule.play.seat.choosing import Touched
from houserule.play.seat.seat_model import ChoiceStep, Moment, PieceMark, WhyMove
from houserule.ui.web.clock import Clock
from houserule.ui.web.records.courses import Course
from houserule.ui.web.records.history import Evenings
from houserule.ui.web.store import ChatLine


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPage:
    """The view of one seat, or of a watcher.

    Attributes:
        base: the address of the page, without a slash at its end; it is a secret, and
            never shown as text.
        version: the table's version; every form returns it.
        news: a number that grows with every visible change, also with the chat.
        chat: the lines of the chat; None if the viewer may not see it.
        step: the next step of its choice; None if it need not decide.
        before: the path one step back; None if there is none.
        log: the whole log for the viewer, oldest first.
        whole_log: whether the whole log was requested, not only its latest lines.
        about: touched components that can be used in several ways.
        why: the explanation of an action, if requested.
        hint: a bot's suggestion, in words.
        hint_values: what the bot thinks of each option, the best first.
        hinted: the things and places that it is about.
        notice: one sentence on the last error.
        can_undo: whether the viewer may undo its last choice or its turn alone.
        can_ask_undo: whether it may ask the others for an undo.
        undo_asked: the name of the player who asks for an undo; the viewer may agree or
            refuse.
        undo_wanted: whether the viewer asked, and others have not answered yet.
        undo_silent: the names of people who were asked and are away.
        thinking: the name of the bot that is thinking.
        host: the address of the host's page, if the viewer is the host.
        rules: the address of the rules of the table.
        absent: the seats whose people have no page open.
        acting_for: the name of the person for whom the viewer acts; it may then only
            choose.
        deputy: the name of the person who may act for the viewer.
        hand_on: the address for handing over the viewer's seat.
        notices: the address for notices that need no page; empty if there are none.
        games: the address of the table's finished games.
        replay: the address of the last game's replay.
        clock: the clock of the table; None if it is off.
        time_left: the seconds until it runs out; None if it does not run.
        late: the name of the player whose time ran out last.
        coach: how a turn goes, in a few lines; empty if the viewer knows it.
        game: the game's name in its files.
        record: the address of the last game's record, if it is over.
        others: the address of the same game's house rules.
        course: the course of a finished game; None while it is not known.
        evenings: the results of the same people at this and the viewer's other tables.
        wins: each player's name, wins, draws and games at this table, if there were
            several.
    """

    base: str
    language: str
    version: int
    moment: Moment
    step: ChoiceStep | None
    log: tuple[str, ...]
    news: int = 0
    chat: tuple[ChatLine, ...] | None = None
    before: tuple[str, ...] | None = None
    whole_log: bool = False
    about: tuple[Touched, ...] = ()
    why: WhyMove | None = None
    hint: str = ""
    hint_values: tuple[str, ...] = ()
    hinted: tuple[PieceMark, ...] = ()
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
    notices: str = ""
    games: str = ""
    replay: str = ""
    clock: Clock | None = None
    time_left: int | None = None
    late: str = ""
    coach: tuple[str, ...] = ()
    game: str = ""
    record: str = ""
    others: str = ""
    course: Course | None = None
    evenings: Evenings | None = None
    wins: tuple[tuple[str, int, int, int], ...] = ()


# ---- replay of a finished game


@frozen
class ShownFilm:
    """The part of a replay to show, the view, and addresses of other parts.

    Attributes:
        address: the page's address, without a query.
        at, last: the number of choices so far, and in all.
        number: the game's number at its table.
        sight: the view: `own`, `everybody` or `open`.
    """

    address: str
    at: int
    last: int
    number: int
    sight: str
    sights: tuple[str, ...]
    back: str

    def to(self, at: int, sight: str = "") -> str:
        """Return the address of a moment, maybe in a different view."""
        query = {"game": self.number, "as": sight or self.sight, "at": at}
        return f"{self.address}?{urlencode(query)}"

    @property
    def steps(self) -> tuple[tuple[str, int | None], ...]:
        """The targets of links: the start, one back, one forward, the end."""
        back, on = self.at > 0, self.at < self.last
        return (
            ("first", 0 if back else None),
            ("previous", self.at - 1 if back else None),
            ("following", self.at + 1 if on else None),
            ("final", self.last if on else None),
        )
