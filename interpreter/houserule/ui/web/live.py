"""One active table: its seats, its game, and each viewer's view.

Everything is stored before it is shown.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from houserule.base.diagnostics.render import RecordError
from houserule.base.source import Source
from houserule.engine.reference.choices import Refused
from houserule.engine.state.faults import RuleFault
from houserule.ir.declarations import seat_ids
from houserule.play.seat.choosing.chooser import Chooser, Touched
from houserule.play.seat.choosing.keys import (
    DECLINE,
    DONE,
    NO,
    SIMPLE,
    NoSuchChoice,
)
from houserule.play.seat.moments import table_sentence
from houserule.play.seat.reasons.move_labels import SaidMove
from houserule.play.seat.reasons.why import why
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import ChoiceStep, Moment, PieceMark, WhyMove
from houserule.play.seat.seated import Seated, Thought
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow
from houserule.ui.web.clock import Clock, RunningClock
from houserule.ui.web.confusable_names import (
    confusable,
    is_mixed,
    is_reserved,
    is_unseen,
    like_a_bot,
)
from houserule.ui.web.games import must_be_here, rules_of
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.passes import Pass, Role, invitation_key
from houserule.ui.web.store import (
    CHAT_LINES,
    CHAT_MODES,
    Chair,
    ChatLine,
    DamagedTableError,
    StoredTable,
    TableLines,
    TableStore,
    damaged,
)

LUCK = 2**53
LONGEST_NAME = 40  # characters
LONGEST_LINE = 300  # characters of the chat
LINES, MINUTE = 10, 60.0  # lines of the chat that a seat may write in these seconds
PASSING = (DONE, DECLINE, NO)  # the choices of a seat that passes, the first possible
AWAY = 45.0  # seconds without an open page after which a player is called absent


class StaleMoveError(Exception):
    """The action was meant for an earlier version of the table."""


def new_key() -> str:
    """Return an unguessable key of 192 bits."""
    return secrets.token_urlsafe(24)


def _plain_name(name: str) -> str:
    """Return a name in its stored form.

    Raises:
        ValueError: it is empty, too long, has invisible characters or mixed scripts, or
            looks like a bot's, or like a word of the table.
    """
    name = " ".join(name.split())
    if is_unseen(name) or len(name) > LONGEST_NAME:
        raise ValueError("no_name")
    if not name.isprintable():
        raise ValueError("name_unseen")
    if is_mixed(name):
        raise ValueError("name_mixed")
    if like_a_bot(name):
        raise ValueError("name_of_bot")
    if is_reserved(name):
        raise ValueError("name_reserved")
    return name


class LiveTable:
    """A table, used by one thread at a time.

    Attributes:
        sitting: the current game, or the last one; None before the first.
    """

    def __init__(self, store: TableStore, stored: StoredTable) -> None:
        self.store, self.stored = store, stored
        must_be_here(stored.choice)
        self.sitting: Sitting | None = None
        self._lines: TableLines | None = None
        self._choosers: dict[tuple[int, str], Chooser] = {}
        self._moments: dict[tuple[int | None, str], Moment] = {}
        self.chat: tuple[ChatLine, ...] = store.chat(stored.id)
        self._said: dict[int, deque[float]] = {}
        self.used = 0.0  # by a person, seconds of the monotonic clock
        self.looked: dict[int, float] = {}
        self.times = RunningClock()
        if stored.number:
            self._resume()
        else:
            self.rules_now()

    # ---- properties

    @property
    def rules(self) -> TableRules:
        """The rules of the current game, as its record has them; else those chosen.

        The files of a game may change or go while it is played.
        """
        return self.rules_now() if self.sitting is None else self.sitting.rules

    def rules_now(self) -> TableRules:
        """Return the chosen rules, as the files are now; errors as for `rules_of`."""
        return rules_of(self.stored.choice, OwnTexts(self.store))

    @property
    def id(self) -> int:
        """Its number in the store."""
        return self.stored.id

    @property
    def version(self) -> int:
        """It grows with every visible change."""
        return self.stored.version

    @property
    def news(self) -> int:
        """A number that grows with every visible change, also with the chat.

        The chat does not change the version: it would make choices stale.
        """
        return self.version + (self.chat[-1].at if self.chat else 0)

    @property
    def seats(self) -> tuple[str, ...]:
        return seat_ids(len(self.stored.chairs))

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(chair.name for chair in self.stored.chairs)

    @property
    def over(self) -> bool:
        """Whether the last game here is finished, and no other has begun."""
        return self.sitting is not None and self.sitting.outcome is not None

    def sentence(self, language: str) -> str:
        """Return the game and its house rules in a line."""
        return table_sentence(self.rules, language)

    def language_of(self, seat: int | None) -> str:
        """Return the language of a seat; watchers get the table's."""
        stored = self.stored
        return stored.language if seat is None else stored.chairs[seat].language

    def absent(self) -> tuple[int, ...]:
        """Return the seats of people who have had no page open for a while."""
        now = time.monotonic()
        return tuple(
            seat
            for seat, chair in enumerate(self.stored.chairs)
            if chair.name and not chair.bot
            if now - self.looked.get(seat, 0.0) > AWAY
        )

    def look(self, seat: int | None) -> None:
        """Note that a viewer has a page open."""
        self.used = time.monotonic()
        if seat is not None:
            self.looked[seat] = self.used

    # ---- chat

    def say(self, seat: int, text: str) -> None:
        """Let the person at a seat write to the table.

        Raises:
            ValueError: the chat is off, or the text is empty, too long, has unprintable
                characters, or comes too soon after others.
        """
        text, chair = " ".join(text.split()), self.stored.chairs[seat]
        if self.stored.chat == "off":
            raise ValueError("chat_off")
        if not text:
            raise ValueError("chat_empty")
        if len(text) > LONGEST_LINE or not all(e.isprintable() for e in text):
            raise ValueError("chat_long")
        now, said = time.monotonic(), self._said.setdefault(seat, deque(maxlen=LINES))
        if len(said) == LINES and now - said[0] < MINUTE:
            raise ValueError("chat_fast")
        said.append(now)
        at = self.chat[-1].at + 1 if self.chat else 1
        line = ChatLine(at, seat, chair.name, text)
        self.store.add_chat(self.id, line)
        self.chat = (*self.chat, line)[-CHAT_LINES:]

    def set_chat(self, mode: str) -> None:
        """Set who sees the chat.

        Raises:
            ValueError: unknown mode.
        """
        if mode not in CHAT_MODES:
            raise ValueError("stale")
        self.stored = self.store.set_chat(self.stored, mode)
        if self._lines is not None:
            self._lines.version = self.stored.version
        self._look_anew()

    def chat_for(self, seat: int | None) -> tuple[ChatLine, ...] | None:
        """Return the chat for a viewer; None if the viewer may not see it."""
        mode = self.stored.chat
        shown = mode == "all" or (mode == "seats" and seat is not None)
        return self.chat if shown else None

    # ---- clock

    @property
    def clock(self) -> Clock | None:
        """The clock of the table; None if it is off."""
        return Clock.read(self.stored.clock)

    def set_clock(self, text: str) -> None:
        """Set the clock; an empty text turns it off.

        Raises:
            ValueError: the text does not describe a clock.
        """
        if text and Clock.read(text) is None:
            raise ValueError("stale")
        self.stored = self.store.set_clock(self.stored, text)
        if self._lines is not None:
            self._lines.version = self.stored.version
        self._look_anew()

    @property
    def due(self) -> float | None:
        """When the time of the person to decide runs out, by the monotonic clock."""
        return None if self.clock is None else self.times.due(self.clock)

    def time_out(self) -> None:
        """Decide for the person whose time ran out, as the clock says.

        Raises:
            RuleFault, StoreError: as for `choose`.
        """
        sitting, clock, due = self.sitting, self.clock, self.due
        if sitting is None or sitting.decision is None or clock is None:
            return
        if due is None or time.monotonic() < due:
            return
        seat, choice = sitting.decision.seat, None
        if clock.then == "pass":
            keys = {each.key for each in self._chooser(sitting, seat).step().options}
            choice = next((SIMPLE[key] for key in PASSING if key in keys), None)
        sitting.choose(seat, choice or sitting.hint(seat), bots_at_most=0)
        self.times.late = seat
        self._changed()

    # ---- notices

    @property
    def called(self) -> tuple[int, int, int] | None:
        """The seat to decide, if it wants notices, with the game and the decision."""
        seat = self._asked()
        if seat is None or self.sitting is None or not self.stored.chairs[seat].notices:
            return None
        return seat, self.stored.number, len(self.sitting.made)

    def calls(self, called: tuple[int, int, int]) -> bool:
        """Return whether a seat still has to decide, and its player has no page."""
        return self.called == called and called[0] in self.absent()

    def set_notices(self, seat: int, address: str) -> None:
        """Set where a seat's notices go; an empty text is nowhere."""
        chairs = list(self.stored.chairs)
        chairs[seat] = replace(chairs[seat], notices=address)
        self.stored = self.store.change(self.stored, chairs)
        if self._lines is not None:
            self._lines.version = self.stored.version
        self._look_anew()

    # ---- seating

    def key(self, role: Role, seat: int | None = None) -> str:
        made = new_key()
        self.store.add_key(made, Pass(self.id, role, seat))
        return made

    def invitation(self, host: str, role: Literal["join", "watch"]) -> str:
        """Return the key for guests that belongs to a host's key; '' if it is not one.

        There is one for each host's key, so that the links of a table stay the same.
        """
        if self.store.opened_by(host) != Pass(self.id, "host", None):
            return ""
        key, opens = invitation_key(host, role), Pass(self.id, role, None)
        if self.store.opened_by(key) is None:
            self.store.add_key(key, opens)
        return key

    def sit(self, seat: int, name: str, language: str) -> str:
        """Let a person take a free seat; return the key to it.

        Raises:
            ValueError: the seat is taken, or the name is not available.
        """
        chair = self.stored.chairs[seat]
        if chair.name and not chair.bot:
            raise ValueError("taken")
        if chair.bot and self.sitting is None:
            raise ValueError("taken")
        self._seat(seat, Chair(self._name(seat, name), False, language))
        return self.key("seat", seat)

    def _name(self, seat: int, name: str) -> str:
        name = _plain_name(name)
        chairs = enumerate(self.stored.chairs)
        others = [(c.name, self.seats[at]) for at, c in chairs if at != seat]
        if any(confusable(name, taken) for taken, _ in others):
            raise ValueError("name_taken")
        if any(confusable(name, its_seat) for _, its_seat in others):
            raise ValueError("name_reserved")
        return name

    def seat_bot(self, seat: int, kind: str, bots: Sequence[str]) -> None:
        """Give a seat to a bot; the previous player's keys expire.

        Raises:
            ValueError: unknown bot.
        """
        if kind not in bots:
            raise ValueError("no_bot")
        self._empty(seat)
        self._seat(seat, Chair(kind, True, self.stored.language))

    def fill(self, kind: str, bots: Sequence[str]) -> None:
        """Give all free seats to bots; errors as for `seat_bot`."""
        for seat, chair in enumerate(self.stored.chairs):
            if not chair.name:
                self.seat_bot(seat, kind, bots)

    def free(self, seat: int) -> None:
        """Vacate a seat.

        During a game, the next player of the seat continues.
        """
        self._empty(seat)
        self._seat(seat, Chair("", False, self.stored.language))

    def hand_on(self, seat: int, name: str, language: str) -> str:
        """Give a seat to another player; return the new key, the only valid one.

        Raises:
            ValueError: the name is not available.
        """
        chair = Chair(self._name(seat, name), False, language)
        self._empty(seat)
        self._seat(seat, chair)
        return self.key("seat", seat)

    def _empty(self, seat: int) -> None:
        self.store.drop_keys(self.id, seat)
        self.looked.pop(seat, None)

    def _seat(self, seat: int, chair: Chair) -> None:
        chairs = list(self.stored.chairs)
        if chairs[seat] == chair:
            return
        chairs[seat] = chair
        if self.sitting is None or self._lines is None or self.over:
            self.stored = self.store.change(self.stored, chairs)
        else:
            self._lines.chairs = chairs
            self.sitting.people.sit_down(seat, chair.name, bot=chair.bot)
            self.stored = replace(self.stored, chairs=tuple(chairs))
            self._changed()
        if self.sitting is not None:
            self._resume()

    def _seated(self) -> Seated:
        chairs, seats = self.stored.chairs, self.seats
        names = tuple(c.name or seats[at] for at, c in enumerate(chairs))
        bots = frozenset(at for at, chair in enumerate(chairs) if chair.bot)
        spoken = tuple(chair.language for chair in chairs)
        return Seated(names, bots, spoken, apart=True)

    # ---- deputies

    def deputy(self, seat: int | None) -> str:
        """Return the deputy of a seat's person; '' if there is none."""
        if self.sitting is None or seat is None:
            return ""
        return self.sitting.people.deputy(seat)

    def may_act_for(self, seat: int) -> bool:
        """Return whether a deputy may act for a seat, because its person is away."""
        under_way = self.sitting is not None and not self.over
        return under_way and seat in self.absent()

    def act_for(self, seat: int, name: str) -> str:
        """Let a named player act for an absent one; return the deputy's key.

        Everyone is notified, because the key gives access to the seat's view.

        Raises:
            ValueError: the person is present, or the name is invalid.
        """
        name = _plain_name(name)
        if self.sitting is None or not self.may_act_for(seat):
            raise ValueError("not_away")
        self.store.drop_keys(self.id, seat, "deputy")
        self.sitting.people.act_for(seat, name)
        self._changed()
        return self.key("deputy", seat)

    def end_acting(self, seat: int) -> None:
        """End acting for a seat: its own person decides again."""
        if self.sitting is not None and self.deputy(seat):
            self.store.drop_keys(self.id, seat, "deputy")
            self.sitting.people.act_for(seat, "")
            self._changed()

    # ---- the game

    def _resume(self) -> None:
        """Read the game from the store, and continue it with the current players."""
        number = self.stored.number
        text = self.store.record(self.id, number)
        lines = TableLines(self.store, self.stored, number)
        source = Source(f"table {self.id}", text)
        claims = (self.stored if self.sitting is None else self.sitting).claims
        try:
            self.sitting = Sitting.go_on(source, lines, self._seated())
        except RecordError as error:
            # Its messages quote choices: they belong neither in the log nor on a page.
            found = error.diagnostics[0]
            at = f" in line {found.span.line}" if found.span else ""
            raise DamagedTableError(
                f"The record of table {self.id} cannot be replayed: {found.code}{at}."
            ) from None
        except (IndexError, ValueError) as error:  # more or fewer chairs than seats
            raise damaged(self.id, "seats", type(error).__name__) from None
        self._follow(self.sitting, lines)
        for seat, claim in claims.items():
            # Not if a bot has the seat now, or the rules have changed
            with suppress(NotNow, Refused, RuleFault, ValueError):
                self.sitting.choose(seat, claim, bots_at_most=0)
        self._changed()

    def _follow(self, sitting: Sitting, lines: TableLines) -> None:
        """Let the stored lines of a game know more than its record."""
        self._lines, lines.asked = lines, self._asked
        lines.claims = lambda: sitting.claims

    def begin(self, seed: int | None = None) -> None:
        """Begin a game: the first, or another one when the last is over.

        The seed is random unless it is given.

        Raises:
            ValueError: a seat is free, or a game is in progress.
        """
        if not self.full:
            raise ValueError("not_full")
        if self.sitting is not None and not self.over:
            raise ValueError("under_way")
        for seat in range(len(self.seats)):
            self.store.drop_keys(self.id, seat, "deputy")
        number = self.stored.number + 1
        lines = TableLines(self.store, self.stored, number)
        seated = self._seated()
        luck = secrets.randbelow(LUCK) if seed is None else seed
        self.sitting = Sitting.begin(
            self.rules_now(),
            seated.names,
            luck,
            languages=seated.languages,
            keeper=lines,
            apart=seated.apart,
        )
        self._follow(self.sitting, lines)
        self.stored = replace(self.stored, number=number)
        self.times = RunningClock()
        self._changed()

    def _asked(self) -> int | None:
        """Return the seat that must decide."""
        decision = None if self.sitting is None else self.sitting.decision
        return None if decision is None else decision.seat

    def _changed(self) -> None:
        self._look_anew()
        if self.sitting is not None:
            asked = None if self.sitting.asks_bot() else self._asked()
            self.times.ask(asked, len(self.sitting.made))
        if self._lines is not None:
            version = max(self._lines.version, self.stored.version)
            self.stored = replace(self.stored, version=version)

    def _noticed(self) -> None:
        """Notify everyone, although the record is unchanged."""
        claims = None if self.sitting is None else self.sitting.claims
        self.stored = self.store.change(self.stored, claims=claims)
        if self._lines is not None:
            self._lines.version = self.stored.version
        self._look_anew()

    def note_course(self) -> None:
        """Notify everyone that more is known about the last game."""
        if self.over:
            self._noticed()

    def _look_anew(self) -> None:
        """Clear the cache of this version."""
        self._choosers.clear()
        self._moments.clear()

    def _at(self, version: int) -> Sitting:
        if self.sitting is None or version != self.version:
            raise StaleMoveError
        return self.sitting

    def choose(
        self, seat: int, version: int, path: Sequence[str], *, deputy: bool = False
    ) -> None:
        """Make a choice; it is stored when this returns.

        If the seat's own person makes it, and not a `deputy`, acting for the seat ends.

        Raises:
            StaleMoveError: the table has changed since the choice was offered.
            NotNow: it is not the seat's turn.
            NoSuchChoice: the path is not a choice, or an incomplete one.
            RuleFault: a runtime error in the rules; the choice is not made.
            StoreError: the choice cannot be stored, and is not made.
        """
        sitting = self._at(version)
        if sitting.asked_game(seat) is None:
            raise NotNow("not_asked")
        choice = self._chooser(sitting, seat).choice(path)
        if choice is None:
            raise NoSuchChoice("something is open")
        if not deputy:
            self.end_acting(seat)
            if self.times.late == seat:
                self.times.late = None
        before = self.version
        sitting.choose(seat, choice, bots_at_most=0)
        self._changed()
        if self.version == before:  # it answered before the game came to the seat
            self._noticed()

    def think(self) -> Thought | None:
        """Return the bot's problem; None if it is no bot's turn.

        Solve it while others use the table, then call `follow`.
        """
        return None if self.sitting is None else self.sitting.think()

    def awaits(self, thought: Thought) -> bool:
        """Return whether the game is still where a thought began."""
        return self.sitting is not None and self.sitting.awaits(thought)

    def follow(self, thought: Thought) -> None:
        """Make the choices of a thought, if the game is still where it began.

        It is one transaction, and one new version of the table.

        Raises:
            RuleFault: as for `choose`; earlier decisions remain.
            StoreError: the decisions cannot be stored, and are not made.
        """
        if self.sitting is None or not self.sitting.awaits(thought):
            return
        try:
            with self.sitting.at_once():
                self.sitting.follow(thought)
        finally:
            self._changed()

    def note_bot(self) -> None:
        """Correct the store's note that a bot must decide, if none must."""
        if self.sitting is None or not self.sitting.asks_bot():
            self.store.no_bot_due(self.id)

    def step_bot(self) -> None:
        """Let a bot decide if it is its turn; errors as for `follow`."""
        thought = self.think()
        if thought is not None:
            thought.think()
            self.follow(thought)

    def take_back(self, seat: int, version: int, *, turn: bool) -> None:
        """Undo the last choice of a seat, or all of its turn.

        Raises:
            StaleMoveError, NotNow, StoreError: as for `choose`.
        """
        sitting = self._at(version)
        (sitting.restart_turn if turn else sitting.undo)(seat)
        self._changed()

    def ask_back(self, seat: int, version: int) -> None:
        """Ask all others for an undo that a seat may not do alone.

        Raises:
            StaleMoveError, NotNow, StoreError: as for `choose`.
        """
        if self._at(version).ask_undo(seat):
            self._changed()
        else:
            self._noticed()

    def answer_back(self, seat: int, version: int, *, agree: bool) -> None:
        """Answer a request to undo.

        Raises:
            StaleMoveError, NotNow, StoreError: as for `choose`.
        """
        self._answered(self._at(version), seat, "", agree=agree)

    def _answered(self, sitting: Sitting, seat: int, by: str, *, agree: bool) -> None:
        before = self.version
        if agree:
            sitting.agree_undo(seat, by)
        else:
            sitting.refuse_undo(seat, by)
        self._changed()
        if self.version == before:  # the record is unchanged
            self._noticed()

    def unanswered(self) -> tuple[int, ...]:
        """Return the seats with an open undo request whose people are away."""
        if self.sitting is None or self.sitting.asked is None:
            return ()
        silent = self.sitting.asked.silent(self.sitting.seated.people)
        return tuple(seat for seat in self.absent() if seat in silent)

    def answer_for(self, seat: int, version: int, name: str, *, agree: bool) -> None:
        """Let a named player answer an undo request for an absent one.

        Everyone is notified. The player who answers does not get the seat's view.

        Raises:
            ValueError: the person is present or there is no request, or the name is
                invalid.
            StaleMoveError, StoreError: as for `choose`.
        """
        name, sitting = _plain_name(name), self._at(version)
        if seat not in self.unanswered():
            raise ValueError("not_away")
        self._answered(sitting, seat, name, agree=agree)

    # ---- views

    def moment(self, viewer: int | None) -> Moment:
        """Return a viewer's view, without the choice, which `step` returns."""
        assert self.sitting is not None, "a game was begun"
        key = viewer, self.language_of(viewer)
        if key not in self._moments:
            self._moments[key] = self.sitting.moment(*key, choice=False)
        return self._moments[key]

    def log(self, viewer: int | None) -> tuple[str, ...]:
        assert self.sitting is not None, "a game was begun"
        return self.sitting.log(viewer, self.language_of(viewer))

    def _chooser(self, sitting: Sitting, seat: int) -> Chooser:
        key = seat, self.language_of(seat)
        if key not in self._choosers:
            words = self.rules.wording(key[1], sitting.seated.names)
            game = sitting.asked_game(seat) or sitting.game
            self._choosers[key] = Chooser(self.rules, game, words, seat)
        return self._choosers[key]

    def step(
        self,
        seat: int,
        path: Sequence[str],
        first: int = 0,
        touched: Sequence[Touched] = (),
    ) -> ChoiceStep | None:
        """Return the next step of a choice; None if it is not the seat's turn.

        Options are listed from number `first` on; `touched` are components touched
        after the path. An outdated path restarts.
        """
        sitting = self.sitting
        if sitting is None or sitting.asked_game(seat) is None:
            return None
        chooser = self._chooser(sitting, seat)
        with suppress(NoSuchChoice):
            return chooser.onward(path, first, touched)
        return chooser.onward()

    def before(self, seat: int, path: Sequence[str]) -> tuple[str, ...] | None:
        """Return the path one step back; None if there is no choice to go back to."""
        assert self.sitting is not None, "somebody is asked"
        return self._chooser(self.sitting, seat).before(path)

    def why(
        self, seat: int, path: Sequence[str], touched: Sequence[Touched] = ()
    ) -> WhyMove | None:
        """Explain why a choice is legal or illegal; None for an invalid path.

        The last one of the touched components is a part of the choice.
        """
        if self.step(seat, ()) is None:
            return None
        assert self.sitting is not None, "somebody is asked"
        words = self.rules.wording(self.language_of(seat), self.sitting.seated.names)
        asked: SaidMove | Sequence[str] = path
        with suppress(NoSuchChoice):
            for each in touched[-1:]:
                asked = path = self._chooser(self.sitting, seat).asking(path, each)
            said = self._chooser(self.sitting, seat).choice(path)
            asked = path if said is None else said
        with suppress(NoSuchChoice):
            game = self.sitting.asked_game(seat) or self.sitting.game
            return why(self.rules, game, words, seat, asked)
        return None

    def hint(self, seat: int | None) -> tuple[str, list[str], tuple[PieceMark, ...]]:
        """Return a bot's suggestion, the value of each option, and things to mark.

        All are empty if it is not the seat's turn.
        """
        if seat is None or self.step(seat, ()) is None:
            return "", [], ()
        assert self.sitting is not None, "somebody is asked"
        hint, chooser = self.sitting.advise(seat), self._chooser(self.sitting, seat)
        return hint.told(chooser), hint.values(chooser), chooser.marks(hint.choice)
