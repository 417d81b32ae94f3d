"""A sitting: one game with people and bots, its file, what is taken back, hints.

Every decision is in the file before anything of it is shown. What is taken back stays
there, behind a line that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import RecordError
from houserule.base.source import Source
from houserule.engine.reference.choices import Choice, Outcome
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.play.records.appending import Appender
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
    wanted,
)


class Sitting:
    """One game under way at which people sit, and bots.

    Nothing is shown, told or returned of a decision before it is in the file. Where it
    cannot be written (`OSError`) it was not made. In Python `Table.sit` begins one and
    `houserule.resume` goes on with one.

    Attributes:
        rules: what is played.
        seated: who sits where.
        seed, number: the luck.
        people: who decides for whom.
        notes: what is to be said of the file that it was resumed from.
        asked: what somebody wants to take back, and others have not agreed to yet.

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
        """Begin a game; `advance` lets bots act that come first.

        `seats` are names of people, or kinds of bots, one a seat; people sit `apart`
        where each has a face of its own. The record is kept in a new `file`, or by a
        `keeper` that has none of it yet, or in memory alone.

        Raises:
            ValueError: there are more or fewer seats, or names that do not do.
            RuleFault: the rules did what no rules may do.
            OSError: the file is there already, or cannot be written.
            RecordError: E083, another program has the file.
        """
        seated = replace(Seated.of(seats, languages), apart=apart)
        seated.fill(rules.program.seats)
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
        """Go on with a game from its file; `advance` lets bots act that are asked.

        Args:
            file: the record.
            folder: a ruleset to go on by, instead of the one that the record names or
                brings.
            anyway: go on from the last choice that still fits, where rules have changed
                so that the game is not played as before. What no longer fits stays in
                the file, as taken back.

        Raises:
            OSError: the file cannot be read or written.
            RecordError: E080, it is no record; E081, the game differs from it now;
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
        """Go on with a game from its record, which a keeper has.

        Args:
            source: the record, as it is kept.
            keeper: takes what comes to it.
            seated: who sits there from now on, if that is not as the record has it.
            folder: as of `resume`.
            anyway: as of `resume`.

        Raises:
            RecordError, RulesetError: as of `resume`.
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
            kept.change_rules(sitting.stand, own)
        whole = not changed or sitting.stand == len(read.record.stood)
        kept.end(sitting._game, known=whole and read.record.end is not None)
        return sitting

    # ---- what a face shows

    def moment(
        self, viewer: int | None, language: str | None = None, *, choice: bool = True
    ) -> Moment:
        """Return all that is to be shown to a seat now; None is everybody.

        It is in the language of the seat, if no other is wanted. Without `choice` it is
        left out how the viewer's choice begins.
        """
        return self._moments.of(viewer, language or self._language(viewer), choice)

    def _language(self, viewer: int | None) -> str:
        return self.seated.languages[viewer or 0]

    def log(self, viewer: int | None, language: str | None = None) -> tuple[str, ...]:
        """Return the whole tale, what was taken back included; for whom as `moment`."""
        wanted = viewer, language or self._language(viewer)
        if not self._tales.begun(*wanted):
            self._tales.begin_late(wanted, self._game, self.text)
        return self._tales.lines(*wanted)

    # ---- the game

    @property
    def game(self) -> ReferenceGame:
        """The game itself, which knows everything; not to be played on from outside."""
        return self._game

    @property
    def file(self) -> Path | None:
        """The file that holds the game, if there is one."""
        return self._kept.path

    @property
    def decision(self) -> Decision | None:
        """What is to be decided; None when the game is over."""
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
    def text(self) -> str:
        """The record so far."""
        return self._kept.text

    def asks_bot(self) -> bool:
        """Say whether a bot is to decide."""
        return self.decision is not None and self.decision.seat in self.seated.bots

    def close(self) -> None:
        """Let other programs go on with the file."""
        self._kept.close()

    def __enter__(self) -> Sitting:
        """Return the sitting; it is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    # ---- deciding

    def choose(
        self, seat: int, choice: Choice, *, bots_at_most: int | None = None
    ) -> None:
        """Make a choice of a seat; then bots act until a person has to decide.

        Args:
            seat: who decides.
            choice: one of the options.
            bots_at_most: how many decisions of bots follow; None means all.

        Raises:
            NotNow: the seat is not asked.
            Refused: the choice is not legal.
            RuleFault: the rules did what no rules may do; the choice is not made.
            OSError: the choice cannot be written, and is not made.
        """
        self._must_be_asked(seat)
        self._make(choice)
        self.advance(bots_at_most)

    def _must_be_asked(self, seat: int) -> None:
        if self.decision is None or self.decision.seat != seat:
            raise NotNow("not_asked")

    def advance(self, at_most: int | None = None) -> int:
        """Let bots act until a person has to decide, or the game is over.

        Args:
            at_most: how many decisions; None means all.

        Returns:
            How many decisions they made; errors are those of `choose`.
        """
        count = 0
        while self.asks_bot() and (at_most is None or count < at_most):
            self._make(self._bots.choice(self._game, self.seated, self._decided))
            count += 1
        return count

    def think(self) -> Thought | None:
        """Return what a bot has to think of apart from the game; None if none is asked.

        One thread may do it while others use the sitting; then it is followed.
        """
        return self._bots.thought(self._game, self.seated, self._decided)

    def awaits(self, thought: Thought) -> bool:
        """Say whether the game is still where a thought began."""
        return thought.begun is self._decided.moment

    def follow(self, thought: Thought) -> None:
        """Make what bots have thought of, which is awaited; errors as of `choose`."""
        for choice in thought.found():
            self._make(choice)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write at its end, all at once, what is decided in a block.

        If it cannot be written (`OSError`), nothing in the block was decided.
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
        """Make a choice of the seat that is asked, write it, then let it be told."""
        game, decision = self._game, self._game.decision
        assert decision is not None, "somebody is asked"
        before, bot = game.clone(), decision.seat in self.seated.bots
        try:
            game.choose(choice)
            self._kept.note(decision, choice, game)
        except (RuleFault, OSError):
            self._go_back(before)
            raise
        self.asked = None
        self._decided.note(before, choice, game, bot=bot)
        self._tales.hear(game, self.stand, self.people.aside(decision.seat))
        self._moments.decided(decision.seat)

    def _go_back(self, game: ReferenceGame) -> None:
        """Let a copy of the game as it stands be the game."""
        self._game = game
        self._tales.take_back(game, self.stand)

    # ---- hints, and another game
    def hint(self, seat: int) -> Choice:
        """Return what a bot would choose that sees what the seat sees.

        Raises:
            NotNow: the seat is not asked.
        """
        return self.advise(seat).choice

    def advise(self, seat: int) -> Hint:
        """Return a hint and how sure it is, as `hint` does."""
        self._must_be_asked(seat)
        return self._bots.hint(self._game, seat, self._decided)

    def rematch(self, file: Path | None = None, seed: int | None = None) -> Sitting:
        """Begin another game at the same table with the same players.

        The luck is normally the next game of the same seed; errors as of `begin`.
        """
        luck, number = (self.seed, self.number + 1) if seed is None else (seed, 0)
        names, languages = self.seated.names, self.seated.languages
        return Sitting.begin(self.rules, names, luck, file, languages, number=number)

    # ---- taking back

    def can_undo(self, seat: int) -> bool:
        """Say whether a seat may take back its last choice alone."""
        return self.last_open(seat) is not None

    def last_open(self, seat: int) -> OpenChoice | None:
        """Return the choice that a seat may take back alone, if there is one."""
        return next(iter(self._decided.open.last(seat)), None)

    def undo(self, seat: int) -> None:
        """Take back the last choice of a seat, if nothing came out by it.

        Raises:
            NotNow: there is none that the seat may take back alone.
            OSError: that cannot be written; nothing has changed.
        """
        self._take_back(seat, self._decided.open.last(seat))

    def restart_turn(self, seat: int) -> None:
        """Take back a seat's turn, as far as nothing came out; errors as of `undo`."""
        self._take_back(seat, self._decided.open.of_turn(seat, self._game))

    def _take_back(self, seat: int, choices: tuple[OpenChoice, ...]) -> None:
        if not choices:
            raise NotNow("nothing_to_undo")
        self._undo_to(choices[0].before, self.stand - len(choices), seat)

    def can_ask_undo(self, seat: int) -> bool:
        """Say whether a seat has decided anything that could be taken back."""
        return any(made.seat == seat for made in self.made)

    def ask_undo(self, seat: int) -> bool:
        """Ask to take back everything since the last choice of a seat, and that too.

        Everybody has to agree; bots do. What was thrown or drawn comes out the same
        again, so that nobody gains by it.

        Returns:
            Whether it is done already, since there is nobody to ask.

        Raises:
            NotNow: the seat has not decided yet.
            OSError: as `undo`.
        """
        if not self.can_ask_undo(seat):
            raise NotNow("nothing_decided")
        own = (at for at, made in enumerate(self.made) if made.seat == seat)
        self.asked = UndoAsked(seat, max(own))
        return self._undo_if_agreed()

    def agree_undo(self, seat: int, by: str = "") -> bool:
        """Agree to what was asked; say whether it is done now.

        Where somebody agrees `by` name for the seat's person, all are told; errors are
        those of `undo`, or nothing was asked (`NotNow`).
        """
        asked = wanted(self.asked)
        if by:
            self.people.answer_undo(seat, by, agreed=True)
        self.asked = replace(asked, agreed=asked.agreed | {seat})
        return self._undo_if_agreed()

    def refuse_undo(self, seat: int, by: str = "") -> None:
        """Take back nothing of what was asked: all are told. As `agree_undo`."""
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
        self._kept.undo(stand, by, agreed)
        self.asked = None
        self._decided.back_to(game, stand)
        self._go_back(game)
        self._tales.note(said, stand)
        self._moments.taken_back()


# ---- people at a game in progress: seats and deputies


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
