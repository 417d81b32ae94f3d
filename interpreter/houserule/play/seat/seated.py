"""Who sits at a table: people by their names, and bots with what they choose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.engine.bots.bot import GREEDY, is_bot
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.imagined import hides, lookalike
from houserule.engine.bots.search import Rated
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker, quick_bot
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.play.records.lines import Head, OwnRules
from houserule.play.records.people import RecordedPeople
from houserule.play.records.records import Recorder
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.rules import TableRules
from houserule.play.seat.undoing import Decided

HINT = Effort(decisions=2_000)
"""How long a hint is searched for: in large games that is a twentieth of a second."""
SURE_TIMES, SURE_GAP = 2, 0.1
"""A hint is sure if a search tried the next one so much less often, and found it so
much worse, of the whole win."""
CLOSE_PART, CLOSE_GAP = 0.75, 0.05
"""Another is as good that was tried so nearly as often, and is hardly worse."""


@frozen
class Seated:
    """Who sits at a table.

    Attributes:
        names: by seat; of a seat that a bot plays the kind of the bot.
        bots: the seats that bots play.
        languages: by seat.
        apart: whether each person has a face of its own.
    """

    names: tuple[str, ...]
    bots: frozenset[int]
    languages: tuple[str, ...]
    apart: bool = False

    @classmethod
    def of(cls, names: Sequence[str], languages: Sequence[str] = ("en",)) -> Seated:
        """Return who sits where: a name that is a kind of bot is one.

        Fewer languages than seats go round.

        Raises:
            ValueError: two people have the same name, or one has none.
        """
        bots = frozenset(seat for seat, name in enumerate(names) if is_bot(name))
        people = [name for seat, name in enumerate(names) if seat not in bots]
        for name in people:
            if not name.strip() or people.count(name) > 1:
                raise ValueError(f"Every player needs a name of their own: `{name}`.")
        spoken = tuple(languages[at % len(languages)] for at in range(len(names)))
        return cls(tuple(names), bots, spoken)

    def fill(self, seats: int) -> None:
        """Hold that so many seats are all taken.

        Raises:
            ValueError: there are more or fewer.
        """
        taken = len(self.names)
        if taken != seats:
            raise ValueError(f"The table has {seats} seats, and {taken} are taken.")

    def recorder(
        self, rules: TableRules, seed: int, number: int, own: OwnRules | None
    ) -> Recorder:
        """Return what records a new game of theirs; `own` are rules of their own."""
        return Recorder(
            rules.program,
            rules.chosen,
            seed,
            number,
            self.names,
            bots=sorted(self.bots),
            languages=self.languages,
            own=own,
        )

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat in range(len(self.names)) if seat not in self.bots)

    def listening(self) -> tuple[tuple[int | None, str], ...]:
        """Return who is told the game, each with a language: the seats of people.

        Where several share a face it shows now and then what all of them saw.
        """
        seats = [(seat, self.languages[seat]) for seat in self.people]
        share = len(seats) > 1 and not self.apart
        everybody = [(None, language) for _, language in seats[:1] if share]
        return (*everybody, *seats)

    @classmethod
    def in_record(cls, head: Head, people: RecordedPeople) -> Seated:
        """Return who sits at the end of a record."""
        names, seats = tuple(people.names.values()), tuple(people.names)
        bots = {at for at, seat in enumerate(seats) if seat in people.bots}
        if not head.languages:  # by bots alone, as `run` writes it
            bots = {at for at, name in enumerate(names) if is_bot(name)}
        spoken = head.languages or ["en"]
        return cls(
            names,
            frozenset(bots),
            tuple(spoken[at % len(spoken)] for at in range(len(seats))),
        )


@frozen
class Hint:
    """What a bot would choose.

    Attributes:
        choice: one of the options.
        sure: whether all others seem clearly worse.
        other: another option that seems as good; None where there is none.
        wins: whether it wins for certain, whatever the others do.
    """

    choice: Choice
    sure: bool = False
    other: Choice | None = None
    wins: bool = False

    def told(self, chooser: Chooser) -> str:
        """Return it in words of the seat that chooses."""
        words = Phrases("seat", chooser.words.language)
        what = chooser.label(self.choice)
        if self.wins:
            return words.say("hint_wins", what=what)
        if self.sure:
            return words.say("hint_sure", what=what)
        if self.other is not None:
            other = chooser.label(self.other)
            return words.say("hint_other", what=what, other=other)
        return what


def _hint_of(found: Sequence[Rated]) -> Hint:
    """Return what options come to that were searched, as often as they seem good."""
    best, *others = sorted(
        found, key=lambda each: (*each.weight, each.value), reverse=True
    )
    if not others:
        return Hint(best.option)
    second, gap = others[0], best.value - others[0].value
    if best.proof > 0:
        return Hint(best.option, wins=True)
    sure = best.tried >= SURE_TIMES * second.tried and gap >= SURE_GAP
    close = second.tried >= CLOSE_PART * best.tried and gap < CLOSE_GAP
    close = close or best.proof < 0  # then all lose
    return Hint(best.option, sure, second.option if close else None)


class SittingBots:
    """The bots of one sitting.

    What one draws depends on the luck of the game, on its seat and on how many choices
    stand, so that it goes on alike after a sitting was left and resumed.
    """

    def __init__(self, program: Program, seed: int, number: int) -> None:
        self._program, self._seed, self._number = program, seed, number
        self._thinkers = [CompiledThinker(program)]

    @contextmanager
    def thinker(self) -> Iterator[CompiledThinker]:
        """Lend what thinks to one thread: the same, or another while that is lent."""
        try:
            thinker = self._thinkers.pop()
        except IndexError:
            thinker = CompiledThinker(self._program)
        thinker.end_searches(end=False)
        try:
            yield thinker
        finally:
            self._thinkers.append(thinker)

    def choice(self, game: ReferenceGame, seated: Seated, decided: Decided) -> Choice:
        """Return what the bot chooses that is asked, after what was decided."""
        with self.thinker() as thinker:
            return self.choice_by(thinker, game, seated, decided)

    def choice_by(
        self,
        thinker: CompiledThinker,
        game: ReferenceGame,
        seated: Seated,
        decided: Decided,
    ) -> Choice:
        """Return the same, by what was lent to the thread."""
        decision = game.decision
        assert decision is not None, "a bot is asked"
        seat, kind = decision.seat, seated.names[decision.seat]
        stand = len(decided.made)
        stream = Stream.seeded(self._seed, self._number, f"bot/{seat}/{stand}")
        return quick_bot(kind, seat, stream, thinker, decided.track).choose(game)

    def thought(
        self, game: ReferenceGame, seated: Seated, decided: Decided
    ) -> Thought | None:
        """Return what the bot that is asked has to think of; None if none is asked."""
        if game.decision is None or game.decision.seat not in seated.bots:
            return None
        return Thought(self, seated, game.clone(), decided.apart(game))

    def hint(self, game: ReferenceGame, seat: int, decided: Decided) -> Hint:
        """Return what a bot would choose that sees what the seat sees.

        It depends on nothing that the seat does not see, the game's seed included. It
        is a search of `HINT`. If the compiled engine cannot search, that would take
        seconds, so the greedy bot chooses, which is never sure. Within an effect the
        compiled engine can search only by the way that led there. That way may give
        away what is hidden, so it is not used if anything is.
        """
        stream, alike = Stream.seeded(0, 0, "hint"), lookalike(game, seat)
        way = None if hides(game.program) else decided.track.way(game)
        with self.thinker() as thinker:
            if thinker.is_quick(alike, way):
                found = thinker.rate(alike, stream, HINT, way)
                if found:
                    return _hint_of(found)
            return Hint(quick_bot(GREEDY, seat, stream, thinker).choose(alike))


class Thought:
    """What bots choose next, thought out on a copy of their game.

    One thread may think while others use the sitting, which may go on meanwhile.

    Attributes:
        begun: where the game was then; the sitting knows whether it still is there.
        choices: what was found so far, in order.
    """

    def __init__(
        self,
        bots: SittingBots,
        seated: Seated,
        game: ReferenceGame,
        decided: Decided,
    ) -> None:
        self._bots, self._seated, self._game = bots, seated, game
        self._decided, self.begun = decided, decided.moment
        self.choices: list[Choice] = []
        self._fault: RuleFault | None = None
        self._thinker: CompiledThinker | None = None
        self._vain = False

    def think(self, more: Callable[[], bool] = lambda: False) -> None:
        """Find out what the bot chooses that is asked.

        As long as there is to be `more`, what those choose who are asked then.
        """
        with self._bots.thinker() as self._thinker:
            try:
                while not self._vain and self._find() and more():
                    before, choice = self._game.clone(), self.choices[-1]
                    self._game.choose(choice)
                    self._decided.note(before, choice, self._game, bot=True)
            except RuleFault as fault:
                self._fault = fault
            self._thinker = None

    def _find(self) -> bool:
        """Find one choice; say whether there was one to find."""
        game, seated = self._game, self._seated
        if game.decision is None or game.decision.seat not in seated.bots:
            return False
        assert self._thinker is not None, "somebody thinks"
        found = self._bots.choice_by(self._thinker, game, seated, self._decided)
        self.choices.append(found)
        return True

    def give_up(self) -> None:
        """Come to an end soon: nobody wants it any more. Any thread may ask."""
        self._vain = True
        if (thinker := self._thinker) is not None:
            thinker.end_searches()

    def found(self) -> list[Choice]:
        """Return the choices.

        Raises:
            RuleFault: there are none, since the rules did what no rules may do.
        """
        if self._fault is not None and not self.choices:
            raise self._fault
        return self.choices
