"""The players at a table: people by name, and bots with their choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.engine.bots.bot import GREEDY, is_bot
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.search import Rated
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker, quick_bot
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.play.narration.visibility import EVERYBODYS_NAME
from houserule.play.records.lines import Head, OwnRules
from houserule.play.records.people import RecordedPeople
from houserule.play.records.records import Recorder
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.rules import TableRules
from houserule.play.seat.undoing import Decided

HINT = Effort(decisions=2_000)
"""The search budget of a hint: a twentieth of a second in large games."""
SURE_TIMES, SURE_GAP = 2, 0.1
"""A hint is sure if the search tried the next option `SURE_TIMES` times less often, and
rated it lower by `SURE_GAP` of a win."""
CLOSE_PART, CLOSE_GAP = 0.75, 0.05
"""Another option is as good if it was tried nearly as often and is hardly worse."""


@frozen
class Seated:
    """The players at a table.

    Attributes:
        names: by seat; for a bot, its kind.
        apart: whether each person has a separate screen.
    """

    names: tuple[str, ...]
    bots: frozenset[int]
    languages: tuple[str, ...]
    apart: bool = False

    @classmethod
    def of(cls, names: Sequence[str], languages: Sequence[str] = ("en",)) -> Seated:
        """Return the players; a name that is a kind of bot means a bot.

        If there are fewer languages than seats, they repeat.

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

    def fill(self, seats: Sequence[str]) -> None:
        """Check that there is one player for each of the named seats.

        Raises:
            ValueError: there are more or fewer, or a player has the name of another
                seat, or of all.
        """
        taken = len(self.names)
        if taken != len(seats):
            raise ValueError(
                f"The table has {len(seats)} seats, and {taken} are taken."
            )
        for own, name in zip(seats, self.names, strict=True):
            if name.casefold() in {*seats, EVERYBODYS_NAME} - {own}:
                whom = "another seat" if name.casefold() in seats else "all seats"
                raise ValueError(f"`{name}` means {whom}. Use a different name.")

    def recorder(
        self, rules: TableRules, seed: int, number: int, own: OwnRules | None
    ) -> Recorder:
        """Return the recorder of a new game; `own` are the players' own rules."""
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
        return tuple(seat for seat in range(len(self.names)) if seat not in self.bots)

    def listening(self) -> tuple[tuple[int | None, str], ...]:
        """The viewers of the log, each with a language: the seats of people.

        A shared screen sometimes shows what all of its players saw.
        """
        seats = [(seat, self.languages[seat]) for seat in self.people]
        share = len(seats) > 1 and not self.apart
        everybody = [(None, language) for _, language in seats[:1] if share]
        return (*everybody, *seats)

    @classmethod
    def in_record(cls, head: Head, people: RecordedPeople) -> Seated:
        """Return the players at the end of a record."""
        names, seats = tuple(people.names.values()), tuple(people.names)
        bots = {at for at, seat in enumerate(seats) if seat in people.bots}
        if not head.languages:  # only bots, as `run` writes it
            bots = {at for at, name in enumerate(names) if is_bot(name)}
        spoken = head.languages or ["en"]
        return cls(
            names,
            frozenset(bots),
            tuple(spoken[at % len(spoken)] for at in range(len(seats))),
        )


@frozen
class Hint:
    """A bot's suggestion.

    Attributes:
        sure: whether all other options seem clearly worse.
        other: another option that seems as good; None if there is none.
        every: the options that the search tried, with their values, in order.
    """

    choice: Choice
    sure: bool = False
    other: Choice | None = None
    wins: bool = False
    every: tuple[Rated, ...] = ()

    def told(self, chooser: Chooser) -> str:
        """Return the hint in the words of the seat that chooses."""
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

    def values(self, chooser: Chooser) -> list[str]:
        """Return the value of each option that was tried, the best first, in words."""
        words = Phrases("seat", chooser.words.language)
        found = sorted(
            self.every, key=lambda each: (each.proof, each.value), reverse=True
        )
        return [
            words.say(
                "hint_value",
                what=chooser.described(each.option),
                value=round(100 * each.value),
            )
            for each in found
        ]


class SittingBots:
    """The bots of one session.

    A bot's random numbers depend on the game's seed, its seat and the number of
    standing choices, so a resumed session continues in the same way.
    """

    def __init__(self, program: Program, seed: int, number: int) -> None:
        self._program, self._seed, self._number = program, seed, number
        self._thinkers = [CompiledThinker(program)]

    @contextmanager
    def thinker(self) -> Iterator[CompiledThinker]:
        """Lend a thinker to one thread; while it is lent, others get another one."""
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
        """Return the choice of the bot whose turn it is, after the decided choices."""
        with self.thinker() as thinker:
            return self.choice_by(thinker, game, seated, decided)

    def choice_by(
        self,
        thinker: CompiledThinker,
        game: ReferenceGame,
        seated: Seated,
        decided: Decided,
    ) -> Choice:
        """Return the same, computed by a thinker that was lent to the thread."""
        decision = game.decision
        assert decision is not None, "a bot is asked"
        seat, kind = decision.seat, seated.names[decision.seat]
        stand = len(decided.made)
        stream = Stream.seeded(self._seed, self._number, f"bot/{seat}/{stand}")
        return quick_bot(kind, seat, stream, thinker, decided.track).choose(game)

    def thought(
        self, game: ReferenceGame, seated: Seated, decided: Decided
    ) -> Thought | None:
        """Return the pending computation of a bot; None if it is no bot's turn."""
        if game.decision is None or game.decision.seat not in seated.bots:
            return None
        return Thought(self, seated, game.clone(), decided.apart(game))

    def hint(self, game: ReferenceGame, seat: int, decided: Decided) -> Hint:
        """Return what a bot would choose if it saw what the seat sees.

        It depends on nothing hidden from the seat, not even the game's seed. It is a
        search with the budget `HINT`. If the compiled engine cannot search, that would
        take seconds, so the greedy bot chooses, and the hint is never sure.
        """
        stream, way = Stream.seeded(0, 0, "hint"), decided.track.way(game)
        with self.thinker() as thinker:
            if thinker.is_quick(game, way):
                found = thinker.rate(game, stream, HINT, way)
                if found:
                    best, *others = sorted(
                        found, key=lambda each: (*each.weight, each.value), reverse=True
                    )
                    if not others:
                        return Hint(best.option, every=tuple(found))
                    second, gap = others[0], best.value - others[0].value
                    if best.proof > 0:
                        return Hint(best.option, wins=True, every=tuple(found))
                    sure = best.tried >= SURE_TIMES * second.tried and gap >= SURE_GAP
                    close = second.tried >= CLOSE_PART * best.tried and gap < CLOSE_GAP
                    close = close or best.proof < 0  # then all lose
                    other = second.option if close else None
                    return Hint(best.option, sure, other, every=tuple(found))
            return Hint(quick_bot(GREEDY, seat, stream, thinker).choose(game))


class Thought:
    """The next choices of bots, computed on a copy of their game.

    One thread may compute while others use the session and continue the game.

    Attributes:
        begun: the game's moment at the start; the session compares it with its own.
        choices: the choices found so far, in order.
    """

    def __init__(
        self, bots: SittingBots, seated: Seated, game: ReferenceGame, decided: Decided
    ) -> None:
        self._bots, self._seated, self._game = bots, seated, game
        self._decided, self.begun = decided, decided.moment
        self.choices: list[Choice] = []
        self._fault: RuleFault | None = None
        self._thinker: CompiledThinker | None = None
        self._vain = False

    def think(self, more: Callable[[], bool] = lambda: False) -> None:
        """Compute the choice of the bot whose turn it is.

        While `more` returns true, compute the following bots' choices too, and those of
        all bots that are asked at once for claims: their answers come together.
        """
        with self._bots.thinker() as self._thinker:
            try:
                game, bots = self._game, self._seated.bots
                while not self._vain:
                    if game.decision is None or game.decision.seat not in bots:
                        break
                    choice = self._bots.choice_by(
                        self._thinker, game, self._seated, self._decided
                    )
                    self.choices.append(choice)
                    claimed = game.claimed
                    if not claimed and not more():
                        break
                    before = game.clone()
                    game.choose(choice)
                    self._decided.note(before, choice, game, bot=True)
                    if claimed and not game.claimed and not more():
                        break
            except RuleFault as fault:
                self._fault = fault
            self._thinker = None

    def give_up(self) -> None:
        """Stop soon, because the result is not needed. Any thread may call this."""
        self._vain = True
        if (thinker := self._thinker) is not None:
            thinker.end_searches()

    def found(self) -> list[Choice]:
        """Return the choices.

        Raises:
            RuleFault: no choice was found, because a rule failed.
        """
        if self._fault is not None and not self.choices:
            raise self._fault
        return self.choices
