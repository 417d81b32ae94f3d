"""A session: one game with people and bots, its file, undo and hints.

Every decision is in the file before any of it is shown. Undone choices stay there,
followed by a line that undoes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import RecordError
from houserule.base.source import Source
from houserule.engine.reference.choices import Choice, Done, Outcome
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.play.records.appending import Appender
from houserule.play.records.choice_words import SaidChoice, choice_meant, words_of
from houserule.play.records.game_file import GameFile, LineKeeper
from houserule.play.records.lines import ActedFor, PeopleLine, SatDown, UndoAnswered
from houserule.play.records.own_rules import own_rules
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import record_text
from houserule.play.records.records import difference_fault, seat_names
from houserule.play.seat.log import Aside, Tales, about_people, decided_for, taken_back
from houserule.play.seat.moments import SittingMoments
from houserule.play.seat.resuming import played_again, read_game
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import Moment
from houserule.play.seat.seated import Hint, Seated, SittingBots, Thought
from houserule.play.seat.undoing import (
    Decided,
    Made,
    NotNow,
    OpenChoice,
    UndoAsked,
    all_chosen,
    wanted,
)


class Sitting:
    """One running game with people and bots.

    A decision is in the file before anything of it is shown, logged or returned. If it
    cannot be written (`OSError`), it was not made. In Python, `Table.sit` begins a
    session and `houserule.resume` resumes one.

    Attributes:
        seed, number: of its random numbers.
        people: who decides for whom.
        notes: remarks about the file that it was resumed from.
        asked: an undo request that not everyone has agreed to yet.

    Example:
        >>> sitting = houserule.load("nim").table().sit("ann,bob")
        >>> sitting.choose(0, sitting.hint(0))
        >>> sitting.can_undo(0), sitting.can_undo(1)
        (True, False)
        >>> sitting.undo(0)
        >>> sitting.log(1)[-1]
        'ann takes back a decision.'
    """

    def __init__(
        self,
        rules: TableRules,
        seated: Seated,
        game: ReferenceGame,
        kept: GameFile,
        tales: Tales,
        people: RecordedPeople,
    ) -> None:
        self.rules, self.seated = rules, seated
        self.seed, self.number = game.machine.seed, game.machine.game_number
        self.notes: tuple[Diagnostic, ...] = ()
        self.asked: UndoAsked | None = None
        self._game, self._kept, self._tales = game, kept, tales
        self._bots = SittingBots(rules.program, self.seed, self.number)
        self._decided = Decided()
        self._early: dict[int, Choice] = {}  # claims, before the seat is asked
        self._ahead: dict[int, ReferenceGame | None] = {}
        self._moments = SittingMoments(self)
        self.people = SittingPeople(people, kept, tales, lambda: self.stand)

    @classmethod
    def begin(
        cls,
        rules: TableRules,
        seats: Sequence[str],
        seed: int = 1,
        file: Path | None = None,
        languages: Sequence[str] = ("en",),
        *,
        number: int = 0,
        keeper: LineKeeper | None = None,
        apart: bool = False,
    ) -> Sitting:
        """Begin a game; `advance` then lets bots act first.

        `seats` are names of people, or kinds of bots, one for each seat; people sit
        `apart` if each has a separate screen. The record is kept in a new `file`, or by
        an empty `keeper`, or only in memory.

        Raises:
            ValueError: the number of seats is wrong, or a name is not allowed.
            RuleFault: a rule failed.
            OSError: the file already exists, or cannot be written.
            RecordError: E083, another program has the file.
        """
        seated = replace(Seated.of(seats, languages), apart=apart)
        seated.fill(seat_names(rules.program))
        tales = Tales(rules, seated.names)
        game = tales.begin(seated.listening(), seed, number)
        if file is not None:
            keeper = Appender(file, new=True)
        own = own_rules(rules.ruleset, file) if keeper is not None else None
        recorder = seated.recorder(rules, seed, number, own)
        kept = GameFile(recorder, keeper)
        kept.begin()
        people = RecordedPeople(recorder.head, seat_names(rules.program))
        return cls(rules, seated, game, kept, tales, people)

    @classmethod
    def resume(
        cls, file: Path, *, folder: Path | None = None, anyway: bool = False
    ) -> Sitting:
        """Resume a game from its file; `advance` then lets bots act.

        Args:
            folder: a ruleset to use instead of the one that the record names or
                contains.
            anyway: if changed rules make the replay differ, continue from the last
                choice that fits. Later choices stay in the file as undone.

        Raises:
            OSError: the file cannot be read or written.
            RecordError: E080, it is not a record; E081, the game differs from it now;
                E083, another program has the file; or there is no such table.
            RulesetError: the rules cannot be read.
        """
        keeper = Appender(file)
        try:
            return cls.go_on(record_text(file), keeper, folder=folder, anyway=anyway)
        except BaseException:
            keeper.close()
            raise

    @classmethod
    def go_on(
        cls,
        source: Source,
        keeper: LineKeeper,
        seated: Seated | None = None,
        *,
        folder: Path | None = None,
        anyway: bool = False,
    ) -> Sitting:
        """Resume a game from its record, which a keeper has.

        Args:
            seated: the players from now on, if they differ from the record.
            folder: as for `resume`.
            anyway: as for `resume`.

        Raises:
            RecordError, RulesetError: as for `resume`.
        """
        read = read_game(source, folder)
        seated = seated or Seated.in_record(read.record.head, read.people)
        tales, listening = Tales(read.rules, seated.names), seated.listening()
        new = partial(tales.new, listening)
        again, difference = played_again(read.record, read.rules, new)
        if again is None or (difference is not None and not anyway):
            assert difference is not None, "there is a reason why it did not start"
            found = [difference_fault(read.record, difference)]
            raise RecordError(found, {source.name: source})
        tales.take(again.tales)
        kept = GameFile(read.recorder(seated.names, len(again.decided.made)), keeper)
        sitting = cls(read.rules, seated, again.game, kept, tales, read.people)
        sitting.notes = read.notes
        sitting._decided = again.decided
        if difference is not None:
            sitting._go_back(again.decided.replayed(again.game, sitting.stand))
        if changed := difference is not None or not read.same_rules:
            own = own_rules(read.rules.ruleset, keeper.path)
            with kept.written() as recorder:
                recorder.change_rules(sitting.stand, own)
        whole = not changed or sitting.stand == len(read.record.stood)
        kept.end(sitting._game, known=whole and read.record.end is not None)
        return sitting

    # ---- moments and logs

    def moment(
        self, viewer: int | None, language: str | None = None, *, choice: bool = True
    ) -> Moment:
        """Return everything to show to a seat now; None is everyone.

        It is in the seat's language unless `language` is given. `choice=False` omits
        the first step of the viewer's choice.
        """
        return self._moments.of(viewer, language or self._language(viewer), choice)

    def _language(self, viewer: int | None) -> str:
        return self.seated.languages[viewer or 0]

    def log(self, viewer: int | None, language: str | None = None) -> tuple[str, ...]:
        """Return the whole log with undone choices; the viewer is as for `moment`."""
        wanted = viewer, language or self._language(viewer)
        if not self._tales.begun(*wanted):
            self._tales.begin_late(wanted, self._game, self.text)
        return self._tales.lines(*wanted)

    # ---- the game

    @property
    def game(self) -> ReferenceGame:
        """The game itself, which knows everything; do not change it from outside."""
        return self._game

    @property
    def file(self) -> Path | None:
        """The file that holds the game, if there is one."""
        return self._kept.path

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when the game is over."""
        return self._game.decision

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._game.outcome

    @property
    def made(self) -> tuple[Made, ...]:
        """The choices that stand."""
        return tuple(self._decided.made)

    @property
    def stand(self) -> int:
        """How many choices stand."""
        return len(self._decided.made)

    @property
    def claims(self) -> Mapping[int, SaidChoice]:
        """The claims of seats before it is their turn, as for `choose`.

        They are not in the record yet: it has them in the order of turns.
        """
        program, asked = self.rules.program, self._game.decision
        if asked is None:
            return {}
        return {
            seat: cast("SaidChoice", words_of(choice, asked.site, program))
            for seat, choice in self._early.items()
        }

    @property
    def text(self) -> str:
        """The record so far."""
        return self._kept.text

    def asks_bot(self) -> bool:
        """Return whether a bot must decide."""
        return self.decision is not None and self.decision.seat in self.seated.bots

    def close(self) -> None:
        """Release the file for other programs."""
        self._kept.close()

    def __enter__(self) -> Sitting:
        """Return the session; it is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- deciding

    def choose(
        self, seat: int, choice: SaidChoice, *, bots_at_most: int | None = None
    ) -> None:
        """Make a choice for a seat; then bots act until a person must decide.

        Args:
            choice: one of the options; its number, from 0; or its words, as in a
                scenario's `do`.
            bots_at_most: the maximum number of bot decisions that follow; None is all.

        Raises:
            NotNow: it is not the seat's turn.
            Refused: the choice is not legal.
            IndexError: no option has this number.
            ValueError: the choice is not understood.
            RuleFault: a rule failed; the choice is not made.
            OSError: the choice cannot be written, and is not made.
        """
        game, decision = self._must_be_asked(seat)
        meant = choice_meant(choice, decision, self.rules.program)
        if game is self._game:
            self._make(meant)
        else:
            game.clone().choose(meant)  # it must be legal
            self._early[seat] = meant
            self._ahead.clear()
        self._make_early()
        self.advance(bots_at_most)

    def asked_game(self, seat: int) -> ReferenceGame | None:
        """Return the game at a decision of a seat; None if it must not decide now.

        If all are asked at once for claims, and each has a separate screen, a seat need
        not wait for those before it. Then it is a copy in which they have declined,
        which looks the same to the seat.
        """
        game = self._game
        if game.decision is not None and game.decision.seat == seat:
            return game
        if not game.claimed or not self.seated.apart:
            return None
        if seat in self._early or seat in self.seated.bots:
            return None
        if seat not in self._ahead:
            ahead: ReferenceGame | None = game.clone()
            while ahead is not None and ahead.decision is not None:
                if ahead.decision.seat == seat:
                    break
                ahead.carry_out(Done())
                ahead = None if all_chosen(game, ahead) else ahead
            self._ahead[seat] = ahead
        return self._ahead[seat]

    def _must_be_asked(self, seat: int) -> tuple[ReferenceGame, Decision]:
        game = self.asked_game(seat)
        if game is None or game.decision is None:
            raise NotNow("not_asked")
        return game, game.decision

    def _make_early(self) -> None:
        """Make the claims of seats that answered before the game came to them."""
        while self._game.claimed and self.decision is not None:
            if self.decision.seat not in self._early:
                break
            self._make(self._early.pop(self.decision.seat))

    def advance(self, at_most: int | None = None) -> int:
        """Let bots act until a person must decide, or the game is over.

        Args:
            at_most: the maximum number of decisions; None is all.

        Returns:
            How many decisions they made; errors as for `choose`.
        """
        count = 0
        while self.asks_bot() and (at_most is None or count < at_most):
            self._make(self._bots.choice(self._game, self.seated, self._decided))
            self._make_early()
            count += 1
        return count

    def think(self) -> Thought | None:
        """Return a bot's pending computation; None if it is no bot's turn.

        One thread may run it while others use the session; then call `follow`.
        """
        return self._bots.thought(self._game, self.seated, self._decided)

    def awaits(self, thought: Thought) -> bool:
        """Return whether the game is still where a thought began."""
        return thought.begun is self._decided.moment

    def follow(self, thought: Thought) -> None:
        """Make the choices of an awaited thought; errors as for `choose`."""
        for choice in thought.found():
            self._make(choice)
        self._make_early()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write all decisions of a block at its end, in one go.

        If they cannot be written (`OSError`), nothing in the block was decided.
        """
        before, decided, asked = self._game.clone(), self._decided.copy(), self.asked
        try:
            with self._kept.at_once():
                yield
        except OSError:
            self._decided, self.asked = decided, asked
            self._go_back(before)
            raise

    def _make(self, choice: Choice) -> None:
        """Make a choice for the current seat, write it, then log it."""
        game, decision = self._game, self._game.decision
        assert decision is not None, "somebody is asked"
        before, bot = game.clone(), decision.seat in self.seated.bots
        try:
            game.choose(choice)
            self._kept.note(decision, choice, game)
        except (RuleFault, OSError):
            self._go_back(before)
            raise
        self._ahead.clear()
        self.asked = None
        self._decided.note(before, choice, game, bot=bot)
        self._tales.hear(game, self.stand, self.people.aside(decision.seat))
        self._moments.decided(decision.seat)

    def _go_back(self, game: ReferenceGame) -> None:
        """Continue from a copy of an earlier game."""
        self._game = game
        self._early.clear()
        self._ahead.clear()
        self._tales.take_back(game, self.stand)

    # ---- hints, and another game
    def hint(self, seat: int) -> Choice:
        """Return what a bot would choose if it saw what the seat sees.

        Raises:
            NotNow: it is not the seat's turn.
        """
        return self.advise(seat).choice

    def advise(self, seat: int) -> Hint:
        """Return a hint with its certainty, as `hint` does."""
        game, _ = self._must_be_asked(seat)
        return self._bots.hint(game, seat, self._decided)

    def rematch(self, file: Path | None = None, seed: int | None = None) -> Sitting:
        """Begin another game at the same table with the same players.

        By default, it is the next game of the same seed; errors as for `begin`.
        """
        luck, number = (self.seed, self.number + 1) if seed is None else (seed, 0)
        names, languages = self.seated.names, self.seated.languages
        return Sitting.begin(self.rules, names, luck, file, languages, number=number)

    # ---- undo

    def can_undo(self, seat: int) -> bool:
        """Return whether a seat may undo its last choice alone."""
        return self.last_open(seat) is not None

    def last_open(self, seat: int) -> OpenChoice | None:
        """Return the choice that a seat may undo alone, if there is one."""
        return next(iter(self._decided.open.last(seat)), None)

    def undo(self, seat: int) -> None:
        """Undo the last choice of a seat, if it revealed nothing.

        Raises:
            NotNow: there is no choice that the seat may undo alone.
            OSError: it cannot be written; nothing has changed.
        """
        self._take_back(seat, self._decided.open.last(seat))

    def restart_turn(self, seat: int) -> None:
        """Undo a seat's turn, up to the last barrier; errors as for `undo`."""
        self._take_back(seat, self._decided.open.of_turn(seat, self._game))

    def _take_back(self, seat: int, choices: tuple[OpenChoice, ...]) -> None:
        if not choices:
            raise NotNow("nothing_to_undo")
        self._undo_to(choices[0].before, self.stand - len(choices), seat)

    def can_ask_undo(self, seat: int) -> bool:
        """Return whether a seat has made any choice that could be undone."""
        return any(made.seat == seat for made in self.made)

    def ask_undo(self, seat: int) -> bool:
        """Ask to undo everything back to and including a seat's last choice.

        All players must agree; bots do. Throws and draws have the same results again,
        so no player gains by it.

        Returns:
            Whether it is already done, because there is nobody to ask.

        Raises:
            NotNow: the seat has not decided yet.
            OSError: as for `undo`.
        """
        if not self.can_ask_undo(seat):
            raise NotNow("nothing_decided")
        own = (at for at, made in enumerate(self.made) if made.seat == seat)
        self.asked = UndoAsked(seat, max(own))
        return self._undo_if_agreed()

    def agree_undo(self, seat: int, by: str = "") -> bool:
        """Agree to an undo request; return whether it is done now.

        If `by` agrees for the seat's person, the log names both. Errors as for `undo`,
        or `NotNow` if there is no request.
        """
        asked = wanted(self.asked)
        if by:
            self.people.answer_undo(seat, by, agreed=True)
        self.asked = replace(asked, agreed=asked.agreed | {seat})
        return self._undo_if_agreed()

    def refuse_undo(self, seat: int, by: str = "") -> None:
        """Refuse an undo request, and log that; arguments as for `agree_undo`."""
        wanted(self.asked)
        self.people.answer_undo(seat, by, agreed=False)
        self.asked = None

    def _undo_if_agreed(self) -> bool:
        asked = wanted(self.asked)
        others, stand = set(self.seated.people) - {asked.by}, asked.stand
        if others - asked.agreed:
            return False
        game = self._decided.replayed(self._game, stand)
        self._undo_to(game, stand, asked.by, sorted(others))
        self._decided.open.clear()
        return True

    def _undo_to(
        self, game: ReferenceGame, stand: int, by: int, agreed: Sequence[int] = ()
    ) -> None:
        said = taken_back(self.people.name(by), self.stand - stand)
        self._early.clear()
        with self._kept.written() as recorder:
            recorder.undo(stand, by, agreed)
        self.asked = None
        self._decided.back_to(game, stand)
        self._go_back(game)
        self._tales.note(said, stand)
        self._moments.taken_back()


# ---- people at a game in progress: seats and deputies


class SittingPeople:
    """Who decides for whom in a game, kept in its record and its logs.

    Args:
        stand: returns the number of standing choices.
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
        """Return the deputy of a seat; '' if its own player decides."""
        return self._recorded.deputies.get(self._seats[seat], "")

    def name(self, seat: int) -> str:
        """Return the player of a seat, by its name in logs."""
        return self._recorded.names[self._seats[seat]]

    def aside(self, seat: int) -> Aside | None:
        """Return the log line before a choice of a seat."""
        return decided_for(self._recorded, self._seats[seat])

    def act_for(self, seat: int, by: str) -> None:
        """Let somebody decide for a seat; an empty name ends that.

        Raises:
            OSError: it cannot be written; nothing has changed.
        """
        self._note(ActedFor(acting=self._seats[seat], by=by))

    def answer_undo(self, seat: int, by: str, *, agreed: bool) -> None:
        """Record a seat's answer to an undo request.

        An empty `by` is the seat's own person.

        Raises:
            OSError: it cannot be written; nothing has changed.
        """
        self._note(UndoAnswered(answered=self._seats[seat], agreed=agreed, by=by))

    def sit_down(self, seat: int, name: str, *, bot: bool = False) -> None:
        """Record a new player of a seat; an empty name leaves the seat vacant.

        The new player's log begins when the game is resumed from its record.

        Raises:
            OSError: it cannot be written; nothing has changed.
        """
        self._note(SatDown(sits=self._seats[seat], name=name, bot=bot))

    def _note(self, part: PeopleLine) -> None:
        said = about_people(self._recorded, part)
        with self._kept.written() as recorder:
            recorder.people(part)
        self._recorded.add(part)
        self._tales.note(said, self._stand(), lasting=True)
        self._tales.call(self._recorded.names.values())
